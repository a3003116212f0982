"""What bufferization's operations do: an array becomes memory of its own, and memory an array of what it holds."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import TYPE_CHECKING, Any, Final

from fathom.interpreting.machine import Frame, Interpret
from fathom.interpreting.memory import size_of
from fathom.interpreting.memrefs import element_of, indices_of, of_array, shape_with, to_array
from fathom.interpreting.values import Array, Datum, MemRef

if TYPE_CHECKING:
    from fathom.ops import bufferization as ops


def _to_tensor(op: ops.ToTensorOp, operands: list[Any], frame: Frame) -> Datum:
    return to_array(frame.memory, operands[0], element_of(op.buffer))


def _to_buffer(op: ops.ToBufferOp, operands: list[Any], frame: Frame) -> Datum:
    return of_array(frame.memory, operands[0], element_of(op.tensor))


def _clone(op: ops.CloneOp, operands: list[Any], frame: Frame) -> Datum:
    element = element_of(op.input)
    return of_array(frame.memory, to_array(frame.memory, operands[0], element), element)


def _new(op: ops.AllocTensorOp, operands: list[Any], frame: Frame) -> Datum:
    if op.copy is not None:
        return operands[len(op.dynamic_sizes)]
    shape = shape_with(op.result.type, operands[: len(op.dynamic_sizes)])
    return Array(shape, (frame.machine.undefined(element_of(op.result)),) * prod(shape))


def _materialize(op: ops.MaterializeInDestinationOp, operands: list[Any], frame: Frame) -> list[Datum] | None:
    source, target = operands
    if not isinstance(target, MemRef):
        return [source]
    element = element_of(op.dest)
    for at, item in zip(indices_of(target.sizes), source.items, strict=True):
        frame.memory.store(target.aligned + target.place(at) * size_of(element), item, element)
    return None


def _nothing(_: ops.DeallocTensorOp, __: list[Any], ___: Frame) -> None:
    return None


INTERPRETATION: Final[Mapping[str, Interpret]] = {
    "bufferization.alloc_tensor": _new,
    "bufferization.clone": _clone,
    "bufferization.dealloc_tensor": _nothing,
    "bufferization.materialize_in_destination": _materialize,
    "bufferization.to_buffer": _to_buffer,
    "bufferization.to_tensor": _to_tensor,
}
