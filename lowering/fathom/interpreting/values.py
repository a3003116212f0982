"""Values while a program is interpreted, and the ends that it can come to.

An integer is the number without a sign that its bits are; a float a Python float that is one of its type. Vectors and
tensors are arrays, and so are structs and arrays of the LLVM dialect. A pointer is an address.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Final, TypeAlias

from fathom.ir.attributes import Attribute, DenseElementsAttr, FloatAttr, IntegerAttr
from fathom.ir.floats import to_float
from fathom.ir.types import ComplexType, FloatType, IndexType, IntegerType, ShapedType, Type
from fathom.records import record


@record
class Array:
    """The elements of a vector, a tensor, a struct or an array, the last dimension next to each other."""

    shape: tuple[int, ...]
    items: tuple[Datum, ...]


@record
class MemRef:
    """A memref: the address that it was allocated at, and that of its elements; and where these are, counted in
    elements."""

    allocated: int
    aligned: int
    offset: int
    sizes: tuple[int, ...]
    strides: tuple[int, ...]

    def place(self, indices: tuple[int, ...]) -> int:
        """The number of an element, from `aligned` on. Raises Trap where an index is out of bounds."""
        place = self.offset
        for index, size, stride in zip(indices, self.sizes, self.strides, strict=True):
            if not 0 <= index < size:
                raise Trap("crash", f"index {index} is out of bounds of a dimension of size {size}")
            place += index * stride
        return place


Datum: TypeAlias = "int | float | Array | MemRef"


class Trap(Exception):
    """The program comes to an end that it should not come to; `kind` is that of a failure of `fathom.execution`."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class NotUnderstood(Exception):
    """Something that is not interpreted."""


INDEX_BITS: Final = 64
POINTER: Final = "llvm.ptr"


def bits_of(type: Type) -> int:
    """How many bits an integer or an index has. Raises NotUnderstood for what is neither."""
    if isinstance(type, IndexType):
        return INDEX_BITS
    if isinstance(type, IntegerType):
        return type.width
    raise NotUnderstood(f"integers of type {type}")


def signed(value: int, bits: int) -> int:
    """A number of so many bits, read with a sign."""
    return value - (1 << bits) if bits and value >> (bits - 1) else value


def signed_index(value: Datum) -> int:
    """An index, read with a sign."""
    assert isinstance(value, int)
    return signed(value, INDEX_BITS)


MOST_ELEMENTS: Final = 1 << 20
"""No array has more elements."""


def check_elements(shape: Sequence[int]) -> None:
    """Raises NotUnderstood where a shape has too many elements, and Trap where it is none."""
    if any(extent < 0 for extent in shape):
        raise Trap("crash", f"a dimension of size {min(shape)}")
    if prod(shape) > MOST_ELEMENTS:
        raise NotUnderstood(f"an array of more than {MOST_ELEMENTS} elements")


def zero_of(type: Type) -> Datum:
    """Zero, or zeros."""
    if isinstance(type, ShapedType) and type.has_static_shape:
        check_elements(type.ranked_shape)
        return Array(type.ranked_shape, (zero_of(type.element),) * prod(type.ranked_shape))
    if isinstance(type, ComplexType):
        return Array((2,), (zero_of(type.element),) * 2)
    return 0.0 if isinstance(type, FloatType) else 0


def of_attribute(attribute: Attribute | None) -> Datum:
    """The value of a constant. Raises NotUnderstood."""
    match attribute:
        case IntegerAttr(value, type):
            return value % (1 << bits_of(type))
        case FloatAttr():
            return attribute.value
        case DenseElementsAttr(values, type):
            shape, element = type.ranked_shape, type.element
            check_elements(shape)
            items = tuple(_element(value, element) for value in values)
            return Array(shape, items * prod(shape) if len(items) == 1 else items)
        case _:
            raise NotUnderstood(f"the constant {type_name(attribute)}")


def _element(value: int | tuple[int, int], type: Type) -> Datum:
    if not isinstance(value, int):
        part = type.element if isinstance(type, ComplexType) else type
        return Array((2,), tuple(_element(each, part) for each in value))
    return to_float(value, type.name) if isinstance(type, FloatType) else value % (1 << bits_of(type))


def type_name(value: object) -> str:
    """What kind of thing something is."""
    return type(value).__name__
