"""What the operations on vectors share: parts of types, kinds of combining, lists of numbers.

Source of the rules: *'vector' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Final

from fathom.ir.attributes import Attribute
from fathom.ir.operation import Operation, Value
from fathom.ir.types import I1, ComplexType, FloatType, IndexType, IntegerType, MemRefType, TensorType, Type, VectorType
from fathom.irdl.cases import word_of
from fathom.irdl.verifying import Complaint
from fathom.ops.vector import MaskOp

POISON_INDEX: Final = -1
"""The position of an element that is poison."""

ARITHMETIC: Final = frozenset(("add", "mul"))
INTEGER: Final = frozenset(("minui", "minsi", "maxui", "maxsi", "and", "or", "xor"))


def vector(type: Type) -> VectorType | None:
    """The type, if it is a vector."""
    return type if isinstance(type, VectorType) else None


def vector_type(value: Value) -> VectorType:
    """The type of a value that must be a vector."""
    type = value.type
    assert isinstance(type, VectorType), "the definition demands a vector"
    return type


def rank(type: Type) -> int:
    """The rank of a vector; 0 of what is none."""
    return len(type.ranked_shape) if isinstance(type, VectorType) else 0


def flags(type: VectorType) -> tuple[bool, ...]:
    """Which dimensions are scalable."""
    return type.scalable or (False,) * len(type.ranked_shape)


def vector_of(shape: Sequence[int], element: Type, scalable: Sequence[bool] = ()) -> VectorType:
    """A vector; `scalable` has a flag for each dimension, or is empty."""
    return VectorType(tuple(shape), element, tuple(scalable) if any(scalable) else ())


def mask_of(type: VectorType) -> VectorType:
    """The mask of a vector: a flag for each element."""
    return VectorType(type.shape, I1, type.scalable)


def without_first(type: VectorType, count: int) -> VectorType:
    """The type without its first dimensions."""
    return vector_of(type.ranked_shape[count:], type.element, flags(type)[count:])


def count_of(type: VectorType) -> int:
    """The number of elements; the least, of a scalable vector."""
    return prod(type.ranked_shape)


def indices_of(number: int, shape: Sequence[int]) -> list[int]:
    """Where an element stands, by its number in row-major order."""
    place: list[int] = []
    for extent in reversed(shape):
        number, rest = divmod(number, extent)
        place.insert(0, rest)
    return place


def number_of(place: Sequence[int], shape: Sequence[int]) -> int:
    """The number of an element in row-major order; positions that are missing are 0."""
    return sum(index * prod(shape[dim + 1 :]) for dim, index in enumerate(place))


def can_broadcast(source: Type, target: VectorType) -> bool:
    """Whether a scalar, or a vector whose last dimensions are these or 1, can be repeated to a vector."""
    if not isinstance(source, VectorType):
        return source == target.element
    lead = rank(target) - rank(source)
    if lead < 0:
        return False
    dims = zip(source.ranked_shape, flags(source), target.ranked_shape[lead:], flags(target)[lead:], strict=True)
    return all((size == 1 and not a) or (size == extent and a == b) for size, a, extent, b in dims)


def shaped(type: Type) -> MemRefType | TensorType | None:
    """The type, if it is a memref or tensor with a rank."""
    return type if isinstance(type, (MemRefType, TensorType)) and type.shape is not None else None


def shaped_type(value: Value) -> MemRefType | TensorType:
    """The type of a value that must be a memref or tensor with a rank."""
    type = shaped(value.type)
    assert type is not None, "the definition demands a memref or a tensor with a rank"
    return type


def check_indices(base: Type, indices: Sequence[Value]) -> Complaint:
    """There is an index for each dimension of what is accessed."""
    source = shaped(base)
    if source is None or len(indices) == len(source.ranked_shape):
        return None
    return f"requires {len(source.ranked_shape)} indices"


def bits_of(type: Type) -> int | None:
    """The bits of an element in a data layout that says nothing; None where they are not known."""
    match type:
        case IntegerType(width):
            return width
        case FloatType():
            return type.width
        case IndexType():
            return 64
        case ComplexType(element):
            bits = bits_of(element)
            return 2 * bits if bits is not None else None
        case _:
            return None


def is_position(value: int, extent: int) -> bool:
    """Whether a number is the position of an element in a dimension, or of poison."""
    return value == POISON_INDEX or 0 <= value < extent


# ---- kinds of combining


def kind_of(attribute: Attribute | None) -> str:
    """The kind that an attribute `#vector.kind<…>` names; nothing where it is none."""
    return word_of(attribute)


def combines(kind: str, element: Type) -> bool:
    """Whether elements of a type are combined in this way."""
    if not kind:
        return True
    is_integer = isinstance(element, (IntegerType, IndexType))
    if kind in INTEGER:
        return is_integer
    return isinstance(element, FloatType) or (is_integer and kind in ARITHMETIC)


# ---- masks


def masking_op(op: Operation) -> MaskOp | None:
    """The `vector.mask` around an operation."""
    around = op.parent_op
    return around if isinstance(around, MaskOp) else None
