"""What LLVM's operations do with slots of memory.

Source of the rules: `LLVMMemorySlot.cpp` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm import slot_parts
from fathom.dialects.llvm.memory_layout import memory_layout
from fathom.dialects.llvm.slot_values import cut_out, filled, fits, put_in, size_or_none
from fathom.dialects.llvm.types import LLVMPointerType
from fathom.ir.attributes import IntegerAttr, TypeAttr
from fathom.ir.types import FloatType, IntegerType
from fathom.ops import llvm as ops
from fathom.rewriting.folding import constant_value
from fathom.rewriting.memory_slots import (
    Access,
    Allocation,
    Handing,
    PartAccess,
    Slot,
    SlotUse,
    insert_after,
    loading,
    storing,
    uses_of_results,
)

if TYPE_CHECKING:
    from fathom.ir.operation import BlockArgument, Operation, Value
    from fathom.ir.types import Type
    from fathom.rewriting.memory_slots import Use
    from fathom.rewriting.rewriter import Rewriter

# ---- llvm.alloca


def _slot(op: ops.AllocaOp) -> Slot | str:
    if op.parent is None or not op.parent.is_entry:
        return "it does not stand in the first block of a region"
    return Slot(op.res, op.elem_type.type)


def _undefined(op: ops.AllocaOp, slot: Slot, rewriter: Rewriter) -> Value:
    return rewriter.create("llvm.mlir.undef", (), [slot.type]).result


def _divisible(op: ops.AllocaOp) -> Slot | str:
    count = constant_value(op.arraySize)
    parts = slot_parts.parts_of(op.elem_type.type)
    if not isinstance(count, IntegerAttr) or count.value != 1:
        return "its array size is not the constant 1"
    if parts is None:
        return "what it holds is no struct, and no array of at most 16 elements"
    return Slot(op.res, op.elem_type.type, parts)


def _part(op: ops.AllocaOp, type: Type, rewriter: Rewriter) -> Operation:
    return rewriter.create("llvm.alloca", [op.arraySize], [LLVMPointerType()], {"elem_type": TypeAttr(type)})


def _arrives(op: ops.AllocaOp, argument: BlockArgument, rewriter: Rewriter) -> None:
    for user in reversed(op.res.uses):
        if isinstance(user, ops.IntrDbgDeclareOp):
            _tell_value(user, argument, rewriter)


# ---- debug information


def _tell_value(op: ops.IntrDbgDeclareOp, value: Value, rewriter: Rewriter) -> None:
    """Says that the variable of the source has a value from here on."""
    with rewriter.standing_in(op):
        properties = {"varInfo": op.varInfo, "locationExpr": op.locationExpr}
        rewriter.create("llvm.intr.dbg.value", [value], (), properties)


def _tell_stored(op: ops.IntrDbgDeclareOp, stored: Sequence[tuple[Operation, Value]], rewriter: Rewriter) -> None:
    for where, value in stored:
        insert_after(rewriter, where)
        _tell_value(op, value, rewriter)


def _value_may_go(op: ops.IntrDbgValueOp, uses: Collection[int]) -> Sequence[Use] | None:
    return () if len(uses) == 1 and op.operands[next(iter(uses))] is op.value else None


def _forget_value(op: ops.IntrDbgValueOp, uses: Collection[int], rewriter: Rewriter) -> bool:
    """The variable is still there, but has no value any more."""
    rewriter.set_insertion_before(op)
    rewriter.stand_in(op)
    value = rewriter.create("llvm.mlir.undef", (), [op.value.type]).result
    op.set_operand(op.operands.index(op.value), value)
    return False


# ---- what hands a pointer on, or says something about it


def _all_zero(op: ops.GetelementptrOp, uses: Collection[int]) -> Sequence[Use] | None:
    return uses_of_results(op) if not any(op.rawConstantIndices.values) else None


def _invariant_may_go(op: ops.IntrInvariantStartOp, uses: Collection[int]) -> Sequence[Use] | None:
    return () if all(isinstance(user, ops.IntrInvariantEndOp) for user in op.res.uses) else None


_HANDS_ON: Final = SlotUse(handing=Handing(uses_of_results))
_SAYS: Final = SlotUse(handing=Handing(lambda op, uses: ()))

# ---- loads and stores


def _load(op: ops.LoadOp, slot: Slot, value: Value, rewriter: Rewriter) -> None:
    op.res.replace_all_uses_with(cut_out(op, rewriter, value, op.res.type) if value.type != op.res.type else value)


def _stored(op: ops.StoreOp, slot: Slot, value: Value, rewriter: Rewriter) -> Value:
    return op.value if op.value.type == value.type else put_in(op, rewriter, op.value, value)


def _goes(op: Operation, slot: Slot, value: Value, rewriter: Rewriter) -> None:
    """Nothing is left to do."""


_LOAD: Final = loading(
    lambda op: op.addr, lambda op, slot: op.volatile_ is None and fits(op, op.res.type, slot.type), _load
)
_STORE: Final = storing(
    lambda op: op.addr, lambda op, slot: op.volatile_ is None and fits(op, op.value.type, slot.type), _stored
)
_FIRST_PART: Final = PartAccess(slot_parts.parts_of_access, slot_parts.access_part)

# ---- copying and filling


def _fills_all(op: slot_parts.Fill, slot: Slot, uses: Collection[int]) -> bool:
    type = slot.type
    if not isinstance(type, (IntegerType, FloatType)) or not type.width or type.width % 8 or op.isVolatile.value:
        return False
    return slot_parts.length(op) == size_or_none(memory_layout(op), type)


def _copies_all(op: slot_parts.Copy, slot: Slot, uses: Collection[int]) -> bool:
    if op.dst is op.src or op.isVolatile.value:
        return False
    size = size_or_none(memory_layout(op), slot.type)
    return size is not None and slot_parts.length(op) == size


def _copied(op: slot_parts.Copy, slot: Slot, value: Value, rewriter: Rewriter) -> Value:
    return rewriter.create("llvm.load", [op.src], [slot.type]).result


def _copy_value(op: slot_parts.Copy, slot: Slot, value: Value, rewriter: Rewriter) -> None:
    if op.src is slot.pointer:
        rewriter.create("llvm.store", [value, op.dst])


_FILL: Final = SlotUse(
    access=Access(
        lambda op, slot: False,
        lambda op, slot: op.dst is slot.pointer,
        _fills_all,
        lambda op, slot, value, rewriter: filled(rewriter, op.val, slot.type),
        _goes,
    ),
    part_access=PartAccess(slot_parts.parts_of_fill, slot_parts.fill_parts),
    safely=slot_parts.writes_within,
)
_COPY: Final = SlotUse(
    access=Access(
        lambda op, slot: op.src is slot.pointer,
        lambda op, slot: op.dst is slot.pointer,
        _copies_all,
        _copied,
        _copy_value,
    ),
    part_access=PartAccess(slot_parts.parts_of_copy, slot_parts.copy_parts),
    safely=slot_parts.writes_within,
)

MEMORY_SLOTS: Final[Mapping[str, SlotUse]] = {
    "llvm.addrspacecast": _HANDS_ON,
    "llvm.alloca": SlotUse(allocation=Allocation(_slot, _undefined, _divisible, _part, _arrives)),
    "llvm.bitcast": _HANDS_ON,
    "llvm.getelementptr": SlotUse(
        handing=Handing(_all_zero),
        part_access=PartAccess(slot_parts.parts_of_address, slot_parts.rebase),
        safely=slot_parts.address_within,
    ),
    "llvm.intr.dbg.declare": SlotUse(handing=Handing(lambda op, uses: (), tell=_tell_stored)),
    "llvm.intr.dbg.value": SlotUse(handing=Handing(_value_may_go, _forget_value)),
    "llvm.intr.invariant.end": _SAYS,
    "llvm.intr.invariant.start": SlotUse(handing=Handing(_invariant_may_go)),
    "llvm.intr.launder.invariant.group": _HANDS_ON,
    "llvm.intr.lifetime.end": _SAYS,
    "llvm.intr.lifetime.start": _SAYS,
    "llvm.intr.memcpy": _COPY,
    "llvm.intr.memcpy.inline": _COPY,
    "llvm.intr.memmove": _COPY,
    "llvm.intr.memset": _FILL,
    "llvm.intr.memset.inline": _FILL,
    "llvm.intr.strip.invariant.group": _HANDS_ON,
    "llvm.load": SlotUse(access=_LOAD, part_access=_FIRST_PART, safely=slot_parts.accesses_within),
    "llvm.store": SlotUse(access=_STORE, part_access=_FIRST_PART, safely=slot_parts.accesses_within),
}
