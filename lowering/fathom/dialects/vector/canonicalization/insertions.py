"""The canonicalisation of `vector.insert`: into what all is put, or what is the same everywhere.

Source of the rules: mlir-opt 22; the order of the patterns is MLIR's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.vector.canonicalization.sources import number_of, repeated
from fathom.dialects.vector.common import POISON_INDEX, count_of, numbers_of, vector
from fathom.ir.types import DYNAMIC
from fathom.rewriting.pattern import Failure, Pattern, defined_by

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter

MOST_ELEMENTS: Final = 1 << 16
"""Of which a vector is put together one by one: an operation with as many operands comes of it."""


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
    scalar = repeated(operands[0])
    if scalar is None or repeated(operands[1]) is not scalar:
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
        start, value = number_of(position, type.ranked_shape), insertion.operands[0]
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
        current = defined_by(current.operands[1], op.name)
        if current is not None and sum(current.result.uses.values()) != 1:
            return Failure("what stands between the insertions is used")
    return chain


PATTERNS: Final = (
    Pattern("vector.insert", insertion_of_all, name="InsertToBroadcast"),
    Pattern("vector.insert", insertion_of_the_same, name="InsertSplatToSplat"),
    Pattern("vector.insert", insertions_of_all, name="InsertChainFullyInitialized"),
)
