"""What loops fold to: bounds that are numbers, and loops that only hand values on.

Source of the rules: observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from fathom.dialects.affine.bounds import bound_operands, canonicalize_loop_bounds, set_bound
from fathom.dialects.affine.constant_maps import constants_of, fold_map
from fathom.dialects.affine.syntax import constant_bound
from fathom.ir.affine import AffineConstant, AffineMap
from fathom.ir.attributes import Attribute
from fathom.ir.operation import Value
from fathom.irdl.folding import Constants, Folded
from fathom.ops.affine import ForOp
from fathom.rewriting.folding import constant_value


def trip_count(op: ForOp) -> int | None:
    """How often the body of a loop runs, if its bounds are numbers."""
    lower, upper, step = constant_bound(op.lowerBoundMap), constant_bound(op.upperBoundMap), op.step.value
    if lower is None or upper is None or step <= 0:
        return None
    return max(0, -(-(upper - lower) // step))


def fold_for(op: ForOp, constants: Constants) -> Folded:
    """Bounds become numbers, or simpler; a loop that never runs, or only hands values on, is its initial values."""
    changed = [_fold_bound(op, is_upper=is_upper) for is_upper in (False, True)]
    changed.append(canonicalize_loop_bounds(op))
    return _results(op) or ([] if any(changed) else None)


def _fold_bound(op: ForOp, *, is_upper: bool) -> bool:
    map, values = (op.upperBoundMap if is_upper else op.lowerBoundMap), bound_operands(op)[is_upper]
    if constant_bound(map) is not None:
        return False
    numbers = constants_of(fold_map(map.map, [constant_value(value) for value in values]))
    if not numbers:
        return False
    bound = AffineConstant(min(numbers) if is_upper else max(numbers))
    set_bound(op, AffineMap(0, 0, (bound,)), [], is_upper=is_upper)
    return True


def _results(op: ForOp) -> list[Value | Attribute]:
    """What the results are, as far as that is known without running the loop."""
    body, initial, count = op.region.entry, op.inits, trip_count(op)
    if not op.results:
        return []
    if count == 0:
        return [*initial]
    if body.first is not body.last:
        return []
    induction, *carried = body.arguments
    found: list[Value | Attribute] = []
    outside = moved = False
    for index, value in enumerate(body.end.operands):
        if value is induction:
            return []
        position = next((i for i, argument in enumerate(carried) if argument is value), None)
        outside |= position is None
        moved |= position not in (None, index)
        found.append(value if position is None else initial[position])
    if count is None and (outside or moved):
        return []
    return [] if moved and count is not None and count >= 2 else found
