"""Between which numbers the results of arith's operations lie.

Source of the rules: `InferIntRangeInterface` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import DenseElementsAttr, IntegerAttr
from fathom.rewriting import range_arithmetic as ranges
from fathom.rewriting.int_ranges import Inference, IntRange, of_number, of_result, width_of

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.ops.arith import CmpiOp, ConstantOp, SelectOp


def _constant(op: ConstantOp, _: Sequence[IntRange]) -> IntRange | None:
    value, width = op.value, width_of(op.result.type)
    if isinstance(value, IntegerAttr):
        return of_number(width, value.value)
    if not isinstance(value, DenseElementsAttr) or not width:
        return None
    numbers = {number for number in value.values if isinstance(number, int)}
    return reduce(IntRange.union, (of_number(width, number) for number in numbers)) if numbers else None


def _compare(op: CmpiOp, operands: Sequence[IntRange]) -> IntRange:
    return ranges.of_truth(ranges.compare(op.predicate.value, *operands))


def _select(op: SelectOp, operands: Sequence[IntRange | None]) -> Iterator[tuple[Value, IntRange]]:
    """One of two, or either; it is known before both are."""
    condition, *cases = operands
    choice = condition.constant if condition is not None else None
    known = [case for case in (cases if choice is None else [cases[0] if choice else cases[1]]) if case is not None]
    if known:
        yield op.result, reduce(IntRange.union, known)


def _flagged(infer: Callable[[Sequence[IntRange], int], IntRange]) -> Inference:
    return of_result(lambda op, operands: infer(operands, op.overflowFlags.value))


def _plain(infer: ranges.Binary) -> Inference:
    return of_result(lambda _, operands: infer(operands))


def _cast(*, has_sign: bool) -> Inference:
    def infer(op: Operation, operands: Sequence[IntRange]) -> IntRange:
        return ranges.cast(operands[0], width_of(op.result.type), has_sign=has_sign)

    return of_result(infer)


INT_RANGES: Final[Mapping[str, Inference]] = {
    "arith.constant": of_result(_constant),
    "arith.addi": _flagged(ranges.add),
    "arith.subi": _flagged(ranges.subtract),
    "arith.muli": _flagged(ranges.multiply),
    "arith.shli": _flagged(ranges.shift_left),
    "arith.divui": _plain(ranges.divide_unsigned),
    "arith.divsi": _plain(ranges.divide_signed),
    "arith.ceildivui": _plain(ranges.divide_unsigned_up),
    "arith.ceildivsi": _plain(ranges.divide_signed_up),
    "arith.floordivsi": _plain(ranges.divide_signed_down),
    "arith.remui": _plain(ranges.remainder_unsigned),
    "arith.remsi": _plain(ranges.remainder_signed),
    "arith.andi": _plain(ranges.both_bits),
    "arith.ori": _plain(ranges.either_bits),
    "arith.xori": _plain(ranges.differing_bits),
    "arith.maxsi": _plain(ranges.greater_signed),
    "arith.maxui": _plain(ranges.greater_unsigned),
    "arith.minsi": _plain(ranges.smaller_signed),
    "arith.minui": _plain(ranges.smaller_unsigned),
    "arith.shrui": _plain(ranges.shift_right_unsigned),
    "arith.shrsi": _plain(ranges.shift_right_signed),
    "arith.extui": _cast(has_sign=False),
    "arith.extsi": _cast(has_sign=True),
    "arith.trunci": _cast(has_sign=True),
    "arith.index_cast": _cast(has_sign=True),
    "arith.index_castui": _cast(has_sign=False),
    "arith.cmpi": of_result(_compare),
    "arith.select": Inference(_select, takes_unknown=True),
}
