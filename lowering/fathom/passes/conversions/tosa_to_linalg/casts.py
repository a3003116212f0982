"""What `tosa.cast` computes of scalars.

A float becomes the nearest integer, of two the even one; what is too large becomes the nearest that there is. How that
is seen to depends on whether the float has the limits of the integer, has them rounded, or is too small to reach them.
Source of the rules: *TOSA specification*, "cast", and the order of the operations that mlir-opt 22 makes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fathom.ir.attributes import FloatAttr
from fathom.ir.floats import SEMANTICS, infinity
from fathom.ir.types import I1, FloatType, IntegerType, Type, element_type
from fathom.passes.arith_expansion.building import unary
from fathom.passes.arithmetic import binary, compare, compare_floats, constant, select
from fathom.passes.tosa.constants import real
from fathom.passes.tosa.limits import clamp_floats, highest, lowest
from fathom.rewriting.pattern import Failure
from fathom.rewriting.type_converter import CAST

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.ops import tosa as ops
    from fathom.rewriting.rewriter import Rewriter


def cast(op: ops.CastOp, arguments: Sequence[Value], type: Type, rewriter: Rewriter) -> Value | Failure:
    """By what the elements are before, where integers may have a sign, and after, where they have none."""
    value, source = arguments[0], element_type(op.input.type)
    match source, type:
        case FloatType() | IntegerType(), FloatType() | IntegerType() if source == type:
            return value
        case FloatType(), FloatType():
            return unary(rewriter, "extf" if source.width < type.width else "truncf", value, type)
        case IntegerType(), FloatType():
            return _to_float(rewriter, value, source, type)
        case FloatType(), IntegerType():
            return _to_integer(rewriter, value, source, type)
        case IntegerType(), IntegerType():
            return _between_integers(rewriter, value, source, type)
        case _:
            return Failure("unsupported type")


def _to_float(rewriter: Rewriter, value: Value, source: IntegerType, type: FloatType) -> Value:
    if source == I1:
        return unary(rewriter, "uitofp", value, type)
    if source.signedness == "u":
        signless = rewriter.create(CAST, [value], [IntegerType(source.width)]).result
        return unary(rewriter, "uitofp", signless, type)
    return unary(rewriter, "sitofp", value, type)


def _between_integers(rewriter: Rewriter, value: Value, source: IntegerType, type: IntegerType) -> Value:
    if source == I1 and type.width > 1:
        return unary(rewriter, "extui", value, type)
    if type == I1:
        return compare(rewriter, "ne", value, constant(rewriter, 0, IntegerType(source.width)))
    return unary(rewriter, "extsi" if source.width < type.width else "trunci", value, type)


def _to_integer(rewriter: Rewriter, value: Value, source: FloatType, type: IntegerType) -> Value:
    if type == I1:
        return compare_floats(rewriter, "une", value, real(rewriter, 0.0, source))
    rounded = rewriter.create("math.roundeven", [value], [source]).result
    semantics = SEMANTICS[source.name]
    if type.width - 1 > semantics.maximum_exponent:
        return _of_small_float(rewriter, rounded, source, type)
    low, high = float(lowest(type)), float(highest(type))
    least = real(rewriter, low, source)
    if semantics.precision >= type.width - 1:
        clamped = clamp_floats(rewriter, rounded, least, real(rewriter, high, source))
        return unary(rewriter, "fptosi", clamped, type)
    beyond = real(rewriter, high + 1.0, source)
    most = constant(rewriter, highest(type), type)
    result = unary(rewriter, "fptosi", binary(rewriter, "maximumf", rounded, least), type)
    return select(rewriter, compare_floats(rewriter, "uge", rounded, beyond), most, result)


def _of_small_float(rewriter: Rewriter, value: Value, source: FloatType, type: IntegerType) -> Value:
    """Only infinities are too large."""
    result = unary(rewriter, "fptosi", value, type)
    infinities = [
        rewriter.constant(FloatAttr(infinity(source.name, negative=sign), source), source) for sign in (False, True)
    ]
    is_above, is_below = (compare_floats(rewriter, "ueq", value, limit) for limit in infinities)
    least, most = (constant(rewriter, number, type) for number in (lowest(type), highest(type)))
    return select(rewriter, is_below, least, select(rewriter, is_above, most, result))
