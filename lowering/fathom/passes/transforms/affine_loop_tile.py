"""`affine-loop-tile`: perfect nests of affine loops in tiles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.passes.options import BOOL, UINT, ULONG, list_of, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class LoopTiling(Pass):
    """The nests that stand directly in a function, if no bound depends on another of their variables and no dependence
    runs against the tiles. Without a size, tiles fit into the cache."""

    name = "affine-loop-tile"
    summary = "tiles nests of affine loops"
    anchor = "func.func"

    cache_size: int = option(512, "the KiB of the cache that tiles are to fit into", ULONG)
    separate: bool = option(False, "tiles that are whole have loops of their own", BOOL)
    tile_size: int = option(0, "how many iterations a tile has, of all loops", UINT)
    tile_sizes: tuple[int, ...] = option((), "how many a tile has of each loop; of further ones 4", list_of(UINT))

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.affine.effort import within_limits
        from fathom.passes.affine.tiling import Sizes, tile_nests

        sizes = Sizes(self.tile_size, self.tile_sizes, self.cache_size)
        return within_limits(op, lambda: tile_nests(op, context, sizes, separate=self.separate))
