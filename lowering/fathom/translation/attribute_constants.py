"""MLIR attributes as constants of LLVM IR: the value of `llvm.mlir.constant`, the initial value of a global.

Source of the rules: *'llvm' Dialect*, "`llvm.mlir.constant`" and "`llvm.mlir.global`".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from math import prod
from struct import unpack
from typing import Final

from fathom.ir.attributes import (
    ArrayAttr,
    Attribute,
    DenseElementsAttr,
    DenseResourceAttr,
    FloatAttr,
    IntegerAttr,
    SparseElementsAttr,
    StringAttr,
)
from fathom.ir.types import TensorType
from fathom.ir.types import VectorType as BuiltinVectorType
from fathom.llvmir.constants import (
    MOST,
    aggregate,
    data,
    element_types,
    integer,
    is_number,
    splat,
    zero,
)
from fathom.llvmir.types import (
    FLOAT_BITS,
    ArrayType,
    IdentifiedStructType,
    IntegerType,
    PointerType,
    StructType,
    Type,
    VectorType,
)
from fathom.llvmir.values import Constant, ConstantFP, PoisonValue, UndefValue
from fathom.text.encodings import utf8


def constant_of(attribute: Attribute, type: Type) -> Constant | None:
    """The constant of this type that an attribute stands for; None when it stands for none."""
    match attribute:
        case IntegerAttr(value):
            return _scalar(value, type)
        case FloatAttr(bits):
            return _scalar(bits, type)
        case StringAttr(text):
            return _string(text, type)
        case ArrayAttr(elements):
            return _array(elements, type)
        case DenseElementsAttr():
            return _dense(attribute, type)
        case SparseElementsAttr():
            filled = _filled(attribute)
            return _dense(filled, type) if filled is not None else None
        case DenseResourceAttr():
            return _resource(attribute, type)
        case _:
            return _named(attribute.full_name, type)


def why_none(attribute: Attribute, type: Type) -> str:
    """Why an attribute stands for no constant of this type."""
    misfit = _misfit(attribute, type) if isinstance(attribute, DenseResourceAttr) else ""
    return misfit or "unsupported constant value"


def _named(name: str, type: Type) -> Constant | None:
    match name:
        case "llvm.zero":
            return zero(type)
        case "llvm.undef":
            return UndefValue(type)
        case "llvm.poison":
            return PoisonValue(type)
        case _:
            return None


def _filled(attribute: SparseElementsAttr) -> DenseElementsAttr | None:
    """The elements with the zeros between them; None for more than anybody wrote."""
    shape, values = attribute.type.ranked_shape, attribute.values.values
    count, places = prod(shape), list(attribute.indices.values)
    if not shape or count > MOST or not all(isinstance(place, int) for place in places):
        return None
    elements: list[int | tuple[int, int]] = [0] * count
    coordinates = places * len(shape) * len(values) if attribute.indices.is_splat else places
    for at, value in enumerate(values):
        index = 0
        for extent, place in zip(shape, coordinates[at * len(shape) :], strict=False):
            index = index * extent + (place if isinstance(place, int) else 0)
        elements[index] = value
    return DenseElementsAttr(elements, attribute.type)


def _scalar(value: int, type: Type) -> Constant | None:
    match type:
        case IntegerType():
            return integer(type, value)
        case PointerType() if value == 0:
            return zero(type)
        case VectorType():
            element = _scalar(value, type.element)
            return splat(type, element) if element is not None else None
        case _:
            bits = FLOAT_BITS.get(type)
            return ConstantFP(type, value & ((1 << bits) - 1)) if bits is not None else None


def _string(text: str, type: Type) -> Constant | None:
    if not isinstance(type, ArrayType) or not isinstance(type.element, IntegerType):
        return None
    characters = utf8(text)
    array = ArrayType(type.element, len(characters))
    return data(array, _wrapped(characters, type.element)) if characters else zero(array)


def _array(attributes: Sequence[Attribute], type: Type) -> Constant | None:
    if not isinstance(type, (StructType, IdentifiedStructType, ArrayType, VectorType)):
        return None
    kinds = element_types(type)
    if kinds is None or len(kinds) != len(attributes):
        return None
    elements: list[Constant] = []
    for attribute, kind in zip(attributes, kinds, strict=True):
        element = constant_of(attribute, kind)
        if element is None:
            return None
        elements.append(element)
    return aggregate(type, elements)


def _dense(attribute: DenseElementsAttr, type: Type) -> Constant | None:
    if isinstance(type, VectorType) and type.is_scalable:
        element = _element(attribute.values[0], type.element) if attribute.is_splat else None
        return splat(type, element) if element is not None else None
    if attribute.is_splat:
        return _fill(attribute.values[0], type)
    values = iter(attribute.values)
    return _nest(values, type)


def _element(value: int | tuple[int, int], type: Type) -> Constant | None:
    if isinstance(value, int):
        return _scalar(value, type)
    kinds = element_types(type)
    parts = [_scalar(part, kind) for part, kind in zip(value, kinds or (), strict=True)]
    return aggregate(type, [part for part in parts if part is not None])


def _fill(value: int | tuple[int, int], type: Type) -> Constant | None:
    if isinstance(type, (ArrayType, VectorType)):
        element = _fill(value, type.element)
        return splat(type, element) if element is not None else None
    return _element(value, type)


def _nest(values: Iterator[int | tuple[int, int]], type: Type) -> Constant | None:
    if isinstance(type, (ArrayType, VectorType)):
        count = type.count
        if is_number(type.element) and count:
            numbers = [value for value in islice(values, count) if isinstance(value, int)]
            return data(type, _wrapped(numbers, type.element)) if len(numbers) == count else None
        elements: list[Constant] = []
        for _ in range(count):
            element = _nest(values, type.element)
            if element is None:
                return None
            elements.append(element)
        return aggregate(type, elements)
    value = next(values, None)
    return _element(value, type) if value is not None else None


def _wrapped(numbers: Sequence[int], type: Type) -> list[int]:
    """Numbers as constants of a type have them."""
    if not isinstance(type, IntegerType):
        mask = (1 << FLOAT_BITS[type]) - 1
        return [number & mask for number in numbers]
    above = 1 << type.bits
    mask, half = above - 1, above >> 1 if type.bits > 1 else above
    return [number if number < half else number - above for number in [number & mask for number in numbers]]


# ---- resources of a file

_CODES: Final = {8: "B", 16: "H", 32: "I", 64: "Q"}

_ALIGNMENT: Final = 8
"""How many hexadecimal digits tell the alignment, before the elements."""


def _resource(attribute: DenseResourceAttr, type: Type) -> Constant | None:
    if _misfit(attribute, type) or attribute.blob is None:
        return None
    data = bytes.fromhex(attribute.blob.digits()[_ALIGNMENT:])
    width = _width(_innermost(type))
    numbers: tuple[int, ...] = unpack(f"<{len(data) * 8 // width}{_CODES[width]}", data)
    return _nest(iter(numbers), type)


def _misfit(attribute: DenseResourceAttr, type: Type) -> str:
    """What is wrong with a resource for a constant of this type; empty where nothing is. LLVM has numbers of so many
    bits without a constant for each."""
    if not isinstance(attribute.type, (TensorType, BuiltinVectorType)):
        return "unsupported dense_resource type"
    width = _width(_innermost(type))
    if width not in _CODES:
        return "no known conversion for innermost element type"
    if attribute.blob is None:
        return "resource does not exist"
    bits = (attribute.blob.count - _ALIGNMENT) * 4
    if bits != prod(attribute.type.ranked_shape) * width:
        return "raw data size does not match element type size"
    return ""


def _innermost(type: Type) -> Type:
    while isinstance(type, (ArrayType, VectorType)):
        type = type.element
    return type


def _width(type: Type) -> int:
    """The bits of a number; 0 for what is none."""
    return type.bits if isinstance(type, IntegerType) else FLOAT_BITS.get(type, 0)
