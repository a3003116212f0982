"""Between which numbers the results of affine maps lie, and the variables of loops.

Source of the rules: `InferIntRangeInterface` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.affine.syntax import constant_bound
from fathom.ir.affine import AffineBinary, AffineConstant, AffineDim, AffineExpr, AffineSymbol
from fathom.rewriting import range_arithmetic as ranges
from fathom.rewriting.int_ranges import (
    INDEX_WIDTH,
    Inference,
    IntRange,
    everything,
    of_loops,
    of_number,
    of_result,
    of_signed,
    of_unsigned,
)

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.ops.affine import ApplyOp, ForOp


def _apply(op: ApplyOp, operands: Sequence[IntRange]) -> IntRange | None:
    map = op.map.map
    if len(map.results) != 1 or len(operands) != map.dims + map.symbols:
        return None
    known: dict[AffineExpr, IntRange] = {}
    pending = [map.results[0]]
    while pending:
        current = pending.pop()
        if current in known:
            continue
        if isinstance(current, AffineConstant):
            known[current] = of_number(INDEX_WIDTH, current.value)
        elif isinstance(current, AffineBinary):
            parts = (current.lhs, current.rhs)
            missing = [part for part in parts if part not in known]
            if missing:
                pending += (current, *missing)
                continue
            known[current] = _of_binary(current.kind, known[current.lhs], known[current.rhs])
        elif isinstance(current, AffineDim):
            known[current] = operands[current.position]
        elif isinstance(current, AffineSymbol):
            known[current] = operands[map.dims + current.position]
    return known[map.results[0]]


def _of_binary(kind: str, lhs: IntRange, rhs: IntRange) -> IntRange:
    match kind:
        case "+":
            return ranges.add([lhs, rhs], ranges.NSW)
        case "*":
            return ranges.multiply([lhs, rhs], ranges.NSW)
        case "mod":
            return _modulo(lhs, rhs)
        case "floordiv" | "ceildiv" if rhs.smax < 1 or rhs.umax < 1:
            return everything(rhs.width)
        case "floordiv":
            return ranges.divide_signed_down([lhs, _positive(rhs)])
        case _:
            return ranges.divide_signed_up([lhs, _positive(rhs)])


def _modulo(lhs: IntRange, rhs: IntRange) -> IntRange:
    """Of what is left of a division by a positive number: at least 0, and less than that."""
    if rhs.smax < 1:
        return everything(rhs.width)
    whole = 1 << rhs.width
    low, high = 0, (rhs.smax - 1) % whole
    if rhs.smin > 0 and lhs.smin >= 0 and lhs.smax % whole < rhs.smin:
        low, high = lhs.smin, lhs.smax % whole
    elif rhs.smin == rhs.smax and lhs.smin >= 0 and (lhs.smax - lhs.smin) % whole < rhs.smax % whole:
        low, high = lhs.smin % (rhs.smax % whole), lhs.smax % whole % (rhs.smax % whole)
    return of_unsigned(rhs.width, low, high)


def _positive(a: IntRange) -> IntRange:
    return of_unsigned(a.width, max(a.umin, 1), a.umax).intersection(of_signed(a.width, max(a.smin, 1), a.smax))


def _for(op: ForOp) -> list[tuple[Value, list[int | Value]]]:
    """The variable of a loop whose bounds are both constant; of another, MLIR says nothing."""
    lower, upper = constant_bound(op.lowerBoundMap), constant_bound(op.upperBoundMap)
    if lower is None or upper is None:
        return []
    return [(op.region.arguments[0], [lower, upper, op.step.value])]


INT_RANGES: Final[Mapping[str, Inference]] = {"affine.apply": of_result(_apply), "affine.for": of_loops(_for)}
