"""`scf-parallel-loop-tiling`: parallel loops in tiles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.diagnostics import PIPELINE, Diagnostic
from fathom.passes.definition import Pass
from fathom.passes.options import BOOL, LONG, list_of, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.ir.operation import Operation


@record
class SCFParallelLoopTiling(Pass):
    """Loops that hold another one, or that reduce, stay."""

    name = "scf-parallel-loop-tiling"
    summary = "tiles the innermost parallel loops"

    no_min_max_bounds: bool = option(
        False, "tiles of one length, in which each iteration looks whether it is inside", BOOL
    )
    parallel_loop_tile_sizes: tuple[int, ...] = option(
        (), "how long a tile is in each loop; 1 if not said", list_of(LONG)
    )

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.loops.tiling import tile_innermost

        if 0 in self.parallel_loop_tile_sizes:
            return [Diagnostic("tile size cannot be 0", None, code=PIPELINE, unplaced=True)]
        tile_innermost(op, context, self.parallel_loop_tile_sizes, checks=self.no_min_max_bounds)
        return []
