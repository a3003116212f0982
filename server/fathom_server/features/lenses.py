"""Code lenses: what can be done with a function, above it, how often it is used, and the test above each command that a
comment says how to run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

from fathom.execution.callable import uncallable
from fathom.ir.operation import Span
from fathom.records import record
from fathom_server.features.functions import signature_of
from fathom_server.features.lower import is_left_in
from fathom_server.features.navigation import references
from fathom_server.features.symbols import OutlineEntry, outline
from fathom_server.features.tests import tests
from fathom_server.model.lowered import stalled, takes_long
from fathom_server.model.scoping import Role, Symbol, find, name_of
from fathom_server.model.snapshot import Snapshot

Kind = Literal["run", "preview", "lower", "uses", "test"]

MOST_LOWERED: Final = 20
"""So many functions of which it is not known yet are lowered to find out whether they can be run."""
CALLABLE: Final = ("func", "llvm")
"""The dialects whose functions can be called from outside."""


@record
class Lens:
    """Something to do about `function`, by the name that clients call it by, or about the test whose text is `command`;
    shown above the line of a range of the document. How often a function is used is found out when it is shown."""

    kind: Kind
    start: int
    end: int
    function: str = ""
    command: str = ""


def lenses(snapshot: Snapshot) -> list[Lens]:
    """The lenses of a document, in the order of the text."""
    found = [Lens("test", test.start, test.end, command=test.command) for test in tests(snapshot)]
    left = MOST_LOWERED
    for entry in _functions(outline(snapshot)):
        symbol = entry.symbol
        if symbol is None:
            continue
        dialect, name = symbol.op_name.partition(".")[0], name_of(snapshot, symbol)
        offered: dict[Kind, bool] = {
            "run": symbol.has_body and dialect in CALLABLE and _is_callable(snapshot, symbol),
            "preview": symbol.has_body,
            "lower": symbol.has_body and dialect != "llvm",
            "uses": True,
        }
        if offered["run"]:
            is_known = stalled.is_known(snapshot, symbol.item)
            if not is_known and left > 0 and not takes_long(snapshot, symbol.item):
                left, is_known = left - 1, True
            offered["run"] = not is_known or not any(
                is_left_in(each, (symbol,)) for each in stalled(snapshot, symbol.item)
            )
        found += [
            Lens(kind, entry.name_start, entry.name_end, name) for kind, is_offered in offered.items() if is_offered
        ]
    return sorted(found, key=lambda lens: lens.start)


def _is_callable(snapshot: Snapshot, symbol: Symbol) -> bool:
    """Whether the types of a function are such as a program can be called with."""
    signature = signature_of(snapshot, symbol)
    return signature is not None and uncallable(signature) is None


def uses_of(snapshot: Snapshot, function: str) -> list[Span] | None:
    """Where a function is used, in the order of the text; None if it is not there any more."""
    symbol = find(snapshot, function)
    if symbol is None:
        return None
    return references(snapshot, snapshot.start_of(symbol.item) + symbol.name_start, False)


def _functions(entries: list[OutlineEntry]) -> Iterator[OutlineEntry]:
    for entry in entries:
        if entry.role is Role.FUNCTION:
            yield entry
        yield from _functions(entry.children)
