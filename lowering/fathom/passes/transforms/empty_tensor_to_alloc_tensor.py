"""`empty-tensor-to-alloc-tensor`: tensors without contents become new buffers.

%0 = tensor.empty(%n) : tensor<?xf32>     ->      %0 = bufferization.alloc_tensor(%n) : tensor<?xf32>
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation, Value
    from fathom.ops.tensor import EmptyOp
    from fathom.rewriting.rewriter import Rewriter


@record
class EmptyTensorToAllocTensor(Pass):
    """Bufferization does so by itself; this says it earlier."""

    name = "empty-tensor-to-alloc-tensor"
    summary = "makes tensors without contents new buffers"
    handles = ("tensor.empty",)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.irdl.build import segment_sizes
        from fathom.rewriting.greedy_driver import apply_patterns
        from fathom.rewriting.pattern import Pattern

        def allocated(op: EmptyOp, operands: Sequence[Value], rewriter: Rewriter) -> None:
            properties = {"operandSegmentSizes": segment_sizes(len(operands), 0, 0)}
            rewriter.replace_with(op, "bufferization.alloc_tensor", operands, [op.result.type], properties)

        apply_patterns(op, [Pattern("tensor.empty", allocated, name="EmptyTensorLoweringPattern")], context)
        return []
