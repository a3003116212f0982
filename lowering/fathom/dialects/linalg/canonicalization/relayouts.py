"""The canonicalisation of `linalg.pack` and `linalg.unpack`: one undoes the other, and shapes become known.

Source of the rules: mlir-opt 22; the order of the patterns is MLIR's.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from fathom.dialects.tensor.canonicalization.building import constant_number, create_slice, replace_by_cast, slice_type
from fathom.dialects.tensor.casts import CAST, forgets, ranked
from fathom.ir.operation import OpResult
from fathom.ir.property_values import numbers_property
from fathom.ir.types import DYNAMIC, TensorType
from fathom.irdl.build import segment_sizes
from fathom.irdl.destinations import destinations
from fathom.irdl.index_lists import mixed, separated
from fathom.irdl.slices import mixed_list
from fathom.ops import linalg as ops
from fathom.rewriting.pattern import NO_MATCH, Failure, Operations, Pattern, defined_by

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter

PACK: Final = "linalg.pack"
UNPACK: Final = "linalg.unpack"


_SLICE: Final = Operations("tensor.extract_slice")


def _tiles(op: Operation) -> list[int | Value]:
    return mixed(op.properties.get("static_inner_tiles"), op.all_of("inner_tiles"))


def _known(value: int | Value) -> int | None:
    return value if isinstance(value, int) else constant_number(value)


def _undoes(pack: Operation, unpack: Operation) -> bool:
    """Whether both have the same dimensions, in the same order, and tiles of the same sizes."""
    if numbers_property(pack, "inner_dims_pos") != numbers_property(unpack, "inner_dims_pos"):
        return False
    orders = [numbers_property(op, "outer_dims_perm") for op in (pack, unpack)]
    if orders[0] != orders[1] and any(list(order) != sorted(order) for order in orders):
        return False
    tiles = list(zip(_tiles(pack), _tiles(unpack), strict=False))
    same = all(a is b or (_known(a) is not None and _known(a) == _known(b)) for a, b in tiles)
    return same and len(_tiles(pack)) == len(_tiles(unpack)) == len(tiles)


def _outer(op: ops.UnpackOp, packed: TensorType, rank: int) -> list[int]:
    """The outer sizes of the packed tensor in the order of the other one."""
    order, sizes = numbers_property(op, "outer_dims_perm"), packed.ranked_shape[:rank]
    return [sizes[order.index(dim)] if order else sizes[dim] for dim in range(rank)]


def _inferred(op: Operation, plain: TensorType, packed: TensorType) -> tuple[TensorType, TensorType] | None:
    """Both types with the sizes that one of them knows, of dimensions that are not tiled; None where both know the
    same."""
    inner, order = numbers_property(op, "inner_dims_pos"), numbers_property(op, "outer_dims_perm")
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
    return TensorType(tuple(shape), plain.element, plain.encoding), TensorType(
        tuple(packed_shape), packed.element, packed.encoding
    )


def _cast(value: Value, type: TensorType, rewriter: Rewriter) -> Value:
    return value if value.type == type else rewriter.create(CAST, [value], [type]).result


# ---- pack


def simpler_pack(op: ops.PackOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """What was unpacked just so is what it was; padding that is not needed goes; sizes that follow are told by
    casts."""
    source, dest = op.source, op.dest
    unpack = defined_by(source, ops.UnpackOp)
    if unpack is not None and unpack.source.type == dest.type:
        if not op.padding_value and _undoes(op, unpack):
            rewriter.replace(op, [unpack.source])
            return None
    plain, packed = ranked(source.type), ranked(dest.type)
    if plain is None or packed is None:
        return NO_MATCH
    if op.padding_value and not _needs_padding(op, plain, packed):
        rewriter.modify(op, partial(_drop_padding, op))
        return None
    types = _inferred(op, plain, packed)
    if types is None:
        return Failure("nothing more is known")
    given = [_cast(source, types[0], rewriter), _cast(dest, types[1], rewriter), *operands[2:]]

    def change() -> None:
        op.set_operands(given)
        op.retype(types[1])

    rewriter.modify(op, change)
    if packed != types[1]:
        rewriter.block, rewriter.anchor = op.parent, op.next
        back = rewriter.create(CAST, [op.result], [packed])
        for user in reversed(list(op.result.uses)):
            if user is not back:
                rewriter.modify(user, partial(_exchange, user, op.result, back.result))
    return None


def _exchange(user: Operation, old: Value, new: Value) -> None:
    user.set_operands([new if operand is old else operand for operand in user.operands])


def _drop_padding(op: Operation) -> None:
    tiles = op.all_of("inner_tiles")
    op.set_operands([*op.operands[:2], *tiles])
    op.properties["operandSegmentSizes"] = segment_sizes(1, 1, 0, len(tiles))


def _needs_padding(op: ops.PackOp, plain: TensorType, packed: TensorType) -> bool:
    """Whether some tiles may not be full."""
    inner, tiles = numbers_property(op, "inner_dims_pos"), numbers_property(op, "static_inner_tiles")
    sizes = [plain.ranked_shape[dim] for dim in inner]
    if DYNAMIC in sizes or DYNAMIC in tiles:
        return True
    return any(not tile or size % tile for size, tile in zip(sizes, tiles, strict=True))


# ---- unpack


def simpler_unpack(op: ops.UnpackOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """What was packed just so is what it was; what was in the destination does not matter; only the slice that is used
    is unpacked; sizes that follow are told by casts."""
    source, dest = op.source, op.dest
    pack = defined_by(source, ops.PackOp)
    if pack is not None:
        if pack.source.type != dest.type or pack.padding_value or not _undoes(pack, op):
            return NO_MATCH
        rewriter.replace(op, [pack.source])
        return None
    maker = dest.defining_op
    places = destinations(maker) if maker is not None else range(0)
    if maker is not None and isinstance(dest, OpResult) and dest.index < len(places):
        rewriter.modify(op, partial(op.set_operand, 1, maker.operands[places[dest.index]]))
        return None
    plain, packed = ranked(dest.type), ranked(source.type)
    if plain is None or packed is None:
        return NO_MATCH
    slice = next(iter(op.result.uses), None)
    if slice is not None and slice in _SLICE and sum(op.result.uses.values()) == 1:
        if _takes_whole_tiles(op, slice, plain, packed):
            return _unpack_slice(op, slice, plain, rewriter)
    types = _inferred(op, plain, packed)
    if types is None:
        return Failure("nothing more is known")
    given = [_cast(source, types[1], rewriter), _cast(dest, types[0], rewriter), *operands[2:]]
    made = rewriter.create(op.name, given, [types[0]], op.properties)
    replace_by_cast(op, made.result, rewriter)
    return None


def _takes_whole_tiles(op: ops.UnpackOp, slice: Operation, plain: TensorType, packed: TensorType) -> bool:
    """Whether a slice begins at the start and leaves out no tile."""
    type = ranked(slice.result.type)
    if type is None or len(type.ranked_shape) != len(plain.ranked_shape):
        return False
    if any(_known(each) != 0 for each in mixed_list(slice, "offsets")):
        return False
    if any(_known(each) != 1 for each in mixed_list(slice, "strides")):
        return False
    outer = _outer(op, packed, len(plain.ranked_shape))
    for dim, tile in zip(
        numbers_property(op, "inner_dims_pos"), numbers_property(op, "static_inner_tiles"), strict=True
    ):
        if DYNAMIC in (type.ranked_shape[dim], outer[dim], tile):
            return False
        if outer[dim] * tile - type.ranked_shape[dim] >= tile:
            return False
    return True


def _unpack_slice(op: ops.UnpackOp, slice: Operation, plain: TensorType, rewriter: Rewriter) -> None:
    lists = [mixed_list(slice, name) for name in ("offsets", "sizes", "strides")]
    type = slice_type(plain, lists[1], len(lists[1]))
    part = create_slice(rewriter, slice.name, [op.dest], lists, [type]).result

    def change() -> None:
        op.set_operand(1, part)
        op.retype(type)

    rewriter.modify(op, change)
    rewriter.replace(slice, [op.result])


# ---- casts


def cast_into_relayout(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """What was cast is packed or unpacked, and the result cast, if that knows more; tiles that the packed type knows
    are numbers."""
    casts = [forgets(operand) for operand in operands]
    if not any(cast is not None for cast in casts):
        return NO_MATCH
    given = [cast.operands[0] if cast is not None else value for cast, value in zip(casts, operands, strict=True)]
    packed = ranked(given[1 if isinstance(op, ops.PackOp) else 0].type)
    if packed is None:
        return NO_MATCH
    tiles = _tiles(op)
    shown = packed.ranked_shape[len(packed.ranked_shape) - len(tiles) :]
    tiles = [
        tile if size == DYNAMIC or isinstance(tile, int) else size for size, tile in zip(shown, tiles, strict=True)
    ]
    dynamic, numbers = separated(tiles)
    padding = op.all_of("padding_value") if isinstance(op, ops.PackOp) else []
    properties: dict[str, Attribute] = {**op.properties, "static_inner_tiles": numbers}
    if isinstance(op, ops.PackOp):
        properties["operandSegmentSizes"] = segment_sizes(1, 1, len(padding), len(dynamic))
    made = rewriter.create(op.name, [*given[:2], *padding, *dynamic], [given[1].type], properties, op.attributes).result
    if made.type != op.result.type:
        made = rewriter.create(CAST, [made], [op.result.type]).result
    rewriter.replace(op, [made])
    return None


CASTS: Final = (
    Pattern(PACK, cast_into_relayout, name="FoldTensorCastPackOp"),
    Pattern(UNPACK, cast_into_relayout, name="FoldTensorCastUnPackOp"),
)
PATTERNS: Final = (
    Pattern(PACK, simpler_pack, name="canonicalize"),
    Pattern(UNPACK, simpler_unpack, name="canonicalize"),
)
