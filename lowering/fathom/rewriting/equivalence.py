"""When two operations compute the same: equal names, attributes, types and operands, and equivalent regions.

Source of the rules: mlir-opt 22. Operands of a commutative operation may stand in another order; within regions, values
correspond by the place where they are defined.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from typing import TYPE_CHECKING

from fathom.irdl.traits import COMMUTATIVE

if TYPE_CHECKING:
    from fathom.ir.operation import Block, Operation, Region, Value


def shape_key(op: Operation) -> Hashable:
    """Equal for operations that differ in operands and regions at most."""
    return (
        op.name,
        frozenset(op.properties.items()),
        frozenset(op.attributes.items()),
        len(op.operands),
        len(op.regions),
        tuple(result.type for result in op.results),
    )


def value_key(op: Operation) -> Hashable:
    """Equal for operations that compute the same of the same values."""
    operands: Hashable = tuple(op.operands)
    if op.has(COMMUTATIVE):
        operands = frozenset(Counter(op.operands).items())
    if not op.regions:
        return (shape_key(op), operands, tuple(op.successors))
    numbers: dict[Value, int] = {}
    return (shape_key(op), operands, tuple(_region_key(region, numbers) for region in op.regions))


def _region_key(region: Region, numbers: dict[Value, int]) -> Hashable:
    blocks: dict[Block, int] = {block: index for index, block in enumerate(region.blocks)}
    keys: list[Hashable] = []
    for block in region.blocks:
        for argument in block.arguments:
            numbers[argument] = len(numbers)
        arguments = tuple(argument.type for argument in block.arguments)
        keys.append((arguments, tuple(_nested_key(op, numbers, blocks) for op in block)))
    return tuple(keys)


def _nested_key(op: Operation, numbers: dict[Value, int], blocks: dict[Block, int]) -> Hashable:
    operands = tuple(numbers.get(operand, operand) for operand in op.operands)
    successors = tuple(blocks.get(successor, successor) for successor in op.successors)
    for result in op.results:
        numbers[result] = len(numbers)
    return (shape_key(op), operands, successors, tuple(_region_key(region, numbers) for region in op.regions))
