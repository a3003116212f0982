"""What complex's operations compute. A complex number is an array of its two parts."""

from __future__ import annotations

import cmath
from collections.abc import Callable, Mapping
from math import atan2, hypot
from typing import TYPE_CHECKING, Any, Final

from fathom.interpreting.machine import Frame, Interpret
from fathom.interpreting.numbers import rounded
from fathom.interpreting.values import Array, Datum, NotUnderstood
from fathom.ir.attributes import FloatAttr
from fathom.ir.types import ComplexType, FloatType, Type

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.ops.complex import ConstantOp


def _part(type: Type) -> str:
    """The name of the type of the parts. Raises NotUnderstood where these are no floats."""
    element = type.element if isinstance(type, ComplexType) else type
    if not isinstance(element, FloatType):
        raise NotUnderstood(f"numbers of type {type}")
    return element.name


def _made(real: float, imaginary: float, type: Type) -> Array:
    name = _part(type)
    return Array((2,), (rounded(real, name), rounded(imaginary, name)))


def _constant(op: ConstantOp, _: list[Any], __: Frame) -> Datum:
    numbers = [part.value for part in op.value.elements if isinstance(part, FloatAttr)]
    if len(numbers) != 2:
        raise NotUnderstood(f"'{op.name}'")
    return _made(numbers[0], numbers[1], op.results[0].type)


def _create(op: Operation, operands: list[Any], _: Frame) -> Datum:
    real, imaginary = operands
    return _made(real, imaginary, op.results[0].type)


def _at(number: int) -> Interpret:
    def part(_: Operation, operands: list[Any], __: Frame) -> Datum:
        return operands[0].items[number]

    return part


def _parts(of: Callable[[list[float]], tuple[float, float]]) -> Interpret:
    """By the parts of all operands."""

    def interpret(op: Operation, operands: list[Any], _: Frame) -> Datum:
        real, imaginary = of([part for operand in operands for part in operand.items])
        return _made(real, imaginary, op.results[0].type)

    return interpret


def _real(of: Callable[[float, float], float]) -> Interpret:
    def interpret(op: Operation, operands: list[Any], _: Frame) -> Datum:
        return rounded(of(*operands[0].items), _part(op.operands[0].type))

    return interpret


def _whole(of: Callable[[complex], complex]) -> Interpret:
    """By a function of a complex number, which must have a value there."""
    return _of_all(lambda numbers: of(numbers[0]))


def _of_all(of: Callable[[list[complex]], complex]) -> Interpret:
    def interpret(op: Operation, operands: list[Any], _: Frame) -> Datum:
        try:
            made = of([complex(*operand.items) for operand in operands])
        except (ValueError, ZeroDivisionError, OverflowError):
            raise NotUnderstood(f"'{op.name}' of such numbers") from None
        return _made(made.real, made.imag, op.results[0].type)

    return interpret


def _equal(_: Operation, operands: list[Any], __: Frame) -> Datum:
    return int(operands[0].items == operands[1].items)


def _unequal(_: Operation, operands: list[Any], __: Frame) -> Datum:
    return int(operands[0].items != operands[1].items)


INTERPRETATION: Final[Mapping[str, Interpret]] = {
    "complex.abs": _real(hypot),
    "complex.add": _parts(lambda p: (p[0] + p[2], p[1] + p[3])),
    "complex.angle": _real(lambda a, b: atan2(b, a)),
    "complex.conj": _parts(lambda p: (p[0], -p[1])),
    "complex.constant": _constant,
    "complex.cos": _whole(cmath.cos),
    "complex.create": _create,
    "complex.div": _of_all(lambda numbers: numbers[0] / numbers[1]),
    "complex.eq": _equal,
    "complex.exp": _whole(cmath.exp),
    "complex.im": _at(1),
    "complex.log": _whole(cmath.log),
    "complex.mul": _parts(lambda p: (p[0] * p[2] - p[1] * p[3], p[0] * p[3] + p[1] * p[2])),
    "complex.neg": _parts(lambda p: (-p[0], -p[1])),
    "complex.neq": _unequal,
    "complex.re": _at(0),
    "complex.sign": _whole(lambda a: a / abs(a) if a else a),
    "complex.sin": _whole(cmath.sin),
    "complex.sqrt": _whole(cmath.sqrt),
    "complex.sub": _parts(lambda p: (p[0] - p[2], p[1] - p[3])),
    "complex.tan": _whole(cmath.tan),
    "complex.tanh": _whole(cmath.tanh),
}
