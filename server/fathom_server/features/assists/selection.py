"""What a person selected, as an assist sees it."""

from __future__ import annotations

from itertools import pairwise

from fathom.cached import cached_property
from fathom.ir.operation import Operation
from fathom_server.features.item_text import ItemText
from fathom_server.model.places import Spot, spot_at
from fathom_server.model.scoping import Symbol, is_function, symbols_of
from fathom_server.model.snapshot import Snapshot


class Selection:
    """A range of a document, which is empty where only the cursor stands."""

    def __init__(self, snapshot: Snapshot, start: int, end: int) -> None:
        self.snapshot = snapshot
        self.start = min(start, end)
        self.end = max(start, end)

    @cached_property
    def item(self) -> ItemText | None:
        """The item in which all of it stands; None where it goes over several."""
        tree = self.snapshot.tree
        if not tree.items:
            return None
        index = tree.item_at_offset(self.start)
        last = tree.item_at_offset(max(self.end - 1, self.start))
        return ItemText(self.snapshot, tree.items[index], tree.start(index)) if index == last else None

    @cached_property
    def sound(self) -> ItemText | None:
        """The item, if nothing is wrong with it."""
        return self.item if self.item is not None and self.item.is_sound else None

    @cached_property
    def spot(self) -> Spot | None:
        """The token where it begins."""
        return spot_at(self.snapshot, self.start)

    @cached_property
    def operation(self) -> Operation | None:
        """The operation where it begins: of those of the statement there the last that begins before the place."""
        item = self.item
        if item is None:
            return None
        place = self.start - item.base
        site = item.known.sites.get(item.item.pieces[item.item.piece_at(place)])
        if site is None or not site.operations:
            return None
        starts = {op: item.statement(op).start for op in site.operations.values()}
        before = [op for op, start in starts.items() if start <= place]
        return max(before or starts, key=starts.__getitem__) if before else min(starts, key=starts.__getitem__)

    @cached_property
    def operations(self) -> list[Operation]:
        """The operations that are selected: the one at the cursor, or all that begin in the range and stand in none
        that does, one after the other in one block; none where these are in several."""
        item = self.item
        if item is None or self.start == self.end:
            return [self.operation] if self.operation is not None else []
        first, last = self.start - item.base, self.end - item.base
        begun: dict[Operation, int] = {}
        index = item.item.piece_at(first)
        at = item.item.start(index)
        for piece in item.item.pieces.from_index(index):
            if at >= last:
                break
            site = item.known.sites.get(piece)
            for op in site.operations.values() if site is not None else ():
                start = item.statement(op).start
                if first <= start < last:
                    begun[op] = start
            at += piece.length
        outer = [op for op in begun if op.parent_op not in begun]
        if not outer:
            return [self.operation] if self.operation is not None else []
        outer.sort(key=begun.__getitem__)
        is_one_run = all(one.next is other for one, other in pairwise(outer))
        ends_inside = item.extent(outer[-1]).end <= len(item.text[:last].rstrip()) or len(outer) == 1
        return outer if is_one_run and ends_inside else []

    @cached_property
    def function(self) -> Symbol | None:
        """The function with a body in whose header it begins."""
        item = self.item
        if item is None:
            return None
        place = self.start - item.base
        for symbol in symbols_of(item.item):
            if symbol.has_body and symbol.start <= place <= symbol.end:
                if is_function(self.snapshot, symbol):
                    return symbol
        return None
