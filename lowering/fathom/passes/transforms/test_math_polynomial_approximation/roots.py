"""The cube root, and the inverse of the square root. Each says what it computes; the operations and their order are
those of mlir-opt 22."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Final

from fathom.dialects.vector.common import vector_of, vector_type
from fathom.ir.types import F32, VectorType, element_type
from fathom.passes.arithmetic import constant
from fathom.passes.transforms.test_math_polynomial_approximation.building import (
    INFINITY,
    SMALLEST_NORMAL,
    Formula,
    approximation,
)
from fathom.passes.transforms.test_math_polynomial_approximation.extending import extending
from fathom.passes.vectors.building import extract, insert, positions, shape_cast
from fathom.rewriting.allowance import too_many_operations
from fathom.rewriting.pattern import Failure, Pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter


def _cbrt(f: Formula, operands: Sequence[Value]) -> Value:
    """A third of the exponent, by shifts, and two steps of Newton's."""
    (operand,) = operands
    two, four, eight, magic = map(f.integer, (2, 4, 8, 0x2A5137A0))
    third, double, zero = f.numbers((0.33333333, 2.0, 0.0))
    magnitude = f.math("absf", operand)
    bits = f.as_bits(magnitude)
    # A quarter, a sixteenth, … make a third.
    quarter, sixteenth = f.binary("shrsi", bits, two), f.binary("shrsi", bits, four)
    bits = f.binary("addi", quarter, sixteenth)
    bits = f.binary("addi", bits, f.binary("shrsi", bits, four))
    bits = f.binary("addi", bits, f.binary("shrsi", bits, eight))
    root = f.as_floats(f.binary("addi", bits, magic))
    for _ in range(2):
        squared = f.mul(root, root)
        doubled = f.mul(root, double)
        root = f.mul(f.add(doubled, f.div(magnitude, squared)), third)
    is_zero = f.compare("oeq", magnitude, zero)
    return f.math("copysign", f.select(is_zero, zero, root), operand)


PATTERNS: Final = (approximation("cbrt", _cbrt, "CbrtApproximation"),)


# ---- by an instruction of AVX2

WIDTH: Final = 8
"""Elements that the instruction takes at once."""


def _rsqrt(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """What the instruction says, and a step of Newton's where `x` is normal and finite."""
    (x,) = operands
    type = x.type
    if element_type(type) != F32 or not isinstance(type, VectorType) or any(type.scalable):
        return Failure("the operand is no vector of f32")
    if not type.shape or type.shape[-1] % WIDTH:
        return Failure("the last dimension is not a multiple of eight")
    if (refused := too_many_operations(op, 3 * prod(type.ranked_shape) // WIDTH)) is not None:
        return refused
    f = Formula(rewriter, type)
    infinite = f.of_bits(INFINITY)
    most, minus_half = f.numbers((1.5, -0.5))
    least = f.of_bits(SMALLEST_NORMAL)
    halved = f.mul(x, minus_half)
    is_small, is_infinite = f.compare("olt", x, least), f.compare("oeq", x, infinite)
    is_special = f.binary("ori", is_small, is_infinite)
    root = _by_parts(rewriter, x)
    better = f.mul(root, f.fma(root, f.mul(halved, root), most))
    rewriter.replace(op, [f.select(is_special, root, better)])
    return None


def _by_parts(rewriter: Rewriter, x: Value) -> Value:
    """`x86vector.avx.rsqrt` of each eight elements."""
    type = vector_type(x)
    shape = type.ranked_shape
    if len(shape) == 1 and shape[0] == WIDTH:
        return _instruction(rewriter, x)
    expanded = type
    if shape[-1] > WIDTH:
        expanded = vector_of([*shape[:-1], shape[-1] // WIDTH, WIDTH], type.element)
        x = shape_cast(rewriter, x, expanded)
    places = list(positions(expanded.ranked_shape[:-1]))
    results = [_instruction(rewriter, extract(rewriter, x, *place)) for place in places]
    whole = constant(rewriter, 0, expanded)
    for place, result in zip(places, results, strict=True):
        whole = insert(rewriter, result, whole, *place)
    return shape_cast(rewriter, whole, type)


def _instruction(rewriter: Rewriter, x: Value) -> Value:
    return rewriter.create("x86vector.avx.rsqrt", [x], [x.type]).result


WITH_AVX2: Final = (extending("rsqrt"), Pattern("math.rsqrt", _rsqrt, name="RsqrtApproximation"))
