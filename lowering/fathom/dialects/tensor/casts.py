"""Casts between types of tensors, and who looks through them.

Source of the rules: *'tensor' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from fathom.ir.operation import Operation
from fathom.ir.types import DYNAMIC, TensorType, Type


def fold_tensor_casts(op: Operation) -> bool:
    """Lets operands that come from a `tensor.cast` use what was cast, if that knows as much of its shape; whether any
    did."""
    changed = False
    for number, operand in enumerate(op.operands):
        cast = operand.defining_op
        if cast is not None and cast.name == "tensor.cast" and _knows_as_much(cast.operands[0].type, operand.type):
            op.set_operand(number, cast.operands[0])
            changed = True
    return changed


def _knows_as_much(type: Type, other: Type) -> bool:
    """Whether the one type states each size that the other states; they differ in nothing else."""
    if not isinstance(type, TensorType) or not isinstance(other, TensorType) or type.element != other.element:
        return False
    if type.shape is None or other.shape is None or len(type.shape) != len(other.shape):
        return False
    if type.encoding != other.encoding:
        return False
    return all(a != DYNAMIC or b == DYNAMIC for a, b in zip(type.shape, other.shape, strict=True))
