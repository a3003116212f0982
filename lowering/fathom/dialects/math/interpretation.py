"""What math's operations compute."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from fathom.interpreting import elementwise as each
from fathom.interpreting.machine import Frame, Interpret
from fathom.interpreting.numbers import FUNCTIONS
from fathom.interpreting.values import Datum, bits_of, signed
from fathom.ir.types import element_type

if TYPE_CHECKING:
    from fathom.ir.operation import Operation


def _absolute(op: Operation, operands: list[Any], _: Frame) -> Datum:
    bits = bits_of(element_type(op.operands[0].type))
    return each.unary(lambda a: abs(signed(a, bits)) % (1 << bits), operands)


def _sign_of(op: Operation, operands: list[Any], _: Frame) -> Datum:
    from math import copysign

    del op
    return each.binary(copysign, operands)


INTERPRETATION: Final[Mapping[str, Interpret]] = {
    **{f"math.{name}": each.function(name) for name in FUNCTIONS},
    "math.absi": _absolute,
    "math.copysign": _sign_of,
    "math.fma": each.fused,
    "math.powf": each.power,
}
