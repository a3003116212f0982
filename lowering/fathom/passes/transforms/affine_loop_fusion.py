"""`affine-loop-fusion`: affine loops that use the same memory become one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.passes.definition import Pass
from fathom.passes.options import BOOL, NUMBER, UINT, ULONG, one_of, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation

MODE: Final = one_of(
    {
        "greedy": "Perform greedy (both producer-consumer and sibling)  fusion",
        "producer": "Perform only producer-consumer fusion",
        "sibling": "Perform only sibling fusion",
    }
)


@record
class AffineLoopFusion(Pass):
    """A loop nest that writes a buffer is put into one that reads it, as far in as saves the most memory and has little
    done twice; and so is one that reads what another one reads. A fused nest has a small buffer of its own where it
    can. Loops that see each other's memory by views or calls stay apart, and so do two that both call or print; MLIR 22
    fuses these."""

    name = "affine-loop-fusion"
    summary = "fuses affine loop nests"

    compute_tolerance: float = option(0.3, "how much more may be done, as a part of what is done", NUMBER)
    fast_mem_space: int = option(0, "the memory space of small buffers of fused loops", UINT)
    local_buf_threshold: int = option(0, "which of them are small, in KiB", ULONG)
    maximal: bool = option(False, "fuses as deep as may be, whatever it costs", BOOL)
    mode: str = option("greedy", "which nests are fused", MODE)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.affine.effort import within_limits
        from fathom.passes.affine.fusion import Options, fuse_loops

        threshold = self.local_buf_threshold * 1024 % 2**32
        options = Options(self.mode, self.maximal, self.compute_tolerance, threshold, self.fast_mem_space or None)
        return within_limits(op, lambda: fuse_loops(op, context, options))
