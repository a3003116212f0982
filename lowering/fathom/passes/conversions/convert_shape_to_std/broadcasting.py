"""Shapes that are repeated to one: `shape.broadcast` and `shape.is_broadcastable`.

Source of the rules: *'shape' Dialect*, and the order of the operations that mlir-opt 22 makes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from fathom.dialects.shape.extents import is_of
from fathom.ir.attributes import TRUE
from fathom.ir.types import DYNAMIC, I1, INDEX, TensorType
from fathom.passes.arithmetic import binary, compare, constant, select
from fathom.passes.buffers import choose, loop
from fathom.passes.tensors import extract, generate, size_at
from fathom.rewriting.pattern import NO_MATCH, Failure

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.ops import shape as ops
    from fathom.rewriting.conversion_rewriter import ConversionRewriter
    from fathom.rewriting.rewriter import Rewriter


def broadcast(op: ops.BroadcastOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    """Extent by extent of the longest shape."""
    type = op.result.type
    if is_of(type, "shape"):
        return NO_MATCH
    rank, missing = _ranks(rewriter, operands, constant(rewriter, 0))

    def body(places: Sequence[Value]) -> Value:
        return _extent(rewriter, operands, missing, places[0])

    made = generate(rewriter, TensorType((DYNAMIC,), INDEX), [rank], body)
    if made.type != type:
        made = rewriter.create("tensor.cast", [made], [type]).result
    rewriter.replace(op, [made])
    return None


def is_broadcastable(
    op: ops.IsBroadcastableOp, operands: Sequence[Value], rewriter: ConversionRewriter
) -> Failure | None:
    """Each extent is one, or that to which all are repeated."""
    if any(is_of(shape.type, "shape") for shape in op.shapes):
        return NO_MATCH
    zero, one = constant(rewriter, 0), constant(rewriter, 1)
    rank, missing = _ranks(rewriter, operands, zero)
    true = rewriter.constant(TRUE, I1)

    def body(place: Value, carried: Sequence[Value]) -> Sequence[Value]:
        joined = _extent(rewriter, operands, missing, place)
        (holds,) = carried

        def fits(extent: Value, before: Value) -> Value:
            is_one = compare(rewriter, "eq", extent, one)
            is_joined = compare(rewriter, "eq", extent, joined)
            return binary(rewriter, "andi", before, binary(rewriter, "ori", is_one, is_joined))

        for shape, count in zip(operands, missing, strict=True):
            holds = _if_there(rewriter, shape, count, place, holds, fits)
        return [holds]

    rewriter.replace(op, loop(rewriter, (zero, rank, one), [true], body).results)
    return None


def _ranks(rewriter: Rewriter, shapes: Sequence[Value], zero: Value) -> tuple[Value, list[Value]]:
    """How many extents the longest shape has, and how many each of them has less."""
    ranks = [size_at(rewriter, shape, zero) for shape in shapes]
    most = ranks[0]
    for rank in ranks[1:]:
        most = binary(rewriter, "maxui", rank, most)
    return most, [binary(rewriter, "subi", most, rank) for rank in ranks]


def _extent(rewriter: Rewriter, shapes: Sequence[Value], missing: Sequence[Value], place: Value) -> Value:
    """The extent at a place to which those of all shapes are repeated, the last of those that are not one."""
    one = constant(rewriter, 1)
    chosen = one

    def other_than_one(extent: Value, before: Value) -> Value:
        return select(rewriter, compare(rewriter, "eq", extent, one), before, extent)

    for shape, count in zip(shapes, missing, strict=True):
        chosen = _if_there(rewriter, shape, count, place, chosen, other_than_one)
    return chosen


def _if_there(
    rewriter: Rewriter,
    shape: Value,
    missing: Value,
    place: Value,
    before: Value,
    combine: Callable[[Value, Value], Value],
) -> Value:
    """What is found with the extent of a shape at a place, if it has so many; what was found before, if not."""
    is_outside = compare(rewriter, "ult", place, missing)

    def with_extent() -> Sequence[Value]:
        own_place = binary(rewriter, "subi", place, missing)
        return [combine(extract(rewriter, shape, [own_place]), before)]

    return choose(rewriter, is_outside, [lambda: [before], with_extent]).result
