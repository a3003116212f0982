"""`affine-data-copy-generate`: loops work on copies of what they use, in a faster memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.passes.definition import Pass
from fathom.passes.options import BOOL, INT, UINT, ULONG, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation

UNLIMITED: Final = 2**64 - 1


@record
class AffineDataCopyGeneration(Pass):
    """What a loop nest reads is copied into a buffer before it, and what it writes back behind it. Where the buffers
    would be too large, the loops in it have buffers of their own. A buffer of which not all is surely written is filled
    first, which MLIR 22 does not do; and what calls, views or other accesses use as well has none."""

    name = "affine-data-copy-generate"
    summary = "copies what affine loops use to a faster memory"
    anchor = "func.func"

    fast_mem_capacity: int = option(UNLIMITED, "how much fits into the faster memory, in KiB", ULONG)
    fast_mem_space: int = option(1, "the memory space of the copies", UINT)
    generate_dma: bool = option(False, "copies by transfers and not by loops", BOOL)
    min_dma_transfer: int = option(1024, "taken and not looked at, as by MLIR", INT)
    skip_non_unit_stride_loops: bool = option(False, "copies in loops whose step is not one", BOOL)
    slow_mem_space: int = option(0, "the memory space of what is copied", UINT)
    tag_mem_space: int = option(0, "the memory space of the tags of transfers", UINT)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.affine.copies import Spaces
        from fathom.passes.affine.data_copies import generate_copies
        from fathom.passes.affine.effort import within_limits

        size = self.fast_mem_capacity
        capacity = size if size == UNLIMITED else size * 1024 % 2**64
        spaces = Spaces(self.slow_mem_space, self.fast_mem_space, self.tag_mem_space, capacity, self.generate_dma)
        skips = self.skip_non_unit_stride_loops
        return within_limits(op, lambda: generate_copies(op, context, spaces, skips_strides=skips))
