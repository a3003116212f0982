"""Lowers scopes of stack allocations. Source of the rules: *'memref' Dialect*, `memref.alloca_scope`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fathom.dialects.llvm.types import PTR
from fathom.irdl.traits import RETURN_LIKE
from fathom.passes.to_llvm import emit
from fathom.rewriting.pattern import Failure, named

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.conversion_rewriter import ConversionRewriter


@named("AllocaScopeOpLowering")
def alloca_scope(
    op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """The body becomes blocks between a save and a restore of the stack.

        before                                     before;  %s = llvm.intr.stacksave;  llvm.br ^body
        %0 = memref.alloca_scope -> (i32) {   ->   ^body:   …
          memref.alloca_scope.return %x              llvm.intr.stackrestore %s;  llvm.br ^results(%x)
        }                                          ^results(%0: i32):  llvm.br ^after
        after                                      ^after:  after

    Without results there is no block for them.
    """
    block = op.parent
    (region,) = op.regions
    if block is None or block.parent is None or region.first is None or region.last is None:
        return Failure("the scope has no body")
    terminator = region.last.terminator
    if terminator is None or not terminator.has(RETURN_LIKE):
        return Failure("the last block of the scope does not end in memref.alloca_scope.return")
    after = rewriter.split_block(block, op)
    results = after
    if op.results:
        results = rewriter.create_block(block.parent, after, [result.type for result in op.results])
        emit.branch(rewriter, after)
    first = region.first
    rewriter.inline_region_before(region, block.parent, results)
    rewriter.set_insertion_to_end(block)
    stack = rewriter.create("llvm.intr.stacksave", (), [PTR]).result
    emit.branch(rewriter, first)
    rewriter.set_insertion_before(terminator)
    rewriter.create("llvm.intr.stackrestore", [stack])
    with rewriter.standing_in(terminator):
        emit.branch(rewriter, results, terminator.operands)
    rewriter.erase(terminator)
    rewriter.replace(op, list(results.arguments) if op.results else [])
    return None
