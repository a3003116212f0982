"""Parts of memrefs, and the same elements as another type or in another order.

Source of the rules: *'memref' Dialect*, "Operations".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, TypeVar

from fathom.dialects.memref.common import check_alike, check_dynamic_sizes, check_plain, type_of
from fathom.ir.affine import AffineConstant, AffineDim, AffineExpr, AffineMap, AffineSymbol, add, multiply
from fathom.ir.attributes import AffineMapAttr, StridedLayoutAttr
from fathom.ir.operation import Operation
from fathom.ir.strides import plus, strides_and_offset, times
from fathom.ir.types import DYNAMIC, MemRefType
from fathom.irdl.checking import bare
from fathom.irdl.clauses import two_way
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomDirective, Problem
from fathom.irdl.slices import verify_bounds, verify_slice
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import memref as ops

if TYPE_CHECKING:
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp

T = TypeVar("T")

# ---- subview


def subview_type(
    source: MemRefType, offsets: Sequence[int], sizes: Sequence[int], strides: Sequence[int]
) -> MemRefType | None:
    """The type of the subview that drops no dimension; the numbers are DYNAMIC where an operand stands."""
    layout = strides_and_offset(source)
    if layout is None:
        return None
    source_strides, offset = layout
    for index, stride in zip(offsets, source_strides, strict=False):
        offset = plus(offset, times(index, stride))
    scaled = tuple(times(a, b) for a, b in zip(source_strides, strides, strict=False))
    return MemRefType(tuple(sizes), source.element, StridedLayoutAttr(scaled, offset), source.space)


@verifies("memref.subview")
def _verify_subview(op: ops.SubviewOp) -> Complaint:
    source, target = type_of(op.source), type_of(op.result)
    if problems := verify_slice(op, *[len(source.ranked_shape)] * 3):
        return problems
    nouns = "base memref type '{}' and subview memref type '{}'"
    if problems := check_alike(source, target, nouns, elements=False):
        return problems
    numbers = op.static_offsets.values, op.static_sizes.values, op.static_strides.values
    expected = subview_type(source, *numbers)
    if expected is None:
        return bare(f"base type '{source}' is not strided")
    return _verify_reduced(expected, target) or verify_bounds(source.ranked_shape, *numbers)


def _verify_reduced(expected: MemRefType, given: MemRefType) -> Complaint:
    """The result is the expected type, or that without some of its dimensions of size one."""
    message = ""
    if given.element != expected.element:
        message = f"expected result element type to be '{expected.element}', but got '{given}'"
    elif len(given.ranked_shape) > len(expected.ranked_shape):
        message = f"expected result rank to be smaller or equal to the source rank, but got '{given}'"
    if message:
        return Problem(message, bare=True, types=(given, expected))
    ones = [extent == 1 for extent in expected.ranked_shape]
    reason = "mismatch of result sizes"
    if _left_out(expected.ranked_shape, ones, given.ranked_shape) is not None:
        reason = "mismatch of result layout"
        layout, actual = strides_and_offset(expected), strides_and_offset(given)
        if layout is not None and actual is not None and layout[1] == actual[1]:
            if _left_out(_dimensions(expected), ones, _dimensions(given)) is not None:
                return None
    message = f"expected result type to be '{expected}' or a rank-reduced version. ({reason}), but got '{given}'"
    return Problem(message, bare=True, types=(given, expected))


def _dimensions(type: MemRefType) -> list[tuple[int, int]]:
    """Size and stride of each dimension; none if the layout is not strided."""
    layout = strides_and_offset(type)
    return list(zip(type.ranked_shape, layout[0], strict=True)) if layout is not None else []


def _left_out(full: Sequence[T], droppable: Sequence[bool], reduced: Sequence[T]) -> list[int] | None:
    """Which of `full` are left out so that `reduced` is what remains, the first ones if several could be; only those
    are left out that may be. None if it is not what remains."""
    counts = [{0}]
    """How many of the last of `reduced` may have been found among so many last of `full`."""
    for element, may_be_dropped in zip(reversed(full), reversed(droppable), strict=True):
        before = counts[-1]
        further = {count + 1 for count in before if count < len(reduced) and reduced[-1 - count] == element}
        counts.append(before | further if may_be_dropped else further)
    wanted = len(reduced)
    if wanted not in counts[-1]:
        return None
    dropped: list[int] = []
    for index, rest in enumerate(reversed(counts[:-1])):
        if droppable[index] and wanted in rest:
            dropped.append(index)
        else:
            wanted -= 1
    return dropped


def dropped_dimensions(op: ops.SubviewOp) -> frozenset[int]:
    """The dimensions of the source of a valid `memref.subview` that its result does not have.

    Of several of size one, those are dropped whose strides are missing.
    """
    source, target = type_of(op.source), type_of(op.result)
    missing = len(source.ranked_shape) - len(target.ranked_shape)
    ones = [index for index, size in enumerate(op.static_sizes.values) if size == 1]
    layout, kept = strides_and_offset(source), strides_and_offset(target)
    if missing == 0 or len(ones) == missing or layout is None or kept is None:
        return frozenset(ones if missing else ())
    remaining, wanted = Counter(layout[0]), Counter(kept[0])
    dropped: list[int] = []
    for index in ones:
        stride = layout[0][index]
        if remaining[stride] > wanted[stride]:
            remaining[stride] -= 1
            dropped.append(index)
    if len(dropped) != missing:
        # Steps other than one change strides, so that the source's are not found again.
        whole = subview_type(source, op.static_offsets.values, op.static_sizes.values, op.static_strides.values)
        assert whole is not None, "its layout is strided"
        dropped = _left_out(_dimensions(whole), [size == 1 for size in whole.ranked_shape], _dimensions(target)) or []
    return frozenset(dropped)


# ---- view


@verifies("memref.view")
def _verify_view(op: ops.ViewOp) -> Complaint:
    source, target = type_of(op.source), type_of(op.result)
    return (
        check_plain(source, "map for base")
        or check_plain(target, "map for result")
        or check_alike(source, target, "base memref type '{}' and view memref type '{}'", elements=False)
        or check_dynamic_sizes(target, len(op.sizes))
    )


# ---- transpose


def transposed(type: MemRefType, permutation: Sequence[int]) -> MemRefType | None:
    """The type with its dimensions in another order, its layout as a strided one."""
    layout = strides_and_offset(type)
    if layout is None:
        return None
    strides = tuple(layout[0][index] for index in permutation)
    shape = tuple(type.ranked_shape[index] for index in permutation)
    return MemRefType(shape, type.element, StridedLayoutAttr(strides, layout[1]), type.space)


def permutation_of(op: ops.TransposeOp) -> list[int]:
    """Which dimension of the source each dimension of the result of a `memref.transpose` is."""
    return [result.position for result in op.permutation.map.results if isinstance(result, AffineDim)]


@verifies("memref.transpose")
def _verify_transpose(op: ops.TransposeOp) -> Complaint:
    source, target, order = type_of(op.in_), type_of(op.result), permutation_of(op)
    if sorted(order) != list(range(len(op.permutation.map.results))):
        return "expected a permutation map"
    if len(order) != len(source.ranked_shape):
        return "expected a permutation map of same rank as the input"
    expected = transposed(source, order)
    if expected is not None and strides_and_offset(expected) == strides_and_offset(target):
        if expected.shape == target.shape and expected.element == target.element:
            return None
    canonical = _as_map(expected) if expected is not None else source
    return f"result type '{target}' is not equivalent to the canonical transposed input type '{canonical}'"


def _as_map(type: MemRefType) -> MemRefType:
    """The type with its strides spelt as an affine map, as the message about transposition has it."""
    layout = strides_and_offset(type)
    assert layout is not None
    strides, offset = layout
    symbols = 0
    total: AffineExpr = AffineConstant(offset)
    if offset == DYNAMIC:
        total, symbols = AffineSymbol(0), 1
    for position, stride in enumerate(strides):
        factor: AffineExpr = AffineConstant(stride)
        if stride == DYNAMIC:
            factor, symbols = AffineSymbol(symbols), symbols + 1
        total = add(total, multiply(AffineDim(position), factor))
    map = AffineMap(len(strides), symbols, (total,))
    return MemRefType(type.shape, type.element, AffineMapAttr(map), type.space)


def _parse_permutation(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    parsed.attributes[arguments[0]] = parser.affine_map()


def _print_permutation(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    attribute = op.properties[arguments[0]]
    assert isinstance(attribute, AffineMapAttr)
    p.write(str(attribute.map))


PERMUTATION: Final = CustomDirective(_parse_permutation, _print_permutation)
CODE: Final = {
    "transpose": OpCode(
        custom=two_way("$in custom<Permutation>($permutation) attr-dict `:` type($in) `to` type($result)")
    ),
}
