"""How what is assumed of shapes bufferizes: what it yields.

Source of the rules: `mlir/lib/Dialect/Shape/Transforms/BufferizableOpInterfaceImpl.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.bufferization.models import Alias, Bufferizable, Source
from fathom.bufferization.uses import Use, is_tensor
from fathom.ir.operation import Operation, OpResult, Region

if TYPE_CHECKING:
    from fathom.bufferization.rewriting import Bufferizer
    from fathom.bufferization.state import AnalysisState
    from fathom.ops import shape as ops


def _end(op: ops.AssumingOp) -> Operation:
    block = op.doRegion.first
    assert block is not None and block.last is not None, "the region has a terminator"
    return block.last


class Assuming(Bufferizable):
    def sources(self, op: ops.AssumingOp, value: OpResult, state: AnalysisState) -> list[Source]:
        return [Source(Use(_end(op), value.index))]

    def bufferize(self, op: ops.AssumingOp, run: Bufferizer) -> None:
        types, region = [operand.type for operand in _end(op).operands], Region()
        run.inline_region_before(op.doRegion, region, None)
        new = run.create(op.name, op.operands, types, op.properties, None, (), [region])
        run.replace_by_buffers(op, new.results)


class Yield(Bufferizable):
    def reads(self, op: ops.AssumingYieldOp, use: Use, state: AnalysisState) -> bool:
        return True

    def aliases(self, op: ops.AssumingYieldOp, use: Use, state: AnalysisState) -> list[Alias]:
        return [Alias(op.parent_op.results[use.place])] if op.parent_op is not None else []

    def must_be_in_place(self, op: ops.AssumingYieldOp, use: Use, state: AnalysisState) -> bool:
        return True

    def bufferize(self, op: ops.AssumingYieldOp, run: Bufferizer) -> None:
        values = [run.buffer(operand) if is_tensor(operand) else operand for operand in op.operands]
        run.replace_by(op, op.name, values)


BUFFERIZATION: Final = {"shape.assuming": Assuming(), "shape.assuming_yield": Yield()}
