"""Parts of buffers, for parts of tensors.

Source of the rules: `memref::SubViewOp` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from fathom.dialects.memref.views import subview_type
from fathom.ir.attributes import StridedLayoutAttr
from fathom.ir.types import DYNAMIC, MemRefType
from fathom.irdl.slices import mixed_list
from fathom.rewriting.slicing import sliced

if TYPE_CHECKING:
    from fathom.bufferization.rewriting import Bufferizer
    from fathom.ir.operation import Operation, Value

Lists: TypeAlias = "tuple[Sequence[int | Value], Sequence[int | Value], Sequence[int | Value]]"
"""Offsets, sizes and strides."""


def lists_of(op: Operation) -> Lists:
    """The offsets, sizes and strides of an operation."""
    return mixed_list(op, "offsets"), mixed_list(op, "sizes"), mixed_list(op, "strides")


def part_type(source: MemRefType, lists: Lists, shape: Sequence[int]) -> MemRefType:
    """The type of a part of a buffer that has this shape, which may lack dimensions of size one."""
    numbers = [[value if isinstance(value, int) else DYNAMIC for value in values] for values in lists]
    full = subview_type(source, *numbers)
    assert full is not None and isinstance(full.layout, StridedLayoutAttr), "a buffer has strides"
    if len(full.ranked_shape) == len(shape):
        return full
    kept: list[int] = []
    for index, size in enumerate(full.ranked_shape):
        if len(kept) < len(shape) and size == shape[len(kept)]:
            kept.append(index)
    strides = tuple(full.layout.strides[index] for index in kept)
    return MemRefType(tuple(shape), full.element, StridedLayoutAttr(strides, full.layout.offset), full.space)


def part_of(run: Bufferizer, source: Value, lists: Lists, type: MemRefType) -> Value:
    """`memref.subview`."""
    return sliced(run, "memref.subview", source, type, *lists)
