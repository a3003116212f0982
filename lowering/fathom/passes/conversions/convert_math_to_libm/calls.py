"""The patterns of `convert-math-to-libm`: three for each function of the C library, for vectors, for small floats, and
for what it computes with."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import UNIT
from fathom.ir.types import F32, F64, FloatType
from fathom.passes.conversions.convert_math_to_libm.functions import FUNCTIONS
from fathom.passes.library_calls import call_instead
from fathom.passes.vectors.scalars import by_elements
from fathom.rewriting.pattern import Failure, Pattern, named

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.conversion_rewriter import ConversionRewriter


@named("PromoteOpToF32")
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
    wide = [rewriter.create("arith.extf", [operand], [F32]).result for operand in operands]
    rewriter.replace_with(op, "arith.truncf", [rewriter.create(op.name, wide, [F32]).result], [type])
    return None


@named("ScalarOpToLibmCall")
def _call(op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    """`math.sin %a : f32` becomes `call @sinf(%a) : (f32) -> f32`."""
    type = op.result.type
    if type not in (F32, F64):
        return Failure(f"the C library has functions of f32 and f64, not of {type}")
    call_instead(op, FUNCTIONS[op.name] + "f" * (type == F32), rewriter, {"llvm.readnone": UNIT})
    return None


_BY_ELEMENTS: Final = partial(by_elements, refused=Failure("not a vector"))

PATTERNS: Final = tuple(Pattern(name, rewrite) for name in FUNCTIONS for rewrite in (_BY_ELEMENTS, _extended, _call))
