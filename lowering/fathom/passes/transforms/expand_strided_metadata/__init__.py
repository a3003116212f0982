"""`expand-strided-metadata`: operations that change the offset, sizes and strides of a memref, as arithmetic on these.

    %0 = memref.subview %m[%i, 0] [4, 4] [1, 1] : memref<?x?xf32> to memref<4x4xf32, strided<[?, 1], offset: ?>>
->
    %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %m : memref<?x?xf32> -> …
    %1 = affine.apply affine_map<()[s0, s1] -> (s0 * s1)>()[%i, %strides#0]
    %0 = memref.reinterpret_cast %base to offset: [%1], sizes: [4, 4], strides: [%strides#0, 1] : …

What stands for the metadata is computed by `affine.apply`, which `lower-affine` lowers.
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
class ExpandStridedMetadataPass(Pass):
    """Rewrites `memref.subview`, `memref.expand_shape` and `memref.collapse_shape`, and takes the metadata of what
    these and allocations make from what they are made of."""

    name = "expand-strided-metadata"
    summary = "writes views of memory as a buffer with offset, sizes and strides"
    by_function = True
    handles = ("memref.subview", "memref.expand_shape", "memref.collapse_shape", "memref.extract_strided_metadata")

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.transforms.expand_strided_metadata.extraction import PATTERNS as EXTRACTION
        from fathom.passes.transforms.expand_strided_metadata.views import PATTERNS as VIEWS
        from fathom.rewriting.greedy_driver import apply_patterns

        apply_patterns(op, [*VIEWS, *EXTRACTION], context)
        return []
