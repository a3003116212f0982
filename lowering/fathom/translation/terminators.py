"""The instructions that end a block, and those of exception handling.

Source of the rules: *LLVM Language Reference*, "Terminator Instructions".
"""

from __future__ import annotations

from typing import Final

from fathom.dialects.cf.switches import case_values
from fathom.llvmir.constants import integer
from fathom.llvmir.instructions import (
    BranchInst,
    IndirectBrInst,
    InvokeInst,
    LandingPadInst,
    ResumeInst,
    ReturnInst,
    SwitchInst,
    UnreachableInst,
)
from fathom.llvmir.types import VOID
from fathom.ops import llvm as ops
from fathom.translation.attachments import Attachments
from fathom.translation.calls import CALLED, called_of
from fathom.translation.function import Emitter, FunctionEmitter, emitter
from fathom.translation.loops import loop_node
from fathom.translation.metadata import i32, quoted


def _return(out: FunctionEmitter, op: ops.ReturnOp) -> None:
    out.emit(op, ReturnInst(VOID, out.operands(op)))


def _branch(out: FunctionEmitter, op: ops.BrOp) -> None:
    out.emit(op, BranchInst(VOID, [], out.successors), _loop(out, op))


def _branch_on(out: FunctionEmitter, op: ops.CondBrOp) -> None:
    branch = BranchInst(VOID, [out.operand(op.condition, op)], out.successors)
    out.emit(op, branch, {**_weights(out, op), **_loop(out, op)})


def _switch(out: FunctionEmitter, op: ops.SwitchOp) -> None:
    value = out.operand(op.value, op)
    cases = [integer(value.type, case) for case in case_values(op)]
    default, *blocks = out.successors
    out.emit(op, SwitchInst(VOID, [value, *cases], default, blocks), _weights(out, op))


def _branch_to_address(out: FunctionEmitter, op: ops.IndirectbrOp) -> None:
    out.emit(op, IndirectBrInst(VOID, [out.operand(op.addr, op)], out.successors))


def _unreachable(out: FunctionEmitter, op: ops.UnreachableOp) -> None:
    out.emit(op, UnreachableInst(VOID, []))


def _resume(out: FunctionEmitter, op: ops.ResumeOp) -> None:
    out.emit(op, ResumeInst(VOID, out.operands(op)))


def _landing_pad(out: FunctionEmitter, op: ops.LandingpadOp) -> None:
    out.emit(op, LandingPadInst(out.types(op.result.type), out.operands(op), op.cleanup is not None))


def _invoke(out: FunctionEmitter, op: ops.InvokeOp) -> None:
    called = called_of(out, op)
    normal, unwind = out.successors
    invoke = InvokeInst(
        called.type.result,
        called.arguments,
        called.value,
        called.type,
        called.attributes,
        called.convention,
        called.bundles,
        normal=normal,
        unwind=unwind,
    )
    out.emit(op, invoke, _weights(out, op))


def _weights(out: FunctionEmitter, op: ops.CondBrOp | ops.InvokeOp | ops.SwitchOp) -> Attachments:
    weights = op.branch_weights
    if weights is None:
        return {}
    return {"prof": out.module.nodes.tuple(quoted("branch_weights"), *map(i32, weights.values))}


def _loop(out: FunctionEmitter, op: ops.BrOp | ops.CondBrOp) -> Attachments:
    annotation = op.loop_annotation
    return {"llvm.loop": loop_node(out.module, op, annotation)} if annotation is not None else {}


TERMINATORS: Final[dict[str, Emitter]] = {
    "llvm.return": emitter(_return),
    "llvm.br": emitter(_branch, "loop_annotation"),
    "llvm.cond_br": emitter(_branch_on, "branch_weights loop_annotation"),
    "llvm.switch": emitter(_switch, "case_values case_operand_segments branch_weights"),
    "llvm.indirectbr": emitter(_branch_to_address, "indbr_operand_segments"),
    "llvm.unreachable": emitter(_unreachable),
    "llvm.resume": emitter(_resume),
    "llvm.landingpad": emitter(_landing_pad, "cleanup"),
    "llvm.invoke": emitter(_invoke, f"{CALLED} branch_weights"),
}
