"""Tiles of linalg's structured operations: the same on slices of the operands.

    %r = linalg.exp ins(%a) outs(%o)
->
    %1 = tensor.extract_slice %a[%i] [4] [1]
    %2 = tensor.extract_slice %o[%i] [4] [1]
    %3 = linalg.exp ins(%1) outs(%2)

Source of the rules: `LinalgOpTilingInterface` and `computeSliceParameters` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.bufferization.models import destinations_of
from fathom.dialects.affine.composition import apply_folded
from fathom.dialects.linalg.bufferization import LOOPS
from fathom.dialects.linalg.structured import maps_and_loops, places_of_loops, uses_dim
from fathom.dialects.memref.views import subview_type
from fathom.ir.affine import AffineConstant, AffineDim, AffineSymbol, add, substitute
from fathom.ir.clone import clone_region
from fathom.ir.types import DYNAMIC, MemRefType, TensorType
from fathom.ops.linalg import IndexOp
from fathom.records import replace
from fathom.rewriting.result_shapes import folded_dim, value_of
from fathom.rewriting.slicing import create_slice
from fathom.rewriting.tiling import Tiled, Tiling

if TYPE_CHECKING:
    from fathom.ir.affine import AffineExpr, AffineMap
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.result_shapes import Size
    from fathom.rewriting.rewriter import Rewriter

BEFORE: Final = add(AffineDim(0), AffineConstant(-1))
BEHIND: Final = add(AffineSymbol(0), AffineConstant(1))


def form_of(op: Operation) -> tuple[Sequence[AffineMap], str]:
    found = maps_and_loops(op)
    assert found is not None, "what is valid has maps and loops"
    return found


def ranges_of(op: Operation, rewriter: Rewriter) -> list[Size]:
    """How often each loop runs: the size of a dimension that it goes over."""
    maps, loops = form_of(op)
    with rewriter.elsewhere():
        rewriter.set_insertion_before(op)
        sizes = [
            folded_dim(rewriter, value, place)
            for value, map in zip(op.operands, maps, strict=True)
            for place in range(len(map.results))
        ]
    return [sizes[place] for place in places_of_loops(maps, len(loops)) or ()]


def slice_at(
    op: Operation, rewriter: Rewriter, place: int, offsets: Sequence[Size], sizes: Sequence[Size], last: Sequence[Size]
) -> tuple[list[Size], list[Size]]:
    """The offsets and sizes of the part of an operand that a tile needs; `last` are its sizes less one."""
    maps, loops = form_of(op)
    value = op.operands[place]
    found: tuple[list[Size], list[Size]] = ([], [])
    for dim, expr in enumerate(maps[place].results):
        if not any(size != 0 and uses_dim(expr, loop) for loop, size in zip(range(len(loops)), sizes, strict=True)):
            found[0].append(0)
            found[1].append(folded_dim(rewriter, value, dim))
            continue
        start = substitute(expr, [AffineConstant(0)] * len(loops), ())
        moved = add(expr, AffineConstant(-start.value)) if isinstance(start, AffineConstant) else expr
        found[0].append(apply_folded(rewriter, moved, offsets))
        found[1].append(apply_folded(rewriter, BEHIND, [apply_folded(rewriter, expr, last)]))
    return found


def _is_sliced(op: Operation, place: int, sizes: Sequence[Size]) -> bool:
    """Whether a tile needs a part only of an operand; what is written is always sliced."""
    maps, _ = form_of(op)
    if place in destinations_of(op) and isinstance(op.operands[place].type, TensorType):
        return True
    return any(size != 0 and uses_dim(expr, loop) for expr in maps[place].results for loop, size in enumerate(sizes))


def create_part(rewriter: Rewriter, value: Value, offsets: Sequence[Size], sizes: Sequence[Size]) -> Operation:
    """The slice of a tensor, or the view of a part of a buffer."""
    lists, type = (offsets, sizes, [1] * len(sizes)), value.type
    shape = tuple(DYNAMIC if not isinstance(size, int) else size for size in sizes)
    if isinstance(type, MemRefType):
        known = [[DYNAMIC if not isinstance(each, int) else each for each in numbers] for numbers in lists]
        part = subview_type(type, *known)
        assert part is not None, "what is tiled has a layout of strides"
        return create_slice(rewriter, "memref.subview", [value], lists, [part])
    assert isinstance(type, TensorType), "what is sliced is one of the two"
    return create_slice(rewriter, "tensor.extract_slice", [value], lists, [replace(type, shape=shape)])


def tile(op: Operation, rewriter: Rewriter, offsets: Sequence[Size], sizes: Sequence[Size]) -> Tiled:
    last = [apply_folded(rewriter, BEFORE, [size]) for size in sizes]
    parts = [
        slice_at(op, rewriter, place, offsets, sizes, last) if _is_sliced(op, place, sizes) else None
        for place in range(len(op.operands))
    ]
    slices = [
        create_part(rewriter, value, *part) if part is not None else None
        for value, part in zip(op.operands, parts, strict=True)
    ]
    operands = [made.result if made is not None else value for value, made in zip(op.operands, slices, strict=True)]
    types = [operands[place].type for place in destinations_of(op) if isinstance(operands[place].type, TensorType)]
    regions = [clone_region(region) for region in op.regions]
    made = rewriter.create(op.definition or op.name, operands, types, op.properties, op.attributes, regions=regions)
    shift_indices(made, rewriter, offsets)
    return Tiled([made], made.results, [each for each in slices if each is not None])


def shift_indices(op: Operation, rewriter: Rewriter, offsets: Sequence[Size]) -> None:
    """Has the numbers of iterations in a body count from the beginning of all."""
    with rewriter.elsewhere():
        for index in list(op.regions[0].entry):
            if not isinstance(index, IndexOp) or offsets[index.dim.value] == 0:
                continue
            users = list(index.result.uses)
            rewriter.set_insertion_before(index.next or index)
            rewriter.stand_in(index)
            sum_ = add(AffineDim(0), AffineDim(1))
            moved = value_of(rewriter, apply_folded(rewriter, sum_, [index.result, offsets[index.dim.value]]))
            for user in users:
                if user is not moved.defining_op:
                    rewriter.use_instead(user, index.result, moved)


def position(
    op: Operation, rewriter: Rewriter, number: int, offsets: Sequence[Size], sizes: Sequence[Size]
) -> tuple[list[Size], list[Size]]:
    last = [apply_folded(rewriter, BEFORE, [size]) for size in sizes]
    return slice_at(op, rewriter, destinations_of(op)[number], offsets, sizes, last)


def behind(
    op: Operation, rewriter: Rewriter, number: int, offsets: Sequence[Size], sizes: Sequence[Size]
) -> tuple[list[Size], list[Size]] | None:
    """The tile that computes a part of a result: all of the loops that the result does not go over."""
    maps, _ = form_of(op)
    expressions: Sequence[AffineExpr] = maps[destinations_of(op)[number]].results
    if not all(isinstance(expr, AffineDim) for expr in expressions):
        return None
    ranges = ranges_of(op, rewriter)
    found = [0] * len(ranges), list(ranges)
    starts: list[Size] = list(found[0])
    for expr, offset, size in zip(expressions, offsets, sizes, strict=True):
        if isinstance(expr, AffineDim):
            starts[expr.position], found[1][expr.position] = offset, size
    return starts, found[1]


def _loops(op: Operation) -> str:
    return form_of(op)[1]


TILING: Final = dict.fromkeys(LOOPS, Tiling(_loops, ranges_of, tile, position, behind))
