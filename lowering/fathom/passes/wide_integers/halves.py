"""Taking wide integers apart and putting them together.

A half of a scalar is a scalar; a half of a vector has a last dimension of 1:

    %0 = vector.extract %a[0] : i32 from vector<2xi32>
    %1 = vector.extract_strided_slice %b {offsets = [0, 1], sizes = [4, 1], …} : vector<4x2xi32> to vector<4x1xi32>
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.arith.elements import width_of
from fathom.dialects.vector.common import rank, vector_of, vector_type
from fathom.ir.types import IntegerType, Type, VectorType
from fathom.passes.arithmetic import constant
from fathom.passes.vectors.building import extract, extract_slice, insert, insert_slice, shape_cast

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

LOW: Final = 0
HIGH: Final = 1


class Halves:
    """What a rule is given: where it builds, the wide type that it is about (`wide`), the vector of halves that the
    type is converted to (`type`), the type of a half (`half`), and its bits (`width`)."""

    def __init__(self, rewriter: ConversionRewriter, wide: Type, type: VectorType) -> None:
        self.rewriter: Final = rewriter
        self.wide: Final = wide
        self.type: Final = type
        self.width: Final = width_of(type)
        shape = type.ranked_shape
        self.half: Final[Type] = vector_of([*shape[:-1], 1], type.element) if len(shape) > 1 else type.element

    def part(self, value: Value, which: int) -> Value:
        """The low or the high half."""
        shape = vector_type(value).ranked_shape
        if len(shape) == 1:
            return extract(self.rewriter, value, which)
        return extract_slice(self.rewriter, value, [0] * (len(shape) - 1) + [which], [*shape[:-1], 1])

    def split(self, value: Value) -> tuple[Value, Value]:
        """The low half and the high half."""
        return self.part(value, LOW), self.part(value, HIGH)

    def join(self, low: Value, high: Value) -> Value:
        """The wide integer of two halves."""
        return self.put(high, self.put(low, self.number(0, self.type), LOW), HIGH)

    def put(self, half: Value, whole: Value, which: int) -> Value:
        """`whole` with another low or high half."""
        if isinstance(half.type, IntegerType):
            return insert(self.rewriter, half, whole, which)
        return insert_slice(self.rewriter, half, whole, [0] * (rank(whole.type) - 1) + [which])

    def number(self, value: int, type: Type | None = None) -> Value:
        """A constant, by default of the type of a half."""
        return constant(self.rewriter, value, self.half if type is None else type)

    def with_unit(self, value: Value) -> Value:
        """A vector with a last dimension of 1 added, as halves have one; a scalar as it is."""
        if not isinstance(value.type, VectorType):
            return value
        return shape_cast(self.rewriter, value, vector_of([*value.type.ranked_shape, 1], value.type.element))

    def without_unit(self, value: Value) -> Value:
        """A vector without its last dimension of 1; a scalar as it is."""
        if not isinstance(value.type, VectorType):
            return value
        return shape_cast(self.rewriter, value, vector_of(value.type.ranked_shape[:-1], value.type.element))
