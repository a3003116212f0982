"""`llvm-optimize-for-nvvm-target`: quotients of `f16` are computed by an approximate reciprocal and one refinement."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation, Value
    from fathom.ops.llvm import FdivOp
    from fathom.rewriting.pattern import Failure
    from fathom.rewriting.rewriter import Rewriter


@record
class NVVMOptimizeForTargetPass(Pass):
    """Divisions of anything else stay."""

    name = "llvm-optimize-for-nvvm-target"
    summary = "computes quotients of f16 as suits NVIDIA's GPUs"
    handles = ("llvm.fdiv",)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.rewriting.greedy_driver import apply_patterns
        from fathom.rewriting.pattern import Pattern

        apply_patterns(op, [Pattern("llvm.fdiv", quotient, name="ExpandDivF16")], context)
        return []


def quotient(op: FdivOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """
        %q = llvm.fdiv %a, %b : f16
    becomes, with both as f32,
        %r = nvvm.rcp.approx.ftz.f %b,  %x = %a * %r
        %y = %x + (%a - %x * %b) * %r
        %q = llvm.fptrunc (%x is zero, denormal, infinite or not a number ? %x : %y) : f32 to f16
    """
    from fathom.ir.attributes import IntegerAttr, i64_attr
    from fathom.ir.types import F16, F32, I1, I32, IntegerType
    from fathom.passes.to_llvm import emit
    from fathom.rewriting.pattern import NO_MATCH

    if op.result.type != F16:
        return NO_MATCH

    def made(name: str, *values: Value) -> Value:
        return rewriter.create(name, values, [F32]).result

    left, right = made("llvm.fpext", op.lhs), made("llvm.fpext", op.rhs)
    reciprocal = made("nvvm.rcp.approx.ftz.f", right)
    rough = made("llvm.fmul", left, reciprocal)
    error = made("llvm.intr.fma", rough, made("llvm.fneg", right), left)
    refined = made("llvm.intr.fma", error, reciprocal, rough)
    mask = emit.constant(rewriter, I32, IntegerAttr(0x7F800000, IntegerType(32, "u")))
    bits = emit.cast(rewriter, "llvm.bitcast", rough, I32)
    exponent = rewriter.create("llvm.and", [bits, mask], [I32]).result
    zero = emit.constant(rewriter, I32, IntegerAttr(0, IntegerType(32, "u")))
    same = {"predicate": i64_attr(0)}
    none_set = rewriter.create("llvm.icmp", [exponent, zero], [I1], same).result
    all_set = rewriter.create("llvm.icmp", [exponent, mask], [I1], same).result
    special = rewriter.create("llvm.or", [none_set, all_set], [I1]).result
    rewriter.replace_with(op, "llvm.fptrunc", [made("llvm.select", special, rough, refined)], [F16])
    return None
