"""The canonicalisation of vectors that are put together of elements, and of those that are taken apart.

Source of the rules: mlir-opt 22; the order of the patterns is MLIR's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.vector.canonicalization.sources import positions
from fathom.dialects.vector.common import count_of, indices_of, number_of, rank, vector, vector_type, without_first
from fathom.ir.property_values import numbers_of
from fathom.ops import vector as ops
from fathom.rewriting.folding import create_or_fold
from fathom.rewriting.pattern import NO_MATCH, Failure, Pattern, defined_by

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.rewriting.rewriter import Rewriter


def equal_elements(op: ops.FromElementsOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """`vector.from_elements %a, %a` becomes `vector.broadcast %a`."""
    if not operands or any(each is not operands[0] for each in operands):
        return Failure("the elements differ")
    rewriter.replace_with(op, "vector.broadcast", operands[:1], [op.result.type])
    return None


def extracted_elements(op: ops.FromElementsOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """
        %0 = vector.extract %v[1, 0] : f32 from vector<2x2xf32>
        %1 = vector.extract %v[1, 1] : f32 from vector<2x2xf32>
        %r = vector.from_elements %0, %1 : vector<1x2xf32>
    becomes
        %0 = vector.extract %v[1] : vector<2xf32> from vector<2x2xf32>
        %r = vector.shape_cast %0 : vector<2xf32> to vector<1x2xf32>
    """
    extractions = [each for operand in operands if (each := defined_by(operand, ops.ExtractOp)) is not None]
    if len(operands) < 2 or len(extractions) != len(operands):
        return Failure("not all elements are extracted")
    source = extractions[0].source
    if any(each.source is not source for each in extractions):
        return Failure("they come from different vectors")
    type, first = vector_type(source), numbers_of(extractions[0].static_position)
    shape = type.ranked_shape
    lead, size = len(first), 1
    while lead and first[lead - 1] == 0 and size < len(operands):
        lead -= 1
        size *= shape[lead]
    if size != len(operands):
        return Failure("they are not the last dimensions of the vector")
    expected = list(first)
    for each in extractions:
        if numbers_of(each.static_position) != expected:
            return Failure("they are in another order")
        _increment(expected, shape)
    part = create_or_fold(rewriter, "vector.extract", [source], without_first(type, lead), positions(first[:lead]))
    rewriter.replace_with(op, "vector.shape_cast", [part], [op.result.type])
    return None


def _increment(position: list[int], shape: Sequence[int]) -> None:
    """The place of the next element."""
    for index in reversed(range(len(position))):
        position[index] += 1
        if position[index] < shape[index]:
            return
        position[index] = 0


def elements_of_repetition(op: ops.ToElementsOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """
        %v = vector.broadcast %a : vector<2xf32> to vector<2x2xf32>
        %e:4 = vector.to_elements %v : vector<2x2xf32>
    becomes
        %e:2 = vector.to_elements %a : vector<2xf32>
    each of them standing for two.
    """
    broadcast = defined_by(op.source, ops.BroadcastOp)
    source, whole = (vector(broadcast.source.type) if broadcast is not None else None), vector_type(op.source)
    if broadcast is None or source is None:
        return NO_MATCH
    made = rewriter.create("vector.to_elements", broadcast.operands, [source.element] * count_of(source)).results
    lead, shape = rank(whole) - rank(source), source.ranked_shape
    chosen: list[Value] = []
    for number in range(len(op.results)):
        place = indices_of(number, whole.ranked_shape)[lead:]
        kept = [0 if extent == 1 else each for each, extent in zip(place, shape, strict=True)]
        chosen.append(made[number_of(kept, shape)])
    rewriter.replace(op, chosen)
    return None


PATTERNS: Final = (
    Pattern("vector.from_elements", equal_elements, name="rewriteFromElementsAsBroadcast"),
    Pattern("vector.from_elements", extracted_elements, name="FromElementsToShapeCast"),
    Pattern("vector.to_elements", elements_of_repetition, name="ToElementsOfBroadcast"),
)
