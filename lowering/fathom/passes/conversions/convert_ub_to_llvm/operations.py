"""The patterns of `convert-ub-to-llvm`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.dialect_values import DialectAttr
from fathom.passes.to_llvm import emit
from fathom.passes.to_llvm.patterns import Lower
from fathom.passes.to_llvm.patterns import patterns as lowering_patterns
from fathom.rewriting.pattern import Failure, named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Value
    from fathom.ops.ub import PoisonOp, UnreachableOp
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.conversion_rewriter import ConversionRewriter
    from fathom.rewriting.pattern import Pattern


def patterns(types: LLVMTypeConverter) -> list[Pattern]:
    return lowering_patterns(LOWERINGS, types)


@named("PoisonOpLowering")
def poison(
    op: PoisonOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """`ub.poison : index` becomes `llvm.mlir.poison : i64`; poison that another dialect defines is not known here."""
    value, type = op.value, types.convert(op.result.type)
    if not isinstance(value, DialectAttr) or value.full_name != "ub.poison":
        return Failure("pattern can only convert op with 'poison' poison value")
    if type is None:
        return Failure(f"failed to convert result type '{op.result.type}'")
    rewriter.replace(op, [emit.poison(rewriter, type)])
    return None


@named("UnreachableOpLowering")
def unreachable(
    op: UnreachableOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """`ub.unreachable` becomes `llvm.unreachable`."""
    rewriter.create("llvm.unreachable")
    rewriter.erase(op)
    return None


LOWERINGS: Final[dict[str, Lower]] = {"ub.poison": poison, "ub.unreachable": unreachable}
