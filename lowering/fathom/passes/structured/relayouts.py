"""`linalg.pack` as a padding, an expansion and a transposition; `linalg.unpack` the other way round.

    %0 = linalg.pack %a inner_dims_pos = [0] inner_tiles = [8] into %d : tensor<13xf32> -> tensor<2x8xf32>
->
    %1 = tensor.pad %a low[0] high[3] … : tensor<13xf32> to tensor<16xf32>
    %2 = tensor.expand_shape %1 [[0, 1]] output_shape [2, 8] : tensor<16xf32> into tensor<2x8xf32>
    %0 = linalg.transpose ins(%2) outs(%d) permutation = [0, 1]

Source of the rules: `lowerPack` and `lowerUnPack` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.dialects.affine.composition import apply_folded
from fathom.dialects.linalg.relayout import tiles_of
from fathom.ir.affine import AffineConstant, AffineDim, AffineSymbol, add, multiply
from fathom.ir.types import DYNAMIC, TensorType
from fathom.ops.linalg import PackOp, UnpackOp
from fathom.passes.arithmetic import constant
from fathom.passes.structured import named, transpose
from fathom.passes.tensors import collapsed, empty_of, expanded, extract_slice, insert_slice, pad, shape_of, tensor_type
from fathom.records import record, replace
from fathom.rewriting.result_shapes import folded_dim, mixed_sizes

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.result_shapes import Size
    from fathom.rewriting.rewriter import Rewriter

    Relayout: TypeAlias = PackOp | UnpackOp

MISSING: Final = add(multiply(AffineDim(0), AffineSymbol(0)), multiply(AffineDim(1), AffineConstant(-1)))


@record
class Order:
    """How the dimensions of the packed tensor stand where those that one was divided into stand side by side, as the
    dimensions that come there: `groups` are those of one dimension of the tensor that is not packed, the first of each
    is its `outer`."""

    order: tuple[int, ...]
    groups: tuple[tuple[int, ...], ...]
    outer: tuple[int, ...]

    @property
    def inverse(self) -> tuple[int, ...]:
        """Where each of them goes."""
        return tuple(sorted(range(len(self.order)), key=self.order.__getitem__))


def order_of(op: Relayout) -> Order:
    """How the dimensions of the packed tensor belong together."""
    packed = op.result if isinstance(op, PackOp) else op.source
    rank, inner = len(shape_of(packed)), op.inner_dims_pos.values
    inserted = [place + sum(place > other for other in inner) + 1 for place in inner]
    groups: list[tuple[int, ...]] = []
    place = 0
    while place < rank:
        groups.append((place, place + 1) if place + 1 in inserted else (place,))
        place += len(groups[-1])
    outer = tuple(group[0] for group in groups)
    from_inner = _moved(rank, range(rank - len(inner), rank), inserted)
    permutation = op.outer_dims_perm.values
    from_outer = _moved(rank, outer, [outer[each] for each in permutation] if permutation else outer)
    return Order(tuple(from_inner[each] for each in from_outer), tuple(groups), outer)


def _moved(rank: int, places: Sequence[int], wanted: Sequence[int]) -> list[int]:
    """The permutation that brings some dimensions where they are wanted, and leaves the others in order."""
    goals = dict(zip(wanted, places, strict=True))
    rest = iter(each for each in range(rank) if each not in places)
    return [goals[place] if place in goals else next(rest) for place in range(rank)]


def _is_plain(op: Relayout, packed: TensorType) -> bool:
    """Whether nothing moves: the outer dimensions are of one element, and the inner ones in order."""
    inner, shape = op.inner_dims_pos.values, packed.ranked_shape
    return [*inner] == [*range(len(inner))] and all(size == 1 for size in shape[: len(shape) - len(inner)])


def lower_pack(op: PackOp, rewriter: Rewriter, *, inserts: bool = True) -> list[Operation | None] | None:
    """The padding, the expansion and the transposition; None where a tile has no fixed size."""
    if DYNAMIC in op.static_inner_tiles.values:
        return None
    rewriter.set_insertion_before(op)
    rewriter.stand_in(op)
    type, rank, order = tensor_type(op.result), len(shape_of(op.source)), order_of(op)
    shape = [type.ranked_shape[each] for each in order.order]
    high: list[Size] = [0] * rank
    for place, tile in zip(op.inner_dims_pos.values, tiles_of(op), strict=True):
        size = folded_dim(rewriter, op.source, place)
        blocks = folded_dim(rewriter, op.dest, order.order[order.outer[place]])
        high[place] = apply_folded(rewriter, MISSING, [blocks, size, tile])
    whole = replace(type, shape=tuple(_product([shape[each] for each in group]) for group in order.groups))
    filler = op.padding_value
    value = filler if filler is not None else constant(rewriter, 0, type.element)
    padded = pad(rewriter, op.source, whole, [0] * rank, high, value)
    if inserts and _is_plain(op, type) and _drops_units(type.ranked_shape, whole.ranked_shape):
        count = len(type.ranked_shape)
        lists = [[0] * count, mixed_sizes(rewriter, op.dest), [1] * count]
        rewriter.replace(op, [insert_slice(rewriter, padded, op.dest, lists).result])
        return [padded.defining_op, None, None]
    divided = expanded(rewriter, padded, replace(type, shape=tuple(shape)), [[*group] for group in order.groups])
    moved = transpose(rewriter, divided.result, op.dest, order.inverse)
    rewriter.replace(op, moved.results)
    return [padded.defining_op, divided, moved]


def _product(sizes: Sequence[int]) -> int:
    if DYNAMIC in sizes:
        return DYNAMIC
    first, *others = sizes
    return first * others[0] if others else first


def _drops_units(shape: Sequence[int], smaller: Sequence[int]) -> bool:
    """Whether one shape is another one without some dimensions of one element."""
    rest = list(smaller)
    for size in reversed(shape):
        if rest and rest[-1] == size:
            rest.pop()
        elif size != 1:
            return False
    return not rest


def lower_unpack(op: UnpackOp, rewriter: Rewriter, *, extracts: bool = True) -> list[Operation | None]:
    """The new tensor, the transposition into it, the collapse and the slice."""
    rewriter.set_insertion_before(op)
    rewriter.stand_in(op)
    packed, type, order = tensor_type(op.source), tensor_type(op.dest), order_of(op)
    count, rank = len(packed.ranked_shape), len(type.ranked_shape)
    if extracts and _is_plain(op, packed):
        sizes: list[Size] = [*[1] * (count - rank), *mixed_sizes(rewriter, op.dest)]
        part = extract_slice(rewriter, op.source, type, [[0] * count, sizes, [1] * count])
        rewriter.replace(op, part.results)
        return [None, None, None, part]
    dims = mixed_sizes(rewriter, op.source)
    target = empty_of(rewriter, [dims[each] for each in order.order], packed.element)
    moved = transpose(rewriter, op.source, target, order.order)
    shape = [packed.ranked_shape[each] for each in order.order]
    whole = [_product([shape[each] for each in group]) for group in order.groups]
    joined = collapsed(rewriter, moved.result, whole, [[*group] for group in order.groups])
    lists: list[list[Size]] = [[0] * rank, mixed_sizes(rewriter, op.dest), [1] * rank]
    part = extract_slice(rewriter, joined.result, type, lists)
    copied: list[Value] = list(named(rewriter, "copy", [part.result], [op.dest]).results)
    rewriter.replace(op, copied)
    return [target.defining_op, moved, joined, part]
