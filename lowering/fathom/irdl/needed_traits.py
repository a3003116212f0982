"""Which traits the definition of an operation needs that nobody has described: of what is not defined, MLIR takes for
granted that it may end a block, and that its regions are in any order and end as they like."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fathom.ir.operation import Operation, Region
from fathom.irdl.traits import GRAPH_REGION, NO_TERMINATOR

IN_ANY_ORDER: Final = "HasOnlyGraphRegion"
"""The trait of an operation in whose regions a value may be used before it is defined."""


def needed_traits(uses: Sequence[Operation]) -> list[str] | None:
    """The names of the traits that make all uses of an operation right; None where none do."""
    traits: list[str] = []
    if any(op.successors or _must_end(op) for op in uses):
        if any(op.parent is not None and op is not op.parent.last for op in uses):
            return None
        traits.append("Terminator")
    regions = [region for op in uses for region in op.regions]
    if regions:
        traits.append("NoTerminator")
    if any(_uses_ahead(region) for region in regions):
        if any(_has_several(region) for region in regions):
            return None
        traits.append(IN_ANY_ORDER)
    return traits


def _has_several(region: Region) -> bool:
    return not region.has_one_block and region.first is not None


def _must_end(op: Operation) -> bool:
    """Whether an operation stands where only a terminator may."""
    block = op.parent
    if block is None or block.last is not op or block.parent is None:
        return False
    around = block.parent.parent
    if _has_several(block.parent) or around is None:
        return around is not None
    return around.definition is not None and not (around.has(NO_TERMINATOR) or around.has(GRAPH_REGION))


def _uses_ahead(region: Region) -> bool:
    """Whether a value is used in a block of a region before it is defined there."""
    for block in region.blocks:
        order = {op: number for number, op in enumerate(block)}
        for number, op in enumerate(block):
            definitions = (value.defining_op for inner in op.walk() for value in inner.operands)
            if any(order.get(definition, -1) >= number for definition in definitions if definition is not None):
                return True
    return False
