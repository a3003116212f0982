"""The text of dense elements: nested brackets, a splat alone, or one hexadecimal string when there are many.

Source of the rules: *Builtin Dialect*, "DenseIntOrFPElementsAttr".
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from fathom.ir.attributes import DenseElementsAttr, spell_element
from fathom.ir.packed import PackedElements, code_of, pack
from fathom.ir.printing_flags import HEX_ABOVE
from fathom.ir.types import ComplexType, FloatType, IndexType, IntegerType, Type


def storage_width(type: Type) -> int:
    """Bits that one element takes in the raw form: rounded up to bytes, but for `i1`."""
    if isinstance(type, ComplexType):
        return 2 * storage_width(type.element)
    if isinstance(type, IndexType):
        return 64
    if isinstance(type, (IntegerType, FloatType)):
        return type.width if type.width == 1 else -(-type.width // 8) * 8
    raise ValueError(f"{type} has no storage in a dense attribute")


def spell_dense(attr: DenseElementsAttr, hex_above: int | None = HEX_ABOVE) -> str:
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

    def level(start: int, dims: Sequence[int]) -> str:
        if not dims:
            return texts[start]
        step = prod(dims[1:])
        return f"[{', '.join(level(start + i * step, dims[1:]) for i in range(dims[0]))}]"

    return level(0, shape)


def raw_bytes(attr: DenseElementsAttr) -> bytes:
    """The elements in little-endian order, each in its storage width; booleans as bits, the first the lowest."""
    if isinstance(attr.values, PackedElements):
        return attr.values.raw
    element = attr.type.element
    if code_of(element) is not None:
        return pack(attr.values, element)
    if element == IntegerType(1):
        bits = [value for value in attr.values if isinstance(value, int)]
        number = sum(bit << index for index, bit in enumerate(bits))
        return number.to_bytes(-(-len(bits) // 8), "little")
    number_type = element.element if isinstance(element, ComplexType) else element
    width = storage_width(number_type) // 8
    mask = (1 << number_type.width) - 1 if isinstance(number_type, (IntegerType, FloatType)) else -1
    out = bytearray()
    for value in attr.values:
        for part in value if isinstance(value, tuple) else (value,):
            out += (part & mask).to_bytes(width, "little")
    return bytes(out)
