"""Lines `// -----`: one put before an item, or one taken away.

func.func @f() { … }        func.func @f() { … }
                       ->
func.func @g() { … }        // -----

                            func.func @g() { … }
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from fathom_server.features.assists.assist import Made, Offer
from fathom_server.features.assists.sameness import error_after
from fathom_server.features.assists.selection import Selection
from fathom_server.features.edits import Refusal, Replacement
from fathom_server.model.snapshot import Snapshot

MARKER: Final = "// -----"


def offered_to_split(selection: Selection) -> Iterator[Offer]:
    """Before an item at the top level that is not the first of its part, where the selection is in its first lines."""
    item, tree = selection.item, selection.snapshot.tree
    if item is None or item.item.begins_split or item.item.frame.depth or item.item.is_trivia:
        return
    index = tree.index_of(item.item)
    around = tree.split_around(index)
    first = around.start + tree.items[around.start].begins_split
    begins = item.base + item.item.start(item.item.first_statement + 1)
    if index > first and selection.start < begins:
        yield Offer("Begin a part of the document here", (item.base,))


def split(snapshot: Snapshot, start: int) -> Made:
    """A line `// -----` before the item that begins at a place, and its comments."""
    tree = snapshot.tree
    item = tree.items[tree.item_at_offset(start)]
    text = item.text
    place = start + len(text) - len(text.lstrip("\r\n"))
    line_break = "\r\n" if "\r\n" in text else "\n"
    edit = [Replacement(place, place, f"{MARKER}{line_break * 2}")]
    problem = error_after(snapshot, edit)
    return edit if problem is None else Refusal(f"the parts need each other: {problem}")


def offered_to_join(selection: Selection) -> Iterator[Offer]:
    """On a line `// -----` that stands between two parts."""
    item = selection.item
    if item is not None and item.item.begins_split and item.base:
        head = item.item.start(1) if len(item.item.pieces) > 1 else item.item.length
        if selection.start <= item.base + head:
            yield Offer("Join the parts of the document", (item.base,))


def join(snapshot: Snapshot, start: int) -> Made:
    """The line `// -----` that begins at a place taken away, with the empty line behind it if there is one before."""
    tree = snapshot.tree
    number, _ = tree.line_of(start)
    last = number + 1
    if number and not tree.line(number - 1).strip() and last < tree.line_count and not tree.line(last).strip():
        last += 1
    edit = [Replacement(start, tree.line_start(last), "")]
    problem = error_after(snapshot, edit)
    return edit if problem is None else Refusal(f"the parts do not go together: {problem}")
