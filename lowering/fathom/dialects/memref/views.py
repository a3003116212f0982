"""Parts of memrefs, and the same elements as another type or in another order.

Source of the rules: *'memref' Dialect*, "Operations".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, TypeVar

from fathom.dialects.memref.common import check_dynamic_sizes, ranked
from fathom.ir.affine import AffineConstant, AffineDim, AffineExpr, AffineMap, AffineSymbol, add, multiply
from fathom.ir.attributes import AffineMapAttr, StridedLayoutAttr
from fathom.ir.operation import Operation
from fathom.ir.property_values import numbers_property
from fathom.ir.strides import is_identity, plus, strides_and_offset, times
from fathom.ir.types import DYNAMIC, MemRefType
from fathom.irdl.clauses import two_way
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomDirective, Problem
from fathom.irdl.slices import LISTS, verify_bounds, verify_slice
from fathom.irdl.verifying import Complaint, verifies

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
def _verify_subview(op: Operation) -> Complaint:
    source, target = ranked(op.operands[0].type), ranked(op.result.type)
    if source is None or target is None:
        return None
    problems = verify_slice(op, *[len(source.ranked_shape)] * 3)
    if problems:
        return problems
    offsets, sizes, strides = (numbers_property(op, f"static_{name}") for name in LISTS)
    of = f"base memref type '{source}' and subview memref type '{target}'"
    if source.space != target.space:
        return Problem(f"different memory spaces specified for {of}", bare=True)
    expected = subview_type(source, offsets, sizes, strides)
    if expected is None:
        return Problem(f"base type '{source}' is not strided", bare=True)
    return _verify_reduced(expected, target) or verify_bounds(source.ranked_shape, offsets, sizes, strides)


def _verify_reduced(expected: MemRefType, found: MemRefType) -> Complaint:
    """The result is the expected type, or that without some of its dimensions of size one."""
    if found.element != expected.element:
        message = f"expected result element type to be '{expected.element}', but got '{found}'"
        return Problem(message, bare=True, types=(found, expected))
    if len(found.ranked_shape) > len(expected.ranked_shape):
        message = f"expected result rank to be smaller or equal to the source rank, but got '{found}'"
        return Problem(message, bare=True, types=(found, expected))
    ones = [extent == 1 for extent in expected.ranked_shape]
    reason = "mismatch of result sizes"
    if _is_left(expected.ranked_shape, ones, found.ranked_shape):
        reason = "mismatch of result layout"
        layout, actual = strides_and_offset(expected), strides_and_offset(found)
        if layout is not None and actual is not None and layout[1] == actual[1]:
            dimensions = list(zip(expected.ranked_shape, layout[0], strict=True))
            if _is_left(dimensions, ones, list(zip(found.ranked_shape, actual[0], strict=True))):
                return None
    message = f"expected result type to be '{expected}' or a rank-reduced version. ({reason}), but got '{found}'"
    return Problem(message, bare=True, types=(found, expected))


def _is_left(full: Sequence[T], droppable: Sequence[bool], reduced: Sequence[T]) -> bool:
    """Whether `reduced` is what is left of `full` when some of those are dropped that may be."""
    counts = {0}
    """How many of `reduced` may have been found among the dimensions so far."""
    for each, may_be_dropped in zip(full, droppable, strict=True):
        further = {count + 1 for count in counts if count < len(reduced) and reduced[count] == each}
        counts = counts | further if may_be_dropped else further
    return len(reduced) in counts


def dropped_dimensions(op: Operation) -> frozenset[int]:
    """The dimensions of the source of a valid `memref.subview` that its result does not have.

    Of several of size one, those are dropped whose strides are missing.
    """
    source, target = ranked(op.operands[0].type), ranked(op.result.type)
    if source is None or target is None:
        return frozenset()
    missing = len(source.ranked_shape) - len(target.ranked_shape)
    ones = [index for index, size in enumerate(numbers_property(op, "static_sizes")) if size == 1]
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
    # Steps other than one change strides, so that not all need be found again.
    rest = [index for index in ones if index not in dropped]
    return frozenset([*dropped, *rest][:missing])


# ---- view


@verifies("memref.view")
def _verify_view(op: Operation) -> Complaint:
    source, target = ranked(op.operands[0].type), ranked(op.result.type)
    if source is None or target is None:
        return None
    if not is_identity(source):
        return Problem(f"unsupported map for base memref type '{source}'", bare=True)
    if not is_identity(target):
        return Problem(f"unsupported map for result memref type '{target}'", bare=True)
    if source.space != target.space:
        of = f"base memref type '{source}' and view memref type '{target}'"
        return Problem(f"different memory spaces specified for {of}", bare=True)
    return check_dynamic_sizes(target, len(op.operands) - 2)


# ---- transpose


def transposed(type: MemRefType, permutation: Sequence[int]) -> MemRefType | None:
    """The type with its dimensions in another order, its layout as a strided one."""
    layout = strides_and_offset(type)
    if layout is None:
        return None
    strides = tuple(layout[0][index] for index in permutation)
    shape = tuple(type.ranked_shape[index] for index in permutation)
    return MemRefType(shape, type.element, StridedLayoutAttr(strides, layout[1]), type.space)


def permutation_of(op: Operation) -> list[int]:
    """Which dimension of the source each dimension of the result of a `memref.transpose` is."""
    attribute = op.properties["permutation"]
    results = attribute.map.results if isinstance(attribute, AffineMapAttr) else ()
    return [result.position for result in results if isinstance(result, AffineDim)]


@verifies("memref.transpose")
def _verify_transpose(op: Operation) -> Complaint:
    source, target = ranked(op.operands[0].type), ranked(op.result.type)
    attribute = op.properties.get("permutation")
    if source is None or target is None or not isinstance(attribute, AffineMapAttr):
        return None
    order = permutation_of(op)
    if sorted(order) != list(range(len(attribute.map.results))):
        return "expected a permutation map"
    if len(order) != len(source.ranked_shape):
        return "expected a permutation map of same rank as the input"
    expected = transposed(source, order)
    layout, found = (strides_and_offset(expected) if expected is not None else None), strides_and_offset(target)
    if (
        expected is not None
        and expected.shape == target.shape
        and expected.element == target.element
        and layout == found
    ):
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
