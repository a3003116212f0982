"""Bounds of loops that say the same with less: composed, without what another bound makes superfluous.

Source of the rules: observed behaviour of mlir-opt 22, which does so wherever loops fold.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.dialects.affine.composition import APPLY, canonicalize, compose
from fathom.dialects.affine.ranges import range_of
from fathom.dialects.affine.syntax import map_of
from fathom.ir.affine import AffineConstant, AffineExpr, AffineMap
from fathom.ir.affine_simplification import Bounds, bound
from fathom.ir.attributes import AffineMapAttr, IntegerSetAttr
from fathom.irdl.build import segment_sizes
from fathom.irdl.folding import Constants, Folded
from fathom.records import replace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Operation, Value


def canonicalize_loop_bounds(op: Operation) -> bool:
    """Brings the bounds of an `affine.for` into the form that MLIR gives them; whether they changed."""
    assert op.definition is not None, "an operation that folds has a definition"
    groups = list(op.definition.operand_groups(op).values())
    changed = False
    for index, name in enumerate(("lowerBoundMap", "upperBoundMap")):
        before = map_of(op, name)
        is_number = not before.inputs and len(before.results) == 1 and isinstance(before.results[0], AffineConstant)
        if is_number or not before.results:
            continue
        map, operands = before, groups[index]
        # MLIR looks for what is superfluous before it composes an upper bound, and after it composes a lower one.
        if index:
            map = _without_superfluous(map, operands, is_max=False)
        map, operands = canonicalize(*compose(map, operands))
        if not index:
            map = _without_superfluous(map, operands, is_max=True)
        map = replace(map, results=_without_neighbours(map.results))
        if map == before:
            continue
        changed = True
        op.properties[name] = AffineMapAttr(map)
        groups[index] = operands
    if changed:
        op.set_operands([value for group in groups for value in group])
        op.properties["operandSegmentSizes"] = segment_sizes(*(len(group) for group in groups))
    return changed


def _without_neighbours(results: tuple[AffineExpr, ...]) -> tuple[AffineExpr, ...]:
    """The results without those that are like the one before."""
    return tuple(each for index, each in enumerate(results) if not index or each != results[index - 1])


def fold_parallel(op: Operation, constants: Constants) -> Folded:
    """The bounds of an `affine.parallel` are composed and simplified."""
    count = map_of(op, "lowerBoundsMap").inputs
    sides = [("lowerBoundsMap", op.operands[:count]), ("upperBoundsMap", op.operands[count:])]
    values: list[Value] = []
    changed = False
    for name, operands in sides:
        map, found = compose(map_of(op, name), operands)
        if map == map_of(op, name) and _are_same(found, operands):
            values += operands
            continue
        changed = True
        op.properties[name] = AffineMapAttr(map)
        values += found
    if not changed:
        return None
    op.set_operands(values)
    return []


def fold_if(op: Operation, constants: Constants) -> Folded:
    """The condition of an `affine.if` is composed, and asked of values that it needs."""
    condition = op.attribute("condition")
    if not isinstance(condition, IntegerSetAttr):
        return None
    set = condition.set
    map, operands = AffineMap(set.dims, set.symbols, tuple(expr for expr, _ in set.constraints)), op.operands
    if any(value.defining_op is not None and value.defining_op.name == APPLY for value in operands):
        map, operands = compose(map, operands)
    map, operands = canonicalize(map, operands)
    kinds = [is_equality for _, is_equality in set.constraints]
    found = replace(set, dims=map.dims, symbols=map.symbols, constraints=tuple(zip(map.results, kinds, strict=True)))
    if found == set and _are_same(operands, op.operands):
        return None
    op.properties["condition"] = IntegerSetAttr(found)
    op.set_operands(operands)
    return []


def _are_same(first: Sequence[Value], second: Sequence[Value]) -> bool:
    return len(first) == len(second) and all(a is b for a, b in zip(first, second, strict=True))


# ---- what a bound cannot be


def _without_superfluous(map: AffineMap, operands: Sequence[Value], *, is_max: bool) -> AffineMap:
    """The map without results that cannot be the greatest (the least if not `is_max`), as far as loops around tell."""
    if not operands:
        return map
    ends = [range_of(value) for value in operands]
    lower: Bounds = [low for low, _ in ends]
    upper: Bounds = [high for _, high in ends]
    least, greatest = (
        [bound(each, map.dims, map.symbols, lower, upper, is_upper=is_upper) for each in map.results]
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
