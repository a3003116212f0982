"""The patterns of `convert-complex-to-rocdl-library-calls`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.arith.elements import zero_of
from fathom.ir.types import F32, F64, ComplexType, element_type
from fathom.ops import complex as ops
from fathom.passes.library_calls import call_instead
from fathom.rewriting.pattern import Failure, Pattern, named

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

FUNCTIONS: Final = {f"complex.{name}": f"__ocml_c{name}" for name in "abs cos exp log sin sqrt tan tanh".split()}
"""The function of each operation; the type stands behind its name."""


@named("ComplexOpToROCDLLibraryCalls")
def _call(op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    """`complex.sin %z : complex<f32>` becomes `call @__ocml_csin_f32(%z)`."""
    result = op.result.type
    part = result.element if isinstance(result, ComplexType) else result
    if part not in (F32, F64):
        return Failure(f"the library has functions of f32 and f64, not of {part}")
    call_instead(op, f"{FUNCTIONS[op.name]}_{part}", rewriter)
    return None


@named("PowOpToROCDLLibraryCalls")
def _pow(op: ops.PowOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    """`complex.pow %z, %w` becomes `complex.exp (complex.mul %w, (complex.log %z))`."""
    type, flags = op.result.type, {"fastmath": op.fastmath}
    logarithm = rewriter.create("complex.log", [op.lhs], [type], flags).result
    product = rewriter.create("complex.mul", [op.rhs, logarithm], [type], flags).result
    rewriter.replace_with(op, "complex.exp", [product], [type], flags)
    return None


@named("PowiOpToROCDLLibraryCalls")
def _powi(op: ops.PowiOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    """`complex.powi %z, %n` becomes `complex.pow %z, (complex.create (arith.sitofp %n), 0)`."""
    type = op.result.type
    element = element_type(type)
    part = element.element if isinstance(element, ComplexType) else element
    zero = zero_of(part)
    if type != element or zero is None:
        return Failure("only a single number is raised to a power")
    real = rewriter.create("arith.sitofp", [op.rhs], [part]).result
    exponent = rewriter.create("complex.create", [real, rewriter.constant(zero, part)], [op.lhs.type]).result
    flags = {"fastmath": op.fastmath} if op.fastmath is not None else {}
    rewriter.replace_with(op, "complex.pow", [op.lhs, exponent], [type], flags)
    return None


PATTERNS: Final = (
    Pattern("complex.powi", _powi),
    Pattern("complex.pow", _pow),
    *(Pattern(name, _call) for name in FUNCTIONS),
)
