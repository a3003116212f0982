"""Uses of tensors: an operand of an operation, which bufferization decides on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from fathom.ir.types import TensorType

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.ir.types import Type


class Use(NamedTuple):
    """An operand: whose it is, and its number."""

    op: Operation
    place: int

    @property
    def value(self) -> Value:
        return self.op.operands[self.place]


def uses_of(value: Value) -> Iterator[Use]:
    """All uses of a value."""
    for op in value.uses:
        for index, operand in enumerate(op.operands):
            if operand is value:
                yield Use(op, index)


def tensor_uses(op: Operation) -> list[Use]:
    """The operands of an operation that are tensors."""
    return [Use(op, index) for index, value in enumerate(op.operands) if isinstance(value.type, TensorType)]


def is_tensor(value: Value) -> bool:
    return isinstance(value.type, TensorType)


def is_ranked(value: Value) -> bool:
    return isinstance(value.type, TensorType) and value.type.shape is not None


def any_tensor(types: Iterable[Type]) -> bool:
    return any(isinstance(type_, TensorType) for type_ in types)


def owner_of(value: Value) -> Operation | None:
    """The operation that a value belongs to: the one that defines it, or that it is an argument in."""
    if value.defining_op is not None:
        return value.defining_op
    block = value.parent_block
    return block.parent.parent if block is not None and block.parent is not None else None
