"""MLIR attributes as constants of LLVM IR: the value of `llvm.mlir.constant`, the initial value of a global.

Source of the rules: *'llvm' Dialect*, "`llvm.mlir.constant`" and "`llvm.mlir.global`".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from math import prod
from typing import Final

from fathom.dialects.llvm.types import LLVMArrayType, LLVMPointerType, LLVMStructType
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
from fathom.ir.packed import unpack
from fathom.ir.types import FloatType, IntegerType, TensorType, Type, VectorType
from fathom.text.encodings import utf8
from fathom.translation.constants import (
    MANY,
    MOST,
    Constant,
    Float,
    Poison,
    Undef,
    aggregate,
    data,
    element_count,
    element_types,
    integer,
    splat,
    zero,
)


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
            return Undef(type)
        case "llvm.poison":
            return Poison(type)
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
        case FloatType():
            return Float(type, value & ((1 << type.width) - 1))
        case LLVMPointerType() if value == 0:
            return zero(type)
        case VectorType():
            element = _scalar(value, type.element)
            return splat(type, element) if element is not None else None
        case _:
            return None


def _string(text: str, type: Type) -> Constant | None:
    if not isinstance(type, LLVMArrayType):
        return None
    characters = utf8(text)
    array = LLVMArrayType(len(characters), type.element)
    if isinstance(type.element, IntegerType) and len(characters) >= MANY:
        return data(array, type.element, characters)
    return aggregate(array, [integer(type.element, byte) for byte in characters])


def _array(attributes: Sequence[Attribute], type: Type) -> Constant | None:
    if not isinstance(type, (LLVMStructType, LLVMArrayType, VectorType)):
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
    if isinstance(type, VectorType) and any(type.scalable):
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
    if isinstance(type, (LLVMArrayType, VectorType)):
        element = _fill(value, type.element)
        return splat(type, element) if element is not None else None
    return _element(value, type)


def _nest(values: Iterator[int | tuple[int, int]], type: Type) -> Constant | None:
    if isinstance(type, (LLVMArrayType, VectorType)):
        count = element_count(type)
        if isinstance(type.element, (IntegerType, FloatType)) and count >= MANY:
            numbers = [value for value in islice(values, count) if isinstance(value, int)]
            return data(type, type.element, numbers) if len(numbers) == count else None
        elements: list[Constant] = []
        for _ in range(count):
            element = _nest(values, type.element)
            if element is None:
                return None
            elements.append(element)
        return aggregate(type, elements)
    value = next(values, None)
    return _element(value, type) if value is not None else None


# ---- resources of a file

_ALIGNMENT: Final = 8
"""How many hexadecimal digits tell the alignment, before the elements."""


def _resource(attribute: DenseResourceAttr, type: Type) -> Constant | None:
    if _misfit(attribute, type) or attribute.blob is None:
        return None
    data = bytes.fromhex(attribute.blob.digits()[_ALIGNMENT:])
    return _nest(iter(unpack(data, _innermost(type))), type)


def _misfit(attribute: DenseResourceAttr, type: Type) -> str:
    """What is wrong with a resource for a constant of this type; empty where nothing is. LLVM has numbers of so many
    bits without a constant for each."""
    if not isinstance(attribute.type, (TensorType, VectorType)):
        return "unsupported dense_resource type"
    element = _innermost(type)
    if not isinstance(element, (IntegerType, FloatType)) or element.width not in (8, 16, 32, 64):
        return "no known conversion for innermost element type"
    if attribute.blob is None:
        return "resource does not exist"
    bits = (attribute.blob.count - _ALIGNMENT) * 4
    if bits != prod(attribute.type.ranked_shape) * element.width:
        return "raw data size does not match element type size"
    return ""


def _innermost(type: Type) -> Type:
    while isinstance(type, (LLVMArrayType, VectorType)):
        type = type.element
    return type
