"""The blocks of a region whose labels come and go while the text around them stays elaborated.

A label divides a block; without it, what follows belongs to the block before. A label that is named and never defined
has an empty block at the end of its region, and the first mention is to blame.
"""

from __future__ import annotations

from collections.abc import Iterator

from fathom.diagnostics import UNDECLARED_BLOCK
from fathom.elaborate.elaborated import Elaborated
from fathom.elaborate.findings import report
from fathom.elaborate.nesting import NotFollowed
from fathom.elaborate.scopes import BlockNames
from fathom.elaborate.sites import Place, Site, TokenSpan
from fathom.ir.operation import Block, Operation, Region
from fathom.syntax.events import LabelEvent


class LiveBlocks(BlockNames):
    """The labels of a region, some of whose statements are elaborated again."""

    def __init__(self, known: Elaborated, region: Region) -> None:
        labels = known.labels[region]
        super().__init__()
        # They are changed where they are.
        self.defined, self.forward, self.places = labels.defined, labels.forward, labels.places
        self._known = known
        self._region = region
        self._retired: dict[str, Block] = {}
        """The blocks that lost their labels."""
        self.are_new = False
        """Whether a block came or went."""

    @property
    def _ends_by_itself(self) -> bool:
        """Whether the last block may have a terminator that the text leaves out."""
        op = self._region.parent
        return op is not None and op.definition is not None and bool(op.definition.implicit_terminator)

    @property
    def bereft(self) -> Iterator[Operation]:
        """The operations that go on to a block that is no more."""
        for block in self._retired.values():
            yield from block.branches

    def retire(self, site: Site) -> None:
        """Takes a label away: what follows it goes to the block before."""
        self.are_new = True
        for block in site.blocks.values():
            label = f"^{block.name_hint}"
            before = block.previous
            is_double = any(other.name_hint == block.name_hint for other in self._region.blocks if other is not block)
            if before is None or is_double or self.defined.get(label) is not block:
                raise NotFollowed
            _move(block.first, block, before)
            self._region.remove(block)
            del self.defined[label]
            self.places.pop(label, None)
            self._retired[label] = block

    def divide(self, site: Site, event: LabelEvent, block: Block, anchor: Operation | None) -> Block:
        """The block of a label that came, to which goes what stands in a block from an operation on."""
        self.are_new = True
        place = Place(site, event.base + event.label.block)
        label = site.text(place.token)
        is_first = anchor is block.first and block.is_entry
        if is_first or label in self.defined or self._ends_by_itself:
            raise NotFollowed
        if label in self.forward:
            undefined, first = self.forward.pop(label)
            self._region.remove(undefined)
            _acquit(first)
        else:
            undefined = self._retired.pop(label) if label in self._retired else Block()
        undefined.arguments = []
        undefined.name_hint = label[1:]
        self.defined[label] = undefined
        self.places[label] = place
        self._region.insert_before(undefined, block.next)
        _move(anchor, block, undefined)
        return undefined

    def settle(self) -> None:
        """Blames the first mention of each label that is not defined."""
        if self.forward and self._ends_by_itself:
            raise NotFollowed
        left: list[tuple[int, Place, str, Block]] = []
        for label, (block, first) in self.forward.items():
            _acquit(first)
            if block.parent is not None:
                self._region.remove(block)
            mentions = [
                (site.order, token, site)
                for op in block.branches
                for site in self._known.sites_of(op)
                for token, named in site.blocks.items()
                if named is block
            ]
            if mentions:
                order, token, site = min(mentions, key=lambda mention: mention[:2])
                left.append((order, Place(site, token), label, block))
        self.forward.clear()
        for _, place, label, block in sorted(left, key=lambda entry: (entry[0], entry[1].token)):
            self.forward[label] = block, place
            self._region.append(block)
            report("reference to an undefined block", place, code=UNDECLARED_BLOCK)


def _move(first: Operation | None, block: Block, other: Block) -> None:
    """Moves operations, from one on, to the end of another block."""
    if first is None:
        return
    last, before = block.last, first.previous
    block.last = before
    if before is None:
        block.first = None
    else:
        before.next = None
    first.previous = other.last
    if other.last is None:
        other.first = first
    else:
        other.last.next = first
    other.last = last
    op: Operation | None = first
    while op is not None:
        op.parent = other
        op = op.next


def _acquit(place: Place) -> None:
    """Forgets that the label at a place is not defined."""
    for finding in place.site.findings:
        if (
            finding.code == UNDECLARED_BLOCK
            and isinstance(finding.span, TokenSpan)
            and finding.span.token == place.token
        ):
            place.site.acquit(finding)
            return
