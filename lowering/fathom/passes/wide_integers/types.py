"""How types of integers that are too wide are converted: `i64` to `vector<2xi32>`, the low half first.

Source of the rules: the behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.diagnostics import PIPELINE, Diagnostic
from fathom.dialects.vector.common import vector_of
from fathom.ir.types import FunctionType, IntegerType, MemRefType, Type, VectorType
from fathom.records import replace
from fathom.rewriting.type_converter import TypeConverter

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.rewriting.rewriter import Rewriter

NARROWEST: Final = 2
"""The fewest bits that halves can have."""


def unsupported(width: int) -> list[Diagnostic]:
    """What is wrong with so many bits for the widest integers. mlir-opt fails as well, and says nothing."""
    if width >= NARROWEST and width & (width - 1) == 0:
        return []
    message = f"the widest integers supported have a power of two of bits, {NARROWEST} at least, not {width}"
    return [Diagnostic(message, code=PIPELINE, unplaced=True)]


class WideIntegers(TypeConverter):
    """Converts integers of twice `width` bits, alone, in vectors and in the types of functions; wider ones, and those
    between, have no conversion. A vector gets a last dimension for the halves: `vector<4xi64>` to
    `vector<4x2xi32>`.

    Nothing makes a value of one kind from the other: what takes a converted value and is not rewritten is an error.
    """

    def __init__(self, width: int) -> None:
        super().__init__()
        self.width: Final = width

    def convert_uncached(self, type: Type) -> Type | None:
        match type:
            case IntegerType():
                return self._halved(type, (), type)
            case VectorType(shape, IntegerType() as element):
                return self._halved(type, shape or (), element)
            case FunctionType(inputs, results):
                taken, given = self.convert_all(inputs), self.convert_all(results)
                return None if taken is None or given is None else FunctionType(tuple(taken), tuple(given))
            case _:
                return type

    def _halved(self, type: Type, shape: Sequence[int], element: IntegerType) -> Type | None:
        if element.width <= self.width:
            return type
        if element.width != 2 * self.width:
            return None
        # Which dimensions are scalable is lost, as it is in MLIR.
        return vector_of([*shape, 2], IntegerType(self.width))

    def halves(self, type: Type) -> VectorType | None:
        """The vector of halves that a type is converted to, or None where there is none."""
        converted = self.convert(type)
        return converted if isinstance(converted, VectorType) else None

    def materialize_source(self, rewriter: Rewriter, type: Type, inputs: Sequence[Value]) -> Value | None:
        return None

    def materialize_target(
        self, rewriter: Rewriter, types: Sequence[Type], inputs: Sequence[Value], original: Type | None
    ) -> Sequence[Value] | None:
        return None


class WideIntegersInMemory(WideIntegers):
    """Converts memrefs of such integers as well: `memref<4xi64>` to `memref<4xvector<2xi32>>`."""

    def convert_uncached(self, type: Type) -> Type | None:
        if not isinstance(type, MemRefType) or type.shape is None or not isinstance(type.element, IntegerType):
            return super().convert_uncached(type)
        element = self.convert(type.element)
        return None if element is None else replace(type, element=element)


class BitsOfWideIntegers(WideIntegers):
    """Makes values of one kind from the other: their bits are the same."""

    def materialize_source(self, rewriter: Rewriter, type: Type, inputs: Sequence[Value]) -> Value | None:
        return rewriter.create("llvm.bitcast", inputs, [type]).result

    def materialize_target(
        self, rewriter: Rewriter, types: Sequence[Type], inputs: Sequence[Value], original: Type | None
    ) -> Sequence[Value] | None:
        return rewriter.create("llvm.bitcast", inputs, types).results
