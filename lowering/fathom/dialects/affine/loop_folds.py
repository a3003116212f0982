"""What loops and conditions fold to: bounds that are numbers, or say the same with less, composed and without what
another bound makes superfluous; and loops that only hand values on.

Source of the rules: observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.dialects.affine.composition import canonicalize, compose
from fathom.dialects.affine.constant_maps import constants_of, fold_map
from fathom.dialects.affine.ranges import range_of
from fathom.dialects.affine.syntax import constant_bound
from fathom.ir.affine import AffineConstant, AffineExpr, AffineMap
from fathom.ir.affine_simplification import Bounds, bound
from fathom.ir.attributes import AffineMapAttr, Attribute, IntegerSetAttr
from fathom.irdl.build import segment_sizes
from fathom.irdl.folding import Constants, Folded
from fathom.ops.affine import ApplyOp, ForOp, IfOp, ParallelOp
from fathom.records import replace
from fathom.rewriting.folding import constant_value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Value


def bound_operands(op: ForOp) -> tuple[list[Value], list[Value]]:
    """What the lower and the upper bound of a loop are made of."""
    return op.lowerBoundOperands, op.upperBoundOperands


def set_bound(op: ForOp, map: AffineMap, operands: Sequence[Value], *, is_upper: bool) -> None:
    """Gives a loop another bound."""
    groups: list[Sequence[Value]] = [*bound_operands(op), op.inits]
    groups[is_upper] = operands
    op.set_operands([value for group in groups for value in group])
    op.properties["operandSegmentSizes"] = segment_sizes(*(len(group) for group in groups))
    op.properties["upperBoundMap" if is_upper else "lowerBoundMap"] = AffineMapAttr(map)


def canonicalize_loop_bounds(op: ForOp) -> bool:
    """Brings the bounds of an `affine.for` into the form that MLIR gives them; whether they changed."""
    changed = [_canonicalize_bound(op, is_upper=is_upper) for is_upper in (False, True)]
    return any(changed)


def _canonicalize_bound(op: ForOp, *, is_upper: bool) -> bool:
    before, operands = (op.upperBoundMap if is_upper else op.lowerBoundMap).map, bound_operands(op)[is_upper]
    is_number = not before.inputs and len(before.results) == 1 and isinstance(before.results[0], AffineConstant)
    if is_number or not before.results:
        return False
    # MLIR looks for what is superfluous before it composes an upper bound, and after it composes a lower one.
    map = _without_superfluous(before, operands, is_max=False) if is_upper else before
    map, operands = canonicalize(*compose(map, operands))
    if not is_upper:
        map = _without_superfluous(map, operands, is_max=True)
    map = replace(map, results=_without_neighbours(map.results))
    if map == before:
        return False
    set_bound(op, map, operands, is_upper=is_upper)
    return True


def _without_neighbours(results: tuple[AffineExpr, ...]) -> tuple[AffineExpr, ...]:
    """The results without those that are like the one before."""
    return tuple(result for index, result in enumerate(results) if not index or result != results[index - 1])


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
    results: list[Value | Attribute] = []
    outside = moved = False
    for index, value in enumerate(body.end.operands):
        if value is induction:
            return []
        position = next((i for i, argument in enumerate(carried) if argument is value), None)
        outside |= position is None
        moved |= position not in (None, index)
        results.append(value if position is None else initial[position])
    if count is None and (outside or moved):
        return []
    return [] if moved and count is not None and count >= 2 else results


def fold_parallel(op: ParallelOp, constants: Constants) -> Folded:
    """The bounds of an `affine.parallel` are composed and simplified."""
    count = op.lowerBoundsMap.map.inputs
    sides = (
        ("lowerBoundsMap", op.lowerBoundsMap.map, op.mapOperands[:count]),
        ("upperBoundsMap", op.upperBoundsMap.map, op.mapOperands[count:]),
    )
    values: list[Value] = []
    changed = False
    for name, before, operands in sides:
        map, composed = compose(before, operands)
        if map == before and composed == operands:
            values += operands
            continue
        changed = True
        op.properties[name] = AffineMapAttr(map)
        values += composed
    if not changed:
        return None
    op.set_operands(values)
    return []


def fold_if(op: IfOp, constants: Constants) -> Folded:
    """The condition of an `affine.if` is composed, and asked of values that it needs."""
    set, operands = op.condition.set, op.operands
    map = AffineMap(set.dims, set.symbols, tuple(expr for expr, _ in set.constraints))
    if any(isinstance(value.defining_op, ApplyOp) for value in operands):
        map, operands = compose(map, operands)
    map, operands = canonicalize(map, operands)
    kinds = [is_equality for _, is_equality in set.constraints]
    simplified = replace(
        set, dims=map.dims, symbols=map.symbols, constraints=tuple(zip(map.results, kinds, strict=True))
    )
    if simplified == set and operands == op.operands:
        return None
    op.properties["condition"] = IntegerSetAttr(simplified)
    op.set_operands(operands)
    return []


# ---- what a bound cannot be


def _without_superfluous(map: AffineMap, operands: Sequence[Value], *, is_max: bool) -> AffineMap:
    """The map without results that cannot be the greatest (the least if not `is_max`), as far as loops around tell."""
    if not operands:
        return map
    ends = [range_of(value) for value in operands]
    lower: Bounds = [low for low, _ in ends]
    upper: Bounds = [high for _, high in ends]
    least, greatest = (
        [bound(result, map.dims, map.symbols, lower, upper, is_upper=is_upper) for result in map.results]
        for is_upper in (False, True)
    )
    # For a minimum all is the same, the other way round.
    near, far = (greatest, least) if is_max else (least, greatest)
    sign = 1 if is_max else -1
    kept: list[AffineExpr] = []
    for index, result in enumerate(map.results):
        low, high, own = least[index], greatest[index], near[index]
        is_known = low is not None and low == high
        others = [place for place in range(len(far)) if place != index]
        if own is None or not any(
            _makes_superfluous(sign * other, sign * own, is_known and near[place] == other and index < place)
            for place in others
            if (other := far[place]) is not None
        ):
            kept.append(AffineConstant(low) if is_known and low is not None else result)
    return replace(map, results=tuple(kept))


def _makes_superfluous(other: int, own: int, is_first: bool) -> bool:
    """Whether a value that is at least `other` stands for one that is at most `own`; of two equal ones the first
    stays."""
    return other > own or (other == own and not is_first)
