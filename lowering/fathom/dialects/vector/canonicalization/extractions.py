"""The canonicalisation of `vector.extract`: from what repeats, masks, reshapes or is put together of elements.

Source of the rules: mlir-opt 22; the order of the patterns is MLIR's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.arith.elements import dense
from fathom.dialects.vector.canonicalization.sources import number_of
from fathom.dialects.vector.common import can_broadcast, count_of, numbers_of, vector
from fathom.dialects.vector.extract_folds import is_broadcast_like
from fathom.dialects.vector.memory_folds import is_all
from fathom.ir.attributes import IntegerAttr
from fathom.ir.types import DYNAMIC
from fathom.rewriting.folding import constant_value
from fathom.rewriting.pattern import NO_MATCH, Failure, Pattern, defined_by

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter


def of_repetition(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """A part of what repeats a vector repeats that."""
    inner, type = operands[0].defining_op, vector(op.result.type)
    if inner is None or type is None or not is_broadcast_like(inner):
        return NO_MATCH
    if not can_broadcast(inner.operands[0].type, type):
        return NO_MATCH
    rewriter.replace_with(op, "vector.broadcast", inner.operands[:1], [type])
    return None


def of_mask(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """
        %m = vector.create_mask %c4, %n : vector<4x8xi1>
        %r = vector.extract %m[1] : vector<8xi1> from vector<4x8xi1>
    becomes
        %r = vector.create_mask %n : vector<8xi1>
    and what is beyond the mask becomes a constant without any flag set.
    """
    mask, type = defined_by(operands[0], "vector.create_mask"), vector(op.result.type)
    whole = vector(operands[0].type)
    if mask is None or type is None or whole is None:
        return NO_MATCH
    position = numbers_of(op, "static_position")
    none, unknown = is_all(operands[0]) is False, False
    for dim, place in enumerate(position):
        if none:
            break
        bound = constant_value(mask.operands[dim])
        if not isinstance(bound, IntegerAttr):
            unknown = True
        elif place != DYNAMIC:
            none = place >= bound.value
        elif bound.value < whole.ranked_shape[dim]:
            unknown = True
    if none:
        rewriter.replace_with(op, "arith.constant", (), [type], {"value": dense([0], type)})
        return None
    if unknown:
        return Failure("how far the mask goes is not known")
    rewriter.replace_with(op, "vector.create_mask", mask.operands[len(position) :], [type])
    return None


def of_shape_cast(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """All of what was given another shape, in a third one."""
    cast, type = defined_by(operands[0], "vector.shape_cast"), vector(op.result.type)
    source = vector(cast.operands[0].type) if cast is not None else None
    if cast is None or type is None or source is None or count_of(source) != count_of(type):
        return NO_MATCH
    rewriter.replace_with(op, "vector.shape_cast", cast.operands, [type])
    return None


def of_elements(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """
        %v = vector.from_elements %a, %b, %c, %d : vector<2x2xf32>
        %r = vector.extract %v[1] : vector<2xf32> from vector<2x2xf32>
    becomes
        %r = vector.from_elements %c, %d : vector<2xf32>
    """
    position, type = numbers_of(op, "static_position"), vector(op.result.type)
    made, whole = defined_by(operands[0], "vector.from_elements"), vector(operands[0].type)
    if DYNAMIC in position or made is None or type is None or whole is None or any(whole.scalable):
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
