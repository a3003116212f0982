"""The instructions that end a block, and those of exception handling.

Source of the rules: *LLVM Language Reference*, "Terminator Instructions".
"""

from __future__ import annotations

from typing import Final

from fathom.dialects.cf.switches import case_values
from fathom.dialects.llvm.types import LLVMArrayType
from fathom.ops import llvm as ops
from fathom.translation.attachments import Attachments
from fathom.translation.calls import CALLED, call_parts
from fathom.translation.constant_text import typed
from fathom.translation.constants import integer
from fathom.translation.function import Emitter, FunctionEmitter, Part, emitter
from fathom.translation.loops import loop_node


def _return(out: FunctionEmitter, op: ops.ReturnOp) -> None:
    if op.operands:
        out.emit(op, "ret ", *out.typed(op, 0))
    else:
        out.emit(op, "ret void")


def _branch(out: FunctionEmitter, op: ops.BrOp) -> None:
    out.emit(op, "br label ", out.jump(0), attachments=_attachments(out, op))


def _branch_on(out: FunctionEmitter, op: ops.CondBrOp) -> None:
    condition = out.typed(op, 0)
    yes, no = out.jump(0), out.jump(1)
    out.emit(op, "br ", *condition, ", label ", yes, ", label ", no, attachments=_attachments(out, op))


def _switch(out: FunctionEmitter, op: ops.SwitchOp) -> None:
    parts: list[Part] = ["switch ", *out.typed(op, 0), ", label ", out.jump(0), " [\n"]
    type = op.value.type
    for position, value in enumerate(case_values(op), start=1):
        parts += [f"    {typed(integer(type, value), out.types)}, label ", out.jump(position), "\n"]
    out.emit(op, *parts, "  ]", attachments=_attachments(out, op))


def _unreachable(out: FunctionEmitter, op: ops.UnreachableOp) -> None:
    out.emit(op, "unreachable")


def _resume(out: FunctionEmitter, op: ops.ResumeOp) -> None:
    out.emit(op, "resume ", *out.typed(op, 0))


def _landing_pad(out: FunctionEmitter, op: ops.LandingpadOp) -> None:
    parts: list[Part] = [f"landingpad {out.types(op.result.type)}"]
    if op.cleanup is not None:
        parts.append("\n          cleanup")
    for index, operand in enumerate(op.operands):
        kind = "filter" if isinstance(operand.type, LLVMArrayType) else "catch"
        parts += [f"\n          {kind} ", *out.typed(op, index)]
    out.emit(op, *parts)


def _invoke(out: FunctionEmitter, op: ops.InvokeOp) -> None:
    parts = call_parts(out, op, "invoke ")
    normal, unwind = out.jump(0), out.jump(1)
    out.emit(op, *parts, "\n          to label ", normal, " unwind label ", unwind, attachments=_attachments(out, op))


def _attachments(out: FunctionEmitter, op: ops.BrOp | ops.CondBrOp | ops.InvokeOp | ops.SwitchOp) -> Attachments:
    nodes: Attachments = {}
    if not isinstance(op, ops.BrOp) and op.branch_weights is not None:
        values = [f"i32 {weight}" for weight in op.branch_weights.values]
        nodes["prof"] = out.module.metadata.node('!"branch_weights"', *values)
    if isinstance(op, (ops.BrOp, ops.CondBrOp)) and op.loop_annotation is not None:
        nodes["llvm.loop"] = loop_node(out.module, op, op.loop_annotation)
    return nodes


TERMINATORS: Final[dict[str, Emitter]] = {
    "llvm.return": emitter(_return),
    "llvm.br": emitter(_branch, "loop_annotation"),
    "llvm.cond_br": emitter(_branch_on, "branch_weights loop_annotation"),
    "llvm.switch": emitter(_switch, "case_values case_operand_segments branch_weights"),
    "llvm.unreachable": emitter(_unreachable),
    "llvm.resume": emitter(_resume),
    "llvm.landingpad": emitter(_landing_pad, "cleanup"),
    "llvm.invoke": emitter(_invoke, f"{CALLED} branch_weights"),
}
