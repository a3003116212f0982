"""The interface `DestinationStyleOpInterface`: an operation that writes some of its operands.

Source of the rules: `mlir/Interfaces/DestinationStyleOpInterface.td`; the texts of messages are those of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.types import MemRefType, TensorType, Type
from fathom.irdl.declared import Trait
from fathom.irdl.interfaces import Structured

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, OpResult, Value

TRAIT: Final = "DestinationStyleOpInterface"

GROUPS: Final = ("inits", "outputs", "output", "dest", "base")
"""What the operands that are written are called."""


def check_destinations(op: Operation, places: range) -> str | None:
    """What is written, the operands at some places, is a tensor or a memref, and each tensor is a result too, of the
    same type."""
    tensors: list[tuple[int, Type]] = []
    for number in places:
        value = op.operands[number]
        if isinstance(value.type, TensorType):
            tensors.append((number, value.type))
        elif not isinstance(value.type, MemRefType):
            return f"expected that operand #{number} is a tensor or a memref"
    results = [result.type for result in op.results if isinstance(result.type, TensorType)]
    if len(results) != len(tensors):
        counts = f"({len(results)}) to be equal to the number of output tensors ({len(tensors)})"
        return f"expected the number of tensor results {counts}"
    for index, (number, type) in enumerate(tensors):
        if op.results[index].type != type:
            types = f"('{type}') to match type of corresponding result ('{op.results[index].type}')"
            return f"expected type of operand #{number} {types}"
    return None


DESTINATION_STYLE: Final = Trait("DestinationStyleOpInterface")
"""That of all operations that write operands, besides the one that says which."""


def destinations(op: Operation) -> range:
    """The places of the operands that are written; none where its definition does not say which."""
    definition = op.definition
    group = definition.destination_group if definition is not None else ""
    return (
        definition.operand_places.place(op, len(op.operands), group) if definition is not None and group else range(0)
    )


def destination_style(group: str) -> Trait:
    """The trait of an operation that writes the operands of a group."""

    def verify(op: Operation) -> str | None:
        if op.definition is None:
            return None
        return check_destinations(op, op.definition.operand_places.place(op, len(op.operands), group))

    return Trait(f"{TRAIT}<{group}>", verify)


def destination_of(result: OpResult) -> Value | None:
    """The operand that is written to make a result, of an operation that says so."""
    op = result.defining_op
    if op is None or op.definition is None:
        return None
    groups = op.definition.operand_groups(op)
    if op.interface(Structured) is not None:
        written = [*groups.values()][-1]
    elif any(trait.name.startswith(TRAIT) for trait in op.definition.traits):
        written = next((groups[name] for name in GROUPS if name in groups), list["Value"]())
    else:
        return None
    return written[result.index] if result.index < len(written) else None
