"""What polynomials and the formulas around them are built from, in the shape of what they are computed of."""

from __future__ import annotations

from struct import pack, unpack
from typing import TYPE_CHECKING, Final

from fathom.ir.floats import from_float
from fathom.ir.types import F16, F32, I32, FloatType, TensorType, Type, VectorType, element_type
from fathom.irdl.type_functions import with_element
from fathom.passes.arithmetic import binary, compare, compare_floats, constant, select
from fathom.passes.vectors.building import broadcast
from fathom.rewriting.pattern import Failure, Pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter

BIAS: Final = 0x42FC0000
HALF: Final = 0x3F000000
INFINITY: Final = 0x7F800000
MINUS_INFINITY: Final = 0xFF800000
NAN: Final = 0x7FC00000
SMALLEST_NORMAL: Final = 0x00800000
"""Bits of an f32; the bias is 126, of fractions from a half on."""


class Formula:
    """Inserts operations on floats, scalars or vectors of `type`, one behind the other. A constant is made as a scalar
    and broadcast."""

    def __init__(self, rewriter: Rewriter, type: Type) -> None:
        self.rewriter = rewriter
        self.type = type
        self.integers = with_element(type, I32)

    # ---- constants

    def number(self, value: float) -> Value:
        """A float, rounded to an f32 and to the type."""
        element = element_type(self.type)
        assert isinstance(element, FloatType), "the definition of the operation demands floats"
        (rounded,) = unpack("<f", pack("<f", value))
        return self.everywhere(constant(self.rewriter, from_float(rounded, element.name), element))

    def integer(self, value: int) -> Value:
        """An i32."""
        return self.everywhere(constant(self.rewriter, value, I32))

    def scalar_of_bits(self, bits: int) -> Value:
        """An f32, as the `arith.bitcast` of an i32."""
        return self.create("arith.bitcast", F32, constant(self.rewriter, bits - (bits >> 31 << 32), I32))

    def of_bits(self, bits: int) -> Value:
        """The same, broadcast."""
        return self.everywhere(self.scalar_of_bits(bits))

    def numbers(self, values: Sequence[float]) -> list[Value]:
        """Some floats."""
        return [self.number(value) for value in values]

    def everywhere(self, value: Value) -> Value:
        """A scalar in each element."""
        if not isinstance(self.type, VectorType):
            return value
        return broadcast(self.rewriter, value, with_element(self.type, value.type))

    # ---- operations

    def create(self, name: str, type: Type, *operands: Value) -> Value:
        """Any operation with one result."""
        return self.rewriter.create(name, operands, [type]).result

    def math(self, name: str, *operands: Value) -> Value:
        """`math.NAME`."""
        return self.create(f"math.{name}", operands[0].type, *operands)

    def fma(self, a: Value, b: Value, c: Value) -> Value:
        """`a * b + c`, rounded once."""
        return self.math("fma", a, b, c)

    def neg(self, a: Value) -> Value:
        """`-a`."""
        return self.create("arith.negf", a.type, a)

    def binary(self, name: str, a: Value, b: Value) -> Value:
        """`arith.NAME`."""
        return binary(self.rewriter, name, a, b)

    def add(self, a: Value, b: Value) -> Value:
        """`a + b`."""
        return self.binary("addf", a, b)

    def sub(self, a: Value, b: Value) -> Value:
        """`a - b`."""
        return self.binary("subf", a, b)

    def mul(self, a: Value, b: Value) -> Value:
        """`a * b`."""
        return self.binary("mulf", a, b)

    def div(self, a: Value, b: Value) -> Value:
        """`a / b`."""
        return self.binary("divf", a, b)

    def compare(self, predicate: str, a: Value, b: Value) -> Value:
        """`arith.cmpf`."""
        return compare_floats(self.rewriter, predicate, a, b)

    def compare_integers(self, predicate: str, a: Value, b: Value) -> Value:
        """`arith.cmpi`."""
        return compare(self.rewriter, predicate, a, b)

    def select(self, condition: Value, true: Value, false: Value) -> Value:
        """`arith.select`."""
        return select(self.rewriter, condition, true, false)

    def chosen(self, predicate: str, a: Value, b: Value) -> Value:
        """`a` where it compares to `b` so, and else `b`."""
        return self.select(self.compare(predicate, a, b), a, b)

    def polynomial(self, x: Value, coefficients: Sequence[Value]) -> Value:
        """By Horner's method; the coefficients begin with that of the highest power."""
        first, *rest = coefficients
        total = first
        for coefficient in rest:
            total = self.fma(x, total, coefficient)
        return total

    def as_bits(self, value: Value) -> Value:
        """`arith.bitcast` to integers."""
        return self.create("arith.bitcast", self.integers, value)

    def as_floats(self, value: Value) -> Value:
        """`arith.bitcast` to floats."""
        return self.create("arith.bitcast", self.type, value)


def approximation(
    name: str, formula: Callable[[Formula, Sequence[Value]], Value], in_mlir: str, *, narrow: bool = False
) -> Pattern:
    """The pattern that replaces `math.NAME` of f32, and of f16 if `narrow`, by what `formula` inserts."""

    def rewrite(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
        type = op.result.type
        if element_type(type) != F32 and not (narrow and element_type(type) == F16):
            return Failure("the operand is not of the floats that are approximated")
        if isinstance(type, TensorType):
            return Failure("the operand is a tensor")
        rewriter.replace(op, [formula(Formula(rewriter, type), operands)])
        return None

    return Pattern(f"math.{name}", rewrite, name=in_mlir)
