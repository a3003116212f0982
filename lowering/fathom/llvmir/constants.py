"""Constants, in the one form that each has.

An aggregate whose elements are all zero, undef or poison is one of those itself; numbers, and what is the same many
times over, take no constant for each. So two constants are the same if they are equal.

Source of the rules: *LLVM Language Reference*, "Constants".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fathom.llvmir.types import (
    FLOAT_BITS,
    I8,
    ArrayType,
    IdentifiedStructType,
    IntegerType,
    PointerType,
    StructType,
    Type,
    VectorType,
)
from fathom.llvmir.values import (
    Constant,
    ConstantAggregate,
    ConstantAggregateZero,
    ConstantDataSequential,
    ConstantExpr,
    ConstantFP,
    ConstantInt,
    ConstantPointerNull,
    ConstantString,
    PoisonValue,
    Repeated,
    UndefValue,
)

MANY: Final = 64
"""From so many elements on, equal ones are one."""
MOST: Final = 1 << 20
"""A constant of more elements, of which nobody wrote each, is folded as a whole or not at all."""
_NUMBERS: Final = (ConstantInt, ConstantFP)
_BLANK: Final = (UndefValue, PoisonValue)


def integer(type: Type, value: int) -> ConstantInt:
    """An integer of this type, wrapped to its width."""
    assert isinstance(type, IntegerType)
    bits = type.bits
    value &= (1 << bits) - 1
    return ConstantInt(type, value - (1 << bits) if bits > 1 and value >> (bits - 1) else value)


def width_of(type: Type) -> int:
    """The width of an integer type in bits."""
    assert isinstance(type, IntegerType)
    return type.bits


def unsigned(constant: ConstantInt) -> int:
    """The value of an integer from 0 on."""
    return constant.value & ((1 << width_of(constant.type)) - 1)


def signed(constant: ConstantInt) -> int:
    """The value of an integer with its sign; that of a bit is -1."""
    return constant.value if width_of(constant.type) != 1 else -constant.value


def is_number(type: Type) -> bool:
    """Whether a type is of integers or floats."""
    return isinstance(type, IntegerType) or type in FLOAT_BITS


def number(type: Type, value: int) -> ConstantInt | ConstantFP:
    """A number as a constant has it: an integer with its sign, or the bits of a float."""
    return ConstantInt(type, value) if isinstance(type, IntegerType) else ConstantFP(type, value)


def element_types(type: Type) -> Sequence[Type] | None:
    """The types of an aggregate's elements; None where there are more than `MOST`. Raises ValueError for a type that
    is no aggregate."""
    match type:
        case IdentifiedStructType(_, body):
            return body.elements if body is not None else ()
        case StructType(elements):
            return elements
        case ArrayType(element, count) | VectorType(element, count):
            return [element] * count if count <= MOST else None
        case _:
            raise ValueError(f"{type} has no elements")


def zero(type: Type) -> Constant:
    """The constant whose bits are all zero."""
    if is_number(type):
        return number(type, 0)
    return ConstantPointerNull(type) if isinstance(type, PointerType) else ConstantAggregateZero(type)


def is_zero(constant: Constant) -> bool:
    """Whether all bits are zero; -0.0 is not."""
    match constant:
        case ConstantInt(_, value) | ConstantFP(_, value):
            return value == 0
        case _:
            return isinstance(constant, (ConstantPointerNull, ConstantAggregateZero))


def aggregate(type: Type, elements: Sequence[Constant]) -> Constant:
    """An aggregate of elements, each in its one form."""
    if all(map(is_zero, elements)):
        return zero(type)
    for kind in _BLANK:
        if all(isinstance(element, kind) for element in elements):
            return kind(type)
    if isinstance(type, (ArrayType, VectorType)):
        if is_number(type.element):
            numbers = [_value(element) for element in elements if isinstance(element, _NUMBERS)]
            if len(numbers) == len(elements):
                return data(type, numbers)
        first = elements[0]
        if len(elements) >= MANY and all(element is first or element == first for element in elements):
            return splat(type, first)
    return ConstantAggregate(type, tuple(elements))


def _value(of: ConstantInt | ConstantFP) -> int:
    return of.value if isinstance(of, ConstantInt) else of.bits


def data(type: ArrayType | VectorType, numbers: Sequence[int]) -> Constant:
    """Numbers, as constants have them, one at least."""
    first = numbers[0]
    if all(each == first for each in numbers):
        return splat(type, number(type.element, first))
    if isinstance(type, ArrayType) and type.element == I8:
        return ConstantString(type, bytes([each & 0xFF for each in numbers]))
    return ConstantDataSequential(type, tuple(numbers))


def splat(type: ArrayType | VectorType, element: Constant) -> Constant:
    """An array or a vector of equal elements."""
    count = type.count
    if is_zero(element) or not count:
        return zero(type)
    if isinstance(element, _BLANK):
        return element.__class__(type)
    if isinstance(type, VectorType):
        if isinstance(element, _NUMBERS):
            return element.__class__(type, _value(element))
        if type.is_scalable:
            return copied(type, element)
    if isinstance(element, _NUMBERS) and is_number(type.element):
        value = _value(element)
        if count >= MANY:
            return ConstantDataSequential(type, Repeated(value, count))
        if type.element == I8:
            return ConstantString(type, bytes([value & 0xFF] * count))
        return ConstantDataSequential(type, (value,) * count)
    return ConstantAggregate(type, Repeated(element, count) if count >= MANY else (element,) * count)


def copied(type: VectorType, element: Constant) -> ConstantExpr:
    """How all elements are one, of a vector of which nobody knows how many there are."""
    poison = PoisonValue(type)
    inserted = ConstantExpr(type, "insertelement", (poison, element, integer(IntegerType(64), 0)))
    mask = (0,) * type.count
    return ConstantExpr(type, "shufflevector", (inserted, poison), mask=mask)


def same_in_all(constant: Constant) -> Constant | None:
    """The element of an array or a vector whose elements are all known to be the same."""
    type = constant.type
    if not isinstance(type, (ArrayType, VectorType)):
        return None
    match constant:
        case ConstantInt(_, value) | ConstantFP(_, value):
            return number(type.element, value)
        case ConstantDataSequential(_, Repeated(element)):
            return number(type.element, element)
        case ConstantAggregate(_, Repeated(element)):
            return element
        case ConstantAggregateZero():
            return zero(type.element)
        case UndefValue() | PoisonValue():
            return None if is_scalable(type) else constant.__class__(type.element)
        case _:
            return None


def element_of(constant: Constant, index: int) -> Constant | None:
    """An element of an aggregate; None where there is none, or it is not known."""
    type = constant.type
    if isinstance(type, (ArrayType, VectorType)) and (same := same_in_all(constant)) is not None:
        return same if index < type.count and not is_scalable(type) else None
    if isinstance(constant, ConstantDataSequential) and isinstance(type, (ArrayType, VectorType)):
        return number(type.element, constant.values[index]) if index < len(constant.values) else None
    elements = elements_of(constant)
    return elements[index] if elements is not None and index < len(elements) else None


def elements_of(constant: Constant) -> list[Constant] | None:
    """The elements of an aggregate constant; None for what has none that are known, or more than `MOST` that nobody
    wrote."""
    type = constant.type
    if is_scalable(type):
        return None
    if isinstance(type, (ArrayType, VectorType)):
        if (same := same_in_all(constant)) is not None:
            return [same] * type.count if type.count <= MOST else None
        if isinstance(constant, ConstantDataSequential):
            return [number(type.element, value) for value in constant.values]
    match constant:
        case ConstantAggregate(_, operands):
            return list(operands)
        case ConstantString(_, characters):
            return [integer(I8, byte) for byte in characters]
        case ConstantAggregateZero() if isinstance(type, (StructType, IdentifiedStructType)):
            return [zero(each) for each in element_types(type) or ()]
        case UndefValue() | PoisonValue() if isinstance(type, (StructType, IdentifiedStructType)):
            return [constant.__class__(each) for each in element_types(type) or ()]
        case _:
            return None


def is_scalable(type: Type) -> bool:
    """Whether a type is a vector of as many elements as the target says."""
    return isinstance(type, VectorType) and type.is_scalable
