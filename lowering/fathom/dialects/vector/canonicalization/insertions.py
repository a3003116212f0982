"""The canonicalisation of `vector.insert`: into what all is put, or what is the same everywhere.

Source of the rules: mlir-opt 22; the order of the patterns is MLIR's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.vector.canonicalization.sources import of_one_scalar
from fathom.dialects.vector.common import POISON_INDEX, count_of, number_of, vector, vector_type
from fathom.ir.property_values import numbers_of
from fathom.ir.types import DYNAMIC
from fathom.ops.vector import InsertOp
from fathom.rewriting.pattern import Failure, Pattern, defined_by

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.rewriting.rewriter import Rewriter

MOST_ELEMENTS: Final = 1 << 16
"""Of which a vector is put together one by one: an operation with as many operands comes of it."""


def insertion_of_all(op: InsertOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """
        %r = vector.insert %a, %v [0] : vector<4xf32> into vector<1x4xf32>
    becomes
        %r = vector.broadcast %a : vector<4xf32> to vector<1x4xf32>
    """
    part = vector(op.valueToStore.type)
    if part is None or count_of(part) != count_of(vector_type(op.dest)):
        return Failure("it leaves elements as they are")
    rewriter.replace_with(op, "vector.broadcast", [op.valueToStore], [op.result.type])
    return None


def insertions_of_all(op: InsertOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
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
    rewriter.replace_with(op, "vector.from_elements", elements, [type])
    return None


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
    Pattern("vector.insert", insertion_of_all, name="InsertToBroadcast"),
    Pattern("vector.insert", of_one_scalar, name="InsertSplatToSplat"),
    Pattern("vector.insert", insertions_of_all, name="InsertChainFullyInitialized"),
)
