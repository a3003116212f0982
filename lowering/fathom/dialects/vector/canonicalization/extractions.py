"""The canonicalisation of `vector.extract`: from what repeats, masks, reshapes or is put together of elements.

Source of the rules: mlir-opt 22; the order of the patterns is MLIR's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.arith.elements import dense
from fathom.dialects.vector.common import can_broadcast, count_of, number_of, vector, vector_type
from fathom.dialects.vector.extract_folds import is_broadcast_like
from fathom.dialects.vector.memory_folds import is_all
from fathom.ir.attributes import IntegerAttr
from fathom.ir.property_values import numbers_of
from fathom.ir.types import DYNAMIC
from fathom.ops import vector as ops
from fathom.rewriting.folding import constant_value
from fathom.rewriting.pattern import NO_MATCH, Failure, Pattern, defined_by

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.rewriting.rewriter import Rewriter


def of_repetition(op: ops.ExtractOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """A part of what repeats a vector repeats that."""
    inner, type = op.source.defining_op, vector(op.result.type)
    if inner is None or type is None or not is_broadcast_like(inner) or not can_broadcast(inner.operands[0].type, type):
        return NO_MATCH
    rewriter.replace_with(op, "vector.broadcast", inner.operands[:1], [type])
    return None


def of_mask(op: ops.ExtractOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """
        %m = vector.create_mask %c4, %n : vector<4x8xi1>
        %r = vector.extract %m[1] : vector<8xi1> from vector<4x8xi1>
    becomes
        %r = vector.create_mask %n : vector<8xi1>
    and what is beyond the mask becomes a constant without any flag set.
    """
    mask, type = defined_by(op.source, ops.CreateMaskOp), vector(op.result.type)
    if mask is None or type is None:
        return NO_MATCH
    position, shape = numbers_of(op.static_position), vector_type(op.source).ranked_shape
    none, unknown = is_all(op.source) is False, False
    for dim, place in enumerate(position):
        if none:
            break
        bound = constant_value(mask.operands[dim])
        if not isinstance(bound, IntegerAttr):
            unknown = True
        elif place != DYNAMIC:
            none = place >= bound.value
        elif bound.value < shape[dim]:
            unknown = True
    if none:
        rewriter.replace_with(op, "arith.constant", (), [type], {"value": dense([0], type)})
        return None
    if unknown:
        return Failure("how far the mask goes is not known")
    rewriter.replace_with(op, "vector.create_mask", mask.operands[len(position) :], [type])
    return None


def of_shape_cast(op: ops.ExtractOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """All of what was given another shape, in a third one."""
    cast, type = defined_by(op.source, ops.ShapeCastOp), vector(op.result.type)
    if cast is None or type is None or count_of(vector_type(cast.source)) != count_of(type):
        return NO_MATCH
    rewriter.replace_with(op, "vector.shape_cast", cast.operands, [type])
    return None


def of_elements(op: ops.ExtractOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """
        %v = vector.from_elements %a, %b, %c, %d : vector<2x2xf32>
        %r = vector.extract %v[1] : vector<2xf32> from vector<2x2xf32>
    becomes
        %r = vector.from_elements %c, %d : vector<2xf32>
    """
    position, type = numbers_of(op.static_position), vector(op.result.type)
    made, whole = defined_by(op.source, ops.FromElementsOp), vector_type(op.source)
    if DYNAMIC in position or made is None or type is None or any(whole.scalable):
        return NO_MATCH
    start = number_of(position, whole.ranked_shape)
    rewriter.replace_with(op, made.name, made.operands[start : start + count_of(type)], [type])
    return None


PATTERNS: Final = (
    Pattern("vector.extract", of_repetition, name="ExtractOpFromBroadcast"),
    Pattern("vector.extract", of_mask, name="ExtractOpFromCreateMask"),
    Pattern("vector.extract", of_shape_cast, name="foldExtractFromShapeCastToShapeCast"),
    Pattern("vector.extract", of_elements, name="foldExtractFromFromElements"),
)
