"""How checks of operations are made of others: what they say, and what they look at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fathom.irdl.declared import Problem
from fathom.irdl.verifying import Check, Complaint

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.ir.types import Type


def bare(message: str, at: Operation | None = None) -> Problem:
    """A message that does not name the operation."""
    return Problem(message, at=at, bare=True)


def not_inferred(message: str, *, is_bare: bool = False, types: tuple[Type, ...] = ()) -> Problem:
    """Why the types of the results do not follow from the operands, as `InferTypeOpInterface` has it."""
    return Problem(message, bare=is_bare, further="failed to infer returned types", types=types)


def incompatible(inferred: Sequence[Type], found: Sequence[Type]) -> Problem:
    """The results are not of the types that follow from the operands."""
    first, second = (", ".join(f"'{type}'" for type in types) for types in (inferred, found))
    message = f"inferred type(s) {first} are incompatible with return type(s) of operation {second}"
    types = (found[0], inferred[0]) if len(inferred) == len(found) == 1 else ()
    return not_inferred(message, types=types)


def check_inferred(inferred: Sequence[Type], found: Sequence[Type]) -> Complaint:
    """The results have the types that follow from the operands, for an operation that MLIR's `InferTypeOpInterface`
    is asked of."""
    return None if list(inferred) == list(found) else incompatible(inferred, found)


def cast_incompatible(op: Operation) -> str:
    """No cast goes from the types of the operands to that of the result."""
    noun = "operand types" if len(op.operands) > 1 else "operand type"
    given = ", ".join(f"'{operand.type}'" for operand in op.operands)
    return f"{noun} {given} and result type '{op.result.type}' are cast incompatible"


def all_of(*checks: Check) -> Check:
    """The first of several that has something to say."""
    return lambda op: next((found for check in checks if (found := check(op))), None)


def group(op: Operation, name: str) -> Sequence[Value]:
    """The operands of a group, which the operation may not have."""
    names = {each.name for each in op.definition.operands} if op.definition is not None else ()
    return op.all_of(name) if name in names else ()


def directly_in(op: Operation) -> Sequence[Operation]:
    """The operations of the first region."""
    return [each for region in op.regions[:1] for block in region.blocks for each in block]
