"""What loops fold to: bounds that are numbers, and loops that only hand values on.

Source of the rules: observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import Final

from fathom.dialects.affine.bounds import canonicalize_loop_bounds
from fathom.dialects.affine.constant_maps import constants_of, fold_map
from fathom.dialects.affine.syntax import constant_bound, map_of
from fathom.ir.affine import AffineConstant, AffineMap
from fathom.ir.attributes import AffineMapAttr, Attribute, IntegerAttr
from fathom.ir.operation import Operation, Value
from fathom.irdl.build import segment_sizes
from fathom.irdl.folding import Constants, Folded
from fathom.irdl.traits import CONSTANT_LIKE

BOUNDS: Final = ("lowerBoundMap", "upperBoundMap")


def constant_of(value: Value) -> Attribute | None:
    """The number that a value is known to be."""
    op = value.defining_op
    return op.properties.get("value") if op is not None and op.has(CONSTANT_LIKE) else None


def trip_count(op: Operation) -> int | None:
    """How often the body of a loop runs, if its bounds are numbers."""
    lower, upper = (constant_bound(op, name) for name in BOUNDS)
    step = op.attribute("step")
    if lower is None or upper is None or not isinstance(step, IntegerAttr) or step.value <= 0:
        return None
    return max(0, -(-(upper - lower) // step.value))


def fold_for(op: Operation, constants: Constants) -> Folded:
    """Bounds become numbers, or simpler; a loop that never runs, or only hands values on, is its initial values."""
    changed = False
    for index, name in enumerate(BOUNDS):
        changed |= _fold_bound(op, index, name)
    changed |= canonicalize_loop_bounds(op)
    results = _results(op)
    if results:
        return results
    return [] if changed else None


def _operands(op: Operation) -> list[list[Value]]:
    assert op.definition is not None, "an operation that folds has a definition"
    return list(op.definition.operand_groups(op).values())


def _fold_bound(op: Operation, index: int, name: str) -> bool:
    if constant_bound(op, name) is not None:
        return False
    groups = _operands(op)
    values = constants_of(fold_map(map_of(op, name), [constant_of(value) for value in groups[index]]))
    if not values:
        return False
    groups[index] = []
    op.set_operands([value for group in groups for value in group])
    op.properties["operandSegmentSizes"] = segment_sizes(*map(len, groups))
    op.properties[name] = AffineMapAttr(AffineMap(0, 0, (AffineConstant(min(values) if index else max(values)),)))
    return True


def _results(op: Operation) -> list[Value | Attribute]:
    """What the results are, as far as that is known without running the loop."""
    body = op.regions[0].first
    initial = _operands(op)[2]
    count = trip_count(op)
    if not op.results or body is None or body.last is None:
        return []
    if count == 0:
        return [*initial]
    if body.first is not body.last:
        return []
    induction, *carried = body.arguments
    found: list[Value | Attribute] = []
    outside = moved = False
    for index, value in enumerate(body.last.operands):
        if value is induction:
            return []
        position = next((i for i, argument in enumerate(carried) if argument is value), None)
        outside |= position is None
        moved |= position not in (None, index)
        found.append(value if position is None else initial[position])
    if count is None and (outside or moved):
        return []
    return [] if moved and count is not None and count >= 2 else found
