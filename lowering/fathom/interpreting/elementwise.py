"""Operations that compute the same for each element."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from fathom.interpreting.machine import Interpret
from fathom.interpreting.numbers import FLOAT, FUNCTIONS, INTEGER, compare_floats, compare_integers, rounded, to_integer
from fathom.interpreting.values import INDEX_BITS, POINTER, Array, Datum, NotUnderstood, bits_of, signed
from fathom.ir.operation import Operation
from fathom.ir.types import FloatType, Type, element_type


def unary(function: Callable[[Any], Datum], operands: Sequence[Datum]) -> Datum:
    """A function of one number, for each element of an array."""
    return _mapped(function, operands)


def binary(function: Callable[[Any, Any], Datum], operands: Sequence[Datum]) -> Datum:
    """A function of two numbers, for each element of arrays of one shape."""
    return _mapped(function, operands)


def ternary(function: Callable[[Any, Any, Any], Datum], operands: Sequence[Datum]) -> Datum:
    """A function of three numbers, for each element of arrays of one shape."""
    return _mapped(function, operands)


def _mapped(function: Callable[..., Datum], operands: Sequence[Datum]) -> Datum:
    first = next((operand for operand in operands if isinstance(operand, Array)), None)
    if first is None:
        return function(*operands)
    count = len(first.items)
    columns = [operand.items if isinstance(operand, Array) else (operand,) * count for operand in operands]
    return Array(first.shape, tuple(function(*row) for row in zip(*columns, strict=True)))


def float_name(type: Type) -> str:
    """The name of a type of floats, or of its elements. Raises NotUnderstood for other types."""
    element = element_type(type)
    if not isinstance(element, FloatType):
        raise NotUnderstood(f"floats of type {type}")
    return element.name


def integers(name: str) -> Interpret:
    """Of two integers."""
    function = INTEGER[name]

    def interpret(op: Operation, operands: list[Any], _: object) -> Datum:
        bits = bits_of(element_type(op.operands[0].type))
        return binary(lambda a, b: function(a, b, bits) % (1 << bits), operands)

    return interpret


def floats(name: str) -> Interpret:
    """Of two floats."""
    function = FLOAT[name]

    def interpret(op: Operation, operands: list[Any], _: object) -> Datum:
        type = float_name(op.operands[0].type)
        return binary(lambda a, b: rounded(function(a, b), type), operands)

    return interpret


def function(name: str) -> Interpret:
    """Of one float."""
    known = FUNCTIONS[name]

    def interpret(op: Operation, operands: list[Any], _: object) -> Datum:
        type = float_name(op.operands[0].type)
        return unary(lambda value: rounded(known(value), type), operands)

    return interpret


def power(op: Operation, operands: list[Any], _: object) -> Datum:
    """A float to the power of another."""
    type = float_name(op.operands[0].type)

    def of(a: float, b: float) -> float:
        try:
            made = a**b
        except (ZeroDivisionError, OverflowError):
            raise NotUnderstood("such a power") from None
        return rounded(made, type) if isinstance(made, float) else float("nan")

    return binary(of, operands)


def fused(op: Operation, operands: list[Any], _: object) -> Datum:
    """A product and a sum that are rounded once."""
    from fractions import Fraction
    from math import isfinite

    type = float_name(op.operands[0].type)

    def of(a: float, b: float, c: float) -> float:
        if not (isfinite(a) and isfinite(b) and isfinite(c)):
            return a * b + c
        exact = Fraction(a) * Fraction(b) + Fraction(c)
        return rounded(float(exact), type) if exact else a * b + c

    return ternary(of, operands)


def negated(op: Operation, operands: list[Any], _: object) -> Datum:
    """A float with the other sign."""
    del op
    return unary(lambda value: -value, operands)


def chosen(op: Operation, operands: list[Any], _: object) -> Datum:
    """One of two values, by a condition or by one for each element."""
    del op
    condition, one, other = operands
    if not isinstance(condition, Array):
        return one if condition else other
    return ternary(lambda which, a, b: a if which else b, operands)


def compared(op: Operation, predicate: int, operands: list[Any]) -> Datum:
    """Integers by one of MLIR's predicates."""
    element = element_type(op.operands[0].type)
    bits = INDEX_BITS if element.full_name == POINTER else bits_of(element)
    return binary(lambda a, b: compare_integers(predicate, a, b, bits), operands)


def compared_floats(predicate: int, operands: list[Any]) -> Datum:
    """Floats by one of MLIR's predicates."""
    return binary(lambda a, b: compare_floats(predicate, a, b), operands)


def resized(*, has_sign: bool) -> Interpret:
    """An integer of other bits."""

    def interpret(op: Operation, operands: list[Any], _: object) -> Datum:
        before, after = bits_of(element_type(op.operands[0].type)), bits_of(element_type(op.results[0].type))
        return unary(lambda a: (signed(a, before) if has_sign else a) % (1 << after), operands)

    return interpret


def to_float(*, has_sign: bool) -> Interpret:
    """An integer as a float."""

    def interpret(op: Operation, operands: list[Any], _: object) -> Datum:
        bits, type = bits_of(element_type(op.operands[0].type)), float_name(op.results[0].type)
        return unary(lambda a: rounded(float(signed(a, bits) if has_sign else a), type), operands)

    return interpret


def from_float(op: Operation, operands: list[Any], _: object) -> Datum:
    """A float as an integer, towards zero."""
    bits = bits_of(element_type(op.results[0].type))
    return unary(lambda a: to_integer(a, bits), operands)


def of_other_precision(op: Operation, operands: list[Any], _: object) -> Datum:
    """A float as one of another type."""
    type = float_name(op.results[0].type)
    return unary(lambda a: rounded(a, type), operands)


def same(op: Operation, operands: list[Any], _: object) -> Datum:
    """What is given."""
    del op
    return operands[0]
