"""How much memory a value takes, where a lowering must know the number.

Source of the rules: *Data Layout Modeling*, "Default Layout": pointers and indices have 64 bits.
"""

from __future__ import annotations

from fathom.ir.types import ComplexType, FloatType, IndexType, IntegerType, MemRefType, Type, VectorType

WORD = 8
"""The bytes of a pointer and of an index."""


def size_in_bytes(type: Type) -> int:
    """The size of an element of a memref; of a nested memref, the size of its descriptor."""
    if isinstance(type, MemRefType):
        return 2 * WORD if type.shape is None else WORD * (3 + 2 * len(type.shape))
    return -(-size_in_bits(type) // 8)


def size_in_bits(type: Type) -> int:
    """The size of an element of a memref in bits, without padding behind it. Raises TypeError for other types."""
    match type:
        case IntegerType(width):
            return width
        case FloatType():
            return type.width
        case IndexType():
            return 8 * WORD
        case ComplexType(element):
            # The second part starts where its alignment allows: at the next power of two.
            size = size_in_bits(element)
            return _up(size, _preferred(size)) + size
        case VectorType():
            *outer, last = type.ranked_shape or (1,)
            count = 1 << max(last - 1, 0).bit_length()
            for extent in outer:
                count *= extent
            return count * 8 * size_in_bytes(type.element)
        case _:
            raise TypeError(f"{type} is no element of a memref")


def _preferred(bits: int) -> int:
    return 8 << max(-(-bits // 8) - 1, 0).bit_length()


def _up(value: int, multiple: int) -> int:
    return -(-value // multiple) * multiple
