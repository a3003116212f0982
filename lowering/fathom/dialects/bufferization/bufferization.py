"""How the operations of bufferization bufferize.

Source of the rules: *'bufferization' Dialect*, and `BufferizationOps.cpp` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.bufferization.models import Alias, Bufferizable, DestinationStyle
from fathom.bufferization.options import with_identity
from fathom.bufferization.uses import Use, is_tensor
from fathom.ir.operation import Operation, OpResult, Value
from fathom.ir.types import DYNAMIC, MemRefType, TensorType
from fathom.rewriting.result_shapes import dim

if TYPE_CHECKING:
    from fathom.bufferization.rewriting import Bufferizer
    from fathom.bufferization.state import AnalysisState, Types
    from fathom.ops import bufferization as ops


class AllocTensor(Bufferizable):
    def allocates(self, op: Operation, value: Value) -> bool:
        return True

    def reads(self, op: Operation, use: Use, state: AnalysisState) -> bool:
        return True

    def result_writes(self, op: ops.AllocTensorOp, result: OpResult, state: AnalysisState) -> bool:
        return op.copy is not None

    def buffer_type(self, op: ops.AllocTensorOp, value: Value, types: Types) -> MemRefType:
        type = value.type
        assert isinstance(type, TensorType), "its definition demands it"
        space = op.memory_space
        if space is None:
            space = types.of(op.copy).space if op.copy is not None else types.space(type, op)
        return with_identity(type, space)

    def bufferize(self, op: ops.AllocTensorOp, run: Bufferizer) -> None:
        if not op.result.uses:
            run.erase(op)
            return
        copied = run.buffer(op.copy) if op.copy is not None else None
        type, sizes = run.types.of(op.result), list(op.dynamic_sizes)
        if copied is not None:
            sizes = [dim(run, copied, index) for index, size in enumerate(type.ranked_shape) if size == DYNAMIC]
        memory = run.allocate(type, sizes)
        if copied is not None:
            run.copy(copied, memory)
        run.replace_by_buffers(op, [memory])


class DeallocTensor(Bufferizable):
    def bufferize(self, op: ops.DeallocTensorOp, run: Bufferizer) -> None:
        run.create("memref.dealloc", [run.buffer(op.tensor)])
        run.erase(op)


class MaterializeInDestination(DestinationStyle):
    def reads(self, op: Operation, use: Use, state: AnalysisState) -> bool:
        return use.place == 0

    def writes(self, op: Operation, use: Use, state: AnalysisState) -> bool:
        return use.place == 1

    def must_be_in_place(self, op: Operation, use: Use, state: AnalysisState) -> bool:
        return True

    def aliases(self, op: Operation, use: Use, state: AnalysisState) -> list[Alias]:
        return [Alias(op.results[0])] if use.place == 1 else []

    def is_elementwise(self, op: Operation, uses: Sequence[Use], state: AnalysisState) -> bool:
        return True

    def is_writable(self, op: ops.MaterializeInDestinationOp, value: Value, state: AnalysisState) -> bool:
        return is_tensor(op.dest) or op.writable is not None

    def bufferize(self, op: ops.MaterializeInDestinationOp, run: Bufferizer) -> None:
        target = run.buffer(op.dest) if is_tensor(op.dest) else op.dest
        run.copy(run.buffer(op.source), target)
        run.replace_by_buffers(op, [target] * len(op.results))


class ToBuffer(Bufferizable):
    def reads(self, op: Operation, use: Use, state: AnalysisState) -> bool:
        return True

    def writes(self, op: ops.ToBufferOp, use: Use, state: AnalysisState) -> bool:
        return op.read_only is None

    def bufferize(self, op: ops.ToBufferOp, run: Bufferizer) -> None:
        run.fold_pair(op)


class ToTensor(Bufferizable):
    def is_writable(self, op: ops.ToTensorOp, value: Value, state: AnalysisState) -> bool:
        return op.writable is not None

    def buffer_type(self, op: ops.ToTensorOp, value: Value, types: Types) -> MemRefType:
        assert isinstance(op.buffer.type, MemRefType), "its definition demands it"
        return op.buffer.type


BUFFERIZATION: Final = {
    "bufferization.alloc_tensor": AllocTensor(),
    "bufferization.dealloc_tensor": DeallocTensor(),
    "bufferization.materialize_in_destination": MaterializeInDestination(),
    "bufferization.to_buffer": ToBuffer(),
    "bufferization.to_tensor": ToTensor(),
}
