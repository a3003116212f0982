"""Loops over the tiles of an operation.

    %r = linalg.exp ins(%a) outs(%o)
->
    %r = scf.for %i = %c0 to %n step %c4 iter_args(%t = %o) {
      %s = affine.min (-%i + %n, 4)
      … the tile at %i of the size %s …
      %2 = tensor.insert_slice %1 into %t[%i] [%s] [1]
      scf.yield %2
    }

Source of the rules: `tileUsingSCF` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from fathom.bufferization.models import destinations_of
from fathom.dialects.affine.composition import minimum_folded
from fathom.ir.affine import AffineConstant, AffineDim, AffineSymbol, add, multiply
from fathom.ir.clone import clone
from fathom.ir.operation import Region, Value, types_of
from fathom.ir.types import INDEX, TensorType
from fathom.passes.loops.making import block_of
from fathom.passes.tensors import insert_slice
from fathom.records import record
from fathom.rewriting.result_shapes import value_of
from fathom.rewriting.tiling import Tiled

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.rewriting.result_shapes import Size
    from fathom.rewriting.rewriter import Rewriter
    from fathom.rewriting.tiling import Tiling

LEFT: Final = (add(multiply(AffineDim(0), AffineConstant(-1)), AffineSymbol(0)), AffineSymbol(1))
"""How many iterations there are from one on, and how many a tile has at most."""


@record(eq=False)
class Nest:
    """Loops, the outermost first, what computes a tile, and the values that take the place of the results."""

    loops: Sequence[Operation]
    tiled: Tiled
    replacements: Sequence[Value]


def tile_by_loops(
    op: Operation, tiling: Tiling[Operation], sizes: Sequence[Size], rewriter: Rewriter, order: Sequence[int] = ()
) -> Nest:
    """`scf.for` over tiles of these sizes, 0 for a loop that is not divided, and for those that are missing. The first
    loop of the nest is that which comes first in `order`. The operation stays."""
    rewriter.set_insertion_before(op.next or op)
    rewriter.stand_in(op)
    ranges = tiling.ranges(op, rewriter)
    count = len(ranges)
    sizes = [*sizes, *([0] * count)][:count]
    order = [*order, *range(len(order), count)]
    targets = [op.operands[place] for place in destinations_of(op) if isinstance(op.operands[place].type, TensorType)]
    divided = [loop for loop in order if sizes[loop] != 0]
    if not divided:
        made = rewriter.insert(clone(op))
        return Nest((), Tiled([made], made.results), made.results)
    loops, places = _nest(rewriter, [(ranges[loop], sizes[loop]) for loop in divided], targets)
    starts = dict(zip(divided, places, strict=True))
    offsets: list[Size] = [0] * count
    extents: list[Size] = list(ranges)
    for loop in order:
        if sizes[loop] != 0:
            offsets[loop] = starts[loop]
            extents[loop] = bounded(rewriter, ranges[loop], starts[loop], sizes[loop])
    carried = loops[-1].regions[0].entry.arguments[1:]
    tiled = _tiled(op, tiling, rewriter, carried, offsets, extents)
    parts = [
        (value, target, tiling.position(op, rewriter, number, offsets, extents))
        for number, (value, target) in enumerate(zip(tiled.values, carried, strict=True))
    ]
    results = [
        insert_slice(rewriter, value, target, [starts, extents, [1] * len(extents)]).result
        for value, target, (starts, extents) in parts
    ]
    rewriter.create("scf.yield", results)
    for outer, inner in pairwise(loops):
        rewriter.set_insertion_to_end(outer.regions[0].entry)
        rewriter.create("scf.yield", inner.results)
    rewriter.set_insertion_before(op)
    return Nest(loops, tiled, loops[0].results)


def _tiled(
    op: Operation,
    tiling: Tiling[Operation],
    rewriter: Rewriter,
    targets: Sequence[Value],
    offsets: Sequence[Size],
    sizes: Sequence[Size],
) -> Tiled:
    """What computes a tile, and writes it over other values than the operation would."""
    whole = clone(op)
    written = iter(targets)
    for place in destinations_of(op):
        if isinstance(op.operands[place].type, TensorType):
            whole.set_operand(place, next(written))
    rewriter.insert(whole)
    tiled = tiling.tile(whole, rewriter, offsets, sizes)
    whole.erase()
    return tiled


def bounded(rewriter: Rewriter, range: Size, offset: Value, size: Size) -> Size:
    """How large the tile at an offset is, if most have this size."""
    if isinstance(size, int) and (size == 1 or (isinstance(range, int) and range % size == 0)):
        return size
    return minimum_folded(rewriter, LEFT, [offset, value_of(rewriter, range), size])


def _nest(
    rewriter: Rewriter, bounds: Sequence[tuple[Size, Size]], initial: Sequence[Value]
) -> tuple[list[Operation], list[Value]]:
    """Loops that carry values, and which iterations they are in; none is ended, and the rewriter stands in the last."""
    lower = [value_of(rewriter, 0) for _ in bounds]
    upper = [value_of(rewriter, range) for range, _ in bounds]
    steps = [value_of(rewriter, size) for _, size in bounds]
    loops: list[Operation] = []
    for bound in zip(lower, upper, steps, strict=True):
        block = block_of(rewriter, [INDEX, *types_of(initial)])
        loops.append(rewriter.create("scf.for", [*bound, *initial], types_of(initial), regions=[Region([block])]))
        initial = block.arguments[1:]
        rewriter.set_insertion_to_end(block)
    return loops, [loop.regions[0].entry.arguments[0] for loop in loops]
