"""The canonicalisation of elements and sizes of tensors: taken from what the tensor was made of.

Source of the rules: mlir-opt 22; the order of the patterns is MLIR's.
"""

from __future__ import annotations

from fathom.dialects.tensor.canonicalization.building import cast_for, place_of_size, with_known_sizes
from fathom.dialects.tensor.casts import ranked
from fathom.ir.clone import clone
from fathom.ir.operation import OpResult, Region, Value
from fathom.ir.types import element_type
from fathom.irdl.destinations import destinations
from fathom.ops import tensor as ops
from fathom.ops.arith import IndexCastOp
from fathom.rewriting.effects import would_be_dead
from fathom.rewriting.pattern import Replacement, defined_by
from fathom.rewriting.rewriter import Rewriter


def size_of_cast(op: ops.DimOp, rewriter: Rewriter) -> Replacement:
    """That of what was cast."""
    cast = defined_by(op.source, ops.CastOp)
    return rewriter.create("tensor.dim", [cast.source, op.index], [op.result.type]) if cast is not None else None


def size_of_destination(op: ops.DimOp, rewriter: Rewriter) -> Replacement:
    """What an operation writes has the size of what was there before."""
    source = op.source
    maker = source.defining_op
    if maker is None or not isinstance(source, OpResult):
        return None
    places = destinations(maker)
    if source.index >= len(places):
        return None
    rewriter.modify(op, lambda: op.set_operand(0, maker.operands[places[source.index]]))
    return op


def size_of_reshape(op: ops.DimOp, rewriter: Rewriter) -> Replacement:
    """An element of the shape that it was given."""
    reshape = defined_by(op.source, ops.ReshapeOp)
    if reshape is None:
        return None
    shape = reshape.shape
    size = rewriter.create("tensor.extract", [shape, op.index], [element_type(shape.type)]).result
    if size.type != op.result.type:
        size = rewriter.create("arith.index_cast", [size], [op.result.type]).result
    return size


def size_of_empty(op: ops.DimOp, rewriter: Rewriter) -> Replacement:
    """What it was made with."""
    empty, place = defined_by(op.source, ops.EmptyOp), place_of_size(op)
    return empty.dynamicSizes[place] if empty is not None and place is not None else None


def element_of_cast(op: ops.ExtractOp, rewriter: Rewriter) -> Replacement:
    """That of what was cast, if it has a rank."""
    cast = defined_by(op.tensor, ops.CastOp)
    if cast is None or ranked(cast.source.type) is None:
        return None
    return rewriter.create("tensor.extract", [cast.source, *op.operands[1:]], [op.result.type])


def element_of_index_cast(op: ops.ExtractOp, rewriter: Rewriter) -> Replacement:
    """The element is cast instead of the tensor."""
    cast = defined_by(op.tensor, IndexCastOp)
    if cast is None:
        return None
    source = cast.in_
    element = rewriter.create("tensor.extract", [source, *op.operands[1:]], [element_type(source.type)]).result
    return rewriter.create(cast.name, [element], [op.result.type])


def element_of_generated(op: ops.ExtractOp, rewriter: Rewriter) -> Replacement:
    """
        %t = tensor.generate %n { ^bb0(%i: index): … tensor.yield %x : f32 } : tensor<?xf32>
        %r = tensor.extract %t[%j] : tensor<?xf32>
    becomes what the region does, with `%j` for `%i`.
    """
    maker = defined_by(op.tensor, ops.GenerateOp)
    block = maker.body.first if maker is not None else None
    if maker is None or block is None or block.last is None or not would_be_dead(maker):
        return None
    values: dict[Value, Value] = dict(zip(block.arguments, op.operands[1:], strict=True))
    for inner in list(block):
        if inner is not block.last:
            rewriter.insert(clone(inner, values))
    element = block.last.operands[0]
    return values.get(element, element)


def known_generate(op: ops.GenerateOp, rewriter: Rewriter) -> Replacement:
    """Sizes that are known become part of the type."""
    known_sizes = with_known_sizes(op.result.type, op.dynamicExtents)
    if known_sizes is None:
        return None
    known, rest = known_sizes
    made = rewriter.create(op.name, rest, [known], regions=[Region()])
    rewriter.inline_region_before(op.body, made.regions[0], None)
    return cast_for(op, made.result, rewriter)
