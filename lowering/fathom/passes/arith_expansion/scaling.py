"""Casts of floats that have a scale, a power of two, in terms of products and quotients.

    %0 = arith.scaling_extf %a, %s : f4E2M1FN, f8E8M0FNU to f32      ->      %1 = arith.extf %s : f8E8M0FNU to f32
                                                                            %2 = arith.extf %a : f4E2M1FN to f32
                                                                            %0 = arith.mulf %2, %1 : f32

Source of the rules: *Passes*, `-arith-expand`, and mlir-opt 22.
"""

from __future__ import annotations

from typing import Final

from fathom.ir.attributes import Attribute
from fathom.ir.floats import SEMANTICS
from fathom.ir.operation import Operation, Value
from fathom.ir.types import FloatType, element_type
from fathom.passes.arith_expansion.building import shaped_as, unary
from fathom.passes.arithmetic import binary
from fathom.rewriting.conversion_rewriter import ConversionRewriter
from fathom.rewriting.pattern import Failure, Pattern

SCALE: Final = FloatType("f8E8M0FNU")


def kept(op: Operation, *names: str) -> dict[str, Attribute]:
    """What the operation says of how it rounds and how exact it is."""
    return {name: value for name in names if (value := op.properties.get(name)) is not None}


def _scale(op: Operation, value: Value, rewriter: ConversionRewriter) -> Value | None:
    """The scale as a power of two: of a wider float, its exponent. None for a type that has none such."""
    element = element_type(value.type)
    if isinstance(element, FloatType) and SEMANTICS[element.name].width >= 16:
        return unary(rewriter, "truncf", value, shaped_as(value.type, SCALE), kept(op, "fastmath"))
    return value if element == SCALE else None


def expand_extension(op: Operation, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
    """The extended value times the extended scale."""
    value, given = operands
    scale = _scale(op, given, rewriter)
    if scale is None:
        return Failure("scaling_extf is using scales of type which can not be converted to f8E8M0FNU")
    math, type = kept(op, "fastmath"), op.result.type
    wide_scale = unary(rewriter, "extf", scale, type, math)
    wide = unary(rewriter, "extf", value, type, math)
    rewriter.replace(op, [binary(rewriter, "mulf", wide, wide_scale, math)])
    return None


def expand_truncation(op: Operation, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
    """The value over the extended scale, truncated."""
    value, given = operands
    scale = _scale(op, given, rewriter)
    if scale is None:
        return Failure("scaling_truncf is using scales type which can not be converted to f8E8M0FNU")
    math = kept(op, "fastmath")
    quotient = binary(rewriter, "divf", value, unary(rewriter, "extf", scale, value.type, math), math)
    rewriter.replace(op, [unary(rewriter, "truncf", quotient, op.result.type, kept(op, "roundingmode", "fastmath"))])
    return None


PATTERNS: Final = (
    Pattern("arith.scaling_extf", expand_extension, name="ScalingExtFOpConverter"),
    Pattern("arith.scaling_truncf", expand_truncation, name="ScalingTruncFOpConverter"),
)
