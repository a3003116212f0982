"""The canonicalisation of views of memrefs: numbers that are known become part of their types, and casts move behind
them.

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.dialects.memref.common import knows_as_much, ranked
from fathom.dialects.memref.views import dropped_dimensions, subview_type
from fathom.ir.attributes import DenseArrayAttr, StridedLayoutAttr
from fathom.ir.operation import Operation, OpResult, Value
from fathom.ir.strides import strides_and_offset
from fathom.ir.types import DYNAMIC, I64, MemRefType
from fathom.irdl.build import segment_sizes
from fathom.irdl.slices import LISTS, mixed_list, verify_bounds
from fathom.records import replace
from fathom.rewriting.folding import constant_value, known_number
from fathom.rewriting.pattern import NO_MATCH, Failure, Pattern

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.rewriting.rewriter import Rewriter

Number: TypeAlias = "int | Value"


def _static(numbers: Sequence[Number]) -> tuple[int, ...]:
    return tuple(number if isinstance(number, int) else DYNAMIC for number in numbers)


def _by_lists(
    rewriter: Rewriter, name: str, type: MemRefType, source: Value, lists: Sequence[Sequence[Number]]
) -> Operation:
    """A view by offsets, sizes and strides."""
    values = [[number for number in each if isinstance(number, Value)] for each in lists]
    properties: dict[str, Attribute] = {
        f"static_{which}": DenseArrayAttr(I64, _static(each)) for which, each in zip(LISTS, lists, strict=True)
    }
    properties["operandSegmentSizes"] = segment_sizes(1, *map(len, values))
    return rewriter.create(name, [source, *(value for each in values for value in each)], [type], properties)


def _replace_by_cast(rewriter: Rewriter, op: Operation, value: Value) -> None:
    rewriter.replace_with(op, "memref.cast", [value], [op.results[0].type])


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


def _part(op: Operation, source: MemRefType, lists: Sequence[Sequence[Number]]) -> MemRefType | None:
    """The type of this part of a source, which drops the dimensions that the operation drops."""
    whole = subview_type(source, *map(_static, lists))
    return _without(whole, dropped_dimensions(op)) if whole is not None else None


def subview_with_numbers(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """Offsets, sizes and strides that are known stand in the text; one of the three lists at a time."""
    source = ranked(op.operands[0].type)
    lists = [mixed_list(op, name) for name in LISTS]
    for index, each in enumerate(lists):
        is_stride = LISTS[index] == "strides"
        numbers = [_folded(number, is_stride=is_stride) for number in each]
        if _static(numbers) != _static(each):
            lists[index] = numbers
            break
    else:
        return NO_MATCH
    if source is None or verify_bounds(source.ranked_shape, *map(_static, lists)):
        return NO_MATCH
    type = _part(op, source, lists)
    if type is None:
        return NO_MATCH
    _replace_by_cast(rewriter, op, _by_lists(rewriter, op.name, type, op.operands[0], lists).result)
    return None


def _folded(number: Number, *, is_stride: bool) -> Number:
    """The number where it is known, unless no view may have it: an offset or size below zero, a stride of zero."""
    found = known_number(number)
    return number if found is None or (found == 0 if is_stride else found < 0) else found


def subview_of_cast(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """A part of a memref whose type was cast to one that says less is cast instead."""
    if any(constant_value(operand) is not None for operand in op.operands):
        return NO_MATCH
    cast = op.operands[0].defining_op
    if cast is None or cast.name != "memref.cast" or not knows_as_much(cast.operands[0].type, op.operands[0].type):
        return NO_MATCH
    source = ranked(cast.operands[0].type)
    lists = [mixed_list(op, name) for name in LISTS]
    type = _part(op, source, lists) if source is not None else None
    if type is None:
        return NO_MATCH
    _replace_by_cast(rewriter, op, _by_lists(rewriter, op.name, type, cast.operands[0], lists).result)
    return None


def subview_of_all(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """A part that is all of its source is that."""
    source, target = ranked(op.operands[0].type), ranked(op.results[0].type)
    if source is None or target is None or len(source.ranked_shape) != len(target.ranked_shape):
        return NO_MATCH
    offsets, sizes, strides = ([known_number(number) for number in mixed_list(op, name)] for name in LISTS)
    if any(offsets) or None in offsets or any(stride != 1 for stride in strides) or None in sizes:
        return NO_MATCH
    if tuple(sizes) != source.ranked_shape:
        return NO_MATCH
    if source == target:
        rewriter.replace(op, [op.operands[0]])
    else:
        _replace_by_cast(rewriter, op, op.operands[0])
    return None


# ---- memref.view


def view_with_sizes(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """Sizes that are known become part of the type."""
    type = ranked(op.results[0].type)
    if type is None:
        return NO_MATCH
    source, shift, *sizes = op.operands
    rest = iter(sizes)
    shape: list[int] = []
    values: list[Value] = []
    for extent in type.ranked_shape:
        size: Number = extent if extent != DYNAMIC else next(rest)
        number = known_number(size)
        shape.append(DYNAMIC if number is None else number)
        if number is None and isinstance(size, Value):
            values.append(size)
    if tuple(shape) == type.shape:
        return NO_MATCH
    new = rewriter.create(op.name, [source, shift, *values], [replace(type, shape=tuple(shape))])
    _replace_by_cast(rewriter, op, new.result)
    return None


def view_of_cast(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """Only the buffer matters."""
    cast = op.operands[0].defining_op
    if cast is None or cast.name != "memref.cast":
        return NO_MATCH
    rewriter.replace_with(op, op.name, [cast.operands[0], *op.operands[1:]], [op.results[0].type])
    return None


# ---- memref.reinterpret_cast

Lists: TypeAlias = "tuple[list[Number], list[Number], list[Number]]"


def _by_type(type: MemRefType, offset: Number, sizes: Sequence[Number], strides: Sequence[Number]) -> Lists | None:
    """The offset, sizes and strides, as numbers where the type or a constant says them."""
    layout = strides_and_offset(type)
    if layout is None:
        return None

    def numbers(values: Sequence[Number], stated: Sequence[int]) -> list[Number]:
        found: list[Number] = []
        for value, number in zip(values, stated, strict=True):
            inner = known_number(value) if number == DYNAMIC else number
            found.append(value if inner is None else inner)
        return found

    return numbers([offset], [layout[1]]), numbers(sizes, type.ranked_shape), numbers(strides, layout[0])


def _reinterpreted(op: Operation) -> Lists | None:
    type = ranked(op.results[0].type)
    offsets, sizes, strides = (mixed_list(op, name) for name in LISTS)
    return _by_type(type, offsets[0], sizes, strides) if type is not None and len(offsets) == 1 else None


def reinterpreted_metadata(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """What is put together of the parts of a memref is that memref, or at least made of its buffer."""
    source = op.operands[0]
    if not isinstance(source, OpResult) or source.op.name != "memref.extract_strided_metadata":
        return NO_MATCH
    whole = source.op.operands[0]
    type, rank = ranked(whole.type), (len(source.op.results) - 2) // 2
    _, offset, *rest = source.op.results
    parts = _by_type(type, offset, rest[:rank], rest[rank:]) if type is not None else None
    if parts is None or parts != _reinterpreted(op):
        rewriter.modify(op, lambda: op.set_operand(0, whole))
    elif whole.type == op.results[0].type:
        rewriter.replace(op, [whole])
    else:
        _replace_by_cast(rewriter, op, whole)
    return None


def reinterpreted_with_numbers(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """Numbers that are known become part of the type."""
    lists, source = _reinterpreted(op), op.operands[0]
    before = [number for name in LISTS for number in mixed_list(op, name)]
    if lists is None or not isinstance(source.type, MemRefType):
        return NO_MATCH
    (offset,), sizes, strides = map(_static, lists)
    if sum(isinstance(n, int) for n in before) == sum(isinstance(n, int) for each in lists for n in each):
        return NO_MATCH
    type = MemRefType(sizes, source.type.element, StridedLayoutAttr(strides, offset), source.type.space)
    _replace_by_cast(rewriter, op, _by_lists(rewriter, op.name, type, source, lists).result)
    return None


PATTERNS: Final = (
    Pattern("memref.reinterpret_cast", reinterpreted_metadata, name="ReinterpretCastOpExtractStridedMetadataFolder"),
    Pattern("memref.reinterpret_cast", reinterpreted_with_numbers, name="ReinterpretCastOpConstantFolder"),
    Pattern("memref.subview", subview_with_numbers, name="OpWithOffsetSizesAndStridesConstantArgumentFolder"),
    Pattern("memref.subview", subview_of_cast, name="SubViewOpMemRefCastFolder"),
    Pattern("memref.subview", subview_of_all, name="TrivialSubViewOpFolder"),
    Pattern("memref.view", view_with_sizes, name="ViewOpShapeFolder"),
    Pattern("memref.view", view_of_cast, name="ViewOpMemrefCastFolder"),
)
