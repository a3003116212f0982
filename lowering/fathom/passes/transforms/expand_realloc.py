"""`expand-realloc`: reallocations as a new allocation and a copy, where the memory there is does not suffice.

    %0 = memref.realloc %m(%n) : memref<?xf32> to memref<?xf32>
->
    %1 = memref.dim %m, %c0 : memref<?xf32>
    %2 = arith.cmpi ult, %1, %n : index
    %0 = scf.if %2 -> (memref<?xf32>) {
      %3 = memref.alloc(%n) : memref<?xf32>
      %4 = memref.subview %3[0] [%1] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
      memref.copy %m, %4
      memref.dealloc %m
      scf.yield %3
    } else {
      %3 = memref.reinterpret_cast %m to offset: [0], sizes: [%n], strides: [1]
      scf.yield %3
    }
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.passes.options import BOOL, option
from fathom.records import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation, Value
    from fathom.ops.memref import ReallocOp
    from fathom.rewriting.conversion_rewriter import ConversionRewriter
    from fathom.rewriting.pattern import Failure


@record
class ExpandReallocPass(Pass):
    """Leaves no `memref.realloc`."""

    name = "expand-realloc"
    summary = "writes memref.realloc as an allocation, a copy and a deallocation"
    by_function = True
    handles = ("memref.realloc",)

    emit_deallocs: bool = option(True, "free the memref that was there before", BOOL)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.remarks import advice
        from fathom.rewriting.conversion_driver import apply_partial_conversion
        from fathom.rewriting.pattern import Pattern
        from fathom.rewriting.target import ConversionTarget

        target = ConversionTarget().legal("arith", "scf", "memref").illegal("memref.realloc")
        rewrite = partial(expand_realloc, deallocates=self.emit_deallocs)
        return apply_partial_conversion(
            op, target, [Pattern("memref.realloc", rewrite, name="ExpandReallocOpPattern")], context, advice
        )


def expand_realloc(
    op: ReallocOp, operands: list[Value], rewriter: ConversionRewriter, *, deallocates: bool
) -> Failure | None:
    """See the module; of sizes that are known no operation asks."""
    from fathom.dialects.memref.common import type_of
    from fathom.dialects.memref.views import subview_type
    from fathom.ir.types import DYNAMIC
    from fathom.passes.arithmetic import compare, constant
    from fathom.passes.buffers import allocate, choose, copy, deallocate, size_of
    from fathom.passes.index_arithmetic import value_of
    from fathom.rewriting.slicing import sliced

    source, *wanted = operands
    old, new = type_of(op.source), type_of(op.result)
    given: Value | int = old.ranked_shape[0]
    if given == DYNAMIC:
        given = size_of(rewriter, source, constant(rewriter, 0))
    target: Value | int = wanted[0] if new.ranked_shape[0] == DYNAMIC else new.ranked_shape[0]
    is_smaller = compare(rewriter, "ult", value_of(rewriter, given), value_of(rewriter, target))

    def grow() -> Sequence[Value]:
        allocated = allocate(rewriter, new, wanted, op.alignment)
        type = subview_type(new, [0], [given if isinstance(given, int) else DYNAMIC], [1])
        assert type is not None, "a memref without a layout has strides"
        copy(rewriter, source, sliced(rewriter, "memref.subview", allocated, type, [0], [given], [1]))
        if deallocates:
            deallocate(rewriter, source)
        return [allocated]

    def keep() -> Sequence[Value]:
        return [sliced(rewriter, "memref.reinterpret_cast", source, new, [0], [target], [1])]

    rewriter.replace(op, choose(rewriter, is_smaller, (grow, keep)).results)
    return None
