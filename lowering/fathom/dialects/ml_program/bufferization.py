"""How globals that hold tensors bufferize: they are memory.

Source of the rules: `mlir/lib/Dialect/MLProgram/Transforms/BufferizableOpInterfaceImpl.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from fathom.bufferization.models import Bufferizable
from fathom.bufferization.options import Refusal, with_identity
from fathom.bufferization.uses import Use
from fathom.ir.attributes import UNIT, Attribute, SymbolRefAttr, TypeAttr
from fathom.ir.operation import Value
from fathom.ir.types import MemRefType, TensorType, Type

if TYPE_CHECKING:
    from fathom.bufferization.rewriting import Bufferizer
    from fathom.bufferization.state import AnalysisState
    from fathom.ops import ml_program as ops


def _memory(type: Type) -> MemRefType:
    assert isinstance(type, TensorType), "what bufferizes is a tensor"
    return with_identity(type, None)


def _name(symbol: SymbolRefAttr) -> dict[str, Attribute]:
    return {"name": SymbolRefAttr(symbol.path[-1])}


class Global(Bufferizable):
    def has_tensors(self, op: Any) -> bool:
        return True

    def bufferize(self, op: ops.GlobalOp, run: Bufferizer) -> None:
        if op.value is None:
            raise Refusal(op, "global op must have a value", is_bare=True)
        properties: dict[str, Attribute] = {
            "sym_name": op.sym_name,
            "type": TypeAttr(_memory(op.type.type)),
            "initial_value": op.value,
        }
        if op.sym_visibility is not None:
            properties["sym_visibility"] = op.sym_visibility
        if op.is_mutable is None:
            properties["constant"] = UNIT
        run.replace_by(op, "memref.global", (), (), properties)


class Load(Bufferizable):
    def is_writable(self, op: ops.GlobalLoadOp, value: Value, state: AnalysisState) -> bool:
        return False

    def bufferize(self, op: ops.GlobalLoadOp, run: Bufferizer) -> None:
        run.replace_by(op, "memref.get_global", (), [_memory(op.result.type)], _name(op.global_))


class Store(Bufferizable):
    def writes(self, op: ops.GlobalStoreOp, use: Use, state: AnalysisState) -> bool:
        return True

    def bufferize(self, op: ops.GlobalStoreOp, run: Bufferizer) -> None:
        target = run.create("memref.get_global", (), [_memory(op.value.type)], _name(op.global_)).result
        run.copy(run.buffer(op.value), target)
        run.erase(op)


BUFFERIZATION: Final = {
    "ml_program.global": Global(),
    "ml_program.global_load": Load(),
    "ml_program.global_store": Store(),
}
