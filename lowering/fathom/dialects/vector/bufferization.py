"""How operations that move vectors to and from tensors bufferize.

Source of the rules: `mlir/lib/Dialect/Vector/Transforms/BufferizableOpInterfaceImpl.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.bufferization.models import Alias, Bufferizable, DestinationStyle, Reading, Source
from fathom.bufferization.options import Refusal
from fathom.bufferization.uses import Use, is_tensor
from fathom.ir.operation import Operation, OpResult, Region, Value
from fathom.ir.types import TensorType, VectorType
from fathom.ops import vector as ops
from fathom.ops.bufferization import AllocTensorOp
from fathom.rewriting.folding import integer_constant

if TYPE_CHECKING:
    from fathom.bufferization.rewriting import Bufferizer
    from fathom.bufferization.state import AnalysisState


def _on_buffer(op: Operation, base: Value, run: Bufferizer) -> list[Value]:
    """The operands of an operation, with the buffer in the place of the tensor."""
    buffer = run.buffer(base)
    return [buffer if operand is base else operand for operand in op.operands]


class Read(Reading):
    """A transfer or a gather from a tensor."""

    def bufferize(self, op: ops.TransferReadOp | ops.GatherOp, run: Bufferizer) -> None:
        run.replace_by(op, op.name, _on_buffer(op, op.base, run), [op.result.type], op.properties)


class TransferWrite(DestinationStyle):
    def reads(self, op: ops.TransferWriteOp, use: Use, state: AnalysisState) -> bool:
        type, vector = op.base.type, op.valueToStore.type
        assert isinstance(type, TensorType) and isinstance(vector, VectorType), "its definition demands it"
        covers = all(size <= given for size, given in zip(type.ranked_shape, vector.ranked_shape, strict=False))
        is_first = all(integer_constant(index) == 0 for index in op.indices)
        is_masked = op.mask is not None or isinstance(op.parent_op, ops.MaskOp)
        return not (type.has_static_shape and is_first and not is_masked and covers)

    def bufferize(self, op: ops.TransferWriteOp, run: Bufferizer) -> None:
        target = run.buffer(op.base)
        run.create(op.name, _on_buffer(op, op.base, run), (), op.properties)
        run.replace_by_buffers(op, [target])


class Scatter(Bufferizable):
    def reads(self, op: ops.ScatterOp, use: Use, state: AnalysisState) -> bool:
        return True

    def writes(self, op: ops.ScatterOp, use: Use, state: AnalysisState) -> bool:
        return True

    def aliases(self, op: ops.ScatterOp, use: Use, state: AnalysisState) -> list[Alias]:
        return [Alias(op.results[0])] if use.value is op.base else []

    def bufferize(self, op: ops.ScatterOp, run: Bufferizer) -> None:
        target = run.buffer(op.base)
        run.create(op.name, _on_buffer(op, op.base, run), (), op.properties)
        run.replace_by_buffers(op, [target])


class Mask(Bufferizable):
    """It has no tensors as operands: its results are what the operation in it makes."""

    def sources(self, op: ops.MaskOp, value: OpResult, state: AnalysisState) -> list[Source]:
        end = _end(op)
        return [Source(Use(end, value.index))] if end is not None else []

    def resolve(self, op: ops.MaskOp, run: Bufferizer, state: AnalysisState) -> None:
        run.copy_operands(op, state)
        if any(isinstance(operation, AllocTensorOp) for operation in op.maskRegion.operations()):
            raise Refusal(op, "body must bufferize in-place")

    def bufferize(self, op: ops.MaskOp, run: Bufferizer) -> None:
        masked, end = op.maskRegion.first.first if op.maskRegion.first is not None else None, _end(op)
        if end is None or masked is None or run.options.model(masked, run.context) is None:
            return
        kept = [value for value in end.operands if value.defining_op is masked]
        outside = [None if value.defining_op is masked else value for value in end.operands]
        end.set_operands(kept)
        region = Region()
        run.inline_region_before(op.maskRegion, region, None)
        new = run.create(op.name, op.operands, [value.type for value in kept], op.properties, None, (), [region])
        made = iter(new.results)
        run.replace_by_buffers(op, [value if value is not None else next(made) for value in outside])


def _end(op: ops.MaskOp) -> Operation | None:
    return op.maskRegion.first.last if op.maskRegion.first is not None else None


class Yield(Bufferizable):
    def reads(self, op: ops.YieldOp, use: Use, state: AnalysisState) -> bool:
        return True

    def aliases(self, op: ops.YieldOp, use: Use, state: AnalysisState) -> list[Alias]:
        return [Alias(op.parent_op.results[use.place])] if op.parent_op is not None else []

    def must_be_in_place(self, op: ops.YieldOp, use: Use, state: AnalysisState) -> bool:
        return True

    def bufferize(self, op: ops.YieldOp, run: Bufferizer) -> None:
        if not isinstance(op.parent_op, ops.MaskOp):
            raise Refusal(op, "unsupported vector::YieldOp parent", is_bare=True)
        masked = op.parent.first if op.parent is not None else None
        if masked is not None and run.options.model(masked, run.context) is not None:
            values = [run.buffer(operand) if is_tensor(operand) else operand for operand in op.operands]
            run.replace_by(op, op.name, values)


BUFFERIZATION: Final = {
    "vector.gather": Read(),
    "vector.mask": Mask(),
    "vector.scatter": Scatter(),
    "vector.transfer_read": Read(),
    "vector.transfer_write": TransferWrite(),
    "vector.yield": Yield(),
}
