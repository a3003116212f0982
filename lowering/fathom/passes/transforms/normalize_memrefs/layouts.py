"""The type of a memref without the layout that it has: part of `normalize-memrefs`.

    memref<16x30xf32, affine_map<(d0, d1) -> (d0, d1 floordiv 8, d1 mod 8)>>    ->    memref<16x4x8xf32>

Source of the rules: the behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence

from fathom.ir.affine import (
    AffineBinary,
    AffineConstant,
    AffineDim,
    AffineExpr,
    AffineMap,
    divide,
    identity_map,
    leaves,
)
from fathom.ir.affine_simplification import is_pure
from fathom.ir.attributes import AffineMapAttr, StridedLayoutAttr
from fathom.ir.strides import is_identity, strided_map
from fathom.ir.types import DYNAMIC, MemRefType, Type
from fathom.records import replace

Range = tuple[int, int]
"""The least and the greatest number that something can be."""


def layout_map(type: Type) -> AffineMap | None:
    """The map from an index to a place; None for a layout that says none, and for what is no memref with a rank."""
    if not isinstance(type, MemRefType) or type.shape is None:
        return None
    rank = len(type.shape)
    match type.layout:
        case None:
            return identity_map(rank)
        case AffineMapAttr(map=map_):
            return map_
        case StridedLayoutAttr(strides, offset):
            return strided_map(strides, offset)
        case _:
            return None


def normalized(type: Type) -> Type:
    """A memref with the identity for a layout; the type itself where the shape that it then has is not known, and what
    is no memref with a rank."""
    map = layout_map(type)
    if not isinstance(type, MemRefType) or map is None or not type.shape or is_identity(type):
        return type
    if (DYNAMIC in type.shape and not tiles_of(map)) or not all(is_pure(result) for result in map.results):
        return type
    ranges = [(0, extent - 1) if extent > 0 else None for extent in type.shape]
    open_dims = {AffineDim(dim) for dim, extent in enumerate(ranges) if extent is None}
    shape: list[int] = []
    for result in map.results:
        if open_dims & {*leaves(result)}:
            shape.append(DYNAMIC)
            continue
        range_ = _range_of(result, ranges)
        if range_ is None or range_[1] < 0:
            return type
        shape.append(range_[1] + 1)
    return replace(type, shape=tuple(shape), layout=None)


def _range_of(expr: AffineExpr, dims: Sequence[Range | None]) -> Range | None:
    """What an expression can be; None where there is no telling."""
    match expr:
        case AffineConstant(value):
            return value, value
        case AffineDim(position):
            return dims[position]
        case AffineBinary("mod", _, AffineConstant(divisor)) if divisor > 0:
            return 0, divisor - 1
        case AffineBinary("floordiv" | "ceildiv" as kind, lhs, AffineConstant(divisor)) if divisor > 0:
            range_ = _range_of(lhs, dims)
            if range_ is None:
                return None
            return _divided(kind, range_[0], divisor), _divided(kind, range_[1], divisor)
        case AffineBinary("+", lhs, rhs):
            left, right = _range_of(lhs, dims), _range_of(rhs, dims)
            return (left[0] + right[0], left[1] + right[1]) if left is not None and right is not None else None
        case AffineBinary("*", lhs, AffineConstant(factor)):
            range_ = _range_of(lhs, dims)
            if range_ is None:
                return None
            low, high = sorted((range_[0] * factor, range_[1] * factor))
            return low, high
        case _:
            return None


def _divided(kind: str, value: int, divisor: int) -> int:
    return value // divisor if kind == "floordiv" else -(-value // divisor)


# ---- tiles


def tiles_of(map: AffineMap) -> list[tuple[int, int]]:
    """The pairs of results that are `e floordiv n` and `e mod n`; none if an `e` occurs in another result too."""
    pairs: list[tuple[int, int]] = []
    for place, result in enumerate(map.results):
        match result:
            case AffineBinary("floordiv", lhs, AffineConstant()):
                counterparts = _counterparts(map, place, lhs, result.rhs)
                if counterparts is None:
                    return []
                pairs += ((place, other) for other in counterparts)
            case _:
                pass
    return pairs


def _counterparts(map: AffineMap, place: int, lhs: AffineExpr, rhs: AffineExpr) -> list[int] | None:
    """The result that is `lhs mod rhs`, if there is one; None where `lhs` occurs in others than the one at a place."""
    counterparts: list[int] = []
    for position, result in enumerate(map.results):
        occurrences = _count(result, lhs) if position != place else 0
        if not occurrences:
            continue
        if result != divide("mod", lhs, rhs) or occurrences > 1 or counterparts:
            return None
        counterparts.append(position)
    return counterparts


def _count(expr: AffineExpr, part: AffineExpr) -> int:
    """How often an expression has another one in it."""
    inner = _count(expr.lhs, part) + _count(expr.rhs, part) if isinstance(expr, AffineBinary) else 0
    return inner + (expr == part)


def size_of_tile(map: AffineMap, place: int) -> AffineExpr:
    """The size of a dimension of the new shape, as an expression of the sizes of the old one."""
    result = map.results[place]
    for quotient, remainder in reversed(tiles_of(map)):
        if isinstance(result, AffineBinary) and place == quotient:
            return divide("ceildiv", result.lhs, result.rhs)
        if isinstance(result, AffineBinary) and place == remainder:
            return result.rhs
    return result
