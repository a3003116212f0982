"""What views and copies do with memrefs and arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

from fathom.interpreting.memory import Memory, size_of
from fathom.interpreting.values import Array, Datum, MemRef, NotUnderstood, Trap, check_elements, signed_index
from fathom.ir.attributes import StridedLayoutAttr
from fathom.ir.operation import Value
from fathom.ir.types import DYNAMIC, MemRefType, ShapedType, Type, VectorType


def row_major(shape: Sequence[int]) -> tuple[int, ...]:
    """The strides of elements that lie row after row."""
    return tuple(prod(shape[at + 1 :]) for at in range(len(shape)))


def indices_of(shape: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """All places in a shape, the last dimension first."""
    return product(*map(range, shape))


def shape_with(type: Type, dynamic: Sequence[Datum]) -> tuple[int, ...]:
    """The shape of a type, with these sizes for those that it leaves open. Raises NotUnderstood where there is none."""
    if not isinstance(type, ShapedType) or type.shape is None:
        raise NotUnderstood(f"the shape of {type}")
    sizes = iter(dynamic)
    shape = tuple(signed_index(next(sizes)) if extent == DYNAMIC else extent for extent in type.shape)
    if not isinstance(type, MemRefType):
        check_elements(shape)
    return shape


def mixed(static: Sequence[int], dynamic: Sequence[Datum]) -> tuple[int, ...]:
    """Numbers of which some are values."""
    values = iter(dynamic)
    return tuple(signed_index(next(values)) if number == DYNAMIC else number for number in static)


def allocated(memory: Memory, type: MemRefType, dynamic: Sequence[Datum], alignment: int = 64) -> MemRef:
    """A new memref. Raises NotUnderstood for one with a layout that says more than strides."""
    shape = shape_with(type, dynamic)
    strides, offset = row_major(shape), 0
    if isinstance(type.layout, StridedLayoutAttr) and DYNAMIC not in (*type.layout.strides, type.layout.offset):
        strides, offset = type.layout.strides, type.layout.offset
    elif type.layout is not None:
        raise NotUnderstood(f"memory for {type}")
    extent = offset + sum((size - 1) * stride for size, stride in zip(shape, strides, strict=True)) + 1
    address = memory.reserve(max(extent if prod(shape) else 0, 0) * size_of(type.element), alignment)
    return MemRef(address, address, offset, shape, strides)


def of_array(memory: Memory, array: Array, element: Type) -> MemRef:
    """A new memref with the elements of an array."""
    size = size_of(element)
    address = memory.allocate(len(array.items) * size)
    for at, item in enumerate(array.items):
        memory.store(address + at * size, item, element)
    return MemRef(address, address, 0, array.shape, row_major(array.shape))


def to_array(memory: Memory, memref: MemRef, element: Type) -> Array:
    """The elements of a memref."""
    size = size_of(element)
    items = (memory.load(memref.aligned + memref.place(at) * size, element) for at in indices_of(memref.sizes))
    return Array(memref.sizes, tuple(items))


def element_of(value: Value) -> Type:
    """The type of the elements of a value. Raises NotUnderstood."""
    if not isinstance(value.type, ShapedType):
        raise NotUnderstood(f"elements of {value.type}")
    return value.type.element


def extent(shape: Sequence[int], index: Datum) -> int:
    """How many elements there are in the dimension of a number. Raises Trap where there is none."""
    dimension = signed_index(index)
    if not 0 <= dimension < len(shape):
        raise Trap("crash", f"{dimension} is no dimension of {len(shape)}")
    return shape[dimension]


def shape_of_vector(value: Value) -> tuple[int, ...]:
    """The shape of a vector. Raises NotUnderstood for one whose length is not known, and what is none."""
    if not isinstance(value.type, VectorType) or any(value.type.scalable):
        raise NotUnderstood(f"vectors of type {value.type}")
    return value.type.ranked_shape


def place_in(shape: Sequence[int], indices: Sequence[int]) -> int:
    """The number of an element of an array. Raises Trap where an index is out of bounds."""
    return MemRef(0, 0, 0, tuple(shape), row_major(shape)).place(tuple(indices))


def transposed(array: Array, order: Sequence[int]) -> Array:
    """An array with its dimensions in another order: each is that of this number."""
    shape = tuple(array.shape[at] for at in order)
    items: list[Datum] = []
    for place in indices_of(shape):
        source = [0] * len(order)
        for at, of in zip(place, order, strict=True):
            source[of] = at
        items.append(array.items[place_in(array.shape, source)])
    return Array(shape, tuple(items))


def slice_of(array: Array, offsets: Sequence[int], sizes: Sequence[int], strides: Sequence[int]) -> Array:
    """A part of an array, of the same rank."""
    items = (
        array.items[place_in(array.shape, [o + i * s for o, i, s in zip(offsets, at, strides, strict=True)])]
        for at in indices_of(sizes)
    )
    return Array(tuple(sizes), tuple(items))


def with_slice(
    array: Array, part: Array, offsets: Sequence[int], sizes: Sequence[int], strides: Sequence[int]
) -> Array:
    """An array with other elements in a part of it."""
    items = list(array.items)
    for item, at in zip(part.items, indices_of(sizes), strict=True):
        place = [o + i * s for o, i, s in zip(offsets, at, strides, strict=True)]
        items[place_in(array.shape, place)] = item
    return Array(array.shape, tuple(items))


def kept_dimensions(sizes: Sequence[int], shape: Sequence[int]) -> list[int]:
    """The dimensions of a part that are those of a type with a smaller rank: the others have the size 1."""
    kept: list[int] = []
    wanted = list(shape)
    for dimension, size in enumerate(sizes):
        left = len(sizes) - dimension
        fits = bool(wanted) and wanted[0] in (size, DYNAMIC)
        if fits and (size != 1 or left == len(wanted) or wanted[0] == 1):
            kept.append(dimension)
            wanted.pop(0)
    if wanted:
        raise NotUnderstood("which dimensions are dropped")
    return kept
