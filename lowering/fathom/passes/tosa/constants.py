"""Constants that passes make of and for tosa."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.dialects import own_description
from fathom.ir.attributes import FloatAttr
from fathom.ir.floats import from_float

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Value
    from fathom.ir.types import FloatType
    from fathom.rewriting.rewriter import Rewriter


def rounding_mode(name: str) -> Attribute:
    """`#tosa.rounding_mode<SINGLE_ROUND>`, by the name of the case."""
    cases = ("SINGLE_ROUND", "INEXACT_ROUND", "DOUBLE_ROUND")
    return own_description("tosa").attributes["RoundingModeAttr"].make_attribute(value=cases.index(name) + 1)


def real(rewriter: Rewriter, value: float, type: FloatType) -> Value:
    """`arith.constant` of a float, rounded to its type."""
    return rewriter.constant(FloatAttr(from_float(value, type.name), type), type)
