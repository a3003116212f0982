"""`tosa.fft2d` and `tosa.rfft2d`: each element of a Fourier transform is a sum over all elements of the input.

Source of the rules: *TOSA specification*, "fft2d" and "rfft2d", and the order of the operations that mlir-opt 22 makes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.ir.affine import AffineDim, AffineMap
from fathom.ir.types import I32, I64, INDEX, FloatType
from fathom.passes.arith_expansion.building import unary
from fathom.passes.arithmetic import binary, constant
from fathom.passes.conversions.tosa_to_linalg.movements import loop_index
from fathom.passes.structured import fill, generic
from fathom.passes.tensors import empty_of, tensor_type
from fathom.passes.tosa.constants import real
from fathom.rewriting.folding import create_or_fold, known_number
from fathom.rewriting.pattern import Failure
from fathom.rewriting.result_shapes import folded_dim_value, mixed_sizes, value_of

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.ops import tosa as ops
    from fathom.rewriting.conversion_rewriter import ConversionRewriter
    from fathom.rewriting.result_shapes import Size
    from fathom.rewriting.rewriter import Rewriter

INPUT: Final = AffineMap(5, 0, (AffineDim(0), AffineDim(3), AffineDim(4)))
OUTPUT: Final = AffineMap(5, 0, (AffineDim(0), AffineDim(1), AffineDim(2)))
LOOPS: Final = "ppprr"


class _Angles:
    """The angle that an element of the input has in one of the output: `2 pi (y y' / H + x x' / W)`."""

    def __init__(self, rewriter: Rewriter, source: Value) -> None:
        element = tensor_type(source).element
        assert isinstance(element, FloatType), "its pattern asked for that"
        self._rewriter, self.type = rewriter, element
        self._extents = [folded_dim_value(rewriter, source, dimension) for dimension in (1, 2)]
        self._circle = real(rewriter, 6.283185307179586, element)
        self._lengths = [self._real(extent) for extent in self._extents]

    def _real(self, index: Value) -> Value:
        """An index as a float."""
        whole = I64 if self.type.width > 32 else I32
        return unary(self._rewriter, "uitofp", unary(self._rewriter, "index_castui", index, whole), self.type)

    def angle(self) -> Value:
        """Of each product only what is left of whole circles counts."""
        rewriter = self._rewriter
        y, x, row, column = (loop_index(rewriter, loop) for loop in (1, 2, 3, 4))
        products = [self._index("mul", row, y), self._index("mul", column, x)]
        rests = [self._index("remu", product, extent) for product, extent in zip(products, self._extents, strict=True)]
        parts = [self._real(rest) for rest in rests]
        turns = [binary(rewriter, "divf", part, length) for part, length in zip(parts, self._lengths, strict=True)]
        return binary(rewriter, "mulf", self._circle, binary(rewriter, "addf", turns[0], turns[1]))

    def _index(self, name: str, lhs: Value, rhs: Value) -> Value:
        return self._rewriter.create(f"index.{name}", [lhs, rhs], [INDEX]).result

    def waves(self, angle: Value) -> tuple[Value, Value]:
        """The cosine and the sine."""
        cosine, sine = (self._rewriter.create(f"math.{name}", [angle], [self.type]).result for name in ("cos", "sin"))
        return cosine, sine


def _problem(op: Operation) -> Failure | None:
    if not isinstance(tensor_type(op.operands[0]).element, FloatType):
        return Failure("only supports float element types")
    return None


def _zeros(rewriter: Rewriter, sizes: Sequence[Size], element: FloatType) -> Value:
    output = empty_of(rewriter, sizes, element)
    return fill(rewriter, constant(rewriter, 0, element), output)


def rfft2d(op: ops.Rfft2dOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    """Of real numbers half of the columns and one more say all."""
    if (problem := _problem(op)) is not None:
        return problem
    source, element = op.input_real, tensor_type(op.input_real).element
    assert isinstance(element, FloatType), "its definition demands it"
    sizes = mixed_sizes(rewriter, source)
    sizes[2] = _half_and_one(rewriter, sizes[2])
    outputs = [_zeros(rewriter, sizes, element) for _ in range(2)]
    angles = _Angles(rewriter, source)

    def body(arguments: Sequence[Value]) -> Sequence[Value]:
        value, real_sum, imaginary_sum = arguments
        cosine, sine = angles.waves(angles.angle())
        real_part, imaginary_part = (binary(rewriter, "mulf", value, factor) for factor in (cosine, sine))
        return [binary(rewriter, "addf", real_sum, real_part), binary(rewriter, "subf", imaginary_sum, imaginary_part)]

    types = [result.type for result in op.results]
    rewriter.replace(op, generic(rewriter, [source], outputs, [INPUT, OUTPUT, OUTPUT], LOOPS, body, types).results)
    return None


def _half_and_one(rewriter: Rewriter, size: Size) -> Size:
    one, two = constant(rewriter, 1), constant(rewriter, 2)
    half = create_or_fold(rewriter, "arith.divui", [value_of(rewriter, size), two], INDEX)
    result = create_or_fold(rewriter, "arith.addi", [half, one], INDEX)
    number = known_number(result)
    return result if number is None else number


def fft2d(op: ops.Fft2dOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    """The inverse goes round the other way."""
    if (problem := _problem(op)) is not None:
        return problem
    inputs, element = [op.input_real, op.input_imag], tensor_type(op.input_real).element
    assert isinstance(element, FloatType), "its definition demands it"
    sizes = mixed_sizes(rewriter, op.input_real)
    outputs = [_zeros(rewriter, sizes, element) for _ in range(2)]
    angles = _Angles(rewriter, op.input_real)

    def body(arguments: Sequence[Value]) -> Sequence[Value]:
        real_value, imaginary_value, real_sum, imaginary_sum = arguments
        angle = angles.angle()
        if op.inverse.value:
            angle = binary(rewriter, "mulf", angle, real(rewriter, -1.0, element))
        cosine, sine = angles.waves(angle)
        first, second = binary(rewriter, "mulf", real_value, cosine), binary(rewriter, "mulf", imaginary_value, sine)
        real_part = binary(rewriter, "addf", first, second)
        first, second = binary(rewriter, "mulf", imaginary_value, cosine), binary(rewriter, "mulf", real_value, sine)
        imaginary_part = binary(rewriter, "subf", first, second)
        return [binary(rewriter, "addf", real_sum, real_part), binary(rewriter, "addf", imaginary_sum, imaginary_part)]

    types = [result.type for result in op.results]
    maps = [INPUT, INPUT, OUTPUT, OUTPUT]
    rewriter.replace(op, generic(rewriter, inputs, outputs, maps, LOOPS, body, types).results)
    return None
