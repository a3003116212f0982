"""What values are made of, and where their parts lie in a program's memory.

A *leaf* is an integer, a float or a pointer; everything else is made of leaves, in an order that is that of the text of
its type. Sizes and alignments are those of LLVM's data layouts for x86-64 and AArch64, which agree in them; that they
are LLVM's is a test. (`fathom.dialects.llvm.data_layout` knows any layout, but only types of that dialect.)

Source of the rules: *LLVM Language Reference*, "Data Layout"; *LLVM IR Target*, "Data Layout and Types".
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from fathom.execution.llvm_types import is_array, is_pointer, is_struct
from fathom.execution.outcome import UnsupportedSignature
from fathom.ir.floats import LLVM_NAMES
from fathom.ir.types import ComplexType, FloatType, IndexType, IntegerType, ShapedType, Type, VectorType

if TYPE_CHECKING:
    from fathom.dialects.llvm.types import LLVMArrayType, LLVMStructType

DATA_LAYOUT: Final = "e-i64:64-i128:128-f80:128"
"""In what sizes and alignments of these machines are others than LLVM's own, which a module has that says nothing. What
a program is folded by is what it is compiled by."""
MOST_LEAVES: Final = 1 << 16
"""A value that is passed is made of no more: each leaf takes instructions of its own."""
_POINTER_BITS: Final = 64
_WIDEST_ALIGNMENT: Final = 16
"""The greatest alignment of an integer or a float, in bytes."""


def integer_width(type: Type) -> int | None:
    """The width in bits of a type that is an integer in LLVM, as f8 and narrower floats are too; None for others."""
    match type:
        case IndexType():
            return 64
        case IntegerType(width) if width > 0:
            return width
        case FloatType(name) if name not in LLVM_NAMES and name != "tf32":
            return type.width
        case _:
            return None


def llvm_float(type: Type) -> str | None:
    """LLVM's name of a type that is a float in LLVM, or None."""
    return LLVM_NAMES.get(type.name) if isinstance(type, FloatType) else None


def is_leaf(type: Type) -> bool:
    """Whether a value of the type is one integer, float or pointer."""
    return is_pointer(type) or integer_width(type) is not None or llvm_float(type) is not None


def bits_of(leaf: Type) -> int:
    """The bits that are a leaf's own, without what is added to them in memory. Raises UnsupportedSignature."""
    if is_pointer(leaf):
        return _POINTER_BITS
    if (width := integer_width(leaf)) is not None:
        return width
    if isinstance(leaf, FloatType) and llvm_float(leaf) is not None:
        return leaf.width
    raise UnsupportedSignature(f"a memref of {leaf} cannot be passed to a program")


@lru_cache(maxsize=4096)
def leaf_count(type: Type) -> int:
    """How many leaves a value is made of. Raises UnsupportedSignature for a type without any such."""
    if isinstance(type, ComplexType):
        return 2 * leaf_count(type.element)
    if isinstance(type, VectorType):
        return math.prod(type.ranked_shape) * leaf_count(type.element)
    if is_array(type):
        return type.size * leaf_count(type.element)
    if is_struct(type) and type.body is not None:
        return sum(map(leaf_count, type.body))
    if is_leaf(type):
        return 1
    raise UnsupportedSignature(f"{type} cannot be passed to a program")


def check_leaves(type: Type) -> None:
    """Raise UnsupportedSignature for a value of too many parts."""
    if (count := leaf_count(type)) > MOST_LEAVES:
        written = f"{count}" if count.bit_length() <= 64 else "far more"
        raise UnsupportedSignature(
            f"{type} is passed in {written} parts, more than the {MOST_LEAVES} that a value may have: "
            "pass a memref or a pointer"
        )


@lru_cache(maxsize=4096)
def has_pointers(type: Type) -> bool:
    """Whether there are pointers in a value."""
    if is_struct(type):
        return any(map(has_pointers, type.body or ()))
    if is_array(type) or isinstance(type, ShapedType):
        return has_pointers(type.element)
    return is_pointer(type)


# ---- sizes


@lru_cache(maxsize=4096)
def element_size(type: Type) -> int:
    """The distance in bytes from one element of this type to the next in memory. Raises UnsupportedSignature."""
    if isinstance(type, VectorType):
        return _vector_size(type)
    if isinstance(type, ComplexType):
        return 2 * element_size(type.element)
    if is_array(type):
        return type.size * element_size(type.element)
    if is_struct(type) and type.body is not None:
        return _struct(type)[1]
    return _up(-(-bits_of(type) // 8), alignment_of(type))


@lru_cache(maxsize=4096)
def alignment_of(type: Type) -> int:
    """What the address of a value is a multiple of, in bytes."""
    if isinstance(type, VectorType):
        return element_size(_row(type))
    if isinstance(type, ComplexType) or is_array(type):
        return alignment_of(type.element)
    if is_struct(type):
        return 1 if type.packed else max(map(alignment_of, type.body or ()), default=1)
    return min(_power_of_two(-(-bits_of(type) // 8)), _WIDEST_ALIGNMENT)


def _row(type: VectorType) -> VectorType:
    return VectorType((type.ranked_shape or (1,))[-1:], type.element)


def _vector_size(type: VectorType) -> int:
    """Rows of vectors, each as wide as a power of two."""
    if any(type.scalable):
        raise UnsupportedSignature(f"the length of '{type}' is not known before it runs")
    if type.element == FloatType("f80"):
        why = "its lanes do not lie side by side on whole bytes"
        raise UnsupportedSignature(f"a memref of {type} cannot be passed to a program: {why}")
    *outer, last = type.ranked_shape or (1,)
    return math.prod(outer) * _power_of_two(-(-last * bits_of(type.element) // 8))


def _struct(type: LLVMStructType) -> tuple[list[int], int]:
    """Where each field begins, and the size of the whole, in bytes."""
    offsets, end = list[int](), 0
    for field in type.body or ():
        end = end if type.packed else _up(end, alignment_of(field))
        offsets.append(end)
        end += element_size(field)
    return offsets, _up(end, alignment_of(type))


def _up(value: int, multiple: int) -> int:
    return -(-value // multiple) * multiple


def _power_of_two(value: int) -> int:
    return 1 << max(value - 1, 0).bit_length()


# ---- places


def is_dense(type: VectorType) -> bool:
    """Whether the lanes of a vector lie in memory as elements of an array do, without anything between or behind."""
    lane = element_size(type.element)
    return element_size(type) == lane * math.prod(type.ranked_shape) and bits_of(type.element) == 8 * lane


@lru_cache(maxsize=1024)
def places(type: Type) -> tuple[tuple[int, Type], ...]:
    """Where each leaf begins, in bits, and its type. Raises UnsupportedSignature."""
    check_leaves(type)
    if isinstance(type, ComplexType):
        return (0, type.element), (8 * element_size(type.element), type.element)
    if isinstance(type, VectorType):
        element = type.element
        *outer, last = type.ranked_shape or (1,)
        row, lane = 8 * element_size(_row(type)), bits_of(element)
        return tuple((i * row + j * lane, element) for i in range(math.prod(outer)) for j in range(last))
    if is_array(type):
        step, inner = 8 * element_size(type.element), places(type.element)
        return tuple((i * step + place, leaf) for i in range(type.size) for place, leaf in inner)
    if is_struct(type):
        fields = zip(_struct(type)[0], type.body or (), strict=True)
        return tuple((8 * offset + place, leaf) for offset, field in fields for place, leaf in places(field))
    return ((0, type),)


@lru_cache(maxsize=1024)
def leaves_of(type: Type) -> tuple[Type, ...]:
    """The types of the leaves. Raises UnsupportedSignature."""
    check_leaves(type)
    if is_leaf(type):
        return (type,)
    return tuple(leaf for part in parts_of(type) for leaf in leaves_of(part))


def parts_of(type: Type) -> tuple[Type, ...]:
    """The types of the values that one is made of: fields, elements, lanes."""
    if is_struct(type):
        return type.body or ()
    if is_array(type):
        return (type.element,) * type.size
    if isinstance(type, VectorType):
        return (type.element,) * math.prod(type.ranked_shape)
    return (type.element, type.element) if isinstance(type, ComplexType) else ()


def numbers_of(type: Type) -> tuple[tuple[int, ...], Type] | None:
    """The shape and the element of a vector, or of an array of arrays, of numbers; None for what is made otherwise."""
    shape: tuple[int, ...] = ()
    inner: Type = type
    while is_array(inner) or isinstance(inner, VectorType):
        shape += _extents(inner)
        inner = inner.element
    has_shape = shape or isinstance(type, VectorType)
    return (shape, inner) if has_shape and is_leaf(inner) and not is_pointer(inner) else None


def _extents(type: LLVMArrayType | VectorType) -> tuple[int, ...]:
    return type.ranked_shape if isinstance(type, VectorType) else (type.size,)
