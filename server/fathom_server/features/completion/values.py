"""The values that can be used at a place, the last one before it first."""

from __future__ import annotations

from collections.abc import Iterator

from fathom.elaborate.sites import site_of
from fathom.ir.dominators import DominatorTree
from fathom.ir.operation import Block, BlockArgument, Operation, OpResult, Region, Value
from fathom.ir.types import POISON
from fathom_server.features.completion.inquiry import Inquiry
from fathom_server.features.completion.suggestion import Suggestion


def values(inquiry: Inquiry) -> Iterator[Suggestion]:
    """The values whose definitions are before a position and dominate it."""
    known, place = inquiry.known, inquiry.place
    if place is None or not (inquiry.position.sign or inquiry.asked.takes("value", "VALUE")):
        return
    site, block, region = place
    dominators: dict[Region, DominatorTree] = {}
    scope = known.scopes.get(region) if region is not None else None
    found: list[tuple[int, int, Suggestion]] = []
    around: Operation | None = None
    while scope is not None and region is not None and region in scope.tables:
        for name, group in scope.tables[region].items():
            home = site_of(group[0])
            if home is not None and home.order > site.order:
                continue
            # An operation has no results yet in its own text, nor in its regions.
            own = site.operations.values() if home is site else ()
            if _is_of(group[0], around, *own) or not _dominates(group[0], block, region, dominators):
                continue
            order = home.order if home is not None else -1
            found += [(order, -index, _suggestion(name, value, group)) for index, value in enumerate(group)]
        around = region.parent
        block, region = (around.parent, around.parent_region) if around is not None else (None, None)
    found.sort(key=lambda each: each[:2], reverse=True)
    yield from (each for _, _, each in found)


def _is_of(value: Value, *operations: Operation | None) -> bool:
    """Whether a value is a result of one of some operations."""
    return isinstance(value, OpResult) and value.op in operations


def _dominates(value: Value, block: Block | None, region: Region, trees: dict[Region, DominatorTree]) -> bool:
    home = value.block if isinstance(value, BlockArgument) else value.op.parent if isinstance(value, OpResult) else None
    if home is None or block is None or home is block or home.parent is not region:
        return True
    tree = trees.get(region)
    if tree is None:
        tree = trees[region] = DominatorTree(region)
    return tree.dominates(home, block)


def _suggestion(name: str, value: Value, group: list[Value]) -> Suggestion:
    label = f"{name}#{group.index(value)}" if len(group) > 1 else name
    type = str(value.type) if value.type != POISON else ""
    match value:
        case OpResult():
            return Suggestion(label, "value", type, f"result of `{value.op.name}`")
        case _:
            return Suggestion(label, "argument", type)
