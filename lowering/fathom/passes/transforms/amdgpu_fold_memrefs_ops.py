"""`amdgpu-fold-memrefs-ops`: copies to shared memory between the memrefs behind views.

    %v = memref.subview %m[%i, 0] [4, 64] [1, 1] : memref<?x64xf16> to memref<4x64xf16, strided<[64, 1], offset: ?>>
    amdgpu.gather_to_lds %v[%j, %k], …
->
    %l = affine.apply affine_map<()[s0, s1] -> (s0 + s1)>()[%i, %j]
    amdgpu.gather_to_lds %m[%l, %k], …

Source of the rules: *'amdgpu' Dialect*; the behaviour of mlir-opt 22.
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
    from fathom.rewriting.rewriter import Rewriter


@record
class AmdgpuFoldMemRefOpsPass(Pass):
    """One view of each memref is looked through: `memref.subview`, `memref.expand_shape` or `memref.collapse_shape`."""

    name = "amdgpu-fold-memrefs-ops"
    summary = "copies to shared memory from and to the memrefs behind views"
    handles = ("amdgpu.gather_to_lds",)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.ops.amdgpu import GatherToLdsOp
        from fathom.passes.transforms.fold_memref_alias_ops.accesses import replace_operands
        from fathom.rewriting.rewriter import Rewriter

        rewriter = Rewriter(context)
        for copy in [each for each in op.walk_postorder() if isinstance(each, GatherToLdsOp)]:
            rewriter.set_insertion_before(copy)
            rewriter.stand_in(copy)
            replaced: dict[str, Sequence[Value]] = {}
            for side, value, indices in (("src", copy.src, copy.srcIndices), ("dst", copy.dst, copy.dstIndices)):
                behind = _behind(rewriter, value, indices)
                if behind is not None:
                    replaced[side], replaced[f"{side}Indices"] = [behind[0]], behind[1]
            # MLIR makes each copy anew, without attributes that are not its own.
            replace_operands(copy, replaced, copy.properties, rewriter)
        return []


def _behind(rewriter: Rewriter, value: Value, indices: Sequence[Value]) -> tuple[Value, Sequence[Value]] | None:
    """The memref behind a view, and the indices there."""
    from fathom.ops.memref import CollapseShapeOp, ExpandShapeOp, SubviewOp
    from fathom.passes.transforms.fold_memref_alias_ops.indices import (
        through_collapse,
        through_expansion,
        through_subview,
    )

    view = value.defining_op
    if isinstance(view, SubviewOp):
        return view.source, through_subview(rewriter, view, indices)
    if isinstance(view, ExpandShapeOp):
        return view.src, through_expansion(rewriter, view, indices, in_bounds=False)
    found = through_collapse(rewriter, view, indices) if isinstance(view, CollapseShapeOp) else None
    return (view.src, found) if found is not None and isinstance(view, CollapseShapeOp) else None
