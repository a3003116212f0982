"""The constants of LLVM IR, as immutable values, and their text.

They are kept canonical: an aggregate whose elements are all zero, undef or poison is one of those itself.
Source of the rules: *LLVM Language Reference*, "Constants".
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Final, TypeAlias

from fathom.dialects.llvm.types import LLVMArrayType, LLVMPointerType, LLVMStructType, LLVMTargetExtType
from fathom.ir.floats import is_nan, shortened_digits, to_float
from fathom.ir.types import FloatType, IntegerType, Type, VectorType
from fathom.records import record
from fathom.translation.spelling import TypeSpeller, escape, spell_name

FLOAT_PREFIX: Final = {"f16": "0xH", "bf16": "0xR", "f80": "0xK", "f128": "0xL"}
I8: Final = IntegerType(8)
MANY: Final = 64
"""From so many numbers on, they are no constants of their own."""
INBOUNDS: Final = 1
NUSW: Final = 2
NUW: Final = 4


@record
class Int:
    """An integer; `value` is unsigned, below 2**width."""

    type: Type
    value: int

    @property
    def signed(self) -> int:
        width = width_of(self.type)
        return self.value - (1 << width) if self.value >> (width - 1) & 1 else self.value


@record
class Float:
    """A float, by its bit pattern."""

    type: FloatType
    bits: int


@record
class Zero:
    """The null pointer, or an aggregate of zeros."""

    type: Type


@record
class Undef:
    type: Type


@record
class Poison:
    type: Type


@record
class NoToken:
    type: Type


@record
class Aggregate:
    """A struct, an array, or a vector of fixed length, that is not all zero, undef or poison."""

    type: Type
    elements: tuple[Constant, ...]


@record
class Data:
    """An array or a vector of fixed length of `MANY` numbers or more, not all zero, without a constant for each; an
    integer is unsigned, and a float its bit pattern."""

    type: LLVMArrayType | VectorType
    element: IntegerType | FloatType
    numbers: tuple[int, ...]


@record
class Splat:
    """A scalable vector with one value in all its lanes."""

    type: VectorType
    element: Constant


@record
class Symbol:
    """The address of a global or a function. `extent` is the number of bytes that are known to be there."""

    type: LLVMPointerType
    name: str
    extent: int = 0
    may_be_null: bool = False


@record
class Offset:
    """`getelementptr (i8, ptr base, i64 offset)`, with the sum of its no-wrap flags (INBOUNDS, NUSW, NUW)."""

    type: LLVMPointerType
    base: Constant
    offset: int
    flags: int = 0


@record
class Cast:
    """`ptrtoint (…)` and the other casts that are left as constant expressions."""

    type: Type
    op: str
    operand: Constant


@record
class Binary:
    """`add (…)`, `sub (…)` and `xor (…)`: the arithmetic that is left as constant expressions."""

    type: Type
    op: str
    lhs: Constant
    rhs: Constant


@record
class BlockAddress:
    """`blockaddress(@function, %block)`; `text` is filled in as it is, since blocks have no names of their own."""

    type: Type
    text: str


Constant: TypeAlias = (
    Int
    | Float
    | Zero
    | Undef
    | Poison
    | NoToken
    | Aggregate
    | Data
    | Splat
    | Symbol
    | Offset
    | Cast
    | Binary
    | BlockAddress
)


def width_of(type: Type) -> int:
    """The width of an integer type in bits."""
    assert isinstance(type, IntegerType)
    return type.width


def integer(type: Type, value: int) -> Int:
    """An integer of this type, wrapped to its width."""
    return Int(type, value & ((1 << width_of(type)) - 1))


def element_types(type: Type) -> list[Type]:
    """The types of an aggregate's elements. Raises ValueError for a type that is none."""
    match type:
        case LLVMStructType():
            return [type.field(index) for index in range(len(type.body or ()))]
        case LLVMArrayType(size, element):
            return [element] * size
        case VectorType():
            return [type.element] * type.ranked_shape[0]
        case _:
            raise ValueError(f"{type} has no elements")


def zero(type: Type) -> Constant:
    """The constant whose bits are all zero."""
    match type:
        case IntegerType():
            return Int(type, 0)
        case FloatType():
            return Float(type, 0)
        case _:
            return Zero(type)


def is_zero(constant: Constant) -> bool:
    """Whether all bits are zero; -0.0 is not."""
    match constant:
        case Int(_, value):
            return value == 0
        case Float(_, bits):
            return bits == 0
        case _:
            return isinstance(constant, Zero)


def aggregate(type: Type, elements: Sequence[Constant]) -> Constant:
    """An aggregate in its canonical form."""
    if all(map(is_zero, elements)):
        return Zero(type)
    for kind in (Undef, Poison):
        if all(isinstance(element, kind) for element in elements):
            return kind(type)
    if len(elements) >= MANY and isinstance(type, (LLVMArrayType, VectorType)):
        numbers = [each.value if isinstance(each, Int) else each.bits for each in elements if isinstance(each, _NUMBER)]
        if isinstance(type.element, (IntegerType, FloatType)) and len(numbers) == len(elements):
            return data(type, type.element, numbers)
    return Aggregate(type, tuple(elements))


_NUMBER: Final = (Int, Float)


def data(type: LLVMArrayType | VectorType, element: IntegerType | FloatType, numbers: Sequence[int]) -> Data | Zero:
    """Many numbers in their canonical form; each is wrapped to the width of the element."""
    mask = (1 << element.width) - 1
    wrapped = tuple([number & mask for number in numbers])
    return Data(type, element, wrapped) if any(wrapped) else Zero(type)


def splat(type: VectorType, element: Constant) -> Constant:
    """A vector of equal elements in its canonical form; a scalable one stays a splat."""
    if not any(type.scalable):
        return aggregate(type, [element] * type.ranked_shape[0])
    if is_zero(element):
        return Zero(type)
    if isinstance(element, (Undef, Poison)):
        return element.__class__(type)
    return Splat(type, element)


def elements_of(constant: Constant) -> list[Constant] | None:
    """The elements of an aggregate constant; None for what has none that are known."""
    match constant:
        case Aggregate(_, elements):
            return list(elements)
        case Data(_, element, numbers):
            return [Int(element, n) if isinstance(element, IntegerType) else Float(element, n) for n in numbers]
        case Zero(type) if not isinstance(type, (LLVMPointerType, LLVMTargetExtType)) and not _is_scalable(type):
            return [zero(t) for t in element_types(type)]
        case Undef(type) | Poison(type) if isinstance(type, (LLVMStructType, LLVMArrayType, VectorType)):
            return None if _is_scalable(type) else [constant.__class__(t) for t in element_types(type)]
        case _:
            return None


def _is_scalable(type: Type) -> bool:
    return isinstance(type, VectorType) and any(type.scalable)


@lru_cache(maxsize=4096)
def spell_float(bits: int, name: str) -> str:
    """A float of any of LLVM's types: in decimal if six digits give it exactly, otherwise in hexadecimal."""
    prefix = FLOAT_PREFIX.get(name)
    if name == "f128":
        return f"{prefix}{bits & (1 << 64) - 1:016X}{bits >> 64:016X}"
    if prefix is not None:
        return f"{prefix}{bits:0{20 if name == 'f80' else 4}X}"
    if is_nan(bits, name):
        wide = bits if name == "f64" else (bits >> 31 << 63) | 0x7FF << 52 | (bits & 0x7FFFFF) << 29
        return f"0x{wide:X}"
    value = to_float(bits, name)
    if value in (0.0, 1.0):
        return f"{value:.6e}"
    if value - value == 0:
        # LLVM shortens to six digits in a way of its own, and looks whether they still give the value.
        digits, exponent = shortened_digits(Fraction(value), 6)
        if float(f"{digits}e{exponent}") == abs(value):
            exponent += len(digits) - 1
            sign, power = "-" * (value < 0), "-" if exponent < 0 else "+"
            return f"{sign}{digits[0]}.{digits[1:]:0<6}e{power}{abs(exponent):02}"
    return f"0x{int.from_bytes(struct.pack('>d', value), 'big'):X}"


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
            return str(constant.signed) if width_of(type) != 1 else "true" if value else "false"
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
            return _spell_aggregate(constant, types)
        case Data():
            return _spell_data(constant, types)
        case Splat(_, element):
            return f"splat ({typed(element, types)})"
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


def _spell_data(data: Data, types: TypeSpeller) -> str:
    numbers, element = data.numbers, data.element
    if isinstance(data.type, LLVMArrayType) and element == I8:
        return f'c"{escape(bytes(numbers))}"'
    texts = spell_floats(numbers, element.name) if isinstance(element, FloatType) else _spell_integers(numbers, element)
    before = f"{types(element)} "
    if isinstance(data.type, LLVMArrayType):
        return f"[{before}{f', {before}'.join(texts)}]"
    if numbers.count(numbers[0]) == len(numbers):
        return f"splat ({before}{texts[0]})"
    return f"<{before}{f', {before}'.join(texts)}>"


def _spell_integers(numbers: Sequence[int], type: IntegerType) -> list[str]:
    if type.width == 1:
        return ["true" if number else "false" for number in numbers]
    top, above = 1 << (type.width - 1), 1 << type.width
    return [str(number if number < top else number - above) for number in numbers]


def _spell_aggregate(constant: Aggregate, types: TypeSpeller) -> str:
    type, elements = constant.type, constant.elements
    if isinstance(type, LLVMArrayType):
        if type.element == I8 and all(isinstance(e, Int) for e in elements):
            return f'c"{escape(bytes(e.value for e in elements if isinstance(e, Int)))}"'
        return f"[{', '.join([typed(e, types) for e in elements])}]"
    if isinstance(type, VectorType):
        first = elements[0]
        if isinstance(first, (Int, Float)) and all(e == first for e in elements):
            return f"splat ({typed(first, types)})"
        return f"<{', '.join([typed(e, types) for e in elements])}>"
    text = f"{{ {', '.join([typed(e, types) for e in elements])} }}"
    return f"<{text}>" if isinstance(type, LLVMStructType) and type.packed else text
