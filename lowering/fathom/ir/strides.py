"""Where the elements of a memref lie: its strides and its offset, in elements.

Source of the rules: *Builtin Dialect*, "MemRefType", "Layout".
"""

from __future__ import annotations

from collections.abc import Sequence

from fathom.ir.affine import AffineBinary, AffineConstant, AffineDim, AffineExpr, AffineMap, AffineSymbol, add, multiply
from fathom.ir.attributes import AffineMapAttr, StridedLayoutAttr
from fathom.ir.types import DYNAMIC, MemRefType, Type


def times(lhs: int, rhs: int) -> int:
    """A product in which DYNAMIC makes all DYNAMIC, but for zero."""
    if 0 in (lhs, rhs):
        return 0
    return DYNAMIC if DYNAMIC in (lhs, rhs) else lhs * rhs


def plus(lhs: int, rhs: int) -> int:
    """A sum in which DYNAMIC makes all DYNAMIC."""
    return DYNAMIC if DYNAMIC in (lhs, rhs) else lhs + rhs


def row_major_strides(shape: Sequence[int]) -> tuple[int, ...]:
    """The strides of a contiguous memref; those outside a dynamic size are not known."""
    strides: list[int] = []
    stride = 1
    for size in reversed(shape):
        strides.append(stride)
        stride = DYNAMIC if DYNAMIC in (stride, size) else stride * size
    return tuple(reversed(strides))


def _identity_strides(shape: Sequence[int]) -> tuple[int, ...]:
    """The strides that a type without layout has: for MLIR those outside an empty dimension are not known either."""
    return row_major_strides([size or DYNAMIC for size in shape])


def strides_and_offset(type: MemRefType) -> tuple[tuple[int, ...], int] | None:
    """The strides and the offset, DYNAMIC where not known; None where the layout is not strided."""
    shape = type.ranked_shape
    match type.layout:
        case None:
            return _identity_strides(shape), 0
        case StridedLayoutAttr(strides, offset):
            return strides, offset
        case AffineMapAttr(map):
            return _of_map(map, shape)
        case _:
            return None


def is_strided(type: MemRefType) -> bool:
    """Whether a memref has a rank and a layout that strides and an offset can say."""
    return type.shape is not None and strides_and_offset(type) is not None


def is_identity(type: MemRefType) -> bool:
    """Whether the layout's map is the identity, as far as its spelling tells; of one dimension `strided<[1]>` is."""
    match type.layout:
        case None:
            return True
        case AffineMapAttr(map):
            return map.is_identity
        case layout:
            return layout == StridedLayoutAttr((1,))


def layout_symbols(type: MemRefType) -> int:
    """How many symbols the layout's map has, which an allocation gives operands for."""
    match type.layout:
        case AffineMapAttr(map):
            return map.symbols
        case StridedLayoutAttr(strides, offset):
            return (*strides, offset).count(DYNAMIC)
        case _:
            return 0


def strided_map(strides: Sequence[int], offset: int) -> AffineMap:
    """`offset + d0 * stride + …`, with a symbol for each number that is not known."""
    symbols = 0

    def number(value: int) -> AffineExpr:
        nonlocal symbols
        if value != DYNAMIC:
            return AffineConstant(value)
        symbols += 1
        return AffineSymbol(symbols - 1)

    total = number(offset)
    for dim, stride in enumerate(strides):
        total = add(total, multiply(AffineDim(dim), number(stride)))
    return AffineMap(len(strides), symbols, (total,))


def _of_map(map: AffineMap, shape: tuple[int, ...]) -> tuple[tuple[int, ...], int] | None:
    """A map to one position must be a sum of dimensions times factors, and an offset; the identity is row-major."""
    if map.is_identity:
        return _identity_strides(shape), 0
    if len(map.results) != 1:
        return None
    terms = _linear(map.results[0])
    if terms is None:
        return None
    return tuple(terms.get(index, 0) for index in range(map.dims)), terms.get(None, 0)


def _linear(expr: AffineExpr) -> dict[int | None, int] | None:
    """The factor of each dimension, and under None the constant; DYNAMIC for one that a symbol takes part in."""
    match expr:
        case AffineDim(position):
            return {position: 1}
        case AffineSymbol():
            return {None: DYNAMIC}
        case AffineConstant(value):
            return {None: value}
        case AffineBinary("+", lhs, rhs):
            left, right = _linear(lhs), _linear(rhs)
            return None if left is None or right is None else _sum(left, right)
        case AffineBinary("*", lhs, rhs):
            left, right = _linear(lhs), _linear(rhs)
            if left is None or right is None or set(right) != {None}:
                return None
            return {key: times(value, right[None]) for key, value in left.items()}
        case AffineBinary(_, lhs, rhs):
            left, right = _linear(lhs), _linear(rhs)
            # A quotient or remainder of symbols alone is a number that is not known here.
            return {None: DYNAMIC} if left is not None and right is not None and {*left, *right} == {None} else None
        case _:
            return None


def _sum(left: dict[int | None, int], right: dict[int | None, int]) -> dict[int | None, int]:
    total = dict(left)
    for key, value in right.items():
        total[key] = plus(total[key], value) if key in total else value
    return total


def has_unit_stride(type: Type) -> bool:
    """Whether the elements of the last dimension stand side by side, in memory of a rank."""
    if not isinstance(type, MemRefType) or type.shape is None:
        return True
    layout = strides_and_offset(type)
    return layout is not None and (not layout[0] or layout[0][-1] == 1)
