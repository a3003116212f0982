"""Operations of tosa that do the same to each element, as a loop over all dimensions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fathom.dialects.tosa.values import constant_of, zero_point
from fathom.ir.affine import AffineConstant, AffineDim, AffineMap, identity_map
from fathom.ops import tosa as ops
from fathom.passes.conversions.tosa_to_linalg import broadcasting
from fathom.passes.conversions.tosa_to_linalg.scalars import compute
from fathom.passes.structured import generic
from fathom.passes.tensors import cast, empty_of, ranked, shape_of
from fathom.rewriting.pattern import Failure

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.conversion_rewriter import ConversionRewriter


def loop_over_elements(op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    """See the module."""
    assert rewriter.types is not None, "the pattern has a type converter"
    if any(ranked(value.type) is None for value in (*op.operands, *op.results)):
        return Failure("Unranked tensors not supported")
    type = ranked(rewriter.types.convert(op.result.type) or op.result.type)
    assert type is not None, "a tensor stays one"
    inputs = operands[: _broadcast_operands(op)]
    indices = broadcasting.Indices(rewriter)
    targets = broadcasting.target_shape(rewriter, indices, inputs)
    inputs = broadcasting.broadcast(rewriter, indices, inputs, targets)
    output = empty_of(rewriter, [size for size, _ in targets], type.element)
    shape = type.ranked_shape
    rank = len(shape)
    maps = [*(_map_of(shape_of(input_), shape) for input_ in inputs), identity_map(rank)]
    failures: list[Failure] = []

    def body(arguments: Sequence[Value]) -> Sequence[Value]:
        value = compute(op, arguments[: len(op.operands)], type.element, rewriter)
        if isinstance(value, Failure):
            failures.append(value)
            return []
        return [value]

    made = generic(rewriter, inputs, [output], maps, "p" * rank, body)
    if failures:
        return failures[0]
    rewriter.replace(op, [cast(rewriter, made.result, type)])
    return None


def _map_of(own: Sequence[int], shape: Sequence[int]) -> AffineMap:
    """How an operand is read: what is 1 in it and more in the result is the same for all."""
    places = (
        AffineConstant(0) if extent == 1 and shape[index] != 1 else AffineDim(index) for index, extent in enumerate(own)
    )
    return AffineMap(len(shape), 0, tuple(places))


def _broadcast_operands(op: Operation) -> int:
    """How many operands are elements: a shift and zero points are none where they are constants."""
    if isinstance(op, ops.MulOp):
        return 2 if constant_of(op.shift) is not None else 3
    if isinstance(op, ops.NegateOp):
        is_known = zero_point(op.input1_zp) is not None or zero_point(op.output_zp) is not None
        return 1 if is_known else 3
    return len(op.operands)
