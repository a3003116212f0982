"""The sizes of the results of operations of tensor.

Source of the rules: `ReifyRankedShapedTypeOpInterface` of MLIR 22's tensor dialect.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from fathom.dialects.affine.composition import apply, apply_folded
from fathom.dialects.tensor.verify import is_reduced
from fathom.ir.affine import AffineDim, AffineExpr, AffineSymbol, add, multiply
from fathom.ir.operation import Value
from fathom.ir.types import DYNAMIC, TensorType
from fathom.irdl.index_lists import mixed
from fathom.irdl.reassociations import groups_of
from fathom.irdl.slices import mixed_list
from fathom.ops import tensor as ops
from fathom.rewriting.result_shapes import Size, dim, folded_dim_value, mixed_sizes, value_of
from fathom.rewriting.rewriter import Rewriter, source_of


def _shape(value: Value) -> tuple[int, ...]:
    assert isinstance(value.type, TensorType), "its definition demands it"
    return value.type.ranked_shape


def _with(shape: tuple[int, ...], sizes: list[Value]) -> list[list[Size]]:
    """A shape with the sizes that are given in the place of those that the type does not know."""
    given = iter(sizes)
    return [[size if size != DYNAMIC else next(given) for size in shape]]


def empty(op: ops.EmptyOp, rewriter: Rewriter) -> list[list[Size]]:
    return _with(_shape(op.result), op.dynamicSizes)


def generate(op: ops.GenerateOp, rewriter: Rewriter) -> list[list[Size]]:
    return _with(_shape(op.result), op.dynamicExtents)


def splat(op: ops.SplatOp, rewriter: Rewriter) -> list[list[Size]]:
    return _with(_shape(op.result), op.dynamicSizes)


def expand_shape(op: ops.ExpandShapeOp, rewriter: Rewriter) -> list[list[Size]]:
    return [mixed(op.static_output_shape, op.output_shape)]


def collapse_shape(op: ops.CollapseShapeOp, rewriter: Rewriter) -> list[list[Size]]:
    def joined(group: list[int], size: int) -> Size:
        if size != DYNAMIC:
            return size
        product: AffineExpr | None = None
        for number in range(len(group)):
            symbol = AffineSymbol(number)
            product = multiply(product, symbol) if product is not None else symbol
        assert product is not None, "a group has members"
        return apply(rewriter, product, [folded_dim_value(rewriter, op.src, index) for index in group])

    return [[joined(*group) for group in zip(groups_of(op.reassociation), _shape(op.result), strict=True)]]


def extract_slice(op: ops.ExtractSliceOp, rewriter: Rewriter) -> list[list[Size]]:
    sizes, shape = mixed_list(op, "sizes"), _shape(op.result)
    if len(sizes) == len(shape):
        return [sizes]
    full = [size if isinstance(size, int) else DYNAMIC for size in sizes]
    assert is_reduced(full, shape), "its definition demands it"
    kept: list[Size] = []
    for size, known in zip(sizes, full, strict=True):
        if len(kept) < len(shape) and known == shape[len(kept)]:
            kept.append(size)
    return [kept]


def insert_slice(op: ops.InsertSliceOp, rewriter: Rewriter) -> list[list[Size]]:
    return [mixed_sizes(rewriter, op.dest)]


def pad(op: ops.PadOp, rewriter: Rewriter) -> list[list[Size]]:
    low, high = mixed(op.static_low, op.low), mixed(op.static_high, op.high)
    sum = add(add(AffineDim(0), AffineDim(1)), AffineDim(2))

    def sizes() -> Iterator[Size]:
        for index, size in enumerate(_shape(op.result)):
            if size != DYNAMIC:
                yield size
            else:
                source = folded_dim_value(rewriter, op.source, index)
                yield apply_folded(rewriter, sum, [source, low[index], high[index]])

    return [list(sizes())]


def concat(op: ops.ConcatOp, rewriter: Rewriter) -> list[list[Size]]:
    along, shape, shapes = op.dim.value, _shape(op.result), [_shape(input_) for input_ in op.inputs]
    sizes: list[Size] = []
    for index, size in enumerate(shape):
        known = next((shape[index] for shape in shapes if shape[index] != DYNAMIC), DYNAMIC)
        if index == along or size != DYNAMIC:
            sizes.append(size)
        elif known != DYNAMIC:
            sizes.append(value_of(rewriter, known))
        else:
            with rewriter.elsewhere():
                rewriter.span, rewriter.location = source_of(op.inputs[0])
                sizes.append(dim(rewriter, op.inputs[0], index))
    if shape[along] == DYNAMIC:
        parts: list[Size] = []
        for input_ in op.inputs:
            with rewriter.elsewhere():
                rewriter.span, rewriter.location = source_of(input_)
                parts.append(folded_dim_value(rewriter, input_, along))
        sum: AffineExpr = AffineDim(0)
        for number in range(1, len(parts)):
            sum = add(sum, AffineDim(number))
        sizes[along] = value_of(rewriter, apply_folded(rewriter, sum, parts))
    return [sizes]


RESULT_SHAPES: Final = {
    "tensor.collapse_shape": collapse_shape,
    "tensor.concat": concat,
    "tensor.empty": empty,
    "tensor.expand_shape": expand_shape,
    "tensor.extract_slice": extract_slice,
    "tensor.generate": generate,
    "tensor.insert_slice": insert_slice,
    "tensor.pad": pad,
    "tensor.splat": splat,
}
