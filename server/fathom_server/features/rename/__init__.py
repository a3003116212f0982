"""Another name for a value, a block, an alias or a symbol, wherever it is named; or why it cannot have it.

What only looks like the name, in a comment, a string or another scope, is left alone. What would mean something else
afterwards is refused: a name that is taken where the old one is visible, or that is used there for something that
nothing defines.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from fathom.ir.operation import Span
from fathom.records import record
from fathom_server.features import linked
from fathom_server.features.edits import Refusal, Renamable, Replacement
from fathom_server.features.rename import aliases, blocks, symbols, values
from fathom_server.features.rename.new_names import new_name, spelled
from fathom_server.features.workspace import FileEdit, Workspace
from fathom_server.model.places import Spot, path_to, spot_at, symbol_at
from fathom_server.model.scoping import is_linked
from fathom_server.model.snapshot import Snapshot

_SIGNS: Final = {"VALUE": "%", "BLOCK": "^", "SYMBOL": "@", "STRING": "@", "ALIAS": "#", "HASH": "#", "EXCLAIM": "!"}


@record
class _Kind:
    """Where the name at a spot stands, and what stands against a new one."""

    places: Callable[[Snapshot, Spot], list[Span]]
    problem: Callable[[Snapshot, Spot, str], str | None]


_ALIAS: Final = _Kind(aliases.places, aliases.problem)
_LOCAL: Final = {
    "%": _Kind(values.places, values.problem),
    "^": _Kind(blocks.places, blocks.problem),
    "#": _ALIAS,
    "!": _ALIAS,
}
"""What is known in one document alone, by its sign."""


def prepare(snapshot: Snapshot, offset: int) -> Renamable | None:
    """The name at an offset that can be another."""
    spot = spot_at(snapshot, offset)
    sign = _SIGNS.get(spot.token.kind) if spot is not None else None
    if spot is None or sign is None:
        return None
    if sign == "@":
        name = _symbol_name(snapshot, spot)
        return Renamable(spot.start, spot.end, name) if name else None
    if not _LOCAL[sign].places(snapshot, spot):
        return None
    name = spot.token.text.partition("#")[0] if sign == "%" else spot.token.text
    return Renamable(spot.start, spot.start + len(name), name)


def may_be_elsewhere(snapshot: Snapshot, offset: int, _written: str = "") -> bool:
    """Whether another name for what stands at an offset may concern other files."""
    spot = spot_at(snapshot, offset)
    if spot is None or _SIGNS.get(spot.token.kind) != "@":
        return False
    symbol = symbol_at(snapshot, spot)
    return symbol is not None and is_linked(snapshot, symbol)


def rename_everywhere(snapshot: Snapshot, workspace: Workspace, offset: int, written: str) -> list[FileEdit] | Refusal:
    """What gives the name at an offset another in all files of the workspace where it is certainly the same."""
    here = rename(snapshot, offset, written)
    if isinstance(here, Refusal):
        return here
    edits = [FileEdit(snapshot, tuple(here))]
    spot, name = spot_at(snapshot, offset), new_name("@", written)
    symbol = symbol_at(snapshot, spot) if spot is not None and _SIGNS.get(spot.token.kind) == "@" else None
    if symbol is None or isinstance(name, Refusal):
        return edits
    for other, same in linked.same_symbols(snapshot, workspace, symbol):
        problem = symbols.problem(other, same.item, same.name, same, name)
        if problem is not None:
            return Refusal(f"{other.uri.rpartition('/')[2]}: {problem}")
        made = symbols.edits(other, same.item, same.name, same, name)
        edits.append(FileEdit(other, tuple(sorted(made, key=lambda replacement: replacement.start))))
    taken = [uri for uri in workspace.linked(name) if uri != snapshot.uri and name != symbol.name]
    if taken and len(edits) > 1:
        return Refusal(f"'{spelled(name)}' is a symbol of {taken[0].rpartition('/')[2]} already")
    return edits


def rename(snapshot: Snapshot, offset: int, written: str) -> list[Replacement] | Refusal:
    """What gives the name at an offset another in its document, in the order of the text."""
    spot = spot_at(snapshot, offset)
    sign = _SIGNS.get(spot.token.kind) if spot is not None else None
    if spot is None or sign is None:
        return Refusal("there is no name here that can be changed")
    name = new_name(sign, written)
    if isinstance(name, Refusal):
        return name
    if sign == "@":
        outcome = _of_symbol(snapshot, spot, name)
    else:
        outcome = _of_local(_LOCAL[sign], snapshot, spot, sign, name)
    return sorted(outcome, key=lambda replacement: replacement.start) if isinstance(outcome, list) else outcome


def _of_local(known: _Kind, snapshot: Snapshot, spot: Spot, sign: str, name: str) -> list[Replacement] | Refusal:
    places = known.places(snapshot, spot)
    if not places:
        return Refusal("there is no name here that can be changed")
    problem = known.problem(snapshot, spot, name)
    if problem is not None:
        return Refusal(problem)
    return [Replacement(place.start, place.end, sign + name) for place in places]


def _of_symbol(snapshot: Snapshot, spot: Spot, name: str) -> list[Replacement] | Refusal:
    former = _symbol_name(snapshot, spot)
    if not former:
        return Refusal("there is no name here that can be changed")
    symbol = symbol_at(snapshot, spot)
    around = symbol.item if symbol is not None else spot.item
    problem = symbols.problem(snapshot, around, former, symbol, name)
    return Refusal(problem) if problem is not None else symbols.edits(snapshot, around, former, symbol, name)


def _symbol_name(snapshot: Snapshot, spot: Spot) -> str:
    """The name of the symbol that is named at a spot; empty if none is."""
    symbol = symbol_at(snapshot, spot)
    if symbol is not None:
        return symbol.name
    path = path_to(spot.piece.tokens(), spot.index) if spot.token.kind == "SYMBOL" else ()
    return path[-1] if path else ""
