"""What an edit takes away from the IR, and what is elaborated anew in its place, until the IR is whole again."""

from __future__ import annotations

from collections.abc import Iterable

from fathom.context import Context
from fathom.elaborate.elaborated import Elaborated
from fathom.elaborate.implied import complete_end
from fathom.elaborate.live_blocks import LiveBlocks
from fathom.elaborate.live_names import LiveNames
from fathom.elaborate.nesting import NotFollowed
from fathom.elaborate.scopes import ValueNames
from fathom.elaborate.sites import Site, home_of
from fathom.elaborate.stretches import Stretch
from fathom.ir.operation import Block, Operation, Region, Value
from fathom.records import field, record
from fathom.syntax.events import OpenEvent


@record(frozen=False)
class Update:
    """What an edit did to the IR: the operations that went, those whose results these used, those that came or were
    made anew, and the blocks of which an operation went or came."""

    removed: set[Operation] = field(default_factory=set[Operation])
    freed: set[Operation] = field(default_factory=set[Operation])
    made: dict[Operation, None] = field(default_factory=lambda: {})
    blocks: dict[Block, None] = field(default_factory=lambda: {})
    has_new_ways: bool = False
    """Whether some block goes on to others than before."""


class Changes:
    """The statements that are elaborated again because of an edit, in the region of `names`, and what became of the IR
    around them."""

    def __init__(self, known: Elaborated, scope: ValueNames, names: LiveNames, context: Context) -> None:
        self._known = known
        self._scope = scope
        self._names = names
        self._context = context
        self.update = Update()
        self.dirty: dict[Stretch, None] = {}
        """What is elaborated again."""
        self.stretches: dict[Site, Stretch] = {}
        """Together with what each statement is, or was."""
        self.lost: dict[str | Value, None] = {}
        """The names and values of which a mention is gone, and the order of whose mentions decides."""
        self._blocks: dict[Region, LiveBlocks] = {}
        self._ways: dict[Block, list[Block]] = {}
        """The successors that the blocks which were touched had before."""

    def labels(self, region: Region) -> LiveBlocks:
        """The labels of a region, for them to change."""
        if region not in self._known.labels:
            raise NotFollowed  # The text around it has lost its operation.
        if region not in self._blocks:
            self._blocks[region] = LiveBlocks(self._known, region)
        return self._blocks[region]

    def touch(self, block: Block) -> None:
        """Notes that operations of a block go or come."""
        self._note_ways(block)
        self.update.blocks[block] = None

    def _note_ways(self, block: Block) -> None:
        self._ways.setdefault(block, list(block.successors))

    def add(self, stretch: Stretch) -> None:
        """Has statements elaborated from now on, with all that are elaborated together with them."""
        for site in stretch.sites:
            if (other := self.stretches.get(site)) is not None and not other.is_absorbed:
                other.is_absorbed = True
                del self.dirty[other]
                self._erase(other.holder)
            self.stretches[site] = stretch
        self.dirty[stretch] = None

    def strip(self, sites: Iterable[Site], region: Region) -> None:
        """Takes away the meaning of statements that stand in a region, with their operations."""
        operations: list[Operation] = []
        for site in sites:
            self._names.retire(site)
            self._note_lost(site)
            operations += [op for op in site.operations.values() if op.parent_region is region]
            site.clear()
        for op in operations:
            if op.parent is not None:
                self._note_ways(op.parent)
            if op.successors:
                self.labels(region)
            for inner in op.walk() if op.regions else (op,):
                self.update.freed.update(inner.definers)
            op.drop_all_references()
            self._erase(op)

    def _note_lost(self, site: Site) -> None:
        """Notes the mentions that are taken away of names and values of which the order of mentions decides."""
        scope = self._scope
        if scope.guessed:
            self.lost.update(dict.fromkeys(value for value in site.uses.values() if value in scope.guessed))
        if scope.ordered:
            names = (site.text(token).partition("#")[0] for token in site.uses)
            self.lost.update(dict.fromkeys(name for name in names if name in scope.ordered))

    def _erase(self, op: Operation) -> None:
        """Takes an operation out of its block, and forgets it and what is nested in it."""
        for inner in op.walk() if op.regions else (op,):
            self.update.removed.add(inner)
            self._known.spread.pop(inner, None)
            self._known.around.pop(inner, None)
            for region in inner.regions:
                self.drop(region)
        if op.parent is not None:
            self.update.blocks[op.parent] = None
        op.unlink()

    def drop(self, region: Region) -> None:
        """Forgets the names and labels of a region."""
        self._scope.drop(region)
        self._known.scopes.pop(region, None)
        self._known.labels.pop(region, None)

    def settle(self) -> None:
        """Completes what the edit did, when all is elaborated."""
        update = self.update
        for stretch in self.dirty:
            stretch.holder.unlink()
            operations = [op for site in stretch.sites for op in site.operations.values()]
            for op in operations:
                if op.parent is stretch.block:
                    update.made.update(dict.fromkeys(op.walk()))
        self._names.settle()
        update.freed -= update.removed
        for region, labels in self._blocks.items():
            if region.parent not in update.removed:
                labels.settle()
        for block in [block for block in update.blocks if self._is_gone(block)]:
            del update.blocks[block]
        for block in update.blocks:
            self._complete(block)
        ways = ((block, ways) for block, ways in self._ways.items() if not self._is_gone(block))
        update.has_new_ways |= any(block.successors != ways for block, ways in ways)

    def _is_gone(self, block: Block) -> bool:
        return block.parent is None or block.parent.parent in self.update.removed

    def _complete(self, block: Block) -> None:
        """Gives the operation around a block the terminator that its text leaves out, or takes it away."""
        region = block.parent
        op = region.parent if region is not None else None
        if region is None or op is None:
            raise NotFollowed
        if block.is_empty and block.is_entry and (block.label_span is not None or not block.arguments):
            raise NotFollowed  # A text that says nothing more there has no such block.
        if is_before_label(block):
            raise NotFollowed
        if op.definition is None or not op.definition.implicit_terminator or block is not region.last:
            return
        if _is_generic(op):
            return
        if block.last is not None and block.last.span is op.span:
            self._erase(block.last)
        before = block.last
        complete_end(op, region, op.regions.index(region), self._context)
        if block.last is not None and block.last is not before:
            self.update.made[block.last] = None


def _is_generic(op: Operation) -> bool:
    """Whether the text of an operation with regions is in the generic form, which leaves nothing out."""
    site = home_of(op)
    if site is None:
        return False
    openings = [event for event in site.piece.shape.events if isinstance(event, OpenEvent)]
    begun = [(event.base, parsed) for event in openings if (parsed := event.open.parsed) is not None]
    return any(parsed.generic and site.operations.get(base + parsed.name_token) is op for base, parsed in begun)


def is_before_label(block: Block) -> bool:
    """Whether a block is one that a label may not follow: that of a region's arguments, with nothing in it."""
    return block.is_empty and block.is_entry and block.next is not None
