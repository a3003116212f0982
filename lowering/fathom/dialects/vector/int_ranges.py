"""Between which numbers the elements of vectors lie: as those of what they are taken from.

Source of the rules: `InferIntRangeInterface` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fathom.ir.types import VectorType
from fathom.rewriting.int_ranges import Inference, IntRange, of_result, width_of

if TYPE_CHECKING:
    from fathom.ops.vector import StepOp


def _step(op: StepOp, _: Sequence[IntRange]) -> IntRange | None:
    type, width = op.result.type, width_of(op.result.type)
    if not isinstance(type, VectorType) or any(type.scalable) or not width:
        return None
    last = (type.ranked_shape[0] - 1) % (1 << width)
    return IntRange(width, 0, last, 0, last)


_SAME: Final = of_result(lambda _, operands: operands[0])
INT_RANGES: Final[Mapping[str, Inference]] = {
    "vector.broadcast": _SAME,
    "vector.extract": _SAME,
    "vector.insert": of_result(lambda _, operands: operands[0].union(operands[1])),
    "vector.shape_cast": _SAME,
    "vector.step": of_result(_step),
    "vector.transpose": _SAME,
}
