"""Values of other types than a slot of memory holds, which are loaded from it or stored to it: as many bits as they
have, from its beginning.

Source of the rules: `LLVMMemorySlot.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.dialects.llvm.memory_layout import MemoryLayout, memory_layout
from fathom.dialects.llvm.types import LLVMArrayType, LLVMPointerType, LLVMStructType
from fathom.ir.attributes import IntegerAttr
from fathom.ir.types import FloatType, IntegerType, Type, VectorType
from fathom.rewriting.folding import constant_value, create_or_fold

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter


def fits(op: Operation, value: Type, slot: Type) -> bool:
    """Whether a value of one type can be cut out of what a slot of another holds, or put in there."""
    if value == slot:
        return True
    if not _can_be_cast(value) or not _can_be_cast(slot):
        return False
    layout = memory_layout(op)
    size, whole = size_or_none(layout, value), size_or_none(layout, slot)
    if size is None or whole is None:
        return False
    both_pointers = isinstance(value, LLVMPointerType) and isinstance(slot, LLVMPointerType)
    return size == whole if both_pointers else size <= whole


def size_or_none(layout: MemoryLayout, type: Type) -> int | None:
    """The bytes of a value; None for a type of which they are not known."""
    try:
        return layout.size(type)
    except TypeError:
        return None


def _can_be_cast(type: Type) -> bool:
    """Whether a type can be cast to another of its size."""
    if isinstance(type, VectorType):
        return not isinstance(type.element, LLVMPointerType) and not any(type.scalable)
    return not isinstance(type, (LLVMStructType, LLVMArrayType))


def _number(rewriter: Rewriter, type: Type, value: int) -> Value:
    width = type.width if isinstance(type, IntegerType) else 64
    value %= 1 << width
    value -= (value >> (width - 1)) << width if width > 1 else 0
    return rewriter.create("llvm.mlir.constant", (), [type], {"value": IntegerAttr(value, type)}).result


def _as_integer(rewriter: Rewriter, value: Value, layout: MemoryLayout) -> Value:
    if isinstance(value.type, IntegerType):
        return value
    name = "llvm.ptrtoint" if isinstance(value.type, LLVMPointerType) else "llvm.bitcast"
    return create_or_fold(rewriter, name, [value], IntegerType(layout.bits(value.type)))


def _of_integer(rewriter: Rewriter, value: Value, type: Type) -> Value:
    if value.type == type:
        return value
    name = "llvm.inttoptr" if isinstance(type, LLVMPointerType) else "llvm.bitcast"
    return create_or_fold(rewriter, name, [value], type)


def _cast(rewriter: Rewriter, value: Value, type: Type, layout: MemoryLayout) -> Value:
    """A value as one of another type of its size."""
    if value.type == type:
        return value
    if isinstance(value.type, LLVMPointerType) and isinstance(type, LLVMPointerType):
        return create_or_fold(rewriter, "llvm.addrspacecast", [value], type)
    return _of_integer(rewriter, _as_integer(rewriter, value, layout), type)


def cut_out(op: Operation, rewriter: Rewriter, value: Value, type: Type) -> Value:
    """What is loaded as a value of another type, of what a slot holds."""
    layout = memory_layout(op)
    whole, bits = layout.bits(value.type), layout.bits(type)
    if whole == bits:
        return _cast(rewriter, value, type, layout)
    shifted = _as_integer(rewriter, value, layout)
    if layout.is_big_endian:
        places = _number(rewriter, value.type, whole - bits)
        shifted = create_or_fold(rewriter, "llvm.lshr", [value, places], value.type)
    shifted = rewriter.create("llvm.trunc", [shifted], [IntegerType(bits)]).result
    return _of_integer(rewriter, shifted, type)


def put_in(op: Operation, rewriter: Rewriter, value: Value, before: Value) -> Value:
    """What a slot holds after a value was stored in it, given what it held before."""
    layout = memory_layout(op)
    whole, bits = layout.bits(before.type), layout.bits(value.type)
    if whole == bits:
        return _cast(rewriter, value, before.type, layout)
    held, stored = _as_integer(rewriter, before, layout), _as_integer(rewriter, value, layout)
    stored = create_or_fold(rewriter, "llvm.zext", [stored], held.type)
    mask = ((1 << whole) - 1) ^ ((1 << bits) - 1)
    if layout.is_big_endian:
        places = _number(rewriter, held.type, whole - bits)
        stored = create_or_fold(rewriter, "llvm.shl", [stored, places], held.type)
        mask = (1 << (whole - bits)) - 1
    kept = create_or_fold(rewriter, "llvm.and", [held, _number(rewriter, held.type, mask)], held.type)
    return _of_integer(rewriter, create_or_fold(rewriter, "llvm.or", [kept, stored], held.type), before.type)


def filled(rewriter: Rewriter, byte: Value, type: Type) -> Value:
    """The value of a number whose bytes are all the same."""
    width = type.width if isinstance(type, (IntegerType, FloatType)) else 0
    integer = _filled_integer(rewriter, byte, IntegerType(width))
    return integer if isinstance(type, IntegerType) else rewriter.create("llvm.bitcast", [integer], [type]).result


def _filled_integer(rewriter: Rewriter, byte: Value, type: IntegerType) -> Value:
    known = constant_value(byte)
    if isinstance(known, IntegerAttr):
        return _number(rewriter, type, int.from_bytes(bytes([known.value % 256]) * (type.width // 8), "big"))
    if type.width == 8:
        return byte
    joined, covered = rewriter.create("llvm.zext", [byte], [type]).result, 8
    while covered < type.width:
        places = _number(rewriter, type, covered)
        shifted = rewriter.create("llvm.shl", [joined, places], [type]).result
        joined = rewriter.create("llvm.or", [joined, shifted], [type]).result
        covered *= 2
    return joined
