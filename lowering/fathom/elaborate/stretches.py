"""Which statements are elaborated together: an operation with its regions, from its first line to its last.

What an edit did to a text reaches as far as the nesting says: up to the beginning and the end of the operations whose
regions it opened or closed. Beyond that each statement stands where it stood.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from fathom.elaborate.sites import Site
from fathom.ir.operation import Block, Operation, Region
from fathom.records import record
from fathom.syntax.events import ErrorEvent, LabelEvent, OpEvent
from fathom.syntax.pieces import Piece
from fathom.syntax.tree import Item

MOST: Final = 1000
"""No more statements than this are elaborated together while somebody waits for it."""


class Stretch:
    """Statements of one block that are elaborated together, one after the other; `holder` keeps their place. Or the
    label at which the block begins."""

    __slots__ = ("block", "holder", "is_absorbed", "label", "sites")

    def __init__(self, sites: list[Site], block: Block, anchor: Operation | None, label: LabelEvent | None) -> None:
        self.sites = sites
        self.block = block
        self.label = label
        self.holder = Operation("")
        self.is_absorbed = False
        """Whether they are among those of another stretch."""
        if label is None:
            block.insert_before(self.holder, anchor)

    @property
    def region(self) -> Region:
        assert self.block.parent is not None, "it stands in a region"
        return self.block.parent

    @property
    def order(self) -> int:
        return self.sites[0].order


@record
class Extent:
    """Statements of an item that stand together in a block, whole operations with all that is nested in them: from
    `first` up to `last`, which were those up to `former_last` before an edit. `depth` is that of their frame."""

    first: int
    last: int
    former_last: int
    depth: int


def extents(former: Item, item: Item, first: int, removed: int, added: int) -> Iterator[Extent]:
    """What an edit reaches, where `removed` statements from `first` on gave way to `added`; and, from the inside
    outwards, what the operations around do. None that is too long."""
    pieces, shift = item.pieces, removed - added
    changed = [*former.pieces[first : first + removed], *pieces[first : first + added]]
    last = first + added
    depth = min([_depth_at(item, first), *map(_lowest, changed)])
    while depth > item.frame.depth:
        while last - first <= MOST:
            if _depth_at(item, first) > depth:
                if first == 0:
                    return
                first -= 1
                depth = min(depth, _lowest(pieces[first]))
            elif _depth_at(item, last) > depth:
                if last == len(pieces):
                    return
                depth = min(depth, _lowest(pieces[last]))
                last += 1
            else:
                break
        else:
            return
        if depth > item.frame.depth:
            within = Extent(first, last, last + shift, depth)
            gone = former.pieces[first : within.former_last]
            if not any(_hides_label(piece, depth) for run in (gone, pieces[first:last]) for piece in run):
                yield within
        depth -= 1


def _depth_at(item: Item, index: int) -> int:
    """How deep a statement stands; the index after the last one is the end of the item."""
    return (item.pieces[index].frame if index < len(item.pieces) else item.frame_out).depth


def _lowest(piece: Piece) -> int:
    """How deep the outermost place is that a statement leads to."""
    return piece.frame.depth - piece.shape.pops


def label_of(piece: Piece) -> LabelEvent | None:
    """The label that a statement is; None for any other statement."""
    events = piece.shape.events
    return events[0] if len(events) == 1 and isinstance(events[0], LabelEvent) else None


def _hides_label(piece: Piece, depth: int) -> bool:
    """Whether a block may begin in the midst of a statement, in a region of this depth."""
    if label_of(piece) is not None or _lowest(piece) > depth:
        return False
    return any(isinstance(event, LabelEvent) for event in piece.shape.events)


def is_flat(piece: Piece) -> bool:
    """Whether a statement says nothing but operations, whole or broken, and leaves the nesting as it was."""
    shape = piece.shape
    if shape.pops or shape.pushes:
        return False
    return all(
        (isinstance(event, OpEvent) and not event.ends_region) or (isinstance(event, ErrorEvent) and not event.closes)
        for event in shape.events
    )
