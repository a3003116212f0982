"""What was meant by a name that is not defined: the note that says so, beside the mistake in MLIR's own words.

It is for who edits the text. The command line says what MLIR's tools say, and shows the line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Final

from fathom.context import Context
from fathom.diagnostics import UNDECLARED_BLOCK, UNDECLARED_VALUE, UNKNOWN_OP, UNREGISTERED, Diagnostic, Note
from fathom.editions.renames import is_renamed, old_name
from fathom.elaborate.elaborated import Elaborated
from fathom.elaborate.sites import Site, definition, site_of
from fathom.ir.operation import Operation, Region, Value
from fathom.records import replace
from fathom.slices import checkpoint, paced
from fathom.spelling import nearest, slips

MOST: Final = 100
"""To so many mistakes of one kind in a text suggestions are made."""

FEW: Final = 256
"""Of so many names, those that differ by more than a slip are thought of too."""

_EXPONENT: Final = re.compile(r"[eE]\d{1,5}")
_INTEGER: Final = re.compile(r"(?<![\w.%@#^!])-?\d+$")
_LONGEST: Final = 32
"""A number of more digits is not looked at."""

UNPREFIXED: Final = ("builtin", "func")
"""The dialects whose operations may be written without the name of the dialect nearly everywhere."""


def with_suggestions(
    diagnostics: Iterable[Diagnostic],
    known: Elaborated,
    context: Context,
    text: Callable[[int, int], str],
    beside: Callable[[str], str | None] = lambda _: None,
) -> list[Diagnostic]:
    """The diagnostics of a text, with a note to those about a name that nothing defines: the name, and the nearest one
    that is defined. `text` gives what stands between two offsets, and `beside` the name of a value that is defined
    beside the text and may be meant by one that is not defined in it."""
    left = dict.fromkeys(_SUGGESTIONS, MOST)
    suggested: list[Diagnostic] = []
    for diagnostic in paced(diagnostics):
        if diagnostic.code in _SUGGESTIONS and diagnostic.span is not None and left[diagnostic.code]:
            left[diagnostic.code] -= 1
            name = text(diagnostic.span.start, diagnostic.span.end)
            message = _exponent(name, diagnostic.span.start, text)
            message = message or _SUGGESTIONS[diagnostic.code](name, diagnostic, known, context)
            if diagnostic.code == UNDECLARED_VALUE and message == _said(name, None):
                message = _said(name, beside(name))
            if message:
                diagnostic = replace(diagnostic, notes=(*diagnostic.notes, Note(message, hint=True)))
        suggested.append(diagnostic)
    return suggested


def _exponent(word: str, start: int, text: Callable[[int, int], str]) -> str:
    """Of a word that is the exponent of a number without a point, which ends in front of it."""
    if not _EXPONENT.fullmatch(word):
        return ""
    before = _INTEGER.search(text(max(0, start - _LONGEST), start))
    return f"a float has a point: {before[0]}.0{word}" if before else ""


def _value(name: str, diagnostic: Diagnostic, known: Elaborated, context: Context) -> str:
    name = name.partition("#")[0]
    return _said(name, _nearest_value(name, diagnostic, known))


def _block(name: str, diagnostic: Diagnostic, known: Elaborated, context: Context) -> str:
    region = _region(diagnostic)
    labels = known.labels[region].defined if region in known.labels else {}
    near = nearest(name[1:], [label[1:] for label in labels]) if len(labels) <= FEW else None
    return _said(name, f"^{near}" if near else None)


def _operation(name: str, diagnostic: Diagnostic, known: Elaborated, context: Context) -> str:
    name = name.strip('"')
    known_by = old_name(name)
    if known_by is not None and is_renamed(known_by):
        return ""  # What it is today is no guess.
    dialect, dot, _ = name.partition(".")
    if dot:
        near = nearest(name, _names_of(dialect, context))
    else:
        full = {name.partition(".")[2]: name for dialect in UNPREFIXED for name in _names_of(dialect, context)}
        # Where the word is right, another dialect than its own is the default one here.
        near = full.get(name) or nearest(name, full)
    return f"did you mean '{near}'?" if near else ""


def _of_dialect(name: str, diagnostic: Diagnostic, known: Elaborated, context: Context) -> str:
    """Of an operation that may be unknown for its dialect alone."""
    meant = meant_operation(name.strip('"'), context)
    return f"did you mean '{meant}'?" if meant else ""


def meant_operation(name: str, context: Context) -> str:
    """The operation that an unknown name may stand for if only its dialect is misspelt; empty if there is none."""
    dialect, _, mnemonic = name.partition(".")
    if context.dialect(dialect) is not None:
        return ""
    near = _nearest_dialect(dialect, tuple(context.dialect_names()))
    return f"{near}.{mnemonic}" if near and context.is_defined(f"{near}.{mnemonic}") else ""


@lru_cache(maxsize=256)
def _nearest_dialect(name: str, known: tuple[str, ...]) -> str | None:
    """The dialect that is meant by a name; a text names few that are not known, over and over."""
    return nearest(name, known)


_SUGGESTIONS: Final[Mapping[str, Callable[[str, Diagnostic, Elaborated, Context], str]]] = {
    UNDECLARED_VALUE: _value,
    UNDECLARED_BLOCK: _block,
    UNREGISTERED: _operation,
    UNKNOWN_OP: _of_dialect,
}


def _said(name: str, near: str | None) -> str:
    return f"'{name}' is not defined here" + (f"; did you mean '{near}'?" if near else "")


def _names_of(dialect: str, context: Context) -> list[str]:
    known = context.dialect(dialect)
    return list(known.by_name) if known is not None else []


def _site(diagnostic: Diagnostic) -> Site | None:
    origin = diagnostic.span.origin if diagnostic.span is not None else None
    return origin if isinstance(origin, Site) else None


def _user(diagnostic: Diagnostic) -> Operation | None:
    """The operation that names what is not defined: of those that begin in the statement the last before the place."""
    site, span = _site(diagnostic), diagnostic.span
    operations = sorted(site.operations.items()) if site is not None else []
    before = [op for token, op in operations if site and span and site.span(token).start <= span.start]
    return before[-1] if before else next((op for _, op in operations), None)


def _region(diagnostic: Diagnostic) -> Region | None:
    """The region in which a name stands that is not defined."""
    op = _user(diagnostic)
    return op.parent_region if op is not None else None


def _is_before(value: Value, diagnostic: Diagnostic) -> bool:
    """Whether a value of the same statement is defined before the place, by an operation that ends there."""
    place, op = definition(value), _user(diagnostic)
    while op is not None and op is not value.defining_op:
        op = op.parent_op
    if op is not None or place is None or diagnostic.span is None:
        return False
    return place.span.start < diagnostic.span.start


def _nearest_value(name: str, diagnostic: Diagnostic, known: Elaborated) -> str | None:
    """The name of a value that is visible where one is not defined."""
    checkpoint()
    site, region = _site(diagnostic), _region(diagnostic)
    if site is None:
        return None
    scope = known.scopes.get(region) if region is not None else None
    tables: list[Mapping[str, list[Value]]] = []
    while scope is not None and region is not None and region in scope.tables:
        tables.append(scope.tables[region])
        region = region.parent.parent_region if region.parent is not None else None

    def is_visible(name: str) -> bool:
        """Whether it is defined before."""
        values = next((table[name] for table in tables if name in table), None)
        home = site_of(values[0]) if values else None
        if values is not None and home is site:
            return _is_before(values[0], diagnostic)
        return values is not None and (home is None or home.order < site.order)

    word = name[1:]
    if sum(map(len, tables)) <= FEW:
        near = nearest(word, [visible[1:] for table in tables for visible in table if is_visible(visible)])
    else:
        near = next((slip for slip in slips(word) if is_visible(f"%{slip}")), None) if len(word) > 1 else None
    return f"%{near}" if near else None
