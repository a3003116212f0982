"""Powers in terms of products and exponentials: part of `math-expand-ops`.

The operations and their order are those of mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import DenseElementsAttr, FloatAttr, IntegerAttr
from fathom.ir.floats import infinity, to_float
from fathom.passes.arithmetic import binary, compare_floats, constant, select
from fathom.passes.transforms.math_expand_ops.building import float_name, function, has_constants, number
from fathom.rewriting.folding import constant_value
from fathom.rewriting.pattern import Failure, Pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter


def _known_bits(value: Value) -> int | None:
    """The number that a value is, or all of its elements: a float by its bits."""
    match constant_value(value):
        case IntegerAttr(number):
            return number
        case FloatAttr(bits):
            return bits
        case DenseElementsAttr(values) if len(values) == 1 and isinstance(values[0], int):
            return values[0]
        case _:
            return None


# ---- math.fpowi


def expand_integer_power(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """A power that is known becomes products of squares; of another one the exponent is made a float."""
    base, power = operands
    exponent = _known_bits(power)
    if exponent is None or not has_constants(base.type):
        as_float = rewriter.create("arith.sitofp", [power], [base.type]).result
        rewriter.replace(op, [function(rewriter, "powf", base, as_float)])
        return None
    one, result = number(rewriter, 1.0, base.type), number(rewriter, 1.0, base.type)
    rest = abs(exponent)
    square = base
    while rest:
        if rest & 1:
            result = binary(rewriter, "mulf", square, result)
        rest >>= 1
        square = binary(rewriter, "mulf", square, square)
    if exponent < 0:
        result = _inverse(rewriter, one, result)
    rewriter.replace(op, [result])
    return None


def _inverse(rewriter: Rewriter, one: Value, value: Value) -> Value:
    """`1 / x`, and an infinity of its sign for zero."""
    type = value.type
    zero, minus_zero = number(rewriter, 0.0, type), number(rewriter, -0.0, type)
    infinities = [constant(rewriter, infinity(float_name(type), negative=sign), type) for sign in (False, True)]
    is_zero = compare_floats(rewriter, "oeq", value, zero)
    is_minus_zero = compare_floats(rewriter, "oeq", value, minus_zero)
    inverse = binary(rewriter, "divf", one, value)
    inverse = select(rewriter, is_zero, infinities[0], inverse)
    return select(rewriter, is_minus_zero, infinities[1], inverse)


# ---- math.powf


def expand_power(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """`exp(y * log(x))`; or simpler, for a few exponents."""
    base, exponent = operands
    bits = _known_bits(exponent)
    known = to_float(bits, float_name(exponent.type)) if bits is not None else None
    power = _known_power(rewriter, base, known) if known is not None and has_constants(base.type) else None
    if power is None:
        scaled = binary(rewriter, "mulf", exponent, function(rewriter, "log", base))
        power = function(rewriter, "exp", scaled)
    rewriter.replace(op, [power])
    return None


def _known_power(rewriter: Rewriter, base: Value, exponent: float) -> Value | None:
    """A power that takes no exponential; None where there is none."""
    type = base.type
    if exponent == 0:
        return number(rewriter, 1.0, type)
    if exponent == 1:
        return base
    if exponent == -1:
        return binary(rewriter, "divf", number(rewriter, 1.0, type), base)
    if exponent == 0.5:
        return function(rewriter, "sqrt", base)
    if exponent == -0.5:
        return function(rewriter, "rsqrt", base)
    if exponent == 2:
        return binary(rewriter, "mulf", base, base)
    if exponent == -2:
        one = number(rewriter, 1.0, type)
        return binary(rewriter, "divf", one, binary(rewriter, "mulf", base, base))
    if exponent == 3:
        return binary(rewriter, "mulf", binary(rewriter, "mulf", base, base), base)
    return None


PATTERNS: Final = (
    Pattern("math.powf", expand_power, name="convertPowfOp"),
    Pattern("math.fpowi", expand_integer_power, name="convertFPowIOp"),
)
