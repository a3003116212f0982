"""Operations on tensors that several passes make: sizes, casts, slices and reshapes.

Each is made at the rewriter's insertion point. Lists of sizes mix numbers and values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.operation import Block, Region
from fathom.ir.types import DYNAMIC, INDEX, TensorType, Type
from fathom.irdl.build import segment_sizes
from fathom.irdl.index_lists import mixed, separated
from fathom.passes.arithmetic import constant
from fathom.records import replace
from fathom.rewriting.folding import create_or_fold, known_number
from fathom.rewriting.reshapes import collapse, expand
from fathom.rewriting.result_shapes import dim, mixed_sizes
from fathom.rewriting.slicing import create_slice

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fathom.ir.operation import Operation, Value
    from fathom.irdl.reassociations import Groups
    from fathom.ops.tensor import PadOp
    from fathom.rewriting.result_shapes import Size
    from fathom.rewriting.rewriter import Rewriter


def ranked(type: Type) -> TensorType | None:
    """A tensor of a known rank."""
    return type if isinstance(type, TensorType) and type.shape is not None else None


def tensor_type(value: Value) -> TensorType:
    """The type of a value that is a tensor."""
    assert isinstance(value.type, TensorType), "its definition demands it"
    return value.type


def shape_of(value: Value) -> tuple[int, ...]:
    """The shape of a tensor that has a rank."""
    return tensor_type(value).ranked_shape


def dims_where_open(rewriter: Rewriter, source: Value, shape: Sequence[int]) -> list[Value]:
    """`tensor.dim` of a value, in those dimensions that a shape leaves open."""
    return [dim(rewriter, source, index) for index, size in enumerate(shape) if size == DYNAMIC]


def size_at(rewriter: Rewriter, tensor: Value, place: Value) -> Value:
    """`tensor.dim` at a place that is a value."""
    return rewriter.create("tensor.dim", [tensor, place], [INDEX]).result


def empty(rewriter: Rewriter, shape: Sequence[int], element: Type, sizes: Sequence[Value]) -> Value:
    """`tensor.empty` of a shape, with values for what it leaves open."""
    return rewriter.create("tensor.empty", sizes, [TensorType(tuple(shape), element)]).result


def empty_of(rewriter: Rewriter, sizes: Sequence[Size], element: Type) -> Value:
    """The same, of a list that mixes both."""
    values, numbers = separated(sizes)
    return empty(rewriter, numbers.values, element, values)


def cast(rewriter: Rewriter, value: Value, type: Type) -> Value:
    """`tensor.cast`, or what that folds to."""
    return create_or_fold(rewriter, "tensor.cast", [value], type)


def extract(rewriter: Rewriter, tensor: Value, indices: Sequence[Value] = ()) -> Value:
    """`tensor.extract`."""
    return rewriter.create("tensor.extract", [tensor, *indices], [tensor_type(tensor).element]).result


def extract_slice(rewriter: Rewriter, source: Value, type: Type, lists: Sequence[Sequence[Size]]) -> Operation:
    """`tensor.extract_slice` at offsets, of sizes, by strides."""
    return create_slice(rewriter, "tensor.extract_slice", [source], lists, [type])


def insert_slice(rewriter: Rewriter, source: Value, target: Value, lists: Sequence[Sequence[Size]]) -> Operation:
    """`tensor.insert_slice` at offsets, of sizes, by strides."""
    return create_slice(rewriter, "tensor.insert_slice", [source, target], lists, [target.type])


def pad(
    rewriter: Rewriter, source: Value, type: Type, low: Sequence[Size], high: Sequence[Size], value: Value
) -> Value:
    """`tensor.pad` with one value."""
    region = _at_each_place(rewriter, len(low), lambda places: value)
    (lows, static_low), (highs, static_high) = separated(low), separated(high)
    properties = {
        "static_low": static_low,
        "static_high": static_high,
        "operandSegmentSizes": segment_sizes(1, len(lows), len(highs)),
    }
    return rewriter.create("tensor.pad", [source, *lows, *highs], [type], properties, regions=[region]).result


def generate(
    rewriter: Rewriter, type: TensorType, sizes: Sequence[Value], body: Callable[[Sequence[Value]], Value]
) -> Value:
    """`tensor.generate`, with what `body` makes of each place as its element."""
    region = _at_each_place(rewriter, len(type.ranked_shape), body)
    return rewriter.create("tensor.generate", sizes, [type], regions=[region]).result


def _at_each_place(rewriter: Rewriter, rank: int, body: Callable[[Sequence[Value]], Value]) -> Region:
    """A region that yields an element for each place; it stands in no operation yet when it is filled."""
    block = Block([INDEX] * rank)
    for argument in block.arguments:
        argument.span, argument.location = rewriter.span, rewriter.location
    region = Region([block])
    with rewriter.elsewhere():
        rewriter.set_insertion_to_end(block)
        rewriter.create("tensor.yield", [body(block.arguments)])
    return region


def paddings(op: PadOp) -> list[list[Size]]:
    """How much is put before and behind each dimension, with numbers for constants."""
    lists = mixed(op.static_low, op.low), mixed(op.static_high, op.high)
    return [[size if (number := known_number(size)) is None else number for size in sizes] for sizes in lists]


def collapsed(rewriter: Rewriter, source: Value, shape: Sequence[int], groups: Groups) -> Operation:
    """`tensor.collapse_shape` to a shape."""
    type = replace(tensor_type(source), shape=tuple(shape))
    return collapse(rewriter, "tensor", source, type, groups)


def expanded(rewriter: Rewriter, source: Value, type: TensorType, groups: Groups) -> Operation:
    """`tensor.expand_shape` to a type. What its shape leaves open follows from the sizes of the source, where a group
    has one such dimension; else nothing says it."""
    before = mixed_sizes(rewriter, source)
    sizes = _expanded_sizes(rewriter, before, type.ranked_shape, groups)
    return expand(rewriter, "tensor", source, type, groups, sizes)


def _expanded_sizes(rewriter: Rewriter, before: Sequence[Size], shape: Sequence[int], groups: Groups) -> list[Size]:
    if not before:
        return [1] * len(shape)
    sizes: list[Size] = list(shape)
    if DYNAMIC not in shape:
        return sizes
    for size, group in zip(before, groups, strict=False):
        product, open_place = 1, None
        for index in group:
            if shape[index] != DYNAMIC:
                product *= shape[index]
            elif open_place is not None:
                return []
            else:
                open_place = index
        if open_place is not None:
            whole = constant(rewriter, size) if isinstance(size, int) else size
            sizes[open_place] = create_or_fold(rewriter, "arith.divsi", [whole, constant(rewriter, product)], INDEX)
    return sizes
