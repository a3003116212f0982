"""What math's operations compute."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import atan2, isfinite, isinf, isnan
from typing import TYPE_CHECKING, Any, Final

from fathom.interpreting import elementwise as each
from fathom.interpreting.machine import Frame, Interpret
from fathom.interpreting.numbers import FLOAT, FUNCTIONS, rounded
from fathom.interpreting.values import Datum, NotUnderstood, bits_of, signed
from fathom.ir.types import element_type

if TYPE_CHECKING:
    from fathom.ir.operation import Operation


def _absolute(op: Operation, operands: list[Any], _: Frame) -> Datum:
    bits = bits_of(element_type(op.operands[0].type))
    return each.unary(lambda a: abs(signed(a, bits)) % (1 << bits), operands)


def _counted(of: Callable[[int, int], int]) -> Interpret:
    """What a function says of the bits of an integer, and of how many there are."""

    def interpret(op: Operation, operands: list[Any], _: Frame) -> Datum:
        bits = bits_of(element_type(op.operands[0].type))
        return each.unary(lambda a: of(a, bits), operands)

    return interpret


def _integer_power(op: Operation, operands: list[Any], _: Frame) -> Datum:
    bits = bits_of(element_type(op.operands[0].type))

    def of(base: int, exponent: int) -> int:
        one, times = signed(base, bits), signed(exponent, bits)
        if times >= 0:
            return pow(base, times, 1 << bits)
        if not one:
            raise NotUnderstood("a negative power of zero")
        # Of a negative exponent the quotient is taken towards zero.
        return (one if times % 2 else 1) % (1 << bits) if abs(one) == 1 else 0

    return each.binary(of, operands)


def _float_power(op: Operation, operands: list[Any], frame: Frame) -> Datum:
    bits = bits_of(element_type(op.operands[1].type))
    base, exponent = operands
    return each.power(op, [base, each.unary(lambda a: float(signed(a, bits)), [exponent])], frame)


def _angle(op: Operation, operands: list[Any], _: Frame) -> Datum:
    type = each.float_name(op.operands[0].type)
    return each.binary(lambda a, b: rounded(atan2(a, b), type), operands)


def _clamped(_: Operation, operands: list[Any], __: Frame) -> Datum:
    # MLIR lowers it so, and not as its name says.
    least, most = FLOAT["minimum"], FLOAT["maximum"]
    return each.ternary(lambda value, low, high: most(least(value, low), high), operands)


def _is(of: Callable[[float], bool]) -> Interpret:
    def interpret(_: Operation, operands: list[Any], __: Frame) -> Datum:
        return each.unary(lambda a: int(of(a)), operands)

    return interpret


def _sign_of(op: Operation, operands: list[Any], _: Frame) -> Datum:
    from math import copysign

    del op
    return each.binary(copysign, operands)


INTERPRETATION: Final[Mapping[str, Interpret]] = {
    **{f"math.{name}": each.function(name) for name in FUNCTIONS},
    "math.absi": _absolute,
    "math.atan2": _angle,
    "math.clampf": _clamped,
    "math.ctlz": _counted(lambda a, bits: bits - a.bit_length()),
    "math.ctpop": _counted(lambda a, _: a.bit_count()),
    "math.cttz": _counted(lambda a, bits: (a & -a).bit_length() - 1 if a else bits),
    "math.fpowi": _float_power,
    "math.ipowi": _integer_power,
    "math.isfinite": _is(isfinite),
    "math.isinf": _is(isinf),
    "math.isnan": _is(isnan),
    "math.copysign": _sign_of,
    "math.fma": each.fused,
    "math.powf": each.power,
}
