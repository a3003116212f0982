"""Symbols and blocks, which have names with a sign in front."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count
from typing import Final

from fathom.elaborate.literals import symbol_name
from fathom.slices import paced
from fathom.text.escapes import quote
from fathom_server.features.completion.inquiry import Inquiry
from fathom_server.features.completion.position import Position
from fathom_server.features.completion.suggestion import Kind, Suggestion
from fathom_server.features.completion.wanted import wanted_at
from fathom_server.features.symbols import detail_of
from fathom_server.model.scoping import Role, Symbol, meant, role, scope_at, scope_in, symbols_in
from fathom_server.model.snapshot import Snapshot

DETAILED: Final = 100
"""So many symbols are suggested with their headers."""

_BARE: Final = re.compile(r"[A-Za-z_][\w$.]*")
_KINDS: Final[dict[Role, Kind]] = {Role.FUNCTION: "function", Role.TABLE: "table", Role.DATA: "data"}


def symbols(inquiry: Inquiry) -> Iterator[Suggestion]:
    """The symbols that a name means at a position, the near ones first; behind `@a::`, those of that table."""
    snapshot, position = inquiry.snapshot, inquiry.position
    if not position.sign and not inquiry.asked.takes("symbol", "SYMBOL"):
        return
    if (wanted := wanted_at(inquiry)) is not None and not wanted.takes("@"):
        return
    path = _path_before(position)
    at = position.start - snapshot.start_of(position.item)
    table = meant(snapshot, position.item, at, path)
    if path and table is None:
        return
    scope = scope_in(snapshot, table) if table is not None else scope_at(snapshot, position.item, at)
    names = (name[1:].strip('"') for name in inquiry.near.ordered if name.startswith("@"))
    written = position.word.removeprefix("@")
    rest = sorted(name for name in paced(snapshot.symbols) if name.startswith(written))
    number = count()
    for name in dict.fromkeys((*names, *rest)):
        defined = symbols_in(snapshot, scope, name) if name.startswith(written) else ()
        if defined:
            yield _symbol(snapshot, _spelt(name), defined[0], is_whole=next(number) < DETAILED)


def _path_before(position: Position) -> list[str]:
    """The names of the tables in `@a::@b::` before a position."""
    path: list[str] = []
    tokens = list(position.before)
    while len(tokens) > 1 and tokens[-1].text == "::" and tokens[-2].kind == "SYMBOL":
        path.insert(0, symbol_name(tokens[-2].text))
        del tokens[-2:]
    return path


def _spelt(name: str) -> str:
    """A symbol as it is written, in quotes where it has to be."""
    return f"@{name}" if _BARE.fullmatch(name) else f"@{quote(name)}"


def _symbol(snapshot: Snapshot, label: str, symbol: Symbol, *, is_whole: bool) -> Suggestion:
    detail = detail_of(symbol) if is_whole else symbol.op_name
    return Suggestion(label, _KINDS.get(role(snapshot, symbol), "function"), detail)


def blocks(inquiry: Inquiry) -> Iterator[Suggestion]:
    """The blocks of the region that a position is in, in the order of the text."""
    if not inquiry.position.sign and not inquiry.asked.takes("block"):
        return
    region = inquiry.place.region if inquiry.place is not None else None
    labels = inquiry.known.labels.get(region) if region is not None else None
    for label, block in labels.defined.items() if labels is not None else ():
        arguments = ", ".join(str(argument.type) for argument in block.arguments)
        yield Suggestion(label, "block", f"({arguments})" if arguments else "")
