"""Casts between types of tensors, and who looks through them.

Source of the rules: *'tensor' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import Final

from fathom.ir.operation import Operation, Value
from fathom.ir.types import DYNAMIC, TensorType, Type
from fathom.ops import tensor as ops

CAST: Final = "tensor.cast"


def ranked(type: Type) -> TensorType | None:
    """The type if it is a tensor with a rank."""
    return type if isinstance(type, TensorType) and type.shape is not None else None


def fold_tensor_casts(op: Operation) -> bool:
    """Lets operands that come from a `tensor.cast` use what was cast, if that knows as much of its shape; whether any
    did."""
    changed = False
    for number, operand in enumerate(op.operands):
        cast = forgets(operand)
        if cast is not None:
            op.set_operand(number, cast.source)
            changed = True
    return changed


def forgets(value: Value) -> ops.CastOp | None:
    """The `tensor.cast` that defines a value, if what it casts knows as much of its shape: who uses the one can use the
    other."""
    cast = value.defining_op
    return cast if isinstance(cast, ops.CastOp) and knows_as_much(cast.source.type, value.type) else None


def uncast(op: Operation) -> list[Value] | None:
    """The operands with what was cast in the place of those that come from such casts; None where none does."""
    casts = [forgets(operand) for operand in op.operands]
    if not any(casts):
        return None
    return [cast.source if cast is not None else value for cast, value in zip(casts, op.operands, strict=True)]


def learns(cast: ops.CastOp) -> bool:
    """Whether a `tensor.cast` loses nothing that was known of the shape, so that who makes the tensor can make that of
    the result's type."""
    return knows_as_much(cast.result.type, cast.source.type)


def knows_as_much(type: Type, other: Type) -> bool:
    """Whether the one type states each size that the other states; they differ in nothing else."""
    if not isinstance(type, TensorType) or not isinstance(other, TensorType) or type.element != other.element:
        return False
    if type.shape is None or other.shape is None or len(type.shape) != len(other.shape):
        return False
    if type.encoding != other.encoding:
        return False
    return all(a != DYNAMIC or b == DYNAMIC for a, b in zip(type.shape, other.shape, strict=True))
