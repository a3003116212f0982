"""What a function does when it is interpreted: arguments as values, and values as results that a run gives too."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, Any

from fathom.dialects.llvm.signatures import signature_of
from fathom.execution import ArgumentProblem, Failure, Given, Json, RunOutcome
from fathom.execution.layouts import element_size
from fathom.execution.literals import read_contents
from fathom.execution.outcome import FailureKind, UnsupportedSignature
from fathom.execution.scalars import decode_all, encode, nest
from fathom.interpreting import Machine, NotUnderstood, Trap
from fathom.interpreting.casts import memref_of, numbers_of
from fathom.interpreting.memory import bytes_of
from fathom.interpreting.memrefs import of_array, row_major, to_array
from fathom.interpreting.values import Array, Datum, MemRef
from fathom.ir.clone import clone
from fathom.ir.types import MemRefType, ShapedType, TensorType, Type, VectorType
from fathom.programs.behaviour import Behaviour, unknown

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.ir.types import FunctionType
    from fathom.programs.preparing import Part

WAY = "interpreted"


def by_interpreting(
    module: Operation, part: Part, arguments: Sequence[Json], most_steps: int | None = None
) -> Behaviour:
    """What the function of a part does at a stage, operation by operation. After more than `most_steps` it is taken for
    one that does not end."""
    machine = Machine(clone(module), part.loading.context, most_steps)
    function = machine.symbol(part.name)
    if function is None:
        return unknown(f"@{part.name} is not there", WAY)
    return call(machine, function, part.signature, arguments)


def call(
    machine: Machine,
    function: Operation,
    signature: FunctionType,
    arguments: Sequence[Given],
    elements: int | None = None,
) -> Behaviour:
    """What a function of the machine's program does; its `signature` is that of the source. Of each array the first
    `elements` are told, or all."""
    given: list[Datum] = []
    try:
        given = [_datum(machine, value, type) for value, type in zip(arguments, signature.inputs, strict=True)]
        made = machine.call(function, _passed(function, signature, given, machine))
        results = _returned(function, signature, list(made))
        told = [_json(machine, value, type, elements) for value, type in zip(results, signature.results, strict=True)]
        after = [
            _json(machine, value, type, elements) if isinstance(type, MemRefType) else None
            for value, type in zip(given, signature.inputs, strict=True)
        ]
    except Trap as trap:
        kinds: dict[str, FailureKind] = {"memory-limit": "memory-limit", "timeout": "timeout"}
        return Behaviour(RunOutcome(Failure(kinds.get(trap.kind, "crash"), str(trap))), WAY, steps=machine.steps)
    except NotUnderstood as problem:
        return unknown(f"{problem} is not interpreted", WAY)
    except (ArgumentProblem, UnsupportedSignature) as problem:
        return unknown(problem.failure.message, WAY)
    except RecursionError:
        return unknown("so deep a recursion is not interpreted", WAY)
    except (ValueError, IndexError, TypeError, AttributeError, AssertionError, OverflowError) as problem:
        # What is not valid, or is made by a pass that is wrong, may fit together in no way.
        return unknown(f"it does not fit together: {problem}", WAY)
    outcome = RunOutcome(None, tuple(told), tuple(after), stdout="".join(machine.printed))
    return Behaviour(outcome, WAY, steps=machine.steps, tells_printed=machine.tells_printed)


def _datum(machine: Machine, value: Given, type: Type) -> Datum:
    """An argument as a value: a tensor as an array, a memref in memory."""
    if not isinstance(type, ShapedType):
        return machine.memory.load(_written(machine, encode(value, type, "arguments")), type)
    element, size = type.element, element_size(type.element)
    contents = read_contents(value, type.shape, element, "arguments")
    address = _written(machine, contents.all_data)
    if isinstance(type, MemRefType):
        if type.layout is not None:
            raise NotUnderstood(f"an argument of type {type}")
        return MemRef(address, address, 0, tuple(contents.shape), row_major(contents.shape))
    items = tuple(machine.memory.load(address + at * size, element) for at in range(prod(contents.shape)))
    return Array(tuple(contents.shape), items)


def _written(machine: Machine, data: bytes) -> int:
    address = machine.memory.allocate(len(data))
    machine.memory.write(address, data)
    return address


def _passed(function: Operation, signature: FunctionType, given: Sequence[Datum], machine: Machine) -> list[Datum]:
    """The arguments as the function takes them at its stage: tensors in memory where it takes memrefs, and memrefs as
    their numbers where it is one of the LLVM dialect."""
    now = signature_of(function)
    if now is None:
        raise NotUnderstood("the signature")
    is_lowered = function.dialect == "llvm"
    passed: list[Datum] = []
    types = iter(now.inputs)
    for value, type in zip(given, signature.inputs, strict=True):
        wanted = next(types, None)
        if isinstance(value, Array) and isinstance(type, TensorType) and not isinstance(wanted, TensorType):
            value = of_array(machine.memory, value, type.element)
        if isinstance(value, MemRef) and is_lowered:
            numbers = numbers_of(value)
            passed += numbers
            for _ in numbers[1:]:
                next(types, None)
        else:
            passed.append(value)
    return passed


def _returned(function: Operation, signature: FunctionType, made: list[Datum]) -> list[Datum]:
    """What a function gives back, one by one: one of the LLVM dialect gives several in a struct, memrefs as such."""
    if function.dialect != "llvm":
        return made
    if len(signature.results) > 1 and len(made) == 1 and isinstance(made[0], Array):
        made = list(made[0].items)
    return [
        memref_of(value) if isinstance(value, Array) and isinstance(type, (MemRefType, TensorType)) else value
        for value, type in zip(made, signature.results, strict=True)
    ]


def _json(machine: Machine, value: Any, type: Type, most: int | None) -> Json:
    """A value as a run tells it."""
    if not isinstance(type, ShapedType):
        return decoded([value], type)[0]
    array = value
    if isinstance(value, MemRef):
        if machine.memory.is_freed(value.allocated):
            return {"type": str(type), "shape": list(value.sizes), "data": "freed"}
        array = to_array(machine.memory, value, type.element)
    is_cut = most is not None and len(array.items) > most and not isinstance(type, VectorType)
    items = decoded(array.items[:most] if is_cut else array.items, type.element)
    if isinstance(type, VectorType):
        return nest(items, type.ranked_shape)
    told = {"type": str(type), "shape": list(array.shape), "data": nest(items, array.shape)}
    return {**told, "truncated": len(array.items) - len(items)} if is_cut else told


def decoded(items: Sequence[Any], type: Type) -> list[Json]:
    """Numbers of a type as a run tells them. Raises NotUnderstood for what is none."""
    return decode_all(b"".join(bytes_of(item, type) for item in items), type)
