"""The instructions that compute addresses and access memory.

Source of the rules: *LLVM Language Reference*, "Memory Access and Addressing Operations", and *'llvm' Dialect*, for the
names of attributes.
"""

from __future__ import annotations

from typing import Final

from fathom.dialects.llvm.attributes import DYNAMIC_GEP_INDEX
from fathom.dialects.llvm.types import LLVMPointerType
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.operation import Operation
from fathom.ir.property_values import integer_property, text_property
from fathom.ir.types import I32, Type
from fathom.ops import llvm as ops
from fathom.translation.address_folding import fold_gep
from fathom.translation.attachments import Attachments
from fathom.translation.constant_text import spell_flags
from fathom.translation.constants import Int, integer
from fathom.translation.function import Emitter, FunctionEmitter, Local, Operand, Part, emitter

ORDERINGS: Final = {1: "unordered", 2: "monotonic", 4: "acquire", 5: "release", 6: "acq_rel", 7: "seq_cst"}
ATOMIC_OPERATIONS: Final = (
    "xchg add sub and nand or xor max min umax umin fadd fsub fmax fmin uinc_wrap udec_wrap usub_cond usub_sat "
    "fmaximum fminimum"
).split()


def dereferenceable(out: FunctionEmitter, op: Operation) -> Attachments:
    """What says how many bytes behind the resulting pointer can be read."""
    attribute = op.properties.get("dereferenceable")
    if not isinstance(attribute, DialectAttr):
        return {}
    kind = "dereferenceable_or_null" if attribute.parameter("mayBeNull") else "dereferenceable"
    return {kind: out.module.metadata.node(f"i64 {attribute.parameter('bytes')}")}


def _gep(out: FunctionEmitter, op: ops.GetelementptrOp) -> None:
    element, raw = op.elem_type.type, op.rawConstantIndices.values
    base = out.operand(op.base, op)
    dynamic = iter(op.operands[1:])
    indices: list[Operand] = [
        out.operand(next(dynamic), op) if index == DYNAMIC_GEP_INDEX else integer(I32, index) for index in raw
    ]
    flags = op.noWrapFlags.value
    constants = [operand for operand in (base, *indices) if not isinstance(operand, Local)]
    if len(constants) == len(indices) + 1:
        folded = fold_gep(element, constants[0], constants[1:], flags, out.module.layout)
        if folded is not None:
            out.define(op, folded)
            return
    parts: list[Part] = []
    for operand in indices:
        parts += [f", {out.types(operand.type)} ", out.text(operand)]
    head = f"getelementptr{spell_flags(flags)} {out.types(element)}, "
    out.emit(op, head, *out.typed(op, 0), *parts)


def _alloca(out: FunctionEmitter, op: ops.AllocaOp) -> None:
    element, type = op.elem_type.type, op.result.type
    assert isinstance(type, LLVMPointerType)
    size = out.operand(op.arraySize, op)
    count: list[Part] = [] if size == Int(I32, 1) else [", ", *out.typed(op, 0)]
    alignment = integer_property(op, "alignment", 0) or out.module.layout.alignment(element, preferred=True)
    space = f", addrspace({type.address_space})" if type.address_space else ""
    inalloca = "inalloca " if op.inalloca is not None else ""
    out.emit(op, f"alloca {inalloca}{out.types(element)}", *count, f", align {alignment}{space}")


def _atomic_head(op: ops.LoadOp | ops.StoreOp) -> str:
    return "atomic " * bool(op.ordering.value) + "volatile " * (op.volatile_ is not None)


def _scope(op: Operation) -> str:
    scope = text_property(op, "syncscope")
    return f' syncscope("{scope}")' if scope else ""


def _access_tail(out: FunctionEmitter, op: ops.LoadOp | ops.StoreOp, type: Type) -> str:
    """What follows the operands of a load or a store."""
    ordering = ORDERINGS.get(op.ordering.value)
    alignment = integer_property(op, "alignment", 0) or out.module.layout.alignment(type)
    return (f"{_scope(op)} {ordering}" if ordering else "") + f", align {alignment}"


def access_hints(
    out: FunctionEmitter, op: ops.IntrMaskedGatherOp | ops.IntrMaskedLoadOp | ops.LoadOp | ops.StoreOp
) -> Attachments:
    """What a load or a store says of its access."""
    nodes = out.module.metadata
    attachments = dereferenceable(out, op)
    if "nontemporal" in op.properties:
        attachments["nontemporal"] = nodes.node("i32 1")
    if "invariant" in op.properties:
        attachments["invariant.load"] = nodes.node()
    if "invariantGroup" in op.properties:
        attachments["invariant.group"] = nodes.node()
    return attachments


def _load(out: FunctionEmitter, op: ops.LoadOp) -> None:
    type = op.result.type
    tail = _access_tail(out, op, type)
    head = f"load {_atomic_head(op)}{out.types(type)}, "
    out.emit(op, head, *out.typed(op, 0), tail, attachments=access_hints(out, op))


def _store(out: FunctionEmitter, op: ops.StoreOp) -> None:
    tail = _access_tail(out, op, op.value.type)
    operands: list[Part] = [*out.typed(op, 0), ", ", *out.typed(op, 1)]
    out.emit(op, f"store {_atomic_head(op)}", *operands, tail, attachments=access_hints(out, op))


def _atomic_update(out: FunctionEmitter, op: ops.AtomicrmwOp) -> None:
    kind = ATOMIC_OPERATIONS[op.bin_op.value]
    volatile = "volatile " * (op.volatile_ is not None)
    alignment = integer_property(op, "alignment", 0) or out.module.layout.store_size(op.val.type)
    tail = f"{_scope(op)} {ORDERINGS[integer_property(op, 'ordering', 0)]}, align {alignment}"
    out.emit(op, f"atomicrmw {volatile}{kind} ", *out.typed(op, 0), ", ", *out.typed(op, 1), tail)


def _compare_exchange(out: FunctionEmitter, op: ops.CmpxchgOp) -> None:
    head = "weak " * (op.weak is not None) + "volatile " * (op.volatile_ is not None)
    orders = " ".join(ORDERINGS[integer_property(op, f"{outcome}_ordering", 0)] for outcome in ("success", "failure"))
    alignment = integer_property(op, "alignment", 0) or out.module.layout.store_size(op.cmp.type)
    operands: list[Part] = [*out.typed(op, 0), ", ", *out.typed(op, 1), ", ", *out.typed(op, 2)]
    out.emit(op, f"cmpxchg {head}", *operands, f"{_scope(op)} {orders}, align {alignment}")


def _fence(out: FunctionEmitter, op: ops.FenceOp) -> None:
    out.emit(op, f"fence{_scope(op)} {ORDERINGS[integer_property(op, 'ordering', 0)]}")


def _va_arg(out: FunctionEmitter, op: ops.VaArgOp) -> None:
    out.emit(op, "va_arg ", *out.typed(op, 0), f", {out.types(op.result.type)}")


_HINTS: Final = "nontemporal invariantGroup dereferenceable"
_ATOMIC: Final = "alignment volatile_ syncscope"
MEMORY: Final[dict[str, Emitter]] = {
    "llvm.getelementptr": emitter(_gep, "elem_type rawConstantIndices noWrapFlags"),
    "llvm.alloca": emitter(_alloca, "elem_type alignment inalloca"),
    "llvm.load": emitter(_load, f"{_ATOMIC} ordering invariant {_HINTS}"),
    "llvm.store": emitter(_store, f"{_ATOMIC} ordering {_HINTS}"),
    "llvm.atomicrmw": emitter(_atomic_update, f"{_ATOMIC} bin_op ordering"),
    "llvm.cmpxchg": emitter(_compare_exchange, f"{_ATOMIC} weak success_ordering failure_ordering"),
    "llvm.fence": emitter(_fence, "syncscope ordering"),
    "llvm.va_arg": emitter(_va_arg),
}
