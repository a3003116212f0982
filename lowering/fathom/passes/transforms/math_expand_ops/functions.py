"""Hyperbolic and other functions in terms of exponentials and roots: part of `math-expand-ops`.

Each says what it computes; the operations and their order are those of mlir-opt 22.
"""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING, Final

from fathom.passes.arithmetic import binary, compare_floats
from fathom.passes.transforms.math_expand_ops.building import expansion, function, number
from fathom.rewriting.pattern import Failure, Pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fathom.ir.operation import Value
    from fathom.ops.math import ClampfOp
    from fathom.rewriting.rewriter import Rewriter


def _half_of_exponentials(joined_by: str) -> Callable[[Rewriter, Sequence[Value]], Value]:
    """`(exp(x) ± exp(-x)) * 0.5`."""

    def expand(rewriter: Rewriter, operands: Sequence[Value]) -> Value:
        (x,) = operands
        grown = function(rewriter, "exp", x)
        shrunk = function(rewriter, "exp", function(rewriter, "arith.negf", x))
        joined = binary(rewriter, joined_by, grown, shrunk)
        return binary(rewriter, "mulf", joined, number(rewriter, 0.5, x.type))

    return expand


def _tanh(rewriter: Rewriter, operands: Sequence[Value]) -> Value:
    """`s * (1 - exp(-2 * s * x)) / (1 + exp(-2 * s * x))`, where `s` is 1, or -1 where `x` is negative."""
    (x,) = operands
    zero, one, minus_two = (number(rewriter, value, x.type) for value in (0.0, 1.0, -2.0))
    is_negative = compare_floats(rewriter, "olt", x, zero)
    as_float = rewriter.create("arith.uitofp", [is_negative], [x.type]).result
    sign = binary(rewriter, "addf", binary(rewriter, "mulf", as_float, minus_two), one)
    magnitude = binary(rewriter, "mulf", sign, x)
    power = function(rewriter, "exp", binary(rewriter, "mulf", minus_two, magnitude))
    dividend = binary(rewriter, "subf", one, power)
    divisor = binary(rewriter, "addf", one, power)
    return binary(rewriter, "mulf", sign, binary(rewriter, "divf", dividend, divisor))


def _tan(rewriter: Rewriter, operands: Sequence[Value]) -> Value:
    """`sin(x) / cos(x)`."""
    (x,) = operands
    sine = function(rewriter, "sin", x)
    return binary(rewriter, "divf", sine, function(rewriter, "cos", x))


def _logarithm_of_root(added: float) -> Callable[[Rewriter, Sequence[Value]], Value]:
    """`log(x + sqrt(x * x ± 1))`."""

    def expand(rewriter: Rewriter, operands: Sequence[Value]) -> Value:
        (x,) = operands
        squared = function(rewriter, "fma", x, x, number(rewriter, added, x.type))
        total = binary(rewriter, "addf", x, function(rewriter, "sqrt", squared))
        return function(rewriter, "log", total)

    return expand


def _atanh(rewriter: Rewriter, operands: Sequence[Value]) -> Value:
    """`log((1 + x) / (1 - x)) * 0.5`."""
    (x,) = operands
    one = number(rewriter, 1.0, x.type)
    above = binary(rewriter, "addf", x, one)
    below = binary(rewriter, "addf", function(rewriter, "arith.negf", x), one)
    logarithm = function(rewriter, "log", binary(rewriter, "divf", above, below))
    return binary(rewriter, "mulf", logarithm, number(rewriter, 0.5, x.type))


def _fma(rewriter: Rewriter, operands: Sequence[Value]) -> Value:
    """`a * b + c`, which rounds twice."""
    a, b, c = operands
    return binary(rewriter, "addf", binary(rewriter, "mulf", a, b), c)


def _exp2(rewriter: Rewriter, operands: Sequence[Value]) -> Value:
    """`exp(x * log(2))`."""
    (x,) = operands
    return function(rewriter, "exp", binary(rewriter, "mulf", x, number(rewriter, log(2), x.type)))


def _rsqrt(rewriter: Rewriter, operands: Sequence[Value]) -> Value:
    """`1 / sqrt(x)`."""
    (x,) = operands
    one = number(rewriter, 1.0, x.type)
    return binary(rewriter, "divf", one, function(rewriter, "sqrt", x))


def _clamp(op: ClampfOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """`math.clampf %x to [%low, %high]` becomes `max(min(x, low), high)`."""
    value, low, high = operands
    flags = {"fastmath": op.fastmath}
    least = binary(rewriter, "minimumf", value, low, flags)
    rewriter.replace(op, [binary(rewriter, "maximumf", least, high, flags)])
    return None


PATTERNS: Final = (
    expansion("sinh", _half_of_exponentials("subf")),
    expansion("cosh", _half_of_exponentials("addf")),
    expansion("tan", _tan, constants=False),
    expansion("tanh", _tanh),
    expansion("asinh", _logarithm_of_root(1.0)),
    expansion("acosh", _logarithm_of_root(-1.0)),
    expansion("atanh", _atanh),
    expansion("fma", _fma, constants=False),
    expansion("exp2", _exp2),
    expansion("rsqrt", _rsqrt),
    Pattern("math.clampf", _clamp, name="convertClampfOp"),
)
