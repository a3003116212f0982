"""How operations of arith on tensors bufferize: constants, and those that hand on what they get.

Source of the rules: `mlir/lib/Dialect/Arith/Transforms/BufferizableOpInterfaceImpl.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.bufferization.globals import global_for
from fathom.bufferization.models import Alias, Bufferizable, View
from fathom.bufferization.options import Refusal, with_any_layout
from fathom.bufferization.uses import Use
from fathom.ir.attributes import SymbolRefAttr
from fathom.ir.operation import Value
from fathom.ir.types import I1, MemRefType, TensorType
from fathom.records import replace

if TYPE_CHECKING:
    from fathom.bufferization.rewriting import Bufferizer
    from fathom.bufferization.state import AnalysisState, Types
    from fathom.ops import arith as ops


class Constant(Bufferizable):
    """A constant in memory, which is not written."""

    def is_writable(self, op: ops.ConstantOp, value: Value, state: AnalysisState) -> bool:
        return False

    def bufferize(self, op: ops.ConstantOp, run: Bufferizer) -> None:
        type = op.result.type
        if not isinstance(type, TensorType) or type.shape is None:
            raise Refusal(op, "")
        name, memory = global_for(op, run, run.types.space(type, op))
        run.replace_by(op, "memref.get_global", [], [memory], {"name": SymbolRefAttr(name)})


class IndexCast(View):
    def bufferize(self, op: ops.IndexCastOp, run: Bufferizer) -> None:
        source, type = run.buffer(op.in_), op.out.type
        assert isinstance(source.type, MemRefType) and isinstance(type, TensorType), "what bufferizes is a tensor"
        run.replace_by(op, op.name, [source], [replace(source.type, element=type.element)])


class Select(View):
    """One of two buffers."""

    def aliases(self, op: ops.SelectOp, use: Use, state: AnalysisState) -> list[Alias]:
        return [Alias(op.result, is_definite=False)]

    def buffer_type(self, op: ops.SelectOp, value: Value, types: Types) -> MemRefType:
        true, false = types.of(op.true_value), types.of(op.false_value)
        if true == false:
            return true
        if true.space != false.space:
            raise Refusal(op, "inconsistent memory space on true/false operands", is_bare=True)
        return with_any_layout(TensorType(true.shape, true.element), true.space)

    def bufferize(self, op: ops.SelectOp, run: Bufferizer) -> None:
        if op.condition.type != I1:
            raise Refusal(op, "only i1 condition values are supported")
        true, false = run.buffer(op.true_value), run.buffer(op.false_value)
        if true.type != false.type:
            type = run.types.of(op.result)
            true, false = run.cast(true, type), run.cast(false, type)
        run.replace_by(op, op.name, [op.condition, true, false], [true.type])


BUFFERIZATION: Final = {
    "arith.constant": Constant(),
    "arith.index_cast": IndexCast(),
    "arith.select": Select(),
}
