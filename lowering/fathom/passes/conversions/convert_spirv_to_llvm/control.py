"""Branches, and loops and selections, whose blocks go among those around them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.spirv.words import number as number_of
from fathom.ir.attributes import Attribute, DenseArrayAttr
from fathom.ir.property_values import numbers_of
from fathom.ir.types import I32
from fathom.irdl.build import segment_sizes
from fathom.irdl.groups import SEGMENTS
from fathom.ops import spirv
from fathom.passes.to_llvm import emit
from fathom.rewriting.pattern import Failure, named

if TYPE_CHECKING:
    from fathom.ir.operation import Block, Operation, Value
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.passes.to_llvm.patterns import Lower
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

NO_HINTS: Final = Failure("a hint of how it is to be executed has no counterpart")
NO_RESULTS: Final = Failure("its results have no counterpart")


@named("BranchConversionPattern")
def _branch(
    op: spirv.BranchOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """`spirv.Branch ^bb1(%a : i32)` becomes `llvm.br ^bb1(%a : i32)`."""
    rewriter.replace_with(op, "llvm.br", operands, successors=[op.target])
    return None


def _conditional(
    rewriter: ConversionRewriter, op: spirv.BranchConditionalOp, weights: DenseArrayAttr | None = None
) -> None:
    """Branches as `op` does."""
    true, false = op.trueTargetOperands, op.falseTargetOperands
    properties: dict[str, Attribute] = {SEGMENTS["operands"]: segment_sizes(1, len(true), len(false))}
    if weights is not None:
        properties["branch_weights"] = weights
    targets = [op.trueTarget, op.falseTarget]
    rewriter.create("llvm.cond_br", [op.condition, *true, *false], (), properties, successors=targets)


@named("BranchConditionalConversionPattern")
def _branch_conditional(
    op: spirv.BranchConditionalOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """`spirv.BranchConditional %c [3, 5], ^bb1, ^bb2` becomes `llvm.cond_br %c weights([3, 5]), ^bb1, ^bb2`."""
    weights = DenseArrayAttr(I32, tuple(numbers_of(op.branch_weights))) if op.branch_weights is not None else None
    _conditional(rewriter, op, weights)
    rewriter.erase(op)
    return None


def _spread(rewriter: ConversionRewriter, op: spirv.MlirLoopOp | spirv.MlirSelectionOp, after: Block) -> None:
    """The blocks of a loop or a selection, but the first, go among those around it. The last goes on with what comes
    behind it."""
    blocks = list(op.body.blocks)
    merge = blocks[-1]
    rewriter.erase_block(blocks[0])
    rewriter.set_insertion_to_end(merge)
    emit.branch(rewriter, after, merge.last.operands if merge.last is not None else ())
    if after.parent is not None:
        rewriter.inline_region_before(op.body, after.parent, after)
    rewriter.erase(op)


@named("LoopPattern")
def _loop(
    op: spirv.MlirLoopOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """
          <before>
          spirv.mlir.loop {
            spirv.Branch ^header
          ^header:
            …
          ^merge:
            spirv.mlir.merge
          }
          <after>
    becomes
          <before>
          llvm.br ^header
        ^header:
          …
        ^merge:
          llvm.br ^after
        ^after:
          <after>
    """
    if number_of(op, "loop_control"):
        return NO_HINTS
    blocks = list(op.body.blocks)
    if not blocks:
        rewriter.erase(op)
        return None
    entry = blocks[0].first
    block = op.parent
    if op.results:
        return NO_RESULTS
    if not isinstance(entry, spirv.BranchOp) or block is None:
        return Failure("it does not begin with a branch")
    after = rewriter.split_block(block, op)
    rewriter.set_insertion_to_end(block)
    emit.branch(rewriter, entry.target, entry.targetOperands)
    _spread(rewriter, op, after)
    return None


@named("SelectionPattern")
def _selection(
    op: spirv.MlirSelectionOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """
          <before>
          spirv.mlir.selection {
            spirv.BranchConditional %c, ^then, ^else
          ^then:
            …
          ^merge:
            spirv.mlir.merge
          }
          <after>
    becomes
          <before>
          llvm.cond_br %c, ^then, ^else
        ^then:
          …
        ^merge:
          llvm.br ^after
        ^after:
          <after>
    """
    if number_of(op, "selection_control"):
        return NO_HINTS
    blocks = list(op.body.blocks)
    if op.results:
        return NO_RESULTS
    if len(blocks) <= 2:
        rewriter.erase(op)
        return None
    header = blocks[0].first
    block = op.parent
    if not isinstance(header, spirv.BranchConditionalOp) or block is None:
        return Failure("it does not begin with a conditional branch")
    after = rewriter.split_block(block, op.next)
    rewriter.set_insertion_to_end(block)
    _conditional(rewriter, header)
    _spread(rewriter, op, after)
    return None


@named("ErasePattern")
def erase(
    op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """Nothing is left of it."""
    rewriter.erase(op)
    return None


LOWERINGS: Final[dict[str, Lower]] = {
    "spirv.Branch": _branch,
    "spirv.BranchConditional": _branch_conditional,
    "spirv.mlir.loop": _loop,
    "spirv.mlir.merge": erase,
    "spirv.mlir.selection": _selection,
}
