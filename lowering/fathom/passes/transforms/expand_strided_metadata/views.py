"""Views of memrefs as `memref.reinterpret_cast` with an offset, sizes and strides that follow from those of the source:
part of `expand-strided-metadata`.

Source of the rules: *'memref' Dialect*, `memref.subview`, `memref.expand_shape`, `memref.collapse_shape`; the order of
what is made is that of mlir-opt 22.
"""

from __future__ import annotations

from functools import reduce
from math import prod
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.dialects.affine.composition import apply_folded
from fathom.dialects.memref.common import ranked, type_of
from fathom.dialects.memref.views import dropped_dimensions
from fathom.ir.affine import AffineConstant, AffineExpr, AffineSymbol, add, divide, multiply
from fathom.ir.operation import Value
from fathom.ir.strides import strides_and_offset
from fathom.ir.types import DYNAMIC, MemRefType
from fathom.irdl.slices import mixed_lists
from fathom.ops import memref as ops
from fathom.passes.buffers import extract_metadata
from fathom.records import record
from fathom.rewriting.pattern import Failure, Pattern
from fathom.rewriting.reshapes import groups_in
from fathom.rewriting.slicing import sliced

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fathom.ir.operation import Operation
    from fathom.ir.types import Type
    from fathom.rewriting.rewriter import Rewriter

Number: TypeAlias = "Value | int"
UNKNOWN_LAYOUT: Final = Failure("strides and sizes do not follow from those of the source")
S0: Final = AffineSymbol(0)
S1: Final = AffineSymbol(1)


@record
class Metadata:
    """What a memref is: its buffer, and where the elements lie in it, as far as it is known as numbers."""

    base: Value
    offset: Number
    sizes: list[Number]
    strides: list[Number]


@record
class Source:
    """A memref with a strided layout, and the results of `memref.extract_strided_metadata` of it."""

    type: MemRefType
    base: Value
    offset: Number
    sizes: list[Value]
    strides: list[Number]


def _source(rewriter: Rewriter, memref: Value) -> Source | None:
    """Extracts what a memref is; the offset and the strides are numbers where the type knows them."""
    type = ranked(memref.type)
    layout = strides_and_offset(type) if type is not None else None
    op = extract_metadata(rewriter, memref)
    if type is None or layout is None or op is None:
        return None
    rank = len(type.ranked_shape)
    base, offset, *rest = op.results
    strides = [_known(number, value) for number, value in zip(layout[0], rest[rank:], strict=True)]
    return Source(type, base, _known(layout[1], offset), [*rest[:rank]], strides)


def _known(number: int, value: Value) -> Number:
    return value if number == DYNAMIC else number


def reinterpret(rewriter: Rewriter, type: Type, metadata: Metadata) -> Value:
    """Inserts `memref.reinterpret_cast`."""
    return sliced(
        rewriter, "memref.reinterpret_cast", metadata.base, type, [metadata.offset], metadata.sizes, metadata.strides
    )


# ---- memref.subview


def metadata_of_subview(rewriter: Rewriter, op: ops.SubviewOp) -> Metadata | None:
    """Strides are multiplied, offsets are added up in terms of the strides of the source."""
    source = _source(rewriter, op.source)
    if source is None:
        return None
    offsets, sizes, steps = mixed_lists(op)
    strides: list[Number] = []
    total: AffineExpr = S0
    values: list[Number] = [source.offset]
    for offset, step, stride in zip(offsets, steps, source.strides, strict=True):
        strides.append(apply_folded(rewriter, multiply(S0, S1), [step, stride]))
        total = add(total, multiply(AffineSymbol(len(values)), AffineSymbol(len(values) + 1)))
        values += [offset, stride]
    offset = apply_folded(rewriter, total, values)
    dropped = dropped_dimensions(op)
    kept = [index for index in range(len(strides)) if index not in dropped]
    return Metadata(source.base, offset, [sizes[index] for index in kept], [strides[index] for index in kept])


# ---- memref.expand_shape, memref.collapse_shape

Reshaped: TypeAlias = "tuple[list[Number], list[Number]]"
"""Sizes and strides."""


def _metadata_of_reshape(
    rewriter: Rewriter,
    op: ops.ExpandShapeOp | ops.CollapseShapeOp,
    reshape: Callable[[Rewriter, MemRefType, Source, list[int], int], Reshaped],
) -> Metadata | None:
    """The offset stays; sizes and strides follow for each group of dimensions that are joined or taken apart."""
    source, result = _source(rewriter, op.src), type_of(op.result)
    if source is None:
        return None
    if not source.type.ranked_shape:
        ones: list[Number] = [1] * len(result.ranked_shape)
        return Metadata(source.base, source.offset, ones, ones)
    sizes: list[Number] = []
    strides: list[Number] = []
    for position, group in enumerate(groups_in(op)):
        more_sizes, more_strides = reshape(rewriter, result, source, group, position)
        sizes += more_sizes
        strides += more_strides
    return Metadata(source.base, source.offset, sizes, strides)


def _expanded(rewriter: Rewriter, result: MemRefType, source: Source, group: list[int], position: int) -> Reshaped:
    """The size of a group that is not known is that of the source divided by the others; strides are products."""
    shape = [result.ranked_shape[index] for index in group]
    known = prod(size for size in shape if size != DYNAMIC)
    sizes: list[Number] = [
        apply_folded(rewriter, divide("floordiv", S0, AffineConstant(known)), [source.sizes[position]])
        if size == DYNAMIC
        else size
        for size in shape
    ]
    inner = [prod(size for size in shape[index + 1 :] if size != DYNAMIC) for index in range(len(shape))]
    unknown = shape.index(DYNAMIC) if DYNAMIC in shape else 0
    strides: list[Number] = []
    for index, stride in enumerate(inner):
        scaled = multiply(S0, AffineConstant(stride))
        if index < unknown:
            # The size that is not known lies within.
            whole = multiply(divide("floordiv", scaled, AffineConstant(known)), S1)
            strides.append(apply_folded(rewriter, whole, [source.sizes[position], source.strides[position]]))
        else:
            strides.append(apply_folded(rewriter, scaled, [source.strides[position]]))
    return sizes, strides


def _collapsed(rewriter: Rewriter, result: MemRefType, source: Source, dims: list[int], position: int) -> Reshaped:
    """The size is the product of those that are joined, the stride that of the innermost."""
    layout = strides_and_offset(result)
    assert layout is not None, "the types of reshapes have strides"
    shape = source.type.ranked_shape
    size: Number = result.ranked_shape[position]
    if size == DYNAMIC:
        factors: list[Number] = [source.sizes[dim] if shape[dim] == DYNAMIC else shape[dim] for dim in dims]
        size = apply_folded(rewriter, product(len(factors)), factors)
    # The stride of a dimension of size one may be anything.
    strides = [source.strides[dim] for dim in dims if shape[dim] != 1]
    if strides:
        return [size], [strides[-1]]
    stride: Number = layout[0][position]
    if stride == DYNAMIC:
        stride = next((known for dim in dims if isinstance(known := source.strides[dim], Value)), 1)
    return [size], [stride]


def product(count: int) -> AffineExpr:
    """`s0 * s1 * …`, of so many symbols."""
    one: AffineExpr = AffineConstant(1)
    return reduce(multiply, [AffineSymbol(index) for index in range(count)], one)


# ---- patterns


def metadata_of_view(rewriter: Rewriter, op: Operation | None) -> Metadata | None:
    """What a view is, in terms of its source; None for another operation, or where the source has no strides, or where
    several sizes of a group are not known, which do not follow from that of the source."""
    if isinstance(op, ops.SubviewOp):
        return metadata_of_subview(rewriter, op)
    if isinstance(op, ops.CollapseShapeOp):
        return _metadata_of_reshape(rewriter, op, _collapsed)
    if not isinstance(op, ops.ExpandShapeOp):
        return None
    shape = type_of(op.result).ranked_shape
    is_open = any([shape[index] for index in group].count(DYNAMIC) > 1 for group in groups_in(op))
    return None if is_open else _metadata_of_reshape(rewriter, op, _expanded)


VIEWS: Final = (ops.SubviewOp, ops.ExpandShapeOp, ops.CollapseShapeOp)
"""Those that `metadata_of_view` knows."""


def expand_view(
    op: ops.SubviewOp | ops.ExpandShapeOp | ops.CollapseShapeOp, operands: Sequence[Value], rewriter: Rewriter
) -> Failure | None:
    """A view becomes `memref.reinterpret_cast` of the buffer of its source."""
    metadata = metadata_of_view(rewriter, op)
    if metadata is None:
        return UNKNOWN_LAYOUT
    rewriter.replace(op, [reinterpret(rewriter, op.result.type, metadata)])
    return None


PATTERNS: Final = (
    Pattern("memref.subview", expand_view, name="SubviewFolder"),
    Pattern("memref.expand_shape", expand_view, name="ReshapeFolder"),
    Pattern("memref.collapse_shape", expand_view, name="ReshapeFolder"),
)
