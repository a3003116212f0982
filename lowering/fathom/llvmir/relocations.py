"""What LLVM says in a comment behind `gc.relocate`: the pointers that it moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from fathom.llvmir.instructions import BasicBlock, CallBase, LandingPadInst
from fathom.llvmir.module import Function
from fathom.llvmir.values import ConstantInt, Value

_RELOCATE: Final = "llvm.experimental.gc.relocate."


def relocated(call: CallBase, predecessors: Mapping[BasicBlock, Sequence[BasicBlock]]) -> tuple[Value, Value] | None:
    """The base and the derived pointer, if it is such a call."""
    if not (isinstance(call.called, Function) and call.called.name.startswith(_RELOCATE) and len(call.operands) == 3):
        return None
    token, *indices = call.operands
    if isinstance(token, LandingPadInst):
        token = _invoked(token, predecessors)
    if not isinstance(token, CallBase):
        return (token, token)
    live = next((inputs for tag, inputs in token.bundles if tag == "gc-live"), tuple(token.operands))
    base, derived = (index.value if isinstance(index, ConstantInt) else 0 for index in indices)
    return (live[base], live[derived]) if max(base, derived) < len(live) else None


def _invoked(pad: LandingPadInst, predecessors: Mapping[BasicBlock, Sequence[BasicBlock]]) -> Value:
    """The statepoint that comes to a landing pad when it throws."""
    for block, before in predecessors.items():
        if before and any(instruction is pad for instruction in block.instructions):
            return before[0].instructions[-1]
    return pad
