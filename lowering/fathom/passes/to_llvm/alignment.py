"""The alignment that LLVM prefers for a value in memory, where no data layout says another.

Source of the rules: *LLVM Language Reference*, "Data Layout": its defaults.
"""

from __future__ import annotations

from math import prod

from fathom.dialects.llvm.types import LLVMArrayType, LLVMPointerType, LLVMStructType
from fathom.ir.types import FloatType, IntegerType, Type, VectorType

LARGEST_INTEGER = 8
"""Integers of more bytes have the alignment of the largest that the data layout knows."""

AGGREGATE = 8
POINTER = 8


def preferred_alignment(type: Type) -> int:
    """The alignment in bytes of a type of the LLVM dialect. Raises TypeError for one that is not in memory."""
    match type:
        case IntegerType(width):
            return min(_power_of_two(-(-width // 8)), LARGEST_INTEGER)
        case FloatType():
            return _power_of_two(-(-type.width // 8))
        case VectorType():
            return _power_of_two(-(-prod(type.ranked_shape) * _bits(type.element) // 8))
        case LLVMPointerType():
            return POINTER
        case LLVMArrayType():
            return preferred_alignment(type.element)
        case LLVMStructType():
            return max(AGGREGATE, *(preferred_alignment(field) for field in type.body or ()), 1)
        case _:
            raise TypeError(f"{type} is no type of a value in memory")


def _bits(element: Type) -> int:
    return element.width if isinstance(element, (IntegerType, FloatType)) else 8 * POINTER


def _power_of_two(count: int) -> int:
    """The least power of two that is not less."""
    return 1 << max(count - 1, 0).bit_length()
