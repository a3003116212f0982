"""The canonicalisation of views of memrefs: numbers that are known become part of their types, and casts move behind
them.

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.dialects.memref.common import said_more, type_of
from fathom.dialects.memref.views import dropped_dimensions, subview_type
from fathom.ir.attributes import StridedLayoutAttr
from fathom.ir.operation import Operation, Value
from fathom.ir.strides import strides_and_offset
from fathom.ir.types import DYNAMIC, MemRefType
from fathom.irdl.slices import LISTS, mixed_lists, verify_bounds
from fathom.ops import memref as ops
from fathom.records import replace
from fathom.rewriting.folding import constant_value, known_number
from fathom.rewriting.pattern import Failure, Replacement, defined_by, replacing
from fathom.rewriting.slicing import sliced

if TYPE_CHECKING:
    from fathom.rewriting.rewriter import Rewriter

Number: TypeAlias = "int | Value"


def _static(numbers: Sequence[Number]) -> tuple[int, ...]:
    return tuple(number if isinstance(number, int) else DYNAMIC for number in numbers)


def _cast_for(rewriter: Rewriter, op: Operation, value: Value) -> Operation:
    return rewriter.create("memref.cast", [value], [op.result.type])


# ---- memref.subview


def _without(type: MemRefType, dropped: frozenset[int]) -> MemRefType | None:
    """The type without some of its dimensions."""
    layout = strides_and_offset(type)
    if layout is None or not dropped:
        return type
    kept = [index for index in range(len(type.ranked_shape)) if index not in dropped]
    strides = tuple(layout[0][index] for index in kept)
    shape = tuple(type.ranked_shape[index] for index in kept)
    return replace(type, shape=shape, layout=StridedLayoutAttr(strides, layout[1]))


def _part(op: ops.SubviewOp, source: MemRefType, lists: Sequence[Sequence[Number]]) -> MemRefType | None:
    """The type of this part of a source, which drops the dimensions that the operation drops."""
    whole = subview_type(source, *map(_static, lists))
    return _without(whole, dropped_dimensions(op)) if whole is not None else None


def subview_with_numbers(op: ops.SubviewOp, rewriter: Rewriter) -> Replacement:
    """Offsets, sizes and strides that are known stand in the text; one of the three lists at a time."""
    source, lists = type_of(op.source), mixed_lists(op)
    for index, list_ in enumerate(lists):
        is_stride = LISTS[index] == "strides"
        numbers = [_folded(number, is_stride=is_stride) for number in list_]
        if _static(numbers) != _static(list_):
            lists[index] = numbers
            break
    else:
        return Failure("no offset, size or stride that is an operand is a constant which a view may have")
    type = _part(op, source, lists)
    if type is None or verify_bounds(source.ranked_shape, *map(_static, lists)):
        return Failure("with what is known of them the view would be out of bounds")
    return _cast_for(rewriter, op, sliced(rewriter, op.name, op.source, type, *lists))


def _folded(number: Number, *, is_stride: bool) -> Number:
    """The number where it is known, unless no view may have it: an offset or size below zero, a stride of zero."""
    known = known_number(number)
    return number if known is None or (known == 0 if is_stride else known < 0) else known


def subview_of_cast(op: ops.SubviewOp, rewriter: Rewriter) -> Replacement:
    """A part of a memref whose type was cast to one that says less is cast instead."""
    if any(constant_value(operand) is not None for operand in op.operands):
        return Failure("an operand is a constant, which comes into the text first")
    source = said_more(op.source)
    type = _part(op, type_of(source), mixed_lists(op)) if source is not None else None
    if source is None or type is None:
        return Failure("its source does not come from a 'memref.cast' that only forgets sizes or strides")
    return _cast_for(rewriter, op, sliced(rewriter, op.name, source, type, *mixed_lists(op)))


def subview_of_all(op: ops.SubviewOp, rewriter: Rewriter) -> Replacement:
    """A part that is all of its source is that."""
    source, target = type_of(op.source), type_of(op.result)
    if len(source.ranked_shape) != len(target.ranked_shape):
        return Failure("it drops dimensions of its source")
    offsets, sizes, strides = (list(map(known_number, list_)) for list_ in mixed_lists(op))
    if any(number != 0 for number in offsets) or any(stride != 1 for stride in strides):
        return Failure("its offsets are not all known to be 0, or its strides not all to be 1")
    if tuple(sizes) != source.ranked_shape:
        return Failure("its sizes are not all known to be those of its source")
    return op.source if source == target else _cast_for(rewriter, op, op.source)


# ---- memref.view


def view_with_sizes(op: ops.ViewOp, rewriter: Rewriter) -> Replacement:
    """Sizes that are known become part of the type."""
    type, rest = type_of(op.result), iter(op.sizes)
    shape: list[int] = []
    values: list[Value] = []
    for extent in type.ranked_shape:
        size: Number = extent if extent != DYNAMIC else next(rest)
        number = known_number(size)
        shape.append(DYNAMIC if number is None else number)
        if number is None and isinstance(size, Value):
            values.append(size)
    if tuple(shape) == type.shape:
        return None
    new = rewriter.create(op.name, [op.source, op.byte_shift, *values], [replace(type, shape=tuple(shape))])
    return _cast_for(rewriter, op, new.result)


def view_of_cast(op: ops.ViewOp, rewriter: Rewriter) -> Replacement:
    """Only the buffer matters."""
    cast = defined_by(op.source, ops.CastOp)
    if cast is None:
        return None
    return rewriter.create(op.name, [cast.source, op.byte_shift, *op.sizes], [op.result.type])


# ---- memref.reinterpret_cast

Lists: TypeAlias = "tuple[list[Number], list[Number], list[Number]]"


def _by_type(type: MemRefType, offset: Number, sizes: Sequence[Number], strides: Sequence[Number]) -> Lists | None:
    """The offset, sizes and strides, as numbers where the type or a constant says them."""
    layout = strides_and_offset(type)
    if layout is None:
        return None

    def numbers(values: Sequence[Number], stated: Sequence[int]) -> list[Number]:
        mixed: list[Number] = []
        for value, number in zip(values, stated, strict=True):
            inner = known_number(value) if number == DYNAMIC else number
            mixed.append(value if inner is None else inner)
        return mixed

    return numbers([offset], [layout[1]]), numbers(sizes, type.ranked_shape), numbers(strides, layout[0])


def _reinterpreted(op: ops.ReinterpretCastOp) -> Lists | None:
    offsets, sizes, strides = mixed_lists(op)
    return _by_type(type_of(op.result), offsets[0], sizes, strides) if len(offsets) == 1 else None


def reinterpreted_metadata(op: ops.ReinterpretCastOp, rewriter: Rewriter) -> Replacement:
    """What is put together of the parts of a memref is that memref, or at least made of its buffer."""
    metadata = defined_by(op.source, ops.ExtractStridedMetadataOp)
    if metadata is None:
        return None
    whole, rest = metadata.source, metadata.sizes_and_strides
    rank = len(rest) // 2
    parts = _by_type(type_of(whole), metadata.offset, rest[:rank], rest[rank:])
    if parts is None or parts != _reinterpreted(op):
        rewriter.modify(op, lambda: op.set_operand(0, whole))
        return op
    return whole if whole.type == op.result.type else _cast_for(rewriter, op, whole)


def reinterpreted_with_numbers(op: ops.ReinterpretCastOp, rewriter: Rewriter) -> Replacement:
    """Numbers that are known become part of the type."""
    lists, source = _reinterpreted(op), op.source
    before = [number for list_ in mixed_lists(op) for number in list_]
    if lists is None or not isinstance(source.type, MemRefType):
        return None
    (offset,), sizes, strides = map(_static, lists)
    if sum(isinstance(n, int) for n in before) == sum(isinstance(n, int) for list_ in lists for n in list_):
        return None
    type = MemRefType(sizes, source.type.element, StridedLayoutAttr(strides, offset), source.type.space)
    return _cast_for(rewriter, op, sliced(rewriter, op.name, source, type, *lists))


PATTERNS: Final = (
    replacing("memref.reinterpret_cast", reinterpreted_metadata, name="ReinterpretCastOpExtractStridedMetadataFolder"),
    replacing("memref.reinterpret_cast", reinterpreted_with_numbers, name="ReinterpretCastOpConstantFolder"),
    replacing("memref.subview", subview_with_numbers, name="OpWithOffsetSizesAndStridesConstantArgumentFolder"),
    replacing("memref.subview", subview_of_cast, name="SubViewOpMemRefCastFolder"),
    replacing("memref.subview", subview_of_all, name="TrivialSubViewOpFolder"),
    replacing("memref.view", view_with_sizes, name="ViewOpShapeFolder"),
    replacing("memref.view", view_of_cast, name="ViewOpMemrefCastFolder"),
)
