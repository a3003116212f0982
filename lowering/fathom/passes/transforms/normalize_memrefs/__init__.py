"""`normalize-memrefs`: memrefs with a layout as memrefs without, whose shape and indices are what the layout made of
them.

    #tiled = affine_map<(d0) -> (d0 floordiv 4, d0 mod 4)>
    %0 = memref.alloc() : memref<16xf32, #tiled>
    affine.store %v, %0[%i] : memref<16xf32, #tiled>
->
    %0 = memref.alloc() : memref<4x4xf32>
    affine.store %v, %0[%i floordiv 4, %i mod 4] : memref<4x4xf32>
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.operation import MODULE
from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class NormalizeMemRefsPass(Pass):
    """Changes the signatures of functions too, and the calls of them. A function stays as it is where one of its
    memrefs is used by something that cannot follow, and so do those that it calls or is called by."""

    name = "normalize-memrefs"
    summary = "gives memrefs with a layout map the identity layout"
    anchor = MODULE

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.transforms.normalize_memrefs.functions import normalize
        from fathom.rewriting.rewriter import Rewriter

        normalize(op, Rewriter(context))
        return []
