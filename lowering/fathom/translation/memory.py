"""The instructions that compute addresses and access memory.

Source of the rules: *LLVM Language Reference*, "Memory Access and Addressing Operations", and *'llvm' Dialect*, for the
names of attributes.
"""

from __future__ import annotations

from typing import Final

from fathom.dialects.llvm.attributes import DYNAMIC_GEP_INDEX, ir_words
from fathom.dialects.llvm.types import LLVMPointerType
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.operation import Operation
from fathom.ir.property_values import integer_property, numbers_property, text_property
from fathom.llvmir.constants import integer
from fathom.llvmir.instructions import (
    AllocaInst,
    AtomicCmpXchgInst,
    AtomicRMWInst,
    FenceInst,
    GetElementPtrInst,
    LoadInst,
    StoreInst,
    VAArgInst,
)
from fathom.llvmir.types import I32, VOID
from fathom.llvmir.values import Constant, Value
from fathom.ops import llvm as ops
from fathom.translation.address_folding import fold_gep, gep_flags
from fathom.translation.attachments import Attachments
from fathom.translation.function import Emitter, FunctionEmitter, emitter
from fathom.translation.metadata import i32, i64


def dereferenceable(out: FunctionEmitter, op: Operation) -> Attachments:
    """What says how many bytes behind the resulting pointer can be read."""
    attribute = op.properties.get("dereferenceable")
    if not isinstance(attribute, DialectAttr):
        return {}
    kind = "dereferenceable_or_null" if attribute.parameter("mayBeNull") else "dereferenceable"
    bytes_ = attribute.parameter("bytes")
    return {kind: out.module.nodes.tuple(i64(bytes_ if isinstance(bytes_, int) else 0))}


def _gep(out: FunctionEmitter, op: ops.GetelementptrOp) -> None:
    element, raw = op.elem_type.type, numbers_property(op, "rawConstantIndices")
    base, *dynamic = out.operands(op)
    rest = iter(dynamic)
    indices: list[Value] = [next(rest) if index == DYNAMIC_GEP_INDEX else integer(I32, index) for index in raw]
    flags = integer_property(op, "noWrapFlags", 0)
    source = out.types(element)
    constants = [index for index in indices if isinstance(index, Constant)]
    if isinstance(base, Constant) and len(constants) == len(indices):
        folded = fold_gep(element, source, base, constants, flags, out.module.layout, out.module.extents)
        if folded is not None:
            out.define(op, folded)
            return
    type = out.types(op.result.type)
    out.emit(op, GetElementPtrInst(type, [base, *indices], source, gep_flags(flags)))


def _alloca(out: FunctionEmitter, op: ops.AllocaOp) -> None:
    element, type = op.elem_type.type, op.result.type
    assert isinstance(type, LLVMPointerType)
    alignment = integer_property(op, "alignment", 0) or out.module.layout.alignment(element, preferred=True)
    count, is_in_alloca = out.operand(op.arraySize, op), op.inalloca is not None
    out.emit(op, AllocaInst(out.types(type), [count], out.types(element), alignment, is_in_alloca))


def _ordering(op: Operation, prop: str = "ordering") -> str:
    """How an access is ordered; the empty text if it is not atomic."""
    number = integer_property(op, prop, 0)
    return ir_words("AtomicOrdering")[number] if number else ""


def _scope(op: Operation) -> str:
    return text_property(op, "syncscope") or ""


def access_hints(
    out: FunctionEmitter, op: ops.IntrMaskedGatherOp | ops.IntrMaskedLoadOp | ops.LoadOp | ops.StoreOp
) -> Attachments:
    """What a load or a store says of its access."""
    nodes = out.module.nodes
    attachments = dereferenceable(out, op)
    if "nontemporal" in op.properties:
        attachments["nontemporal"] = nodes.tuple(i32(1))
    if "invariant" in op.properties:
        attachments["invariant.load"] = nodes.tuple()
    if "invariantGroup" in op.properties:
        attachments["invariant.group"] = nodes.tuple()
    return attachments


def _load(out: FunctionEmitter, op: ops.LoadOp) -> None:
    type = op.result.type
    alignment = integer_property(op, "alignment", 0) or out.module.layout.alignment(type)
    ordering, is_volatile = _ordering(op), op.volatile_ is not None
    made = LoadInst(out.types(type), out.operands(op), alignment, is_volatile, ordering, _scope(op))
    out.emit(op, made, access_hints(out, op))


def _store(out: FunctionEmitter, op: ops.StoreOp) -> None:
    alignment = integer_property(op, "alignment", 0) or out.module.layout.alignment(op.value.type)
    ordering, is_volatile = _ordering(op), op.volatile_ is not None
    made = StoreInst(VOID, out.operands(op), alignment, is_volatile, ordering, _scope(op))
    out.emit(op, made, access_hints(out, op))


def _atomic_update(out: FunctionEmitter, op: ops.AtomicrmwOp) -> None:
    pointer, value = out.operands(op)
    alignment = integer_property(op, "alignment", 0) or out.module.layout.store_size(op.val.type)
    ordering, is_volatile = _ordering(op), op.volatile_ is not None
    operation = ir_words("AtomicBinOp")[op.bin_op.value]
    made = AtomicRMWInst(value.type, [pointer, value], operation, ordering, alignment, is_volatile, _scope(op))
    out.emit(op, made)


def _compare_exchange(out: FunctionEmitter, op: ops.CmpxchgOp) -> None:
    operands = out.operands(op)
    success, failure = (_ordering(op, f"{each}_ordering") for each in ("success", "failure"))
    alignment = integer_property(op, "alignment", 0) or out.module.layout.store_size(op.cmp.type)
    is_weak, is_volatile = op.weak is not None, op.volatile_ is not None
    type = out.types(op.res.type)
    made = AtomicCmpXchgInst(type, operands, success, failure, alignment, is_weak, is_volatile, _scope(op))
    out.emit(op, made)


def _fence(out: FunctionEmitter, op: ops.FenceOp) -> None:
    out.emit(op, FenceInst(VOID, [], _ordering(op), _scope(op)))


def _va_arg(out: FunctionEmitter, op: ops.VaArgOp) -> None:
    out.emit(op, VAArgInst(out.types(op.result.type), out.operands(op)))


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
