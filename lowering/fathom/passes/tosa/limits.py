"""The least and the greatest number of a type, and values brought between limits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.arithmetic import binary

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.ir.types import IntegerType
    from fathom.rewriting.rewriter import Rewriter


def lowest(type: IntegerType) -> int:
    """The least number of a type, with a sign."""
    return -(1 << (type.width - 1))


def highest(type: IntegerType) -> int:
    """The greatest number of a type, with a sign."""
    return (1 << (type.width - 1)) - 1


def clamp(rewriter: Rewriter, value: Value, low: Value, high: Value, *, unsigned: bool = False) -> Value:
    """An integer between limits."""
    sign = "u" if unsigned else "s"
    return binary(rewriter, f"min{sign}i", high, binary(rewriter, f"max{sign}i", low, value))


def clamp_floats(rewriter: Rewriter, value: Value, low: Value, high: Value) -> Value:
    """A float between limits."""
    return binary(rewriter, "maximumf", binary(rewriter, "minimumf", value, high), low)
