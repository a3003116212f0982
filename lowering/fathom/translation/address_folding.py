"""Folding of casts and of address arithmetic on constants.

Source of the rules: *LLVM Language Reference*, "Conversion Operations" and "'getelementptr' Instruction"; which
expressions stay as they are, and the flags that are inferred, follow the behaviour of `mlir-translate`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from fathom.dialects.llvm.data_layout import DataLayout, Pointer
from fathom.dialects.llvm.types import LLVMArrayType, LLVMStructType
from fathom.ir import types as builtin
from fathom.ir.floats import from_fraction, is_infinity, is_nan, to_fraction
from fathom.ir.types import WIDEST_COMPUTED
from fathom.llvmir.constants import (
    aggregate,
    data,
    elements_of,
    integer,
    is_scalable,
    is_zero,
    number,
    same_in_all,
    signed,
    splat,
    unsigned,
    width_of,
    zero,
)
from fathom.llvmir.module import GlobalValue
from fathom.llvmir.types import FLOAT_BITS, I8, IntegerType, PointerType, Type, VectorType, scalar
from fathom.llvmir.values import (
    Constant,
    ConstantAggregateZero,
    ConstantExpr,
    ConstantFP,
    ConstantInt,
    ConstantPointerNull,
    PoisonValue,
    UndefValue,
    Value,
)
from fathom.translation.float_folding import convert, float_name
from fathom.translation.folding import is_too_wide

ZERO_OF_UNDEF: Final = frozenset({"zext", "sext", "uitofp", "sitofp"})


def fold_cast(op: str, value: Constant, type: Type, layout: DataLayout) -> Constant | None:
    """Any cast, lane by lane on vectors."""
    if is_too_wide(value.type) or is_too_wide(type):
        return None
    if isinstance(value, PoisonValue):
        return PoisonValue(type)
    if isinstance(value, UndefValue):
        return zero(type) if op in ZERO_OF_UNDEF else UndefValue(type)
    if op == "bitcast":
        return _bitcast(value, type, layout)
    if isinstance(type, VectorType):
        return _cast_lanes(op, value, type, layout)
    match op, value:
        case "ptrtoint" | "ptrtoaddr" | "inttoptr" | "addrspacecast", _:
            return _cast_address(op, value, type, layout)
        case "fptrunc" | "fpext", ConstantFP(source, bits):
            return ConstantFP(type, convert(bits, float_name(source), float_name(type)))
        case "fptosi" | "fptoui", ConstantFP():
            return _to_integer(value, type, is_signed=op == "fptosi")
        case _, ConstantInt():
            return _cast_integer(op, value, type)
        case "trunc", ConstantExpr(_, "ptrtoint" | "trunc" as inner, operands):
            return ConstantExpr(type, inner, operands)
        case "trunc", _:
            return ConstantExpr(type, op, (value,))
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


def _cast_integer(op: str, value: ConstantInt, type: Type) -> Constant | None:
    if op in ("trunc", "zext"):
        return integer(type, unsigned(value))
    if op == "sext":
        return integer(type, signed(value))
    if op in ("sitofp", "uitofp"):
        from fractions import Fraction  # Few programs need it.

        exact = Fraction(signed(value) if op == "sitofp" else unsigned(value))
        return ConstantFP(type, from_fraction(exact, float_name(type)))
    return None


def _to_integer(value: ConstantFP, type: Type, *, is_signed: bool) -> Constant:
    """A float rounded towards zero; poison when it does not fit."""
    name, width = float_name(value.type), width_of(type)
    if is_nan(value.bits, name) or is_infinity(value.bits, name):
        return PoisonValue(type)
    whole = int(to_fraction(value.bits, name))
    low, high = (-(1 << (width - 1)), 1 << (width - 1)) if is_signed else (0, 1 << width)
    return integer(type, whole) if low <= whole < high else PoisonValue(type)


def _bitcast(value: Constant, type: Type, layout: DataLayout) -> Constant | None:
    if value.type == type:
        return value
    if isinstance(value, (ConstantPointerNull, ConstantAggregateZero)):
        return zero(type)
    bits = _bits(value, layout) if _width(value.type) <= WIDEST_COMPUTED else None
    return _from_bits(bits, type, layout) if bits is not None else None


def _width(type: Type) -> int:
    """The bits of a number, or of a vector of numbers; 0 of anything else."""
    element = scalar(type)
    width = element.bits if isinstance(element, IntegerType) else FLOAT_BITS.get(element, 0)
    return width * type.count if isinstance(type, VectorType) else width


def _bits(value: Constant, layout: DataLayout) -> int | None:
    """The bits of a number, or of a vector, whose first element has the lowest ones unless bytes go the other way."""
    if isinstance(value.type, VectorType):
        elements = elements_of(value)
        if elements is None:
            return None
        total, width = 0, _width(value.type.element)
        for position, element in enumerate(reversed(elements) if layout.is_big_endian else elements):
            bits = _bits(element, layout)
            if bits is None:
                return None
            total |= bits << position * width
        return total
    match value:
        case ConstantInt():
            return unsigned(value)
        case ConstantFP(_, bits):
            return bits
        case _:
            return None


def _from_bits(bits: int, type: Type, layout: DataLayout) -> Constant | None:
    width = _width(scalar(type))
    if not width:
        return None
    if not isinstance(type, VectorType):
        return integer(type, bits) if isinstance(type, IntegerType) else number(type, bits)
    if type.is_scalable:
        return None
    parts = [bits >> index * width & ((1 << width) - 1) for index in range(type.count)]
    if layout.is_big_endian:
        parts.reverse()
    element = type.element
    return data(type, [integer(element, part).value for part in parts] if isinstance(element, IntegerType) else parts)


def _cast_address(op: str, value: Constant, type: Type, layout: DataLayout) -> Constant | None:
    if op in ("ptrtoint", "ptrtoaddr"):
        if isinstance(value, ConstantPointerNull):
            return zero(type)
        if isinstance(value, ConstantExpr) and value.opcode == "inttoptr":
            (operand,) = value.operands
            if isinstance(operand, ConstantInt):
                return integer(type, unsigned(operand))
            if operand.type == type:
                return operand
    if op == "inttoptr":
        if isinstance(value, ConstantInt) and value.value == 0:
            return zero(type)
        if isinstance(value, ConstantExpr) and value.opcode == "ptrtoint" and value.operands[0].type == type:
            assert isinstance(type, PointerType)
            if width_of(value.type) == layout.pointer(type.address_space).width:
                return value.operands[0]
    return ConstantExpr(type, op, (value,))


INBOUNDS: Final = 1
NUSW: Final = 2
NUW: Final = 4
_WORDS: Final = ((INBOUNDS, "inbounds"), (NUSW, "nusw"), (NUW, "nuw"))


def gep_flags(bits: int) -> tuple[str, ...]:
    """The no-wrap flags of a `getelementptr`, of their sum; one that is in bounds does not wrap without a sign."""
    if bits & INBOUNDS:
        bits |= NUSW
    return tuple(word for bit, word in _WORDS if bits & bit)


def fold_gep(
    element: builtin.Type,
    source: Type,
    base: Constant,
    indices: Sequence[Constant],
    flags: int,
    layout: DataLayout,
    extents: Mapping[GlobalValue, int],
) -> Constant | None:
    """A `getelementptr` on constants, through elements of a type, `source` in LLVM IR: on a scalar pointer with numbers
    as indices the base and a number of bytes, else an expression. `extents` says how many bytes are known to be at a
    global."""
    if is_scalable(source):
        return None
    vector = next((each.type for each in (base, *indices) if isinstance(each.type, VectorType)), None)
    if isinstance(base, (PoisonValue, UndefValue)):
        type = _in_each_lane(base.type, vector)
        return PoisonValue(type) if isinstance(base, PoisonValue) else UndefValue(type)
    offset = constant_offset(element, indices, layout) if isinstance(base.type, PointerType) else None
    if offset is None:
        return _address(element, source, base, indices, flags, layout, vector)
    return _at_offset(base, offset, flags, layout, extents)


def _at_offset(
    base: Constant, offset: int, flags: int, layout: DataLayout, extents: Mapping[GlobalValue, int]
) -> Constant:
    """An address so many bytes behind another, counted in the width of indices."""
    type = base.type
    assert isinstance(type, PointerType)
    pointer = layout.pointer(type.address_space)
    index = IntegerType(pointer.index)
    offset = integer(index, offset).value
    match base:
        case ConstantExpr(_, "getelementptr", (inner, ConstantInt(_, before)), words):
            flags &= sum(bit for bit, word in _WORDS if word in words)
            whole = integer(index, offset + before).value
            if not flags & INBOUNDS and whole != offset + before:
                flags &= ~NUSW
            base, offset = inner, whole
        case _:
            pass
    if offset == 0:
        return base
    match base:
        case ConstantPointerNull():
            return ConstantExpr(type, "inttoptr", (_moved(0, offset, pointer),))
        case ConstantExpr(_, "inttoptr", (ConstantInt() as address,)):
            return ConstantExpr(type, "inttoptr", (_moved(unsigned(address), offset, pointer),))
        case GlobalValue() if (extent := extents.get(base, 0)) and 0 <= offset <= extent:
            flags |= INBOUNDS | NUSW
        case _:
            pass
    if flags & (INBOUNDS | NUSW) and offset >= 0:
        flags |= NUW
    return ConstantExpr(type, "getelementptr", (base, integer(index, offset)), gep_flags(flags), I8)


def _moved(address: int, offset: int, pointer: Pointer) -> ConstantInt:
    """A number that is an address, so many bytes on; what is above the width of indices stays."""
    mask = (1 << pointer.index) - 1
    return integer(IntegerType(pointer.width), (address & ~mask) | ((address + offset) & mask))


def _address(
    element: builtin.Type,
    source: Type,
    base: Constant,
    indices: Sequence[Constant],
    flags: int,
    layout: DataLayout,
    vector: VectorType | None,
) -> Constant | None:
    """An address as an expression, whose indices have the width of indices but for those of fields."""
    pointer = scalar(base.type)
    if not isinstance(pointer, PointerType):
        return None
    type = _in_each_lane(base.type, vector)
    if all(isinstance(index, UndefValue) or is_zero(index) for index in indices):
        return splat(type, base) if isinstance(type, VectorType) and type != base.type else base
    width = IntegerType(layout.pointer(pointer.address_space).index)
    cast: list[Constant] = []
    for position, index in enumerate(indices):
        if position and isinstance(element, LLVMStructType):
            cast.append(index)
        else:
            wide = _as_index(index, width, layout)
            if wide is None:
                return None
            cast.append(splat(vector_of(vector, width), wide) if vector and wide.type == width else wide)
        if position:
            step = _STEPS.get(element.__class__)
            if step is None:
                return None
            element = step(element, _number(index) or 0, layout)[0]
    return ConstantExpr(type, "getelementptr", (base, *cast), gep_flags(flags), source)


def _as_index(index: Constant, width: IntegerType, layout: DataLayout) -> Constant | None:
    """An index in the width of indices, or a vector of such."""
    given = scalar(index.type)
    if given == width or not isinstance(given, IntegerType):
        return index
    type = vector_of(index.type, width) if isinstance(index.type, VectorType) else width
    return fold_cast("sext" if given.bits < width.bits else "trunc", index, type, layout)


def vector_of(like: VectorType, element: Type) -> VectorType:
    """A vector of as many elements as another has."""
    return VectorType(element, like.count, like.is_scalable)


def _in_each_lane(type: Type, vector: VectorType | None) -> Type:
    """The type of an address: a vector where the base or an index is one."""
    return type if vector is None or isinstance(type, VectorType) else vector_of(vector, type)


def constant_offset(element: builtin.Type, indices: Sequence[Value], layout: DataLayout) -> int | None:
    """How many bytes the indices step over, the first one over whole elements; None when one of them is not known."""
    total = 0
    for position, index in enumerate(indices):
        number = _number(index)
        if number is None:
            return None
        if position == 0:
            total += number * _fixed_size(element, layout)
            continue
        step = _STEPS.get(element.__class__)
        if step is None:
            return None
        element, bytes_ = step(element, number, layout)
        total += bytes_
    return total


def _number(index: Value) -> int | None:
    """An index that is one number; None of a vector of the same one."""
    return signed(index) if isinstance(index, ConstantInt) and isinstance(index.type, IntegerType) else None


def _fixed_size(type: builtin.Type, layout: DataLayout) -> int:
    return layout.size(type)


def _step_struct(type: builtin.Type, index: int, layout: DataLayout) -> tuple[builtin.Type, int]:
    assert isinstance(type, LLVMStructType)
    return type.field(index), layout.struct(type)[0][index]


def _step_sequence(type: builtin.Type, index: int, layout: DataLayout) -> tuple[builtin.Type, int]:
    assert isinstance(type, (LLVMArrayType, builtin.VectorType))
    return type.element, index * layout.size(type.element)


_STEPS: Final[dict[type[builtin.Type], Callable[[builtin.Type, int, DataLayout], tuple[builtin.Type, int]]]] = {
    LLVMStructType: _step_struct,
    LLVMArrayType: _step_sequence,
    builtin.VectorType: _step_sequence,
}
