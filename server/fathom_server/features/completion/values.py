"""The values that can be used at a place, the last one before it first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from fathom.elaborate.sites import site_of
from fathom.ir.dominators import DominatorTree
from fathom.ir.operation import Block, BlockArgument, Operation, OpResult, Region, Value
from fathom.ir.types import POISON
from fathom.records import NamedTuple
from fathom.slices import paced
from fathom_server.features.completion.inquiry import Inquiry
from fathom_server.features.completion.slots import WRONG, slot_at
from fathom_server.features.completion.suggestion import Suggestion

MOST: Final = 500
"""So many values of a region are looked at, the last ones."""
MOST_BLOCKS: Final = 500
"""In a region of more blocks, those that surely dominate another are the ones that alone lead to it."""


class _Found(NamedTuple):
    """A value that can be used: `fit` is how well its type fits, `order` and `place` where its name stands, and
    `number` which of the results of that name it is."""

    fit: int
    order: int
    place: int
    number: int
    name: str
    group: Sequence[Value]


def values(inquiry: Inquiry) -> Iterator[Suggestion]:
    """The values whose definitions are before a position and dominate it, but for those of wrong types: those whose
    types fit first, and among these the last ones."""
    if not (inquiry.position.sign or inquiry.asked.takes("value", "VALUE")):
        return
    slot = slot_at(inquiry)
    candidates: list[_Found] = []
    for order, place, name, group in _visible(inquiry):
        for number, value in enumerate(group):
            fit = slot.rank(value.type) if slot is not None else 1
            if fit < WRONG or (slot is not None and not slot.is_sure):
                candidates.append(_Found(fit, -order, place, number, name, group))
    for candidate in sorted(candidates, key=lambda other: other[:4]):
        yield _suggestion(candidate.name, candidate.group, candidate.number)


def _visible(inquiry: Inquiry) -> Iterator[tuple[int, int, str, Sequence[Value]]]:
    """The values that can be used at a position, each group with its name and two numbers that grow along the
    text."""
    known, place, word = inquiry.known, inquiry.place, inquiry.position.word.partition("#")[0]
    if place is None:
        return
    site, block, region = place
    dominators = _Dominators()
    scope = known.scopes.get(region) if region is not None else None
    around: Operation | None = None
    while scope is not None and region is not None and region in scope.tables:
        table = scope.tables[region]
        names = (name for name in paced(reversed(table)) if name.startswith(word))
        left = MOST
        for name in names:
            group = table[name]
            home = site_of(group[0])
            if home is not None and home.order > site.order:
                continue
            # An operation has no results yet in its own text, nor in its regions.
            own = site.operations.values() if home is site else ()
            if _is_of(group[0], around, *own) or not dominators.are_at(group[0], block, region):
                continue
            yield home.order if home is not None else -1, left, name, group
            left -= 1
            if not left:
                break
        around = region.parent
        block, region = (around.parent, around.parent_region) if around is not None else (None, None)


def _is_of(value: Value, *operations: Operation | None) -> bool:
    """Whether a value is a result of one of some operations."""
    return isinstance(value, OpResult) and value.op in operations


class _Dominators:
    """Which blocks dominate those around a position."""

    def __init__(self) -> None:
        self._trees: dict[Region, DominatorTree] = {}
        self._chains: dict[Block, set[Block]] = {}
        self._big: dict[Region, bool] = {}

    def are_at(self, value: Value, block: Block | None, region: Region) -> bool:
        """Whether a value of a region is one wherever `block` is come to."""
        home = value.block if isinstance(value, BlockArgument) else None
        if isinstance(value, OpResult):
            home = value.op.parent
        if home is None or block is None or home is block or home.parent is not region:
            return True
        if self._is_big(region):
            return home is region.first or home in self._chain(block)
        tree = self._trees.get(region)
        if tree is None:
            tree = self._trees[region] = DominatorTree(region)
        return tree.dominates(home, block)

    def _is_big(self, region: Region) -> bool:
        big = self._big.get(region)
        if big is None:
            big = self._big[region] = next(islice(region.blocks, MOST_BLOCKS, None), None) is not None
        return big

    def _chain(self, block: Block) -> set[Block]:
        """The blocks before one that lead to it, as long as each is the only one that does."""
        chain = self._chains.get(block)
        if chain is None:
            chain = self._chains[block] = set()
            at = block
            while len(chain) < MOST_BLOCKS and at not in chain:
                chain.add(at)
                if len(before := set(at.predecessors())) == 1:
                    (at,) = before
        return chain


def _suggestion(name: str, group: Sequence[Value], number: int) -> Suggestion:
    value = group[number]
    label = f"{name}#{number}" if len(group) > 1 else name
    type = str(value.type) if value.type != POISON else ""
    match value:
        case OpResult():
            return Suggestion(label, "value", type, f"result of `{value.op.name}`")
        case _:
            return Suggestion(label, "argument", type)
