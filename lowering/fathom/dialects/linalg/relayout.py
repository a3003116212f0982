"""Operations that are not structured, whose shapes follow from each other: `linalg.pack` and `linalg.unpack`,
`linalg.softmax` and the transforms of Winograd's convolution.

Source of the rules: *'linalg' Dialect*; the texts of errors are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from fathom.dialects.linalg.structured import EFFECTS, shape_of
from fathom.ir.operation import Operation, Value
from fathom.ir.types import DYNAMIC, TensorType, Type, element_type
from fathom.irdl.checking import bare
from fathom.irdl.code import OpCode
from fathom.irdl.definition import Problem
from fathom.irdl.destinations import check_destinations
from fathom.irdl.index_lists import mixed
from fathom.irdl.interfaces import Speculatable, Speculation
from fathom.irdl.type_traits import compatible
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import linalg as ops
from fathom.rewriting.folding import known_number

Relayout: TypeAlias = "ops.PackOp | ops.UnpackOp"


def tiles_of(op: Relayout) -> list[int | Value]:
    """The sizes of the tiles."""
    return mixed(op.static_inner_tiles, op.inner_tiles)


def _is_invalid(places: Sequence[int], rank: int) -> bool:
    """Whether places of dimensions are not distinct, or not places."""
    return len({*places}) != len(places) or any(not 0 <= place < rank for place in places)


def _known(tile: int | Value) -> int:
    """The size of a tile as types have it."""
    return tile if isinstance(tile, int) else DYNAMIC


def _check(op: Relayout, unpacked: Type, packed: Type) -> Problem | None:
    if not isinstance(unpacked, TensorType) or not isinstance(packed, TensorType):
        return None
    tiles = tiles_of(op)
    if any(known_number(tile) == 0 for tile in tiles):
        return bare("invalid zero tile factor")
    sizes = shape_of(unpacked)
    inner, outer = op.inner_dims_pos.values, op.outer_dims_perm.values
    if _is_invalid(inner, len(sizes)):
        return bare("invalid inner_dims_pos vector")
    if _is_invalid(outer, len(sizes)):
        return bare("invalid outer_dims_perm vector")
    if outer and len(outer) != len(sizes):
        return bare("outer_dims_perm must be a permutation or empty")
    if len(tiles) > len(sizes):
        ranks = "the input rank for pack or output rank for unpack"
        return bare(f"tiling factors must be less than or equal to {ranks}")
    if len(tiles) != len(inner):
        return bare("tiling factors must equal the number of dimensions to tile")
    shape = shape_of(packed)
    if len(shape) != len(sizes) + len(tiles):
        ranks = f"got {len(shape)} != {len(sizes) + len(tiles)}"
        return bare(f"packed rank != (unpacked rank + num tiling factors), {ranks}")
    if shape[len(sizes) :] != tuple(map(_known, tiles)):
        return bare("mismatch in inner tile sizes specified and shaped of tiled dimension in the packed type")
    expected = _packed_shape(sizes, [_known(tile) for tile in tiles], inner, outer)
    if not compatible(expected, shape):
        wanted = TensorType(expected, unpacked.element)
        return bare(f"expected '{wanted}' for the packed domain value, got '{packed}'")
    return None


def _packed_shape(
    sizes: Sequence[int], tiles: Sequence[int], inner: Sequence[int], outer: Sequence[int]
) -> tuple[int, ...]:
    """The shape of the tiles of a shape: how many there are, and how big they are."""
    counts = [*sizes]
    for place, tile in zip(inner, tiles, strict=True):
        if counts[place] != DYNAMIC:
            counts[place] = DYNAMIC if tile == DYNAMIC else -(-counts[place] // tile)
    return (*([counts[place] for place in outer] if outer else counts), *tiles)


@verifies("linalg.pack")
def _check_pack(op: ops.PackOp) -> Complaint:
    source, target, padding = op.source.type, op.dest.type, op.padding_value
    if problem := _check(op, source, target):
        return problem
    if padding is not None:
        if padding.type != element_type(source):
            return f"expected padding_value has '{element_type(source)}' but got: '{padding.type}'"
    elif _leaves_a_rest(op, shape_of(source), shape_of(target)):
        what = "Only full tiles are supported when padding_value is not set"
        return f"invalid tile factor or output size provided. {what}"
    return None


def _leaves_a_rest(op: ops.PackOp, sizes: Sequence[int], extents: Sequence[int]) -> bool:
    """Whether a tile is known not to be full."""
    counts = [*extents[: len(sizes)]]
    outer = op.outer_dims_perm.values
    if outer:
        counts = [counts[outer.index(place)] for place in range(len(outer))]
    for place, tile in zip(op.inner_dims_pos.values, tiles_of(op), strict=True):
        size, known = sizes[place], known_number(tile)
        if size == DYNAMIC:
            continue
        divisor = known if known is not None else counts[place]
        if divisor not in (DYNAMIC, 0) and size % divisor:
            return True
    return False


@verifies("linalg.unpack")
def _check_unpack(op: ops.UnpackOp) -> Complaint:
    return _check(op, op.dest.type, op.source.type)


def _speculation(op: Relayout) -> Speculation:
    """Nothing goes wrong where what is left over is padded, or the tiles are known not to be longer than what they are
    cut from."""
    packs = isinstance(op, ops.PackOp)
    tiles, shape = tiles_of(op), shape_of((op.dest if packs else op.source).type)
    known = all(known_number(tile) is not None for tile in tiles) and DYNAMIC not in shape[len(shape) - len(tiles) :]
    return Speculation.ALWAYS if known or (packs and op.padding_value is not None) else Speculation.NEVER


# ---- linalg.softmax, and the transforms of Winograd's convolution


SIZES: Final = ((2, 3), (4, 3), (2, 5))
"""For each kind of transform, how many results a tile has, and how big the filter is."""


def _sizes(
    op: ops.WinogradFilterTransformOp | ops.WinogradInputTransformOp | ops.WinogradOutputTransformOp,
) -> tuple[int, int]:
    return SIZES[op.fmr.value]


def _shapes(op: Operation) -> tuple[tuple[int, ...], tuple[int, ...]]:
    first, second = op.operands[:2]
    return shape_of(first.type), shape_of(second.type)


def _expect(expected: Sequence[int], extents: Sequence[int]) -> Complaint:
    return None if compatible(expected, extents) else "the output shape is not expected"


@verifies("linalg.winograd_filter_transform")
def _check_filter(op: ops.WinogradFilterTransformOp) -> Complaint:
    """Filters `F x H x W x C` become `alphaH x alphaW x C x F`."""
    m, r = _sizes(op)
    (filters, height, width, channels), output = _shapes(op)
    for what, size in (("height", height), ("width", width)):
        if size not in (r, 1):
            return f"expect filter {what} either equals to r or 1"
    if height == 1 and width == 1:
        return "expect either filter height or width equals to r"
    tile = m + r - 1
    return _expect((tile if height == r else 1, tile if width == r else 1, channels, filters), output)


@verifies("linalg.winograd_input_transform")
def _check_input(op: ops.WinogradInputTransformOp) -> Complaint:
    """Inputs `N x H x W x C` become `alphaH x alphaW x tileH x tileW x N x C`."""
    m, r = _sizes(op)
    (batch, height, width, channels), output = _shapes(op)
    alphas: list[int] = []
    tiles: list[int] = []
    for size, alpha in zip((height, width), output, strict=False):
        is_transformed = alpha != 1
        if size == DYNAMIC:
            alphas.append(m + r - 1)
            tiles.append(DYNAMIC)
        else:
            alphas.append(m + r - 1 if is_transformed else 1)
            # As C++ divides.
            tiles.append(int((size - (r - 1)) / m) if is_transformed else size)
    return _expect((*alphas, *tiles, batch, channels), output)


@verifies("linalg.winograd_output_transform")
def _check_output(op: ops.WinogradOutputTransformOp) -> Complaint:
    """Values `alphaH x alphaW x tileH x tileW x N x F` become `N x H x W x F`."""
    m, r = _sizes(op)
    (*alphas, tile_height, tile_width, batch, filters), output = _shapes(op)
    sizes: list[int] = []
    for what, alpha, tile in zip(("height", "width"), alphas, (tile_height, tile_width), strict=True):
        if DYNAMIC in (alpha, tile):
            sizes.append(DYNAMIC)
            continue
        is_transformed = alpha != 1
        if is_transformed and alpha != m + r - 1:
            return f"expect input {what} equals to input tile size"
        sizes.append((m if is_transformed else 1) * tile)
    return _expect((batch, *sizes, filters), output)


@verifies("linalg.softmax")
def _check_softmax(op: ops.SoftmaxOp) -> Complaint:
    source, target = op.input.type, op.output.type
    if element_type(source) != element_type(target):
        return "failed to verify that input and output have same element type"
    if not compatible(shape_of(source), shape_of(target)):
        return "incompatible output shape"
    return None if 0 <= op.dimension.value < len(shape_of(source)) else "incorrect dimension specified"


_WINOGRAD: Final = tuple(f"linalg.winograd_{name}_transform" for name in ("filter", "input", "output"))


@verifies("linalg.pack", "linalg.unpack", "linalg.softmax", *_WINOGRAD, regions=True)
def _check_destination(op: Operation) -> Complaint:
    return check_destinations(op, range(1, 2))


OPERATIONS: Final = {
    **dict.fromkeys(("pack", "unpack"), OpCode(interfaces=(Speculatable(_speculation),))),
    "softmax": OpCode(interfaces=(EFFECTS,)),
}
