"""The canonicalisation of vectors that are put together of elements, or hold one element everywhere.

Source of the rules: mlir-opt 22; the order of the patterns is MLIR's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.vector.common import POISON_INDEX, count_of, flags, numbers_of, vector, vector_of
from fathom.ir.attributes import DenseArrayAttr
from fathom.ir.types import DYNAMIC, I64
from fathom.rewriting.folding import create_or_fold
from fathom.rewriting.pattern import Failure, Pattern

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter

MOST_ELEMENTS: Final = 1 << 16
"""Of which a vector is put together one by one: an operation with as many operands comes of it."""


def _source(value: Value, name: str) -> Operation | None:
    op = value.defining_op
    return op if op is not None and op.name == name else None


def _repeated(value: Value) -> Value | None:
    """The scalar that a vector holds everywhere, if it is a broadcast of one."""
    op = _source(value, "vector.broadcast")
    return op.operands[0] if op is not None and vector(op.operands[0].type) is None else None


# ---- insertions


def insertion_of_all(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """
        %r = vector.insert %a, %v [0] : vector<4xf32> into vector<1x4xf32>
    becomes
        %r = vector.broadcast %a : vector<4xf32> to vector<1x4xf32>
    """
    part, whole = vector(operands[0].type), vector(operands[1].type)
    if part is None or whole is None or count_of(part) != count_of(whole):
        return Failure("it leaves elements as they are")
    rewriter.replace_with(op, "vector.broadcast", operands[:1], [whole])
    return None


def insertion_of_the_same(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """Where the elements that are inserted and those that stay are one scalar, that is repeated."""
    scalar = _repeated(operands[0])
    if scalar is None or _repeated(operands[1]) is not scalar:
        return Failure("not all elements are the same")
    rewriter.replace_with(op, "vector.broadcast", [scalar], [op.result.type])
    return None


def insertions_of_all(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """
        %0 = vector.insert %a, %v [0] : f32 into vector<2xf32>
        %r = vector.insert %b, %0 [1] : f32 into vector<2xf32>
    becomes
        %r = vector.from_elements %a, %b : vector<2xf32>
    """
    type = vector(op.result.type)
    if type is None or any(type.scalable) or count_of(type) > MOST_ELEMENTS:
        return Failure("its elements cannot be listed")
    if any(user.name == op.name and user.operands[1] is op.result for user in op.result.uses):
        return Failure("it is not the last insertion")
    chain = _chain(op)
    if isinstance(chain, Failure):
        return chain
    parts: list[tuple[int, int, Value]] = []
    known: set[int] = set()
    for insertion in chain:
        position = numbers_of(insertion, "static_position")
        if POISON_INDEX in position:
            return Failure("a position is poison")
        start, value = _linear(position, type.ranked_shape), insertion.operands[0]
        part = vector(value.type)
        size = 1 if part is None else count_of(part)
        known.update(range(start, start + size))
        parts.append((start, size, value))
        if len(known) == count_of(type):
            break
    else:
        return Failure("not all elements are inserted")
    elements: list[Value] = [operands[0]] * count_of(type)
    for start, size, value in reversed(parts):
        if vector(value.type) is None:
            elements[start] = value
        else:
            made = rewriter.create("vector.to_elements", [value], [type.element] * size)
            elements[start : start + size] = made.results
    rewriter.replace_with(op, "vector.from_elements", elements, [type])
    return None


def _chain(op: Operation) -> list[Operation] | Failure:
    """An insertion and those before it, the last first, into what nobody else uses."""
    chain: list[Operation] = []
    current: Operation | None = op
    while current is not None:
        if DYNAMIC in numbers_of(current, "static_position"):
            return Failure("a position is not known")
        chain.append(current)
        current = _source(current.operands[1], op.name)
        if current is not None and sum(current.result.uses.values()) != 1:
            return Failure("what stands between the insertions is used")
    return chain


def _linear(position: Sequence[int], shape: Sequence[int]) -> int:
    """The place of an element, or of the first of several, among all."""
    place = 0
    for index, extent in enumerate(shape):
        place = place * extent + (position[index] if index < len(position) else 0)
    return place


# ---- what repeats, and what is made of elements


def repeated_repetition(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """What is repeated need not be repeated in between."""
    inner = _source(operands[0], op.name)
    if inner is None:
        return Failure("it is not repeated")
    rewriter.replace_with(op, op.name, inner.operands, [op.result.type])
    return None


def equal_elements(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """`vector.from_elements %a, %a` becomes `vector.broadcast %a`."""
    if not operands or any(each is not operands[0] for each in operands):
        return Failure("the elements differ")
    rewriter.replace_with(op, "vector.broadcast", operands[:1], [op.result.type])
    return None


def extracted_elements(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """
        %0 = vector.extract %v[1, 0] : f32 from vector<2x2xf32>
        %1 = vector.extract %v[1, 1] : f32 from vector<2x2xf32>
        %r = vector.from_elements %0, %1 : vector<1x2xf32>
    becomes
        %0 = vector.extract %v[1] : vector<2xf32> from vector<2x2xf32>
        %r = vector.shape_cast %0 : vector<2xf32> to vector<1x2xf32>
    """
    found = [_source(each, "vector.extract") for each in operands]
    extractions = [each for each in found if each is not None]
    if len(operands) < 2 or len(extractions) != len(operands):
        return Failure("not all elements are extracted")
    source = extractions[0].operands[0]
    type = vector(source.type)
    if type is None or any(each.operands[0] is not source for each in extractions):
        return Failure("they come from different vectors")
    shape, first = type.ranked_shape, numbers_of(extractions[0], "static_position")
    rank, size = len(first), 1
    while rank and first[rank - 1] == 0 and size < len(operands):
        rank -= 1
        size *= shape[rank]
    if size != len(operands):
        return Failure("they are not the last dimensions of the vector")
    expected = list(first)
    for each in extractions:
        if numbers_of(each, "static_position") != expected:
            return Failure("they are in another order")
        _increment(expected, shape)
    position = {"static_position": DenseArrayAttr(I64, tuple(first[:rank]))}
    kept = vector_of(shape[rank:], type.element, flags(type)[rank:])
    part = create_or_fold(rewriter, "vector.extract", [source], kept, position)
    rewriter.replace_with(op, "vector.shape_cast", [part], [op.result.type])
    return None


def _increment(position: list[int], shape: Sequence[int]) -> None:
    """The place of the next element."""
    for index in reversed(range(len(position))):
        position[index] += 1
        if position[index] < shape[index]:
            return
        position[index] = 0


PATTERNS: Final = (
    Pattern("vector.broadcast", repeated_repetition, name="BroadcastFolder"),
    Pattern("vector.from_elements", equal_elements),
    Pattern("vector.from_elements", extracted_elements, name="FromElementsToShapeCast"),
    Pattern("vector.insert", insertion_of_all, name="InsertToBroadcast"),
    Pattern("vector.insert", insertion_of_the_same, name="InsertSplatToSplat"),
    Pattern("vector.insert", insertions_of_all, name="InsertChainFullyInitialized"),
)
