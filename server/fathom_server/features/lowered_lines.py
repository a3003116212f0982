"""The lowering of one operation, for hovers: what the pipeline made of it in its function."""

from __future__ import annotations

from typing import Final

from fathom.ir.operation import Operation
from fathom.ir.printer import print_with_map
from fathom.ir.printing_flags import ELIDED_IN_MESSAGES, PrintingFlags
from fathom.irdl.traits import SYMBOL, SYMBOL_TABLE
from fathom.syntax.tree import Item
from fathom_server.features.beginnings import beginning
from fathom_server.model.lowering import lowered_at_the_end, takes_long
from fathom_server.model.queries import query
from fathom_server.model.snapshot import Snapshot

_FLAGS: Final = PrintingFlags(elide_elements_above=ELIDED_IN_MESSAGES)
LONGEST_LINE: Final = 400
"""Of a longer line the beginning is shown."""
MOST_LINES: Final = 16
"""A hover shows no more lines than this of what an operation becomes."""


def lowered_lines(snapshot: Snapshot, item: Item, op: Operation) -> str | None:
    """The lines of the LLVM dialect that came from an operation of an item; None where it has none of its own, and
    while they are not known yet of an item that takes long."""
    if op.span is None or op.definition is None or op.dialect in ("llvm", "builtin"):
        return None
    if op.definition.has(SYMBOL) or op.definition.has(SYMBOL_TABLE):
        return None
    known = lines_by_place.remembered(snapshot, item) if takes_long(item) else lines_by_place(snapshot, item)
    found = (known or {}).get((op.span.start, op.span.end), [])
    if len(found) > MOST_LINES:
        found = [*found[:MOST_LINES], f"// … {len(found) - MOST_LINES} more"]
    return "\n".join(found) or None


@query(keep=64, is_shared=True)
def lines_by_place(snapshot: Snapshot, item: Item) -> dict[tuple[int, int], list[str]]:
    """The lines of the LLVM dialect for each operation of an item, by where it stands in the item."""
    made = lowered_at_the_end(snapshot, item, False)
    found: dict[tuple[int, int], list[str]] = {}
    if made.stops:
        return found
    text, ranges = print_with_map(made.module.op, _FLAGS)
    for each, first, last in ranges:
        if each.span is None or each.regions:
            continue
        found.setdefault((each.span.start, each.span.end), []).append(beginning(text[first:last], LONGEST_LINE))
    return found
