"""Transforms that make loops over tiles.

Source of the rules: `LinalgTransformOps.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.types import INDEX
from fathom.ops import transform as ops
from fathom.passes.tiling import tile_by_loops
from fathom.passes.transform_dialect.models import transforms
from fathom.rewriting.result_shapes import constant_index
from fathom.rewriting.tiling import tiling_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Operation
    from fathom.passes.transform_dialect.application import Application
    from fathom.rewriting.result_shapes import Size


@transforms("transform.structured.tile_using_for")
def tile_using_for(op: ops.StructuredTileUsingForOp, run: Application) -> None:
    targets = run.ops(op.target)
    static = op.static_sizes.values
    scalable = op.scalable_sizes.values
    order = op.interchange.values
    all_sizes = run.numbers(static, op.dynamic_sizes, len(targets))
    tiled: list[Operation] = []
    loops: list[list[Operation]] = [[] for _ in op.loops]
    for target, sizes in zip(targets, all_sizes, strict=True):
        tiling = tiling_of(target, run.context)
        if tiling is None:
            raise run.silenceable("only ops implementing TilingInterface are supported", ("target op", target))
        count = len(tiling.loops(target))
        if len(sizes) > count:
            message = f"too many tiles provided, expected at most {count} found {len(sizes)}"
            raise run.silenceable(message, ("target op", target))
        run.rewriter.set_insertion_before(target)
        run.rewriter.stand_in(target)
        nest = tile_by_loops(target, tiling, _scaled(run, sizes, scalable), run.rewriter, order)
        run.rewriter.replace(target, nest.replacements)
        tiled += nest.tiled.ops
        for column, loop in zip(loops, nest.loops, strict=False):
            column.append(loop)
    run.set(op.tiled_linalg_op, tiled)
    for result, column in zip(op.loops, loops, strict=True):
        run.set(result, column)


def _scaled(run: Application, sizes: Sequence[Size], scalable: Sequence[int]) -> list[Size]:
    """Sizes, of which some count as often as the vectors of the machine are longer than the least."""
    rewriter = run.rewriter
    scaled: list[Size] = []
    for place, size in enumerate(sizes):
        if place < len(scalable) and scalable[place] and isinstance(size, int):
            number = constant_index(rewriter, size)
            scale = rewriter.create("vector.vscale", [], [INDEX]).result
            size = rewriter.create("arith.muli", [number, scale], [INDEX]).result
        scaled.append(size)
    return scaled
