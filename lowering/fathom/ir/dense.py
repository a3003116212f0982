"""The text of dense elements: nested brackets, a splat alone, or one hexadecimal string when there are many.

Source of the rules: *Builtin Dialect*, "DenseIntOrFPElementsAttr".
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Protocol

from fathom.ir.packed import Element, PackedElements, code_of, pack
from fathom.ir.printing_flags import HEX_ABOVE
from fathom.ir.spelling import spell_element
from fathom.ir.types import ComplexType, FloatType, IndexType, IntegerType, ShapedType, Type


class Dense(Protocol):
    """What is needed of `fathom.ir.attributes.DenseElementsAttr`."""

    @property
    def values(self) -> Sequence[Element]:
        """The elements; one for a splat."""
        ...

    @property
    def type(self) -> ShapedType:
        """Their type and shape."""
        ...


def storage_width(type: Type) -> int:
    """Bits that one element takes in the raw form: rounded up to bytes, but for `i1`."""
    if isinstance(type, ComplexType):
        return 2 * (-(-storage_width(type.element) // 8) * 8)
    if isinstance(type, IndexType):
        return 64
    if isinstance(type, (IntegerType, FloatType)):
        return type.width if type.width == 1 else -(-type.width // 8) * 8
    raise ValueError(f"{type} has no storage in a dense attribute")


def spell_dense(attr: Dense, hex_above: int | None = HEX_ABOVE) -> str:
    """What stands between `dense<` and `>`; more than `hex_above` elements are one hexadecimal string."""
    element, shape = attr.type.element, attr.type.ranked_shape
    if hex_above is not None and len(attr.values) > max(hex_above, 1):
        return f'"0x{raw_bytes(attr).hex().upper()}"'
    return spell_nested([spell_element(value, element) for value in attr.values], shape)


def spell_nested(texts: Sequence[str], shape: Sequence[int]) -> str:
    """The elements in nested brackets, row by row; one text alone is a splat and stands without."""
    if not texts:
        return ""
    if len(texts) == 1:
        return texts[0]
    rows = texts
    for extent in reversed(shape):
        rows = [f"[{', '.join(rows[start : start + extent])}]" for start in range(0, len(rows), extent)]
    return rows[0]


def raw_bytes(attr: Dense) -> bytes:
    """The elements in little-endian order, each in its storage width; booleans as bits, the first the lowest."""
    if isinstance(attr.values, PackedElements):
        return attr.values.raw
    element = attr.type.element
    if code_of(element) is not None:
        return pack(attr.values, element)
    if element == IntegerType(1):
        bits = "".join("1" if value else "0" for value in reversed(attr.values))
        return int(bits or "0", 2).to_bytes(-(-len(bits) // 8), "little")
    number_type = element.element if isinstance(element, ComplexType) else element
    width = -(-storage_width(number_type) // 8)
    mask = (1 << number_type.width) - 1 if isinstance(number_type, (IntegerType, FloatType)) else -1
    out = bytearray()
    for value in attr.values:
        for part in value if isinstance(value, tuple) else (value,):
            out += (part & mask).to_bytes(width, "little")
    return bytes(out)


def from_raw_bytes(data: bytes, type: ShapedType) -> Sequence[int | tuple[int, int]] | None:
    """The elements of a type that has a static shape; one for a splat, whose element may stand alone in the bytes. None
    where there are too few or too many bytes."""
    element, count = type.element, prod(type.ranked_shape)
    width = storage_width(element)
    if width == 1:
        return _from_bits(data, count)
    size = width // 8
    if not size or len(data) not in (size, size * count):
        return None
    if data == data[:size] * (len(data) // size):
        data = data[:size]
    elif code_of(element) is not None:
        return PackedElements(element, count, lambda start, stop: data[start:stop])
    return tuple(_element(data[start : start + size], element) for start in range(0, len(data), size))


def _from_bits(data: bytes, count: int) -> tuple[int, ...] | None:
    """Booleans, eight in a byte; a byte of equal bits is all of them."""
    if data in (b"\x00", b"\xff"):
        return (data[0] & 1,)
    if len(data) != -(-count // 8):
        return None
    if count == 1:
        return (int(data != b"\x00"),)
    bits = tuple(data[index // 8] >> index % 8 & 1 for index in range(count))
    return bits[:1] if bits and len(set(bits)) == 1 else bits


def _element(data: bytes, element: Type) -> int | tuple[int, int]:
    if isinstance(element, ComplexType):
        half = len(data) // 2
        return _number(data[:half], element.element), _number(data[half:], element.element)
    return _number(data, element)


def _number(data: bytes, element: Type) -> int:
    """A number as attributes hold it: a float by its bits, others signed but for `i1` and unsigned types."""
    width = 64 if isinstance(element, IndexType) else getattr(element, "width", 64)
    value = int.from_bytes(data, "little") & ((1 << width) - 1)
    if isinstance(element, FloatType) or getattr(element, "signedness", "") == "u" or element == IntegerType(1):
        return value
    return value - (1 << width) if value >> (width - 1) else value
