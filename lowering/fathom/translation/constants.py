"""The constants of LLVM IR, as immutable values.

They are kept canonical: an aggregate whose elements are all zero, undef or poison is one of those itself, and a long
one whose elements are all the same knows the one and how many there are.
Source of the rules: *LLVM Language Reference*, "Constants".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from fathom.dialects.llvm.types import LLVMArrayType, LLVMPointerType, LLVMStructType, LLVMTargetExtType
from fathom.ir.types import FloatType, IntegerType, Type, VectorType
from fathom.records import record

MANY: Final = 64
"""From so many elements on, numbers are no constants of their own, and equal elements are one."""
MOST: Final = 1 << 20
"""A constant of more elements, of which nobody wrote each, is folded as a whole or not at all."""
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
    """An array or a vector of fixed length of `MANY` numbers or more, not all equal, without a constant for each; an
    integer is unsigned, and a float its bit pattern."""

    type: LLVMArrayType | VectorType
    element: IntegerType | FloatType
    numbers: tuple[int, ...]


@record
class Splat:
    """A scalable vector, or an array or a vector of `MANY` elements or more, whose elements are all the same, and not
    zero, undef or poison."""

    type: LLVMArrayType | VectorType
    element: Constant


@record
class Symbol:
    """The address of a global or a function. `extent` is the number of bytes that are known to be there. One that is
    `nearby` is that of something in this object that does what the function does."""

    type: LLVMPointerType
    name: str
    extent: int = 0
    may_be_null: bool = False
    nearby: bool = False


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


def element_types(type: Type) -> list[Type] | None:
    """The types of an aggregate's elements; None where there are more than `MOST`. Raises ValueError for a type that
    is no aggregate."""
    match type:
        case LLVMStructType():
            return [type.field(index) for index in range(len(type.body or ()))]
        case LLVMArrayType() | VectorType():
            count = element_count(type)
            return [type.element] * count if count <= MOST else None
        case _:
            raise ValueError(f"{type} has no elements")


def element_count(type: LLVMArrayType | VectorType) -> int:
    """How many elements an array or a vector has."""
    return type.size if isinstance(type, LLVMArrayType) else type.ranked_shape[0]


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
        first = elements[0]
        if all(element is first or element == first for element in elements):
            return Splat(type, first)
        numbers = [
            element.value if isinstance(element, Int) else element.bits
            for element in elements
            if isinstance(element, _NUMBER)
        ]
        if isinstance(type.element, (IntegerType, FloatType)) and len(numbers) == len(elements):
            return data(type, type.element, numbers)
    return Aggregate(type, tuple(elements))


_NUMBER: Final = (Int, Float)


def data(type: LLVMArrayType | VectorType, element: IntegerType | FloatType, numbers: Sequence[int]) -> Constant:
    """`MANY` numbers or more in their canonical form; each is wrapped to the width of the element."""
    mask = (1 << element.width) - 1
    wrapped = tuple([number & mask for number in numbers])
    first = wrapped[0]
    if all(number == first for number in wrapped):
        return splat(type, _number(element, first))
    return Data(type, element, wrapped)


def _number(type: IntegerType | FloatType, bits: int) -> Int | Float:
    return Int(type, bits) if isinstance(type, IntegerType) else Float(type, bits)


def splat(type: LLVMArrayType | VectorType, element: Constant) -> Constant:
    """An array or a vector of equal elements in its canonical form."""
    count = element_count(type)
    if is_zero(element) or not count:
        return Zero(type)
    if isinstance(element, (Undef, Poison)):
        return element.__class__(type)
    return Splat(type, element) if count >= MANY or _is_scalable(type) else Aggregate(type, (element,) * count)


def same_in_all(constant: Constant) -> Constant | None:
    """The element of an array or a vector whose elements are all known to be the same."""
    match constant:
        case Splat(_, element):
            return element
        case Zero(LLVMArrayType() | VectorType() as type):
            return zero(type.element)
        case Undef(LLVMArrayType() | VectorType() as type) | Poison(LLVMArrayType() | VectorType() as type):
            return None if _is_scalable(type) else constant.__class__(type.element)
        case _:
            return None


def element_of(constant: Constant, index: int) -> Constant | None:
    """An element of an aggregate; None where there is none, or it is not known."""
    type = constant.type
    if isinstance(type, (LLVMArrayType, VectorType)) and (same := same_in_all(constant)) is not None:
        return same if index < element_count(type) and not _is_scalable(type) else None
    if isinstance(constant, Data):
        return _number(constant.element, constant.numbers[index]) if index < len(constant.numbers) else None
    elements = elements_of(constant)
    return elements[index] if elements is not None and index < len(elements) else None


def elements_of(constant: Constant) -> list[Constant] | None:
    """The elements of an aggregate constant; None for what has none that are known, or more than `MOST` that nobody
    wrote."""
    match constant:
        case Aggregate(_, elements):
            return list(elements)
        case Data(_, element, numbers):
            return [_number(element, number) for number in numbers]
        case Splat(type, element) if not _is_scalable(type):
            count = element_count(type)
            return [element] * count if count <= MOST else None
        case Zero(type) if not isinstance(type, (LLVMPointerType, LLVMTargetExtType)) and not _is_scalable(type):
            kinds = element_types(type)
            return [zero(t) for t in kinds] if kinds is not None else None
        case Undef(type) | Poison(type) if isinstance(type, (LLVMStructType, LLVMArrayType, VectorType)):
            kinds = element_types(type) if not _is_scalable(type) else None
            return [constant.__class__(t) for t in kinds] if kinds is not None else None
        case _:
            return None


def _is_scalable(type: Type) -> bool:
    return isinstance(type, VectorType) and any(type.scalable)
