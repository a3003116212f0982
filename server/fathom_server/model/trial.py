"""What a document would be after an edit, at the cost of what the edit touches: to see whether a change would help."""

from __future__ import annotations

from collections.abc import Sequence

from fathom.elaborate.aliases import defines_names
from fathom.records import record
from fathom.syntax.parse import reparse, split_lines
from fathom.syntax.shapes import ShapeMemory
from fathom.syntax.tree import Item, SyntaxTree
from fathom_server.model.memory import Memory
from fathom_server.model.snapshot import Snapshot


@record
class Trial:
    """The document after an edit, which remembers nothing of the one before, and the items that went and came."""

    snapshot: Snapshot
    removed: Sequence[Item]
    added: Sequence[Item]

    def close(self) -> None:
        """Lets go of all that is known of it, as a document does that is closed. Nobody asks it any more."""
        self.snapshot.memory.close()
        for item in self.added:
            item.forget()


def tried(snapshot: Snapshot, start: int, end: int, text: str) -> Trial | None:
    """The document with a text in the place of a range; None if the edit is about aliases, on which all may depend."""
    tree = snapshot.tree
    if not tree.items:
        return None
    new, gone, come = tree_after(tree, start, end, text, snapshot.context.shapes)
    removed, added = tree.items[gone.start : gone.stop], new.items[come.start : come.stop]
    if any(map(defines_names, (*removed, *added))):
        return None
    aliases = dict(snapshot.aliases)
    for split, now in zip(_splits(removed), _splits(added), strict=False):
        if split in aliases:
            aliases[now] = aliases.pop(split)
    then = Snapshot(
        snapshot.uri,
        snapshot.version,
        new,
        snapshot.symbols.updated(removed, added),
        aliases,
        snapshot.context,
        snapshot.settings,
        Memory(),
    )
    return Trial(then, removed, added)


def tree_after(
    tree: SyntaxTree, start: int, end: int, text: str, shapes: ShapeMemory
) -> tuple[SyntaxTree, range, range]:
    """The tree of a text with another one in the place of a range; with the items that went and those that came."""
    first, first_offset = _line_at(tree, start)
    last, last_offset = _line_at(tree, end)
    head, tail = tree.line(first)[: start - first_offset], tree.line(last)[end - last_offset :]
    return reparse(tree, first, last + 1, split_lines(f"{head}{text}{tail}"), shapes)


def _line_at(tree: SyntaxTree, offset: int) -> tuple[int, int]:
    """The number of the line of an offset, and where it begins."""
    index = tree.item_at_offset(offset)
    inside = offset - tree.start(index)
    number, begin, _ = tree.items[index].line_at(inside)
    return tree.first_line(index) + number, offset - inside + begin


def _splits(items: Sequence[Item]) -> list[Item]:
    """Those of some items that begin parts of the document."""
    return [item for item in items if item.begins_split]
