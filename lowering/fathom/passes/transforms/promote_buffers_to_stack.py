"""`promote-buffers-to-stack`: small buffers that end with the function lie on the stack.

%m = memref.alloc() : memref<4xf32>     ->      %m = memref.alloca() : memref<4xf32>
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.passes.options import UINT, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class PromoteBuffersToStackPass(Pass):
    """Buffers in loops, such as are given back, and those that a function returns stay where they are. One whose sizes
    are ranks counts as small."""

    name = "promote-buffers-to-stack"
    summary = "allocates small buffers on the stack"
    anchor = "func.func"

    max_alloc_size_in_bytes: int = option(1024, "what counts as small", UINT)
    max_rank_of_allocated_memref: int = option(1, "how many dimensions one of unknown size may have", UINT)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.bufferization.placement import promote_to_stack

        promote_to_stack(op, context, self._is_small)
        return []

    def _is_small(self, op: Operation) -> bool:
        from math import prod

        from fathom.dialects.llvm.type_layout import layout_around
        from fathom.ir.types import MemRefType
        from fathom.ops.memref import AllocOp, RankOp
        from fathom.rewriting.pattern import defined_by

        type = op.results[0].type
        if not isinstance(op, AllocOp) or not isinstance(type, MemRefType):
            return False
        shape = type.ranked_shape
        if not type.has_static_shape:
            is_rank = all(defined_by(operand, RankOp) is not None for operand in op.operands)
            return len(shape) <= self.max_rank_of_allocated_memref and is_rank
        try:
            bits = layout_around(op).bits(type.element)
        except TypeError:
            return False
        return prod(shape) * bits <= self.max_alloc_size_in_bytes * 8
