"""Where the elements of a memref argument lie in its memory, by its type and by what was given.

Source of the rules: *Builtin Dialect*, "MemRefType", "Layout".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fathom.execution.literals import Contents
from fathom.execution.outcome import ArgumentProblem, UnsupportedSignature
from fathom.ir.affine import evaluate
from fathom.ir.attributes import AffineMapAttr, StridedLayoutAttr
from fathom.ir.types import DYNAMIC, MemRefType

_LARGEST: Final = 1 << 31
"""Bytes between which elements can be spread: no more are sent to a worker."""


def _layout_of(type: MemRefType, rank: int) -> tuple[Sequence[int], int]:
    """Strides and offset as the type has them, DYNAMIC where it leaves them open or has the identity layout."""
    match type.layout:
        case StridedLayoutAttr(strides, offset):
            return strides, offset
        case AffineMapAttr(map) if not map.is_identity:
            if map.symbols or len(map.results) != 1:
                raise UnsupportedSignature(f"{type} cannot be passed to a program: its layout is not strided")
            origin = evaluate(map.results[0], (0,) * rank, ())
            units = [tuple(int(i == j) for j in range(rank)) for i in range(rank)]
            return [evaluate(map.results[0], unit, ()) - origin for unit in units], origin
        case None | AffineMapAttr():
            return (DYNAMIC,) * rank, 0
        case _:
            raise UnsupportedSignature(f"{type} cannot be passed to a program: its layout is not strided")


def placement(type: MemRefType, contents: Contents, path: str) -> tuple[tuple[int, ...], int]:
    """The strides and the offset of a memref, in elements: the type's, else those given, else row-major from 0."""
    wanted, offset = _layout_of(type, len(contents.shape))
    has_layout = type.layout is not None
    strides, next_stride = list[int](), 1
    for i, extent in reversed(list(enumerate(contents.shape))):
        given = contents.strides[i] if contents.strides else None
        if given is not None and (not has_layout or wanted[i] not in (DYNAMIC, given)) and given != next_stride:
            fixed = wanted[i] if has_layout else next_stride
            raise ArgumentProblem(f"{path}.strides[{i}]", f"{fixed}, from {type}", f"{given}")
        stride = wanted[i] if wanted[i] != DYNAMIC else next_stride if given is None else given
        strides.insert(0, stride)
        next_stride = stride * max(extent, 1) if has_layout else stride * extent
    if contents.offset is not None and offset not in (DYNAMIC, contents.offset):
        raise ArgumentProblem(f"{path}.offset", f"{offset}, from {type}", f"{contents.offset}")
    if offset == DYNAMIC:
        offset = contents.offset or 0
    return tuple(strides), offset


def extent_of(shape: Sequence[int], strides: Sequence[int], offset: int) -> int:
    """How many elements the memory must hold."""
    if 0 in shape:
        return offset
    return offset + sum((extent - 1) * max(stride, 0) for extent, stride in zip(shape, strides, strict=True)) + 1


def scatter(contents: Contents, strides: Sequence[int], offset: int, size: int, path: str) -> bytes:
    """The bytes of the memory: the elements at their places, zeros between them; one element if it is repeated."""
    shape = contents.shape
    lowest = offset + sum((extent - 1) * min(stride, 0) for extent, stride in zip(shape, strides, strict=True))
    if lowest < 0 and 0 not in shape:
        raise ArgumentProblem(f"{path}.offset", f"at least {offset - lowest}, as strides are negative", str(offset))
    if contents.is_fill or (offset == 0 and _is_row_major(shape, strides)):
        return contents.data
    if extent_of(shape, strides, offset) * size >= _LARGEST:
        raise ArgumentProblem(f"{path}.strides", f"strides within {_LARGEST} bytes", str(list(strides)))
    return _spread(contents, strides, offset, size)


def _is_row_major(shape: Sequence[int], strides: Sequence[int]) -> bool:
    expected = 1
    for extent, stride in zip(reversed(shape), reversed(strides), strict=True):
        if extent != 1 and stride != expected:
            return False
        expected *= extent
    return True


def _spread(contents: Contents, strides: Sequence[int], offset: int, size: int) -> bytes:
    places = [offset]
    for extent, stride in zip(contents.shape, strides, strict=True):
        places = [place + i * stride for place in places for i in range(extent)]
    memory = bytearray(extent_of(contents.shape, strides, offset) * size)
    for i, place in enumerate(places):
        memory[place * size : (place + 1) * size] = contents.data[i * size : (i + 1) * size]
    return bytes(memory)
