"""The patterns of `convert-math-to-libm`: three for each function of the C library, for vectors, for small floats, and
for what it computes with."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Final

from fathom.dialects.arith.elements import zero_of
from fathom.ir.attributes import UNIT, DenseArrayAttr
from fathom.ir.types import F32, F64, I64, FloatType, VectorType
from fathom.passes.arithmetic import literal
from fathom.passes.conversions.convert_math_to_libm.functions import FUNCTIONS
from fathom.passes.library_calls import call_instead
from fathom.passes.to_llvm.elementwise import MOST_VECTORS
from fathom.rewriting.pattern import Failure, Pattern
from fathom.slices import checkpoint

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.conversion_rewriter import ConversionRewriter


def _by_elements(op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    """
        %r = math.sin %v : vector<2xf32>
    becomes
        %0 = arith.constant dense<0.0> : vector<2xf32>
        %1 = vector.extract %v[0] : f32 from vector<2xf32>
        %2 = math.sin %1 : f32
        %3 = vector.insert %2, %0 [0] : f32 into vector<2xf32>
        …
    """
    type = op.result.type
    zero = zero_of(type)
    if not isinstance(type, VectorType) or zero is None:
        return Failure("not a vector")
    if prod(type.ranked_shape) > MOST_VECTORS:
        return Failure(f"vectors of more than {MOST_VECTORS:,} elements are not taken apart")
    whole = literal(rewriter, zero, type)
    for position in product(*map(range, type.ranked_shape)):
        checkpoint()
        place = {"static_position": DenseArrayAttr(I64, position)}
        parts = [rewriter.create("vector.extract", [each], [type.element], place).result for each in operands]
        part = rewriter.create(op.name, parts, [type.element]).result
        whole = rewriter.create("vector.insert", [part, whole], [type], place).result
    rewriter.replace(op, [whole])
    return None


def _extended(op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    """
        %r = math.sin %a : f16
    becomes
        %0 = arith.extf %a : f16 to f32
        %1 = math.sin %0 : f32
        %r = arith.truncf %1 : f32 to f16
    """
    type = op.result.type
    if not isinstance(type, FloatType) or type.name not in ("f16", "bf16"):
        return Failure("not a float of 16 bits")
    wide = [rewriter.create("arith.extf", [each], [F32]).result for each in operands]
    rewriter.replace_with(op, "arith.truncf", [rewriter.create(op.name, wide, [F32]).result], [type])
    return None


def _call(op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    """`math.sin %a : f32` becomes `call @sinf(%a) : (f32) -> f32`."""
    type = op.result.type
    if type not in (F32, F64):
        return Failure(f"the C library has functions of f32 and f64, not of {type}")
    call_instead(op, FUNCTIONS[op.name] + "f" * (type == F32), rewriter, {"llvm.readnone": UNIT})
    return None


PATTERNS: Final = tuple(Pattern(name, rewrite) for name in FUNCTIONS for rewrite in (_by_elements, _extended, _call))
