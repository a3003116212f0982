"""The text of constants. What stands for more text than anybody could hold is found out before it is written.

Source of the rules: *LLVM Language Reference*, "Constants".
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from fathom.dialects.llvm.types import LLVMArrayType, LLVMPointerType, LLVMStructType
from fathom.ir.types import FloatType, IntegerType, VectorType
from fathom.llvmir import spelling
from fathom.llvmir.spelling import spell_name
from fathom.llvmir.types import PRIMITIVES
from fathom.text.digits import MOST_DECIMAL
from fathom.text.escapes import escape_bytes
from fathom.translation.constants import (
    INBOUNDS,
    NUSW,
    NUW,
    Aggregate,
    Binary,
    BlockAddress,
    Cast,
    Constant,
    Data,
    Float,
    Int,
    NoToken,
    Offset,
    Poison,
    Splat,
    Symbol,
    Undef,
    Zero,
    element_count,
    width_of,
)
from fathom.translation.spelling import FLOATS, TypeSpeller

I8: Final = IntegerType(8)


@lru_cache(maxsize=4096)
def spell_float(bits: int, name: str) -> str:
    """A float of any of LLVM's types, by MLIR's name for it."""
    return spelling.spell_float(PRIMITIVES[FLOATS[name]], bits)


_NATIVE: Final = {"f32": ("f", "I"), "f64": ("d", "Q")}
"""The letters of `struct` for floats that Python has, and for their bits."""


def spell_floats(numbers: Sequence[int], name: str) -> list[str]:
    """The texts of many floats. Most of those that weights are made of have no short one, which is seen at once."""
    native = _NATIVE.get(name)
    if native is None:
        return [spell_float(bits, name) for bits in numbers]
    count = len(numbers)
    values = struct.unpack(f"<{count}{native[0]}", struct.pack(f"<{count}{native[1]}", *numbers))
    wide = struct.unpack(f"<{count}Q", struct.pack(f"<{count}d", *values))
    return [
        f"0x{pattern:X}" if float(f"{value:.6e}") != value == value else spell_float(bits, name)
        for value, pattern, bits in zip(values, wide, numbers, strict=True)
    ]


def spell_flags(flags: int) -> str:
    """The no-wrap flags of a getelementptr, each after a space; `inbounds` implies `nusw`."""
    first = " inbounds" if flags & INBOUNDS else " nusw" if flags & NUSW else ""
    return first + " nuw" * bool(flags & NUW)


def spell(constant: Constant, types: TypeSpeller) -> str:
    """The text of a constant, without its type."""
    match constant:
        case Int(type, value):
            return _spell_integer(constant.signed, value) if width_of(type) != 1 else "true" if value else "false"
        case Float(type, bits):
            return spell_float(bits, type.name)
        case Zero(type):
            return "null" if isinstance(type, LLVMPointerType) else "zeroinitializer"
        case Undef():
            return "undef"
        case Poison():
            return "poison"
        case NoToken():
            return "none"
        case Aggregate():
            return types.kept(_spell_aggregate(constant, types))
        case Data():
            return types.kept(_spell_data(constant, types))
        case Splat():
            return types.kept(_spell_splat(constant, types))
        case Symbol(_, name, nearby=True):
            return f"dso_local_equivalent @{spell_name(name)}"
        case Symbol(_, name):
            return "@" + spell_name(name)
        case Offset(_, base, offset, flags):
            return f"getelementptr{spell_flags(flags)} (i8, {typed(base, types)}, i64 {offset})"
        case Cast(type, op, operand):
            return f"{op} ({typed(operand, types)} to {types(type)})"
        case Binary(_, op, lhs, rhs):
            return f"{op} ({typed(lhs, types)}, {typed(rhs, types)})"
        case BlockAddress(_, text):
            return text


def typed(constant: Constant, types: TypeSpeller) -> str:
    """The text of a constant after that of its type."""
    return f"{types(constant.type)} {spell(constant, types)}"


def _spell_splat(splat: Splat, types: TypeSpeller) -> str:
    type, element = splat.type, splat.element
    is_array = isinstance(type, LLVMArrayType)
    if not is_array and (any(type.scalable) or isinstance(element, (Int, Float))):
        return f"splat ({typed(element, types)})"
    count = element_count(type)
    if is_array and isinstance(element, Int) and element.type == I8:
        character = escape_bytes(bytes([element.value]))
        return f'c"{character * types.repeated(count, len(character))}"'
    text = typed(element, types) + ", "
    opening, closing = "[]" if is_array else "<>"
    return f"{opening}{(text * types.repeated(count, len(text)))[:-2]}{closing}"


def _spell_data(data: Data, types: TypeSpeller) -> str:
    element = data.element
    numbers = data.numbers[: types.wanted(len(data.numbers), 1)]
    if isinstance(data.type, LLVMArrayType) and element == I8:
        return f'c"{escape_bytes(bytes(numbers))}"'
    texts = spell_floats(numbers, element.name) if isinstance(element, FloatType) else _spell_integers(numbers, element)
    before = f"{types(element)} "
    opening, closing = "[]" if isinstance(data.type, LLVMArrayType) else "<>"
    return f"{opening}{before}{f', {before}'.join(texts)}{closing}"


def _spell_integer(signed: int, bits: int) -> str:
    """A number in decimal; one that is long by its bits, in hexadecimal."""
    return str(signed) if signed.bit_length() <= MOST_DECIMAL else f"u0x{bits:X}"


def _spell_integers(numbers: Sequence[int], type: IntegerType) -> list[str]:
    if type.width == 1:
        return ["true" if number else "false" for number in numbers]
    top, above = 1 << (type.width - 1), 1 << type.width
    return [_spell_integer(number if number < top else number - above, number) for number in numbers]


def _spell_aggregate(constant: Aggregate, types: TypeSpeller) -> str:
    type, elements = constant.type, constant.elements
    if isinstance(type, LLVMArrayType):
        if type.element == I8 and all(isinstance(e, Int) for e in elements):
            return f'c"{escape_bytes(bytes(e.value for e in elements if isinstance(e, Int)))}"'
        return f"[{_listed(elements, types)}]"
    if isinstance(type, VectorType):
        first = elements[0]
        if isinstance(first, (Int, Float)) and all(e == first for e in elements):
            return f"splat ({typed(first, types)})"
        return f"<{_listed(elements, types)}>"
    text = f"{{ {_listed(elements, types)} }}"
    return f"<{text}>" if isinstance(type, LLVMStructType) and type.packed else text


def _listed(elements: Sequence[Constant], types: TypeSpeller) -> str:
    texts: list[str] = []
    length = 0
    for element in elements:
        text = typed(element, types)
        texts.append(text)
        length += types.wanted(1, len(text)) * len(text)
        if types.shown is not None and length > types.shown:
            break
    return ", ".join(texts)
