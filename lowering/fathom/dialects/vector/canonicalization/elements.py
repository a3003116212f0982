"""The canonicalisation of elements and parts of vectors: what takes them out, puts them in and together.

Source of the rules: mlir-opt 22; the order of the patterns is MLIR's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.arith.elements import dense
from fathom.dialects.vector.canonicalization.sources import of_one_scalar, positions
from fathom.dialects.vector.common import (
    POISON_INDEX,
    can_broadcast,
    count_of,
    indices_of,
    number_of,
    rank,
    vector,
    vector_type,
    without_first,
)
from fathom.dialects.vector.extract_folds import repeated_by
from fathom.dialects.vector.memory_folds import is_all
from fathom.ir.attributes import IntegerAttr
from fathom.ir.property_values import numbers_of
from fathom.ir.types import DYNAMIC
from fathom.ops import vector as ops
from fathom.ops.vector import InsertOp
from fathom.rewriting.folding import constant_value, create_or_fold
from fathom.rewriting.pattern import Failure, Replacement, defined_by, replacing

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.rewriting.rewriter import Rewriter


def of_repetition(op: ops.ExtractOp, rewriter: Rewriter) -> Replacement:
    """A part of what repeats a vector repeats that."""
    repeated, type = repeated_by(op.source.defining_op), vector(op.result.type)
    if repeated is None or type is None or not can_broadcast(repeated.type, type):
        return None
    return rewriter.create("vector.broadcast", [repeated], [type])


def of_mask(op: ops.ExtractOp, rewriter: Rewriter) -> Replacement:
    """
        %m = vector.create_mask %c4, %n : vector<4x8xi1>
        %r = vector.extract %m[1] : vector<8xi1> from vector<4x8xi1>
    becomes
        %r = vector.create_mask %n : vector<8xi1>
    and what is beyond the mask becomes a constant without any flag set.
    """
    mask, type = defined_by(op.source, ops.CreateMaskOp), vector(op.result.type)
    if mask is None or type is None:
        return None
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
        return rewriter.create("arith.constant", (), [type], {"value": dense([0], type)})
    if unknown:
        return Failure("how far the mask goes is not known")
    return rewriter.create("vector.create_mask", mask.operands[len(position) :], [type])


def of_shape_cast(op: ops.ExtractOp, rewriter: Rewriter) -> Replacement:
    """All of what was given another shape, in a third one."""
    cast, type = defined_by(op.source, ops.ShapeCastOp), vector(op.result.type)
    if cast is None or type is None or count_of(vector_type(cast.source)) != count_of(type):
        return None
    return rewriter.create("vector.shape_cast", cast.operands, [type])


def of_elements(op: ops.ExtractOp, rewriter: Rewriter) -> Replacement:
    """
        %v = vector.from_elements %a, %b, %c, %d : vector<2x2xf32>
        %r = vector.extract %v[1] : vector<2xf32> from vector<2x2xf32>
    becomes
        %r = vector.from_elements %c, %d : vector<2xf32>
    """
    position, type = numbers_of(op.static_position), vector(op.result.type)
    made, whole = defined_by(op.source, ops.FromElementsOp), vector_type(op.source)
    if DYNAMIC in position or made is None or type is None or any(whole.scalable):
        return None
    start = number_of(position, whole.ranked_shape)
    return rewriter.create(made.name, made.operands[start : start + count_of(type)], [type])


def equal_elements(op: ops.FromElementsOp, rewriter: Rewriter) -> Replacement:
    """`vector.from_elements %a, %a` becomes `vector.broadcast %a`."""
    if not op.elements or any(element is not op.elements[0] for element in op.elements):
        return Failure("the elements differ")
    return rewriter.create("vector.broadcast", op.elements[:1], [op.result.type])


def extracted_elements(op: ops.FromElementsOp, rewriter: Rewriter) -> Replacement:
    """
        %0 = vector.extract %v[1, 0] : f32 from vector<2x2xf32>
        %1 = vector.extract %v[1, 1] : f32 from vector<2x2xf32>
        %r = vector.from_elements %0, %1 : vector<1x2xf32>
    becomes
        %0 = vector.extract %v[1] : vector<2xf32> from vector<2x2xf32>
        %r = vector.shape_cast %0 : vector<2xf32> to vector<1x2xf32>
    """
    extractions = [maker for operand in op.operands if (maker := defined_by(operand, ops.ExtractOp)) is not None]
    if len(op.operands) < 2 or len(extractions) != len(op.operands):
        return Failure("not all elements are extracted")
    source = extractions[0].source
    if any(extraction.source is not source for extraction in extractions):
        return Failure("they come from different vectors")
    type, first = vector_type(source), numbers_of(extractions[0].static_position)
    shape = type.ranked_shape
    lead, size = len(first), 1
    while lead and first[lead - 1] == 0 and size < len(op.operands):
        lead -= 1
        size *= shape[lead]
    if size != len(op.operands):
        return Failure("they are not the last dimensions of the vector")
    expected = list(first)
    for extraction in extractions:
        if numbers_of(extraction.static_position) != expected:
            return Failure("they are in another order")
        _increment(expected, shape)
    part = create_or_fold(rewriter, "vector.extract", [source], without_first(type, lead), positions(first[:lead]))
    return rewriter.create("vector.shape_cast", [part], [op.result.type])


def _increment(position: list[int], shape: Sequence[int]) -> None:
    """The place of the next element."""
    for index in reversed(range(len(position))):
        position[index] += 1
        if position[index] < shape[index]:
            return
        position[index] = 0


def elements_of_repetition(op: ops.ToElementsOp, rewriter: Rewriter) -> Replacement:
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
        return None
    made = rewriter.create("vector.to_elements", broadcast.operands, [source.element] * count_of(source)).results
    lead, shape = rank(whole) - rank(source), source.ranked_shape
    chosen: list[Value] = []
    for number in range(len(op.results)):
        place = indices_of(number, whole.ranked_shape)[lead:]
        kept = [0 if extent == 1 else index for index, extent in zip(place, shape, strict=True)]
        chosen.append(made[number_of(kept, shape)])
    return chosen


MOST_ELEMENTS: Final = 1 << 16
"""Of which a vector is put together one by one: an operation with as many operands comes of it."""


def insertion_of_all(op: InsertOp, rewriter: Rewriter) -> Replacement:
    """
        %r = vector.insert %a, %v [0] : vector<4xf32> into vector<1x4xf32>
    becomes
        %r = vector.broadcast %a : vector<4xf32> to vector<1x4xf32>
    """
    part = vector(op.valueToStore.type)
    if part is None or count_of(part) != count_of(vector_type(op.dest)):
        return Failure("it leaves elements as they are")
    return rewriter.create("vector.broadcast", [op.valueToStore], [op.result.type])


def insertions_of_all(op: InsertOp, rewriter: Rewriter) -> Replacement:
    """
        %0 = vector.insert %a, %v [0] : f32 into vector<2xf32>
        %r = vector.insert %b, %0 [1] : f32 into vector<2xf32>
    becomes
        %r = vector.from_elements %a, %b : vector<2xf32>
    """
    type = vector_type(op.result)
    if any(type.scalable) or count_of(type) > MOST_ELEMENTS:
        return Failure("its elements cannot be listed")
    if any(isinstance(user, InsertOp) and user.dest is op.result for user in op.result.uses):
        return Failure("it is not the last insertion")
    chain = _chain(op)
    if isinstance(chain, Failure):
        return chain
    parts: list[tuple[int, int, Value]] = []
    known: set[int] = set()
    for insertion in chain:
        position = numbers_of(insertion.static_position)
        if POISON_INDEX in position:
            return Failure("a position is poison")
        start, value = number_of(position, type.ranked_shape), insertion.valueToStore
        part = vector(value.type)
        size = 1 if part is None else count_of(part)
        known.update(range(start, start + size))
        parts.append((start, size, value))
        if len(known) == count_of(type):
            break
    else:
        return Failure("not all elements are inserted")
    elements: list[Value] = [op.valueToStore] * count_of(type)
    for start, size, value in reversed(parts):
        if vector(value.type) is None:
            elements[start] = value
        else:
            made = rewriter.create("vector.to_elements", [value], [type.element] * size)
            elements[start : start + size] = made.results
    return rewriter.create("vector.from_elements", elements, [type])


def _chain(op: InsertOp) -> list[InsertOp] | Failure:
    """An insertion and those before it, the last first, into what nobody else uses."""
    chain: list[InsertOp] = []
    current: InsertOp | None = op
    while current is not None:
        if DYNAMIC in numbers_of(current.static_position):
            return Failure("a position is not known")
        chain.append(current)
        current = defined_by(current.dest, InsertOp)
        if current is not None and sum(current.result.uses.values()) != 1:
            return Failure("what stands between the insertions is used")
    return chain


PATTERNS: Final = (
    replacing("vector.extract", of_repetition, name="ExtractOpFromBroadcast"),
    replacing("vector.extract", of_mask, name="ExtractOpFromCreateMask"),
    replacing("vector.extract", of_shape_cast, name="foldExtractFromShapeCastToShapeCast"),
    replacing("vector.extract", of_elements, name="foldExtractFromFromElements"),
    replacing("vector.from_elements", equal_elements, name="rewriteFromElementsAsBroadcast"),
    replacing("vector.from_elements", extracted_elements, name="FromElementsToShapeCast"),
    replacing("vector.to_elements", elements_of_repetition, name="ToElementsOfBroadcast"),
    replacing("vector.insert", insertion_of_all, name="InsertToBroadcast"),
    replacing("vector.insert", of_one_scalar, name="InsertSplatToSplat"),
    replacing("vector.insert", insertions_of_all, name="InsertChainFullyInitialized"),
)
