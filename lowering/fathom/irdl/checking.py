"""How checks of operations are made of others: what they say, and what they look at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, overload

from fathom.ir.attributes import ArrayAttr, DenseArrayAttr
from fathom.irdl.declared import Problem
from fathom.irdl.verifying import Check, Complaint, SymbolCheck

if TYPE_CHECKING:
    from fathom.ir.operation import Block, Operation, Value
    from fathom.ir.types import Type


def bare(message: str, at: Operation | None = None) -> Problem:
    """A message that does not name the operation."""
    return Problem(message, at=at, bare=True)


def not_inferred(message: str, *, is_bare: bool = False, types: tuple[Type, ...] = ()) -> Problem:
    """Why the types of the results do not follow from the operands, as `InferTypeOpInterface` has it."""
    return Problem(message, bare=is_bare, further="failed to infer returned types", types=types)


def incompatible(inferred: Sequence[Type], given: Sequence[Type]) -> Problem:
    """The results are not of the types that follow from the operands."""
    first, second = (", ".join(f"'{type}'" for type in types) for types in (inferred, given))
    message = f"inferred type(s) {first} are incompatible with return type(s) of operation {second}"
    types = (given[0], inferred[0]) if len(inferred) == len(given) == 1 else ()
    return not_inferred(message, types=types)


def check_inferred(inferred: Sequence[Type], given: Sequence[Type]) -> Complaint:
    """The results have the types that follow from the operands, for an operation that MLIR's `InferTypeOpInterface`
    is asked of."""
    return None if list(inferred) == list(given) else incompatible(inferred, given)


def cast_incompatible(op: Operation) -> str:
    """No cast goes from the types of the operands to that of the result."""
    noun = "operand types" if len(op.operands) > 1 else "operand type"
    given = ", ".join(f"'{operand.type}'" for operand in op.operands)
    return f"{noun} {given} and result type '{op.result.type}' are cast incompatible"


@overload
def all_of(*checks: Check) -> Check: ...
@overload
def all_of(*checks: SymbolCheck) -> SymbolCheck: ...
def all_of(*checks: Callable[..., Complaint]) -> Callable[..., Complaint]:
    """The first of several that has something to say."""
    return lambda *given: next((problem for check in checks if (problem := check(*given))), None)


def entry_problem(entry: Block, inputs: Sequence[Type], noun: str = "function") -> str | None:
    """What keeps the arguments of a body from being those of the signature, of a function or of what is like one."""
    if len(entry.arguments) != len(inputs):
        return f"entry block must have {len(inputs)} arguments to match {noun} signature"
    for index, (argument, expected) in enumerate(zip(entry.arguments, inputs, strict=True)):
        if argument.type != expected:
            message = f"type of entry block argument #{index}('{argument.type}') must match the type of the"
            return f"{message} corresponding argument in {noun} signature('{expected}')"
    return None


def group(op: Operation, name: str) -> Sequence[Value]:
    """The operands of a group, which the operation may not have."""
    names = {operand.name for operand in op.definition.operands} if op.definition is not None else ()
    return op.all_of(name) if name in names else ()


def count_of(op: Operation, name: str) -> int:
    """How many operands a group has, or elements an array that is a property; 0 for what the operation has not."""
    match op.properties.get(name):
        case ArrayAttr(elements):
            return len(elements)
        case DenseArrayAttr() as array:
            return len(array.values)
        case _:
            return len(group(op, name))


def is_given(op: Operation, name: str) -> bool:
    """Whether a property is there, or an operand of a group."""
    return name in op.properties or bool(group(op, name))


def some(message: Complaint, *names: str) -> Check:
    """One of these is given, at least."""
    return lambda op: None if any(is_given(op, name) for name in names) else message


def not_both(message: Complaint, first: str, second: str) -> Check:
    """One is given, or the other, or neither."""
    return lambda op: message if is_given(op, first) and is_given(op, second) else None


def only_with(message: Complaint, name: str, other: str) -> Check:
    """One is given only if the other is."""
    return lambda op: message if is_given(op, name) and not is_given(op, other) else None


def as_many(message: Complaint, name: str, other: str) -> Check:
    """Of one there are as many as of the other, where it is given."""
    return lambda op: message if is_given(op, name) and count_of(op, name) != count_of(op, other) else None


def directly_in(op: Operation) -> Sequence[Operation]:
    """The operations of the first region."""
    return [inner for region in op.regions[:1] for block in region.blocks for inner in block]
