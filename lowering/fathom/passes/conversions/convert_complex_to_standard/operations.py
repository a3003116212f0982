"""The patterns of `convert-complex-to-standard`, and what each computes of numbers and their parts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.ir.types import ComplexType, FloatType
from fathom.passes.complex_division import divide
from fathom.passes.conversions.convert_complex_to_standard import exponentials, powers, roots, trigonometry
from fathom.passes.conversions.convert_complex_to_standard.magnitude import magnitude
from fathom.passes.conversions.convert_complex_to_standard.numbers import Numbers
from fathom.passes.float_arithmetic import STANDARD
from fathom.rewriting.pattern import Failure, Pattern

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

OfOne: TypeAlias = "Callable[[Numbers, Value], Value]"
OfTwo: TypeAlias = "Callable[[Numbers, Value, Value], Value]"


def patterns(complex_range: str) -> list[Pattern]:
    """One for each operation; the value of the option `complex-range` says how quotients are computed."""

    def div(numbers: Numbers, lhs: Value, rhs: Value) -> Value:
        first, second = numbers.parts(lhs), numbers.parts(rhs)
        return numbers.create(*divide(numbers, first, second, complex_range))

    return [
        *(_of_one(name, compute) for name, compute in OF_ONE.items()),
        *(_of_two(name, compute) for name, compute in {**OF_TWO, "div": div}.items()),
    ]


def _of_one(name: str, compute: OfOne) -> Pattern:
    return _pattern(name, lambda numbers, operands: compute(numbers, operands[0]))


def _of_two(name: str, compute: OfTwo) -> Pattern:
    return _pattern(name, lambda numbers, operands: compute(numbers, operands[0], operands[1]))


def _pattern(name: str, compute: Callable[[Numbers, Sequence[Value]], Value]) -> Pattern:
    """Replaces the operation by what is computed of its operands, which are replaced already, with its flags."""

    def rewrite(op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
        type = op.operands[0].type
        if not isinstance(type, ComplexType) or not isinstance(type.element, FloatType):
            return Failure("the parts are no floats")
        remapped = rewriter.remap(op.operands)
        if isinstance(remapped, Failure):
            return remapped
        numbers = Numbers(rewriter, STANDARD, type.element, op.properties.get("fastmath"))
        rewriter.replace(op, [compute(numbers, [values[0] for values in remapped])])
        return None

    return Pattern(f"complex.{name}", rewrite, name=f"{_IN_MLIR.get(name, name.capitalize())}OpConversion")


_IN_MLIR: Final = {
    "add": "BinaryComplex",
    "sub": "BinaryComplex",
    "eq": "Comparison",
    "neq": "Comparison",
    "tan": "TanTanh",
    "tanh": "TanTanh",
}
"""What operations are called in the names of MLIR's patterns, where that is not their own name."""


# Arithmetic.


def _abs(numbers: Numbers, z: Value) -> Value:
    return magnitude(numbers, *numbers.parts(z))


def _angle(numbers: Numbers, z: Value) -> Value:
    real, imaginary = numbers.parts(z)
    return numbers.math("atan2", imaginary, real)


def _part_by_part(name: str) -> OfTwo:
    """Adds or subtracts the real parts, and the imaginary ones."""

    def compute(numbers: Numbers, lhs: Value, rhs: Value) -> Value:
        real = numbers.make(name, numbers.re(lhs), numbers.re(rhs))
        imaginary = numbers.make(name, numbers.im(lhs), numbers.im(rhs))
        return numbers.create(real, imaginary)

    return compute


def _mul(numbers: Numbers, lhs: Value, rhs: Value) -> Value:
    """`(a + bi) (c + di)` is `(ac - bd) + (bc + ad)i`."""
    (a, b), (c, d) = numbers.parts(lhs), numbers.parts(rhs)
    real = numbers.sub(numbers.mul(a, c), numbers.mul(b, d))
    imaginary = numbers.add(numbers.mul(b, c), numbers.mul(a, d))
    return numbers.create(real, imaginary)


def _neg(numbers: Numbers, z: Value) -> Value:
    real, imaginary = numbers.parts(z)
    plain = numbers.without_flags()
    return numbers.create(plain.neg(real), plain.neg(imaginary))


def _conj(numbers: Numbers, z: Value) -> Value:
    real, imaginary = numbers.parts(z)
    return numbers.create(real, numbers.without_flags().neg(imaginary))


def _sign(numbers: Numbers, z: Value) -> Value:
    """The number over its magnitude; 0 stays what it is."""
    plain = numbers.without_flags()
    real, imaginary = numbers.parts(z)
    zero = numbers.constant(0.0)
    is_zero = numbers.both(plain.compare("oeq", real, zero), plain.compare("oeq", imaginary, zero))
    abs = numbers.abs_of(z)
    sign = numbers.create(numbers.div(real, abs), numbers.div(imaginary, abs))
    return numbers.select(is_zero, z, sign)


def _eq(numbers: Numbers, lhs: Value, rhs: Value) -> Value:
    return numbers.both(*_compared(numbers, "oeq", lhs, rhs))


def _neq(numbers: Numbers, lhs: Value, rhs: Value) -> Value:
    return numbers.either(*_compared(numbers, "une", lhs, rhs))


def _compared(numbers: Numbers, predicate: str, lhs: Value, rhs: Value) -> tuple[Value, Value]:
    """Compares the real parts, and the imaginary ones."""
    (a, b), (c, d) = numbers.parts(lhs), numbers.parts(rhs)
    return numbers.compare(predicate, a, c), numbers.compare(predicate, b, d)


OF_ONE: Final[dict[str, OfOne]] = {
    "abs": _abs,
    "angle": _angle,
    "conj": _conj,
    "cos": trigonometry.cos,
    "exp": exponentials.exp,
    "expm1": exponentials.expm1,
    "log": exponentials.log,
    "log1p": exponentials.log1p,
    "neg": _neg,
    "rsqrt": roots.rsqrt,
    "sign": _sign,
    "sin": trigonometry.sin,
    "sqrt": roots.sqrt,
    "tan": trigonometry.tan,
    "tanh": trigonometry.tanh,
}
OF_TWO: Final[dict[str, OfTwo]] = {
    "add": _part_by_part(STANDARD.add),
    "atan2": trigonometry.atan2,
    "eq": _eq,
    "mul": _mul,
    "neq": _neq,
    "pow": powers.pow,
    "powi": powers.powi,
    "sub": _part_by_part(STANDARD.sub),
}
