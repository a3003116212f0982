"""Folding of casts and of address arithmetic on constants.

Source of the rules: *LLVM Language Reference*, "Conversion Operations" and "'getelementptr' Instruction"; which
expressions stay as they are, and the flags that are inferred, follow the behaviour of `mlir-translate`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Final

from fathom.dialects.llvm.data_layout import DataLayout
from fathom.dialects.llvm.types import LLVMArrayType, LLVMPointerType, LLVMStructType
from fathom.ir.floats import from_fraction, is_infinity, is_nan, to_fraction
from fathom.ir.types import WIDEST_COMPUTED, FloatType, IntegerType, Type, VectorType, element_width, is_too_wide
from fathom.translation.constants import (
    INBOUNDS,
    NUSW,
    NUW,
    Cast,
    Constant,
    Float,
    Int,
    Offset,
    Poison,
    Symbol,
    Undef,
    Zero,
    aggregate,
    elements_of,
    integer,
    same_in_all,
    splat,
    width_of,
    zero,
)
from fathom.translation.float_folding import convert

I64: Final = IntegerType(64)
ZERO_OF_UNDEF: Final = frozenset({"zext", "sext", "uitofp", "sitofp"})


def fold_cast(op: str, value: Constant, type: Type, layout: DataLayout) -> Constant | None:
    """Any cast, lane by lane on vectors."""
    if is_too_wide(value.type) or is_too_wide(type):
        return None
    if isinstance(value, Poison):
        return Poison(type)
    if isinstance(value, Undef):
        return zero(type) if op in ZERO_OF_UNDEF else Undef(type)
    if op == "bitcast":
        return _bitcast(value, type, layout)
    if isinstance(type, VectorType):
        return _cast_lanes(op, value, type, layout)
    match op, value:
        case "ptrtoint" | "inttoptr" | "addrspacecast", _:
            return _cast_address(op, value, type, layout)
        case "fptrunc" | "fpext", Float(source, bits) if isinstance(type, FloatType):
            return Float(type, convert(bits, source.name, type.name))
        case "fptosi" | "fptoui", Float():
            return _to_integer(value, type, signed=op == "fptosi")
        case _, Int():
            return _cast_integer(op, value, type)
        case "trunc", Cast(_, "ptrtoint" | "trunc" as inner, operand):
            return Cast(type, inner, operand)
        case "trunc", _:
            return Cast(type, op, value)
        case _:
            return None


def _cast_lanes(op: str, value: Constant, type: VectorType, layout: DataLayout) -> Constant | None:
    if (same := same_in_all(value)) is not None:
        lane = fold_cast(op, same, type.element, layout)
        return splat(type, lane) if lane is not None else None
    elements = elements_of(value)
    if elements is None:
        return None
    lanes = [fold_cast(op, element, type.element, layout) for element in elements]
    folded = [lane for lane in lanes if lane is not None]
    return aggregate(type, folded) if len(folded) == len(lanes) else None


def _cast_integer(op: str, value: Int, type: Type) -> Constant | None:
    if op in ("trunc", "zext"):
        return integer(type, value.value)
    if op == "sext":
        return integer(type, value.signed)
    if op in ("sitofp", "uitofp") and isinstance(type, FloatType):
        return Float(type, from_fraction(Fraction(value.signed if op == "sitofp" else value.value), type.name))
    return None


def _to_integer(value: Float, type: Type, *, signed: bool) -> Constant:
    """A float rounded towards zero; poison when it does not fit."""
    name, width = value.type.name, width_of(type)
    if is_nan(value.bits, name) or is_infinity(value.bits, name):
        return Poison(type)
    whole = int(to_fraction(value.bits, name))
    low, high = (-(1 << (width - 1)), 1 << (width - 1)) if signed else (0, 1 << width)
    return integer(type, whole) if low <= whole < high else Poison(type)


def _bitcast(value: Constant, type: Type, layout: DataLayout) -> Constant | None:
    if isinstance(value, Zero) or value.type == type:
        return zero(type) if isinstance(value, Zero) else value
    bits = _bits(value) if layout.width_bits(value.type) <= WIDEST_COMPUTED else None
    return _from_bits(bits, type, layout) if bits is not None else None


def _bits(value: Constant) -> int | None:
    match value:
        case Int(_, bits) | Float(_, bits):
            return bits
        case _ if isinstance(value.type, VectorType):
            elements = elements_of(value)
            if elements is None:
                return None
            total, shift = 0, 0
            for element in elements:
                bits = _bits(element)
                if bits is None:
                    return None
                total |= bits << shift
                shift += element_width(element.type)
            return total
        case _:
            return None


def _from_bits(bits: int, type: Type, layout: DataLayout) -> Constant | None:
    match type:
        case IntegerType():
            return integer(type, bits)
        case FloatType():
            return Float(type, bits)
        case VectorType(element=IntegerType() | FloatType() as element) if not any(type.scalable):
            width = layout.width_bits(element)
            parts = [bits >> i * width & ((1 << width) - 1) for i in range(type.ranked_shape[0])]
            lanes = [_from_bits(part, element, layout) for part in parts]
            return aggregate(type, [lane for lane in lanes if lane is not None])
        case _:
            return None


def _cast_address(op: str, value: Constant, type: Type, layout: DataLayout) -> Constant | None:
    if op == "ptrtoint":
        if isinstance(value, Zero):
            return zero(type)
        if isinstance(value, Cast) and value.op == "inttoptr":
            if isinstance(value.operand, Int):
                return integer(type, value.operand.value)
            if value.operand.type == type:
                return value.operand
    if op == "inttoptr":
        if isinstance(value, Int) and value.value == 0:
            return zero(type)
        if isinstance(value, Cast) and value.op == "ptrtoint" and value.operand.type == type:
            assert isinstance(type, LLVMPointerType)
            if width_of(value.type) == layout.pointer(type.address_space).width:
                return value.operand
    return Cast(type, op, value)


def fold_gep(
    element: Type, base: Constant, indices: Sequence[Constant], flags: int, layout: DataLayout
) -> Constant | None:
    """A `getelementptr` on a scalar pointer with constant indices: the base and a number of bytes."""
    if isinstance(base, (Poison, Undef)):
        return base
    type = base.type
    if not isinstance(type, LLVMPointerType):
        return None
    offset = constant_offset(element, indices, layout)
    if offset is None:
        return None
    if isinstance(base, Offset):
        flags &= base.flags
        if not flags & INBOUNDS:
            flags &= ~NUSW
        offset += base.offset
        base = base.base
    if offset == 0:
        return base
    if isinstance(base, Zero):
        return Cast(type, "inttoptr", integer(I64, offset))
    if isinstance(base, Cast) and base.op == "inttoptr" and isinstance(base.operand, Int):
        return Cast(type, "inttoptr", integer(base.operand.type, base.operand.value + offset))
    if isinstance(base, Symbol) and base.extent and 0 <= offset <= base.extent:
        flags |= INBOUNDS | NUSW
    if flags & NUSW and offset >= 0:
        flags |= NUW
    return Offset(type, base, offset, flags)


def constant_offset(element: Type, indices: Sequence[Constant], layout: DataLayout) -> int | None:
    """How many bytes the indices step over, the first one over whole elements; None when one of them is not known."""
    total = 0
    for position, index in enumerate(indices):
        if not isinstance(index, Int):
            return None
        if position == 0:
            total += index.signed * _fixed_size(element, layout)
            continue
        step = _STEPS.get(element.__class__)
        if step is None:
            return None
        element, bytes_ = step(element, index.signed, layout)
        total += bytes_
    return total


def _fixed_size(type: Type, layout: DataLayout) -> int:
    return layout.size(type)


def _step_struct(type: Type, index: int, layout: DataLayout) -> tuple[Type, int]:
    assert isinstance(type, LLVMStructType)
    return type.field(index), layout.struct(type)[0][index]


def _step_sequence(type: Type, index: int, layout: DataLayout) -> tuple[Type, int]:
    assert isinstance(type, (LLVMArrayType, VectorType))
    return type.element, index * layout.size(type.element)


_STEPS: Final[dict[type[Type], Callable[[Type, int, DataLayout], tuple[Type, int]]]] = {
    LLVMStructType: _step_struct,
    LLVMArrayType: _step_sequence,
    VectorType: _step_sequence,
}
