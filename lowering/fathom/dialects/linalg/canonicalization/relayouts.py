"""The canonicalisation of `linalg.pack` and `linalg.unpack`: one undoes the other, and shapes become known.

Source of the rules: mlir-opt 22; the order of the patterns is MLIR's.
"""

from __future__ import annotations

from functools import partial

from fathom.dialects.linalg.relayout import Relayout, tiles_of
from fathom.dialects.tensor.canonicalization.building import (
    cast_for,
    cast_to,
    slice_type,
    with_casts,
)
from fathom.dialects.tensor.casts import CAST, ranked, uncast
from fathom.ir.attributes import Attribute
from fathom.ir.operation import OpResult, Value
from fathom.ir.types import DYNAMIC, TensorType
from fathom.irdl.build import segment_sizes
from fathom.irdl.destinations import destinations
from fathom.irdl.index_lists import separated
from fathom.irdl.slices import mixed_list, mixed_lists
from fathom.ops import linalg as ops
from fathom.ops.tensor import ExtractSliceOp
from fathom.records import replace
from fathom.rewriting.folding import known_number, same_number
from fathom.rewriting.pattern import Failure, Replacement, defined_by
from fathom.rewriting.rewriter import Rewriter
from fathom.rewriting.slicing import create_slice


def _undoes(pack: ops.PackOp, unpack: ops.UnpackOp) -> bool:
    """Whether both have the same dimensions, in the same order, and tiles of the same sizes."""
    if pack.inner_dims_pos.values != unpack.inner_dims_pos.values:
        return False
    orders = [op.outer_dims_perm.values for op in (pack, unpack)]
    if orders[0] != orders[1] and any(list(order) != sorted(order) for order in orders):
        return False
    one, other = tiles_of(pack), tiles_of(unpack)
    return len(one) == len(other) and all(map(same_number, one, other))


def _outer(op: ops.UnpackOp, packed: TensorType, rank: int) -> list[int]:
    """The outer sizes of the packed tensor in the order of the other one."""
    order, sizes = op.outer_dims_perm.values, packed.ranked_shape[:rank]
    return [sizes[order.index(dim)] if order else sizes[dim] for dim in range(rank)]


def _inferred(op: Relayout, plain: TensorType, packed: TensorType) -> tuple[TensorType, TensorType] | None:
    """Both types with the sizes that one of them knows, of dimensions that are not tiled; None where both know the
    same."""
    inner, order = op.inner_dims_pos.values, op.outer_dims_perm.values
    shape, packed_shape = list(plain.ranked_shape), list(packed.ranked_shape)
    changed = False
    for dim in range(len(shape)):
        place = order.index(dim) if order else dim
        if dim in inner or (shape[dim] == DYNAMIC) == (packed_shape[place] == DYNAMIC):
            continue
        size = shape[dim] if shape[dim] != DYNAMIC else packed_shape[place]
        shape[dim] = packed_shape[place] = size
        changed = True
    if not changed:
        return None
    return replace(plain, shape=tuple(shape)), replace(packed, shape=tuple(packed_shape))


# ---- pack


def simpler_pack(op: ops.PackOp, rewriter: Rewriter) -> Replacement:
    """What was unpacked just so is what it was; padding that is not needed goes; sizes that follow are told by
    casts."""
    source, dest = op.source, op.dest
    unpack = defined_by(source, ops.UnpackOp)
    if unpack is not None and unpack.source.type == dest.type:
        if not op.padding_value and _undoes(op, unpack):
            return unpack.source
    plain, packed = ranked(source.type), ranked(dest.type)
    if plain is None or packed is None:
        return None
    if op.padding_value and not _needs_padding(op, plain, packed):
        rewriter.modify(op, partial(_drop_padding, op))
        return op
    types = _inferred(op, plain, packed)
    if types is None:
        return Failure("nothing more is known")
    given = [cast_to(source, types[0], rewriter), cast_to(dest, types[1], rewriter), *op.operands[2:]]

    def change() -> None:
        op.set_operands(given)
        op.retype(types[1])

    rewriter.modify(op, change)
    if packed != types[1]:
        rewriter.set_insertion_behind(op)
        back = rewriter.create(CAST, [op.result], [packed])
        for user in reversed(list(op.result.uses)):
            if user is not back:
                rewriter.use_instead(user, op.result, back.result)
    return op


def _drop_padding(op: ops.PackOp) -> None:
    tiles = op.inner_tiles
    op.set_operands([op.source, op.dest, *tiles])
    op.properties["operandSegmentSizes"] = segment_sizes(1, 1, 0, len(tiles))


def _needs_padding(op: ops.PackOp, plain: TensorType, packed: TensorType) -> bool:
    """Whether some tiles may not be full."""
    inner, tiles = op.inner_dims_pos.values, op.static_inner_tiles.values
    sizes = [plain.ranked_shape[dim] for dim in inner]
    if DYNAMIC in sizes or DYNAMIC in tiles:
        return True
    return any(not tile or size % tile for size, tile in zip(sizes, tiles, strict=True))


# ---- unpack


def simpler_unpack(op: ops.UnpackOp, rewriter: Rewriter) -> Replacement:
    """What was packed just so is what it was; what was in the destination does not matter; only the slice that is used
    is unpacked; sizes that follow are told by casts."""
    source, dest = op.source, op.dest
    pack = defined_by(source, ops.PackOp)
    if pack is not None:
        if pack.source.type != dest.type or pack.padding_value or not _undoes(pack, op):
            return None
        return pack.source
    maker = dest.defining_op
    places = destinations(maker) if maker is not None else range(0)
    if maker is not None and isinstance(dest, OpResult) and dest.index < len(places):
        rewriter.modify(op, partial(op.set_operand, 1, maker.operands[places[dest.index]]))
        return op
    plain, packed = ranked(dest.type), ranked(source.type)
    if plain is None or packed is None:
        return None
    slice = next(iter(op.result.uses), None)
    if isinstance(slice, ExtractSliceOp) and sum(op.result.uses.values()) == 1:
        if _takes_whole_tiles(op, slice, plain, packed):
            _unpack_slice(op, slice, plain, rewriter)
            return op
    types = _inferred(op, plain, packed)
    if types is None:
        return Failure("nothing more is known")
    given = [cast_to(source, types[1], rewriter), cast_to(dest, types[0], rewriter), *op.operands[2:]]
    return cast_for(op, rewriter.create(op.name, given, [types[0]], op.properties).result, rewriter)


def _takes_whole_tiles(op: ops.UnpackOp, slice: ExtractSliceOp, plain: TensorType, packed: TensorType) -> bool:
    """Whether a slice begins at the start and leaves out no tile."""
    type = ranked(slice.result.type)
    if type is None or len(type.ranked_shape) != len(plain.ranked_shape):
        return False
    if any(known_number(size) != 0 for size in mixed_list(slice, "offsets")):
        return False
    if any(known_number(size) != 1 for size in mixed_list(slice, "strides")):
        return False
    outer = _outer(op, packed, len(plain.ranked_shape))
    for dim, tile in zip(op.inner_dims_pos.values, op.static_inner_tiles.values, strict=True):
        if DYNAMIC in (type.ranked_shape[dim], outer[dim], tile):
            return False
        if outer[dim] * tile - type.ranked_shape[dim] >= tile:
            return False
    return True


def _unpack_slice(op: ops.UnpackOp, slice: ExtractSliceOp, plain: TensorType, rewriter: Rewriter) -> None:
    lists = mixed_lists(slice)
    type = slice_type(plain, lists[1], len(lists[1]))
    part = create_slice(rewriter, slice.name, [op.dest], lists, [type]).result

    def change() -> None:
        op.set_operand(1, part)
        op.retype(type)

    rewriter.modify(op, change)
    rewriter.replace(slice, [op.result])


# ---- casts


def cast_into_relayout(op: Relayout, rewriter: Rewriter) -> Replacement:
    """What was cast is packed or unpacked, and the result cast, if that knows more; tiles that the packed type knows
    are numbers."""
    given = uncast(op)
    if given is None:
        return None
    packed = ranked(given[1 if isinstance(op, ops.PackOp) else 0].type)
    if packed is None:
        return None
    tiles, shape, padding = tiles_of(op), packed.ranked_shape, list["Value"]()
    pairs = zip(shape[len(shape) - len(tiles) :], tiles, strict=True)
    dynamic, numbers = separated(tile if size == DYNAMIC or isinstance(tile, int) else size for size, tile in pairs)
    properties: dict[str, Attribute] = {**op.properties, "static_inner_tiles": numbers}
    if isinstance(op, ops.PackOp):
        padding = [op.padding_value] if op.padding_value is not None else []
        properties["operandSegmentSizes"] = segment_sizes(1, 1, len(padding), len(dynamic))
    made = rewriter.create(op.name, [*given[:2], *padding, *dynamic], [given[1].type], properties, op.attributes)
    return with_casts(op, made, rewriter)
