"""`linalg.pack` and `linalg.unpack`: what fits a shape, its tiles and the shape of the tiles.

Source of the rules: *'linalg' Dialect*; the texts of errors are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fathom.dialects.linalg.structured import shape_of
from fathom.ir.attributes import Attribute, DenseArrayAttr
from fathom.ir.operation import Operation, Value
from fathom.ir.types import DYNAMIC, TensorType
from fathom.irdl.code import OpCode
from fathom.irdl.definition import Problem
from fathom.irdl.destinations import check_destinations
from fathom.irdl.index_lists import mixed
from fathom.irdl.interfaces import Speculatable, Speculation
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import linalg as ops
from fathom.rewriting.folding import known_number


def compatible(left: Sequence[int], right: Sequence[int]) -> bool:
    """Whether shapes may be the same when all sizes are known."""
    return len(left) == len(right) and all(
        one == other or DYNAMIC in (one, other) for one, other in zip(left, right, strict=True)
    )


def _numbers(attribute: Attribute | None) -> tuple[int, ...]:
    return attribute.values if isinstance(attribute, DenseArrayAttr) else ()


def _tiles(op: Operation) -> list[int | Value]:
    return mixed(op.properties.get("static_inner_tiles"), op.all_of("inner_tiles"))


def _is_invalid(places: Sequence[int], rank: int) -> bool:
    """Whether places of dimensions are not distinct, or not places."""
    return len({*places}) != len(places) or any(not 0 <= place < rank for place in places)


def _known(tile: int | Value) -> int:
    """The size of a tile as types have it."""
    return tile if isinstance(tile, int) else DYNAMIC


def _check(op: ops.PackOp | ops.UnpackOp, unpacked: TensorType, packed: TensorType) -> Problem | None:
    def problem(message: str) -> Problem:
        return Problem(message, bare=True)

    tiles = _tiles(op)
    if any(known_number(tile) == 0 for tile in tiles):
        return problem("invalid zero tile factor")
    sizes = shape_of(unpacked)
    inner, outer = _numbers(op.inner_dims_pos), _numbers(op.outer_dims_perm)
    if _is_invalid(inner, len(sizes)):
        return problem("invalid inner_dims_pos vector")
    if _is_invalid(outer, len(sizes)):
        return problem("invalid outer_dims_perm vector")
    if outer and len(outer) != len(sizes):
        return problem("outer_dims_perm must be a permutation or empty")
    if len(tiles) > len(sizes):
        what = "must be less than or equal to the input rank for pack or output rank for unpack"
        return problem(f"tiling factors {what}")
    if len(tiles) != len(inner):
        return problem("tiling factors must equal the number of dimensions to tile")
    found = shape_of(packed)
    if len(found) != len(sizes) + len(tiles):
        ranks = f"got {len(found)} != {len(sizes) + len(tiles)}"
        return problem(f"packed rank != (unpacked rank + num tiling factors), {ranks}")
    if found[len(sizes) :] != tuple(map(_known, tiles)):
        what = "specified and shaped of tiled dimension in the packed type"
        return problem(f"mismatch in inner tile sizes {what}")
    expected = _packed_shape(sizes, [_known(tile) for tile in tiles], inner, outer)
    if not compatible(expected, found):
        types = f"'{TensorType(expected, unpacked.element)}' for the packed domain value, got '{packed}'"
        return problem(f"expected {types}")
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


def _types(op: Operation, unpacked: str, packed: str) -> tuple[TensorType, TensorType] | None:
    first, second = op.one_of(unpacked).type, op.one_of(packed).type
    return (first, second) if isinstance(first, TensorType) and isinstance(second, TensorType) else None


@verifies("linalg.pack")
def _check_pack(op: ops.PackOp) -> Complaint:
    types = _types(op, "source", "dest")
    if types is None:
        return None
    found = _check(op, *types)
    if found is not None:
        return found
    source, target = types
    padding = op.padding_value
    if padding is not None:
        if padding.type != source.element:
            return f"expected padding_value has '{source.element}' but got: '{padding.type}'"
    elif _leaves_a_rest(op, shape_of(source), shape_of(target)):
        what = "Only full tiles are supported when padding_value is not set"
        return f"invalid tile factor or output size provided. {what}"
    return None


def _leaves_a_rest(op: ops.PackOp, sizes: Sequence[int], found: Sequence[int]) -> bool:
    """Whether a tile is known not to be full."""
    counts = [*found[: len(sizes)]]
    outer = _numbers(op.outer_dims_perm)
    if outer:
        counts = [counts[outer.index(place)] for place in range(len(outer))]
    for place, tile in zip(_numbers(op.inner_dims_pos), _tiles(op), strict=True):
        size, known = sizes[place], known_number(tile)
        if size == DYNAMIC:
            continue
        divisor = known if known is not None else counts[place]
        if divisor not in (DYNAMIC, 0) and size % divisor:
            return True
    return False


@verifies("linalg.unpack")
def _check_unpack(op: ops.UnpackOp) -> Complaint:
    types = _types(op, "dest", "source")
    found = _check(op, *types) if types is not None else None
    return found if found is not None else None


@verifies("linalg.pack", "linalg.unpack", regions=True)
def _check_destination(op: Operation) -> Complaint:
    return check_destinations(op, range(1, 2))


def _speculation(op: Operation, packed: str) -> Speculation:
    """Nothing goes wrong where the tiles are known not to be longer than what they are cut from."""
    tiles = _tiles(op)
    shape = shape_of(op.one_of(packed).type)
    known = all(known_number(tile) is not None for tile in tiles) and DYNAMIC not in shape[len(shape) - len(tiles) :]
    return Speculation.ALWAYS if known else Speculation.NEVER


def _speculation_of_pack(op: Operation) -> Speculation:
    return Speculation.ALWAYS if op.all_of("padding_value") else _speculation(op, "dest")


OPERATIONS: Final = {
    "pack": OpCode(interfaces=(Speculatable(_speculation_of_pack),)),
    "unpack": OpCode(interfaces=(Speculatable(lambda op: _speculation(op, "source")),)),
}
