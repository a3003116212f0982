"""Between which numbers the results of index's operations lie, whether an index has 32 bits or 64.

Source of the rules: `InferIntRangeInterface` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.arith.attributes import CMPI_PREDICATES
from fathom.ir.types import IndexType
from fathom.irdl.cases import word_of
from fathom.rewriting import range_arithmetic as ranges
from fathom.rewriting.int_ranges import Inference, IntRange, of_number, of_result, of_unsigned, width_of

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.ops.index import CmpOp


def _compare(op: CmpOp, operands: Sequence[IntRange]) -> IntRange:
    predicate = CMPI_PREDICATES[word_of(op.pred)]
    large = ranges.compare(predicate, *operands)
    small = ranges.compare(predicate, *(ranges.truncate(operand, ranges.SMALL_INDEX) for operand in operands))
    return ranges.of_truth(large if large == small else None)


def _plain(infer: ranges.Binary, *, has_sign: bool | None = None) -> Inference:
    return of_result(lambda _, operands: ranges.on_index(infer, operands, has_sign=has_sign))


def _cast(*, has_sign: bool) -> Inference:
    def infer(op: Operation, operands: Sequence[IntRange]) -> IntRange:
        width = width_of(op.result.type)
        large = ranges.cast(operands[0], width, has_sign=has_sign)
        if isinstance(op.operands[0].type, IndexType):
            return large
        small = ranges.cast(operands[0], ranges.SMALL_INDEX, has_sign=has_sign)
        return large.union(ranges.extend(small, width))

    return of_result(infer)


INT_RANGES: Final[Mapping[str, Inference]] = {
    "index.constant": of_result(lambda op, _: of_number(width_of(op.result.type), op.value.value)),
    "index.bool.constant": of_result(lambda op, _: of_number(1, op.value.value)),
    "index.add": _plain(ranges.add),
    "index.sub": _plain(ranges.subtract),
    "index.mul": _plain(ranges.multiply),
    "index.shl": _plain(ranges.shift_left),
    "index.divu": _plain(ranges.divide_unsigned, has_sign=False),
    "index.divs": _plain(ranges.divide_signed, has_sign=True),
    "index.ceildivu": _plain(ranges.divide_unsigned_up, has_sign=False),
    "index.ceildivs": _plain(ranges.divide_signed_up, has_sign=True),
    "index.floordivs": _plain(ranges.divide_signed_down, has_sign=True),
    "index.remu": _plain(ranges.remainder_unsigned, has_sign=False),
    "index.rems": _plain(ranges.remainder_signed, has_sign=True),
    "index.maxs": _plain(ranges.greater_signed, has_sign=True),
    "index.maxu": _plain(ranges.greater_unsigned, has_sign=False),
    "index.mins": _plain(ranges.smaller_signed, has_sign=True),
    "index.minu": _plain(ranges.smaller_unsigned, has_sign=False),
    "index.and": _plain(ranges.both_bits, has_sign=False),
    "index.or": _plain(ranges.either_bits, has_sign=False),
    "index.xor": _plain(ranges.differing_bits, has_sign=False),
    "index.shrs": _plain(ranges.shift_right_signed, has_sign=True),
    "index.shru": _plain(ranges.shift_right_unsigned, has_sign=False),
    "index.casts": _cast(has_sign=True),
    "index.castu": _cast(has_sign=False),
    "index.cmp": of_result(_compare),
    "index.sizeof": of_result(lambda op, _: of_unsigned(width_of(op.result.type), 32, 64)),
}
