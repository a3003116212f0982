"""`ownership-based-buffer-deallocation`: each buffer is freed where the block that owns it ends.

In front of the terminator of that block stands `bufferization.dealloc (%m : memref<4xf32>) if (%true)`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.passes.options import BOOL, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class OwnershipBasedBufferDeallocationPass(Pass):
    """A function owns what it allocates and what functions that it calls return; of its arguments it owns nothing.
    Where it depends on how control goes, conditions are passed along with the buffers. Nothing may be freed yet, but
    for what has the attribute `bufferization.manual_deallocation`."""

    name = "ownership-based-buffer-deallocation"
    summary = "frees buffers where nothing uses them any more"
    handles = ("func.func",)

    private_function_dynamic_ownership: bool = option(
        False, "private functions return for each buffer whether it is the caller's to free", BOOL
    )

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.bufferization.options import refusals_of
        from fathom.passes.transforms.ownership_based_buffer_deallocation.function import deallocate

        return refusals_of(lambda: deallocate(op, context, is_dynamic=self.private_function_dynamic_ownership))
