"""What structured operations do to memory: they read and write their operands in buffers, and nothing else.

Source of the rules: *'linalg' Dialect*, "Payload-Carrying Ops", and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from fathom.dialects.linalg.structured import inputs_and_inits
from fathom.ir.types import MemRefType, TensorType
from fathom.irdl.interfaces import Effect, EffectKind, MemoryEffects, Speculatable, Speculation, Structured
from fathom.records import replace

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.irdl.code import OpCode


def with_effects(operations: Mapping[str, OpCode]) -> dict[str, OpCode]:
    """The code of these operations; that of structured ones says what they do to memory."""
    return {
        name: replace(code, interfaces=(*code.interfaces, EFFECTS, SPECULATABLE))
        if any(isinstance(each, Structured) for each in code.interfaces)
        else code
        for name, code in operations.items()
    }


def _effects(op: Operation) -> list[Effect]:
    inputs, inits = inputs_and_inits(op)
    found = [Effect(EffectKind.READ, value) for value in inputs if isinstance(value.type, MemRefType)]
    block = op.regions[0].first if op.regions else None
    arguments = block.arguments[len(inputs) :] if block is not None else []
    for index, value in enumerate(inits):
        if isinstance(value.type, MemRefType):
            if index < len(arguments) and arguments[index].uses:
                found.append(Effect(EffectKind.READ, value))
            found.append(Effect(EffectKind.WRITE, value))
    return found


def _speculation(op: Operation) -> Speculation:
    types = [value.type for value in op.operands]
    has_buffers = any(isinstance(type, MemRefType) for type in types)
    has_tensors = any(isinstance(type, TensorType) for type in types)
    return Speculation.IF_NESTED if has_tensors and not has_buffers else Speculation.NEVER


EFFECTS: Final = MemoryEffects(_effects)
SPECULATABLE: Final = Speculatable(_speculation)
