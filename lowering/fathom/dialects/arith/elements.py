"""Functions of numbers, applied to constant attributes: scalars, splats, and element by element."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

from fathom.ir.attributes import ArrayAttr, Attribute, DenseElementsAttr, FloatAttr, IntegerAttr, SparseElementsAttr
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.operation import Value
from fathom.ir.types import (
    I1,
    ComplexType,
    FloatType,
    IndexType,
    IntegerType,
    ShapedType,
    TensorType,
    Type,
    VectorType,
    element_type,
)
from fathom.rewriting.folding import constant_value

INDEX_WIDTH = 64
"""Bits of an `index` in attributes."""


def width_of(type: Type) -> int:
    """Bits of an integer, index or float, or of the elements of a vector or tensor of them."""
    element = element_type(type)
    return element.width if isinstance(element, (IntegerType, FloatType)) else INDEX_WIDTH


def truth_type(type: Type) -> Type:
    """The type of a comparison: `i1`, in the shape of what is compared."""
    match type:
        case VectorType(shape, _, scalable):
            return VectorType(shape, I1, scalable)
        case TensorType(shape, _, encoding):
            return TensorType(shape, I1, encoding)
        case _:
            return I1


def as_signed(value: int, width: int) -> int:
    """The lowest `width` bits as a signed number."""
    if value.bit_length() < width:
        return value
    value &= (1 << width) - 1
    return value - (1 << width) if width and value >> (width - 1) & 1 else value


def as_unsigned(value: int, width: int) -> int:
    """The lowest `width` bits as an unsigned number."""
    return value if value >= 0 and value.bit_length() <= width else value & ((1 << width) - 1)


def normal(value: int, type: Type) -> int:
    """The value as attributes of the type keep it: signed, but for `i1` and unsigned types."""
    if isinstance(type, FloatType):
        return value
    width = width_of(type)
    if width == 1 or (isinstance(type, IntegerType) and type.signedness == "u"):
        return as_unsigned(value, width)
    return as_signed(value, width)


def apply_unary(
    function: Callable[[int], int | None], operands: Sequence[Attribute | None], result: Type
) -> Attribute | None:
    """`function` of the operand's values as an attribute of type `result`; None if the operand is no constant, or if
    the function has no answer for some element. It gets integers, and bit patterns of floats."""
    return _apply(function, operands, result)


def apply_binary(
    function: Callable[[int, int], int | None], operands: Sequence[Attribute | None], result: Type
) -> Attribute | None:
    """As `apply_unary`, of two operands."""
    return _apply(function, operands, result)


def apply_ternary(
    function: Callable[[int, int, int], int | None], operands: Sequence[Attribute | None], result: Type
) -> Attribute | None:
    """As `apply_unary`, of three operands."""
    return _apply(function, operands, result)


def _apply(function: Callable[..., int | None], operands: Sequence[Attribute | None], result: Type) -> Attribute | None:
    columns: list[tuple[int, ...]] = []
    poison = next((operand for operand in operands if is_poison(operand)), None)
    if poison is not None:
        return poison
    for operand in operands:
        values = _values(operand)
        if values is None:
            return None
        columns.append(values)
    if not isinstance(result, ShapedType):
        value = function(*(column[0] for column in columns))
        return None if value is None else scalar(value, result)
    count = max(map(len, columns))
    computed: list[int] = []
    for index in range(count):
        value = function(*(column[index if len(column) > 1 else 0] for column in columns))
        if value is None:
            return None
        computed.append(normal(value, result.element))
    return dense(computed, result)


def is_poison(attribute: Attribute | None) -> bool:
    """Whether a constant is poison as a whole; what is computed with it is poison too."""
    return isinstance(attribute, DialectAttr) and attribute.full_name == "ub.poison"


def _values(attribute: Attribute | None) -> tuple[int, ...] | None:
    match attribute:
        case IntegerAttr(value):
            return (value,)
        case FloatAttr(bits):
            return (bits,)
        case DenseElementsAttr(values) if values:
            return tuple(v for v in values if isinstance(v, int)) if isinstance(values[0], int) else None
        case _:
            return None


def scalar(value: int, type: Type) -> Attribute | None:
    """The attribute of a number, or of a float's bit pattern."""
    if isinstance(type, FloatType):
        return FloatAttr(value, type)
    return IntegerAttr(normal(value, type), type) if isinstance(type, (IntegerType, IndexType)) else None


def dense(values: Sequence[int], type: ShapedType) -> DenseElementsAttr:
    """The elements, as a splat when all are equal."""
    same = all(value == values[0] for value in values)
    return DenseElementsAttr((values[0],) if same else tuple(values), type)


def constant(value: int, type: Type) -> Attribute | None:
    """A scalar, or a splat of a shape that is known; None where there is no such attribute."""
    if not isinstance(type, ShapedType):
        return scalar(value, type)
    return dense([normal(value, type.element)], type) if type.has_static_shape else None


def element_at(elements: Attribute, number: int) -> Attribute | None:
    """One of the elements of a constant, counted through all dimensions; a complex one as an array of its parts. None
    where there is no such element, or none that is a number."""
    if not isinstance(elements, (DenseElementsAttr, SparseElementsAttr)) or not elements.type.has_static_shape:
        return None
    if not 0 <= number < prod(elements.type.ranked_shape):
        return None
    if isinstance(elements, SparseElementsAttr):
        return _sparse_element(elements, number)
    return _number(elements.values[0 if elements.is_splat else number], elements.type.element)


def _number(value: int | tuple[int, int], element: Type) -> Attribute | None:
    if isinstance(value, int):
        return scalar(value, element)
    parts = [scalar(part, element.element) for part in value] if isinstance(element, ComplexType) else []
    known = tuple(part for part in parts if part is not None)
    return ArrayAttr(known) if len(known) == len(value) else None


def _sparse_element(elements: SparseElementsAttr, number: int) -> Attribute | None:
    """The value at an index that is listed, otherwise zero."""
    shape, indices, values = elements.type.ranked_shape, elements.indices, elements.values
    listed = [value for value in indices.values if isinstance(value, int)]
    # Equal indices everywhere are written once, for all values and dimensions.
    rank = len(shape)
    places = [listed * rank] if indices.is_splat else [listed[at : at + rank] for at in range(0, len(listed), rank)]
    for position, place in enumerate(places):
        flat = 0
        for index, extent in zip(place, shape, strict=True):
            flat = flat * extent + index
        if flat == number:
            return element_at(values, position)
    element = elements.type.element
    return _number((0, 0) if isinstance(element, ComplexType) else 0, element)


def zero_of(type: Type) -> Attribute | None:
    """The constant zero of a type, None where it has none."""
    return constant(0, type)


def integer_value(attribute: Attribute | None) -> int | None:
    """The value of an integer constant, or of a splat of integers."""
    match attribute:
        case IntegerAttr(value):
            return value
        case DenseElementsAttr((int(value),), ShapedType() as type) if not isinstance(type.element, FloatType):
            return value
        case _:
            return None


def splat_constant(value: Value) -> int | None:
    """The number of an integer constant, also of one that is the same in all elements."""
    return integer_value(constant_value(value))


def float_value(attribute: Attribute | None) -> tuple[int, str] | None:
    """The bit pattern of a float constant, or of a splat of floats, and the name of its type."""
    match attribute:
        case FloatAttr(bits, type):
            return bits, type.name
        case DenseElementsAttr((int(bits),), ShapedType(element=FloatType(name))):
            return bits, name
        case _:
            return None


def is_all_ones(attribute: Attribute | None, type: Type) -> bool:
    """Whether an attribute, a constant of this type, has every bit set."""
    value = integer_value(attribute)
    return value is not None and as_unsigned(value, width_of(type)) == (1 << width_of(type)) - 1
