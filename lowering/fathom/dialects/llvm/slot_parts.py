"""How slots of structs and arrays are used by their parts: by addresses within them, and by copying and filling them.

Source of the rules: `LLVMMemorySlot.cpp` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.dialects.llvm.attributes import i32_array
from fathom.dialects.llvm.memory_layout import MemoryLayout, memory_layout
from fathom.dialects.llvm.slot_values import size_or_none
from fathom.dialects.llvm.types import LLVMArrayType, LLVMPointerType, LLVMStructType, LLVMType
from fathom.ir.attributes import IntegerAttr, TypeAttr, i32_attr
from fathom.ir.types import I8
from fathom.ops import llvm as ops
from fathom.rewriting.folding import constant_value, create_or_fold
from fathom.rewriting.memory_slots import Slot
from fathom.rewriting.rewriter import source_of

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.ir.types import Type
    from fathom.rewriting.memory_slots import Index
    from fathom.rewriting.rewriter import Rewriter

    Copy: TypeAlias = "ops.IntrMemcpyOp | ops.IntrMemcpyInlineOp | ops.IntrMemmoveOp"
    Fill: TypeAlias = "ops.IntrMemsetOp | ops.IntrMemsetInlineOp"
    Parts: TypeAlias = tuple[Sequence[Index], Sequence[Slot]]

_MOST_PARTS: Final = 16
"""An array of more elements is not divided."""
_MOST_INDEX: Final = 1 << 29
"""An index that stands in the text of an address is less than this."""


def parts_of(type: Type) -> dict[Index, Type] | None:
    """The parts of a struct or a small array, by their indices; None for other types."""
    match type:
        case LLVMStructType(body):
            return {i32_attr(index): type_ for index, type_ in enumerate(body or ())}
        case LLVMArrayType(size, element) if size <= _MOST_PARTS:
            return {i32_attr(index): element for index in range(size)}
        case _:
            return None


# ---- loads and stores, which are of the first part


def parts_of_access(op: ops.LoadOp | ops.StoreOp, slot: Slot) -> Parts | None:
    """The first part, if no more than that is accessed."""
    value = op.value if isinstance(op, ops.StoreOp) else op.result
    first = (slot.parts or {}).get(i32_attr(0))
    if op.volatile_ is not None or value is slot.pointer or first is None:
        return None
    return ((i32_attr(0),), ()) if _within(op, value.type, first) else None


def _within(op: Operation, accessed: Type, whole: Type) -> bool:
    layout = memory_layout(op)
    size, most = size_or_none(layout, accessed), size_or_none(layout, whole)
    return size is not None and most is not None and size <= most


def access_part(op: ops.LoadOp | ops.StoreOp, slot: Slot, parts: Mapping[Index, Slot], rewriter: Rewriter) -> bool:
    """Has a load or a store use the slot of the first part."""
    op.set_operand(op.operands.index(slot.pointer), parts[i32_attr(0)].pointer)
    return False


def accesses_within(op: ops.LoadOp | ops.StoreOp, slot: Slot) -> Sequence[Slot] | None:
    """Nothing further, if no more than the slot is accessed."""
    value = op.value if isinstance(op, ops.StoreOp) else op.result
    return () if op.addr is not slot.pointer or _within(op, value.type, slot.type) else None


# ---- addresses


def _bytes_to(op: ops.GetelementptrOp, layout: MemoryLayout) -> int | None:
    """How many bytes an address is from its base; None where that is not known, or before it."""
    indices, type = op.rawConstantIndices.values, op.elem_type.type
    if op.dynamicIndices or any(index < 0 for index in indices):
        return None
    first, *rest = indices
    size = size_or_none(layout, type)
    if size is None:
        return None
    offset = first * size
    for index in rest:
        if isinstance(type, LLVMArrayType):
            type = type.element
            size = size_or_none(layout, type)
            if size is None:
                return None
            offset += index * size
        elif isinstance(type, LLVMStructType) and type.body is not None and index < len(type.body):
            offset += layout.offset(type, index)
            type = type.body[index]
        else:
            return None
    return offset


def _part_at(op: ops.GetelementptrOp, slot: Slot) -> tuple[int, int] | None:
    """The number of the part in which an address is, and how many bytes from its beginning."""
    layout = memory_layout(op)
    offset, whole, type = _bytes_to(op, layout), size_or_none(layout, slot.type), slot.type
    if offset is None or whole is None or offset >= whole:
        return None
    if isinstance(type, LLVMArrayType):
        size = layout.size(type.element)
        return (offset // size, offset % size) if size and offset // size < type.size else None
    if isinstance(type, LLVMStructType) and type.body is not None:
        for index, type_ in enumerate(type.body):
            start = layout.offset(type, index)
            if offset < start:
                return None
            if offset < start + layout.size(type_):
                return (index, offset - start) if index < _MOST_INDEX else None
    return None


def _rest(op: ops.GetelementptrOp, size: int) -> Slot:
    return Slot(op.result, LLVMArrayType(size, I8))


def parts_of_address(op: ops.GetelementptrOp, slot: Slot) -> Parts | None:
    """The part in which the address is, of which no more than its rest may be used."""
    if not isinstance(op.base.type, LLVMPointerType) or op.base is not slot.pointer:
        return None
    part = _part_at(op, slot)
    if part is None or slot.parts is None:
        return None
    index = i32_attr(part[0])
    return (index,), (_rest(op, memory_layout(op).size(slot.parts[index]) - part[1]),)


def rebase(op: ops.GetelementptrOp, slot: Slot, parts: Mapping[Index, Slot], rewriter: Rewriter) -> bool:
    """The address in the slot of the part; so the former goes."""
    part = _part_at(op, slot)
    assert part is not None, "it was asked before which part that is"
    properties = {
        "rawConstantIndices": i32_array(part[1]),
        "elem_type": TypeAttr(I8),
        "noWrapFlags": op.noWrapFlags,
    }
    base, result = parts[i32_attr(part[0])].pointer, op.result
    result.replace_all_uses_with(create_or_fold(rewriter, "llvm.getelementptr", [base], result.type, properties))
    return True


def address_within(op: ops.GetelementptrOp, slot: Slot) -> Sequence[Slot] | None:
    """What is behind the address, as far as the slot goes."""
    if op.base is not slot.pointer:
        return ()
    layout = memory_layout(op)
    offset, size = _bytes_to(op, layout), size_or_none(layout, slot.type)
    return (_rest(op, size - offset),) if offset is not None and size is not None and offset < size else None


# ---- copying and filling


def length(op: Copy | Fill) -> int | None:
    """How many bytes are copied or filled, if that is known."""
    known = op.len if isinstance(op.len, IntegerAttr) else constant_value(op.len)
    if not isinstance(known, IntegerAttr):
        return None
    bits = getattr(known.type, "width", 64)
    return known.value % (1 << bits) if bits <= 64 else None


def writes_within(op: Copy | Fill, slot: Slot) -> Sequence[Slot] | None:
    """Nothing further, if no more than the slot is written."""
    if not isinstance(slot.pointer.type, LLVMPointerType) or op.dst is not slot.pointer:
        return None
    known, size = length(op), size_or_none(memory_layout(op), slot.type)
    return () if known is not None and size is not None and known <= size else None


def parts_of_fill(op: Fill, slot: Slot) -> Parts | None:
    """No part in particular: of those that are used otherwise, each is filled by itself."""
    if not isinstance(slot.type, LLVMType) or op.isVolatile.value or parts_of(slot.type) is None:
        return None
    return ((), ()) if writes_within(op, slot) is not None else None


def fill_parts(op: Fill, slot: Slot, parts: Mapping[Index, Slot], rewriter: Rewriter) -> bool:
    """Fills each of the parts as far as the whole was filled."""
    layout, whole, covered = memory_layout(op), length(op) or 0, 0
    packed = isinstance(slot.type, LLVMStructType) and slot.type.packed
    for index, type in (slot.parts or {}).items():
        if not packed:
            covered += -covered % layout.alignment(type)
        if covered >= whole:
            break
        size = layout.size(type)
        if index in parts:
            _again(op, rewriter, [parts[index].pointer, op.val], min(whole - covered, size))
        covered += size
    return True


def _again(op: Copy | Fill, rewriter: Rewriter, operands: Sequence[Value], size: int) -> None:
    """Copies or fills as another operation does, but other memory."""
    properties = {"isVolatile": op.isVolatile}
    if isinstance(op.len, IntegerAttr):
        rewriter.create(op.name, operands, (), {**properties, "len": IntegerAttr(size, op.len.type)})
        return
    number = IntegerAttr(size, op.len.type)
    with rewriter.standing_in(op):
        if isinstance(op, (ops.IntrMemsetOp, ops.IntrMemsetInlineOp)):
            # The length of what is filled comes from where the former did.
            rewriter.span, rewriter.location = source_of(op.len)
        count = rewriter.create("llvm.mlir.constant", (), [op.len.type], {"value": number}).result
    rewriter.create(op.name, [*operands, count], (), properties)


def parts_of_copy(op: Copy, slot: Slot) -> Parts | None:
    """All parts, if they are copied from the slot, and no part in particular if to it; where all of it is copied."""
    if op.isVolatile.value or slot.parts is None or op.src is op.dst:
        return None
    size = size_or_none(memory_layout(op), slot.type)
    if size is None or length(op) != size:
        return None
    return (tuple(slot.parts) if op.src is slot.pointer else (), ())


def copy_parts(op: Copy, slot: Slot, parts: Mapping[Index, Slot], rewriter: Rewriter) -> bool:
    """Copies each of the parts."""
    layout, into = memory_layout(op), op.dst is slot.pointer
    other = op.src if into else op.dst
    for index in slot.parts or ():
        if index not in parts or not isinstance(index, IntegerAttr):
            continue
        part = parts[index]
        properties = {"rawConstantIndices": i32_array(0, index.value), "elem_type": TypeAttr(slot.type)}
        address = rewriter.create("llvm.getelementptr", [other], [LLVMPointerType()], properties).result
        _again(op, rewriter, [part.pointer, address] if into else [address, part.pointer], layout.size(part.type))
    return True
