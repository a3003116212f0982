"""What is shown of the values that lines computed in a call that was made (`model/values.py`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.programs.told import of_statement
from fathom_server.model.elaboration import elaborated
from fathom_server.model.snapshot import Snapshot
from fathom_server.model.values import Values, values_in

if TYPE_CHECKING:
    from fathom.programs.told import Told

LONGEST: Final = 4_000
"""Of a value so many characters are shown at length."""


def reasons_at(known: Values, start: int, end: int) -> list[str]:
    """Why there are no values of the functions that begin between two offsets of an item."""
    return [why for place, why in known.unknown.items() if start <= place < end]


def told_at(snapshot: Snapshot, offset: int) -> str:
    """The values of the statement at an offset, at length."""
    tree = snapshot.tree
    index = tree.item_at_offset(offset)
    item, base = tree.items[index], tree.start(index)
    piece = item.pieces[item.piece_at(offset - base)]
    site = elaborated(snapshot, item).sites.get(piece)
    if site is None:
        return ""
    known = values_in(snapshot, item)
    parts = [_at_length(name, told) for name, told in of_statement(site, known.values)]
    parts += [f"No values are shown: {why}." for why in reasons_at(known, site.start, site.start + piece.length)]
    return "\n\n".join(parts)


def _at_length(name: str, told: Told) -> str:
    if not told.long:
        return f"`{name}` was `{told.short}`"
    type, _, elements = told.long.partition("\n")
    shown = elements if len(elements) <= LONGEST else f"{elements[:LONGEST]}…"
    return f"`{name}`, a `{type}`, was\n```text\n{shown}\n```"
