"""The patterns of `convert-shape-to-std`, but those for shapes that are repeated to one.

Source of the rules: *'shape' Dialect*, and the order of the operations that mlir-opt 22 makes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fathom.dialects.shape.extents import extents_of, is_of
from fathom.ir.attributes import FALSE, TRUE
from fathom.ir.types import DYNAMIC, I1, INDEX, ShapedType, TensorType
from fathom.ops.shape import ShapeOfOp
from fathom.passes.arithmetic import binary, compare, constant, select
from fathom.passes.buffers import choose, loop
from fathom.passes.conversions.convert_shape_to_std import broadcasting
from fathom.passes.shape.constraints import REQUIRED
from fathom.passes.tensors import extract, extract_slice, generate, size_at
from fathom.rewriting.pattern import NO_MATCH, Failure, Pattern, defined_by
from fathom.rewriting.result_shapes import dim

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.ir.types import Type
    from fathom.ops import shape as ops
    from fathom.rewriting.conversion_rewriter import ConversionRewriter
    from fathom.rewriting.pattern import RewriteFunction


def patterns() -> list[Pattern]:
    """All of them."""
    return [
        *REQUIRED,
        _of_converted("shape.any", _any, "AnyOpConversion"),
        _of_converted("shape.add", _arithmetic("addi"), "BinaryOpConversion"),
        _of_converted("shape.mul", _arithmetic("muli"), "BinaryOpConversion"),
        _of_converted("shape.broadcast", broadcasting.broadcast, "BroadcastOpConverter"),
        _of_converted("shape.const_shape", _const_shape, "ConstShapeOpConverter"),
        _of_converted("shape.const_size", _const_size, "ConstSizeOpConversion"),
        _of_converted("shape.dim", _dim, "DimOpConverter"),
        _of_converted("shape.is_broadcastable", broadcasting.is_broadcastable, "IsBroadcastableOpConverter"),
        _of_converted("shape.get_extent", _get_extent, "GetExtentOpConverter"),
        _of_converted("shape.rank", _rank, "RankOpConverter"),
        _of_converted("shape.reduce", _reduce, "ReduceOpConverter"),
        _of_converted("shape.shape_eq", _shape_eq, "ShapeEqOpConverter"),
        _of_converted("shape.shape_of", _shape_of, "ShapeOfOpConversion"),
        _of_converted("shape.split_at", _split_at, "SplitAtOpConversion"),
        _of_converted("shape.to_extent_tensor", _to_extent_tensor, "ToExtentTensorOpConversion"),
    ]


def _of_converted(root: str, rewrite: RewriteFunction, name: str) -> Pattern:
    """A pattern that gets what the operands have become, of whatever type that is."""

    def converted(op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
        values = rewriter.remap(operands)
        return values if isinstance(values, Failure) else rewrite(op, [value for (value,) in values], rewriter)

    return Pattern(root, converted, name=name)


def _any(op: ops.AnyOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    """Any of them is as good as the first one."""
    if not operands:
        return NO_MATCH
    rewriter.replace(op, operands[:1])
    return None


def _arithmetic(name: str) -> RewriteFunction:
    def rewrite(op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
        if is_of(op.result.type, "size"):
            return NO_MATCH
        rewriter.replace(op, [binary(rewriter, name, operands[0], operands[1])])
        return None

    return rewrite


def _const_shape(op: ops.ConstShapeOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    numbers = extents_of(op.shape)
    if is_of(op.result.type, "shape") or numbers is None:
        return NO_MATCH
    _as_tensor(op, [constant(rewriter, number) for number in numbers], TensorType((len(numbers),), INDEX), rewriter)
    return None


def _as_tensor(op: Operation, extents: Sequence[Value], type: Type, rewriter: ConversionRewriter) -> None:
    """Puts extents in the place of a shape, as a tensor of a type."""
    made = rewriter.create("tensor.from_elements", extents, [TensorType((len(extents),), INDEX)]).result
    rewriter.replace_with(op, "tensor.cast", [made], [type])


def _const_size(op: ops.ConstSizeOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> None:
    rewriter.replace(op, [constant(rewriter, op.value.value)])


def _dim(op: ops.DimOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> None:
    """An extent of the shape."""
    type = op.value.type
    rank = len(type.shape) if isinstance(type, ShapedType) and type.shape is not None else DYNAMIC
    shape = rewriter.create("shape.shape_of", [op.value], [TensorType((rank,), INDEX)]).result
    rewriter.replace_with(op, "shape.get_extent", [shape, op.index], [op.extent.type])


def _get_extent(op: ops.GetExtentOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    """A size of the value of which the shape is, if it is known."""
    if is_of(op.extent.type, "size"):
        return NO_MATCH
    shape, index = operands
    maker = defined_by(op.shape, ShapeOfOp)
    if maker is not None and isinstance(maker.arg.type, ShapedType):
        rewriter.replace(op, [size_at(rewriter, maker.arg, index)])
    else:
        rewriter.replace_with(op, "tensor.extract", [shape, index], [INDEX])
    return None


def _rank(op: ops.RankOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    if is_of(op.rank.type, "size"):
        return NO_MATCH
    rewriter.replace(op, [dim(rewriter, operands[0], 0)])
    return None


def _reduce(op: ops.ReduceOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    """A loop over the extents."""
    if is_of(op.shape.type, "shape"):
        return NO_MATCH
    shape, block = operands[0], op.region.entry
    zero, one = constant(rewriter, 0), constant(rewriter, 1)
    rank = size_at(rewriter, shape, zero)

    def body(place: Value, carried: Sequence[Value]) -> Sequence[Value]:
        extent = extract(rewriter, shape, [place])
        values: dict[Value, Value] = dict(zip(block.arguments, (place, extent, *carried), strict=True))
        for inner in list(block)[:-1]:
            rewriter.clone(inner, values)
        return [values.get(value, value) for value in block.end.operands]

    rewriter.replace(op, loop(rewriter, (zero, rank, one), op.initVals, body).results)
    return None


def _shape_eq(op: ops.ShapeEqOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    """The first shape is compared with each of the others: how many extents they have, and then all extents."""
    if any(is_of(shape.type, "shape") for shape in op.shapes):
        return NO_MATCH
    if len(operands) <= 1:
        rewriter.replace(op, [rewriter.constant(TRUE, I1)])
        return None
    zero = constant(rewriter, 0)
    first, *others = operands
    first_rank = size_at(rewriter, first, zero)

    def equal_extents(other: Value) -> Sequence[Value]:
        one, true = constant(rewriter, 1), rewriter.constant(TRUE, I1)

        def body(place: Value, carried: Sequence[Value]) -> Sequence[Value]:
            extents = [extract(rewriter, shape, [place]) for shape in (first, other)]
            return [binary(rewriter, "andi", carried[0], compare(rewriter, "eq", *extents))]

        return loop(rewriter, (zero, first_rank, one), [true], body).results

    all_same: Value | None = None
    for other in others:
        same_rank = compare(rewriter, "eq", first_rank, size_at(rewriter, other, zero))
        arms = [lambda other=other: equal_extents(other), lambda: [rewriter.constant(FALSE, I1)]]
        same = choose(rewriter, same_rank, arms).result
        all_same = same if all_same is None else binary(rewriter, "andi", all_same, same)
    rewriter.replace(op, [all_same] if all_same is not None else [])
    return None


def _shape_of(op: ops.ShapeOfOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    """The sizes one by one, if their number is known."""
    if is_of(op.result.type, "shape"):
        return NO_MATCH
    (tensor,) = operands
    if isinstance(tensor.type, TensorType) and tensor.type.shape is not None:
        sizes = [
            dim(rewriter, tensor, place) if size == DYNAMIC else constant(rewriter, size)
            for place, size in enumerate(tensor.type.shape)
        ]
        _as_tensor(op, sizes, op.result.type, rewriter)
        return None
    rank = rewriter.create("tensor.rank", [tensor], [INDEX]).result

    def body(places: Sequence[Value]) -> Value:
        return rewriter.create("tensor.dim", [tensor, places[0]], [INDEX]).result

    rewriter.replace(op, [generate(rewriter, TensorType((DYNAMIC,), INDEX), [rank], body)])
    return None


def _split_at(op: ops.SplitAtOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    """A negative place is counted from the end."""
    if any(is_of(value.type, "shape") for value in (op.operand, op.head, op.tail)):
        return NO_MATCH
    shape, place = operands
    zero = constant(rewriter, 0)
    rank = size_at(rewriter, shape, zero)
    from_end = binary(rewriter, "addi", place, rank)
    place = select(rewriter, compare(rewriter, "slt", place, zero), from_end, place)
    one, type = constant(rewriter, 1), TensorType((DYNAMIC,), INDEX)
    head = extract_slice(rewriter, shape, type, [[zero], [place], [one]]).result
    rest = binary(rewriter, "subi", rank, place)
    tail = extract_slice(rewriter, shape, type, [[place], [rest], [one]]).result
    rewriter.replace(op, [head, tail])
    return None


def _to_extent_tensor(
    op: ops.ToExtentTensorOp, operands: Sequence[Value], rewriter: ConversionRewriter
) -> Failure | None:
    (value,) = operands
    if not isinstance(value.type, TensorType) or value.type.shape is None:
        return Failure("input needs to be a tensor")
    rewriter.replace_with(op, "tensor.cast", [value], [op.result.type])
    return None
