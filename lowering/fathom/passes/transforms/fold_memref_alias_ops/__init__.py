"""`fold-memref-alias-ops`: accesses to views of memrefs as accesses to what is viewed.

    %0 = memref.subview %m[%i, 0] [4, 4] [1, 1] : memref<?x?xf32> to memref<4x4xf32, strided<[?, 1], offset: ?>>
    %1 = memref.load %0[%j, %k] : memref<4x4xf32, strided<[?, 1], offset: ?>>
->
    %2 = affine.apply affine_map<()[s0, s1] -> (s0 + s1)>()[%i, %j]
    %1 = memref.load %m[%2, %k] : memref<?x?xf32>
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class FoldMemRefAliasOpsPass(Pass):
    """Loads and stores, of elements, vectors and fragments of matrices, look through `memref.subview`,
    `memref.expand_shape` and `memref.collapse_shape`; so do views of views."""

    name = "fold-memref-alias-ops"
    summary = "reads and writes the memref behind a view"

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.transforms.fold_memref_alias_ops.accesses import PATTERNS as ACCESSES
        from fathom.passes.transforms.fold_memref_alias_ops.views import PATTERNS as VIEWS
        from fathom.rewriting.greedy_driver import apply_patterns

        apply_patterns(op, [*ACCESSES, *VIEWS], context)
        return []
