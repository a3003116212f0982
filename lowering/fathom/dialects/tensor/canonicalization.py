"""The canonicalisation of tensors: a size is asked of what the tensor was made of.

Source of the rules: mlir-opt 22; the order of the patterns is MLIR's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.ir.operation import OpResult
from fathom.ir.types import INDEX, TensorType
from fathom.irdl.destinations import destination_of
from fathom.rewriting.pattern import Failure, Pattern

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter


def size_of_cast(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """A size of a tensor that was cast is that of what was cast."""
    source = operands[0].defining_op
    if source is None or source.name != "tensor.cast":
        return Failure("the tensor is not cast")
    rewriter.replace_with(op, "tensor.dim", [source.operands[0], operands[1]], [INDEX])
    return None


def size_of_destination(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """A result has the sizes of the operand that it is written over."""
    source = operands[0]
    destination = destination_of(source) if isinstance(source, OpResult) else None
    if destination is None:
        return Failure("nothing is written over to make the tensor")
    rewriter.modify(op, lambda: op.set_operand(0, destination))
    return None


def size_of_reshape(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """A size of a reshaped tensor is an element of its shape."""
    source, index = operands
    reshape = source.defining_op
    if reshape is None or reshape.name != "tensor.reshape":
        return Failure("the tensor is not reshaped")
    shape = reshape.operands[1]
    element = shape.type.element if isinstance(shape.type, TensorType) else INDEX
    size = rewriter.create("tensor.extract", [shape, index], [element]).result
    if size.type != INDEX:
        size = rewriter.create("arith.index_cast", [size], [INDEX]).result
    rewriter.replace(op, [size])
    return None


PATTERNS: Final = (
    Pattern("tensor.dim", size_of_cast, name="DimOfCastOp"),
    Pattern("tensor.dim", size_of_destination, name="DimOfDestStyleOp"),
    Pattern("tensor.dim", size_of_reshape, name="DimOfReshapeOp"),
)
