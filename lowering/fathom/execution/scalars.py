"""Scalars and their bytes: how integers, floats and complex numbers lie in a program's memory (little-endian)."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Sequence
from itertools import chain
from typing import Final

from fathom.execution.layouts import element_size, integer_width
from fathom.execution.outcome import ArgumentProblem, Array, Given, Json
from fathom.ir import floats
from fathom.ir.types import DYNAMIC, ComplexType, FloatType, IndexType, IntegerType, Type

_PACK: Final = {"f16": "e", "f32": "f", "f64": "d"}
_SHORTEST: Final = {"f16": (3, 5), "bf16": (2, 4), "f32": (6, 9)}
"""The digits that always survive a round trip through decimal, and the digits that always suffice."""
_WIDEST_SHOWN: Final = 128
"""An integer of more bits is not written out in a message."""
_INTEGER_FORMATS: Final = {1: ("b", "B"), 2: ("h", "H"), 4: ("i", "I"), 8: ("q", "Q")}


def spell_shape(shape: Sequence[int] | None) -> str:
    """A shape in a message, such as `2x?`; None is any."""
    if shape is None:
        return "any rank"
    return "x".join("?" if extent == DYNAMIC else str(extent) for extent in shape) or "a single element"


def describe(value: Given) -> str:
    """A few words on a value, for the end of "expected …, got …"."""
    if isinstance(value, str):
        return f'the string "{value}"' if len(value) < 40 else "a long string"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Sequence):
        return f"a list of {len(value)}"
    if isinstance(value, Array):
        return f"an array of the shape {spell_shape(value.shape)}"
    if value is None:
        return "null"
    if isinstance(value, int) and value.bit_length() > _WIDEST_SHOWN:
        return f"an integer of {value.bit_length()} bits"
    return "an object" if not isinstance(value, (int, float)) else str(value)


def integer_range(type: Type) -> tuple[int, int]:
    """The lowest and the highest integer that is taken for a type."""
    width = integer_width(type) or 64
    signedness = type.signedness if isinstance(type, IntegerType) else ""
    low = 0 if signedness == "u" else -(1 << (width - 1))
    return low, (1 << (width - 1)) - 1 if signedness == "s" else (1 << width) - 1


def integer(value: Given, type: Type, path: str) -> int:
    """The value as an integer of this type; signless types take both the signed and the unsigned range.

    Strings are read too (`"0xff"`, `"-9223372036854775808"`): JSON clients lose integers beyond 2**53.
    """
    low, high = integer_range(type)
    expected = f"an integer from {_bound(low)} to {_bound(high)} for {type}"
    if isinstance(value, str):
        try:
            value = int(value, 0)
        except ValueError:
            raise ArgumentProblem(path, expected, describe(value)) from None
    if not isinstance(value, int) or not low <= value <= high:
        raise ArgumentProblem(path, expected, describe(value))
    return int(value)


def _bound(value: int) -> str:
    """The lowest or highest integer of a type: a power of two, or one below it."""
    if value.bit_length() <= _WIDEST_SHOWN + 1:
        return str(value)
    return f"-2**{(-value).bit_length() - 1}" if value < 0 else f"2**{value.bit_length()} - 1"


def floating(value: Given, type: FloatType, path: str) -> float:
    """The value as a float; strings such as "nan", "-inf" and "1e400" are read as Python does."""
    try:
        if isinstance(value, (str, int, float)) and not isinstance(value, bool):
            return float(value)
    except (ValueError, OverflowError):
        pass
    raise ArgumentProblem(path, f"a number for {type}", describe(value))


def encode(value: Given, type: Type, path: str) -> bytes:
    """The bytes of one element, `element_size(type)` of them. `path` names the argument in a complaint."""
    size = element_size(type)
    if isinstance(type, ComplexType):
        if isinstance(value, str):
            value = _complex(value)
        parts = value if isinstance(value, Sequence) and not isinstance(value, str) else (value, 0)
        if len(parts) != 2:
            raise ArgumentProblem(path, f"[re, im] for {type}", describe(value))
        return b"".join(encode(part, type.element, f"{path}[{i}]") for i, part in enumerate(parts))
    if isinstance(type, FloatType):
        return _float_bits(floating(value, type, path), type.name).to_bytes(size, "little")
    width = integer_width(type) or 64
    return (integer(value, type, path) & ((1 << width) - 1)).to_bytes(size, "little")


def _complex(text: str) -> Json:
    """The parts of a complex number as Python and NumPy write it, such as `1.5-2j`; another text as it is."""
    try:
        value = complex(text) if text.endswith("j") else None
    except ValueError:
        return text
    return [number(value.real), number(value.imag)] if value is not None else text


def _float_bits(value: float, name: str) -> int:
    if name == "f64" or (name == "f32" and (value != value or abs(value) < 3.4e38)):
        code, bits = ("d", "Q") if name == "f64" else ("f", "I")
        return struct.unpack(f"<{bits}", struct.pack(f"<{code}", value))[0]
    return floats.from_float(value, name)


def encode_all(values: Sequence[Given], type: Type, path_of: Callable[[int], str]) -> bytes:
    """The bytes of many elements, packed; `path_of` names an element in a complaint.

    Uniform data takes one call into C; the rest goes one by one.
    """
    kinds = {value.__class__ for value in values}
    packed = _pack_uniform(values, type) if kinds <= {int, float} else None
    if packed is not None:
        return packed
    return b"".join(encode(value, type, path_of(i)) for i, value in enumerate(values))


def _pack_uniform(values: Sequence[Given], type: Type) -> bytes | None:
    code = _PACK.get(type.name) if isinstance(type, FloatType) else None
    width = None if isinstance(type, FloatType) else integer_width(type)
    if width in (8, 16, 32, 64) and not (isinstance(type, IntegerType) and type.signedness == "u"):
        code = _INTEGER_FORMATS[width // 8][0]
    if code is None:
        return None
    try:
        return struct.pack(f"<{len(values)}{code}", *values)
    except (struct.error, OverflowError):
        return None


def decode(data: bytes, type: Type) -> Json:
    """The value of one element."""
    if isinstance(type, ComplexType):
        half = len(data) // 2
        return [decode(data[:half], type.element), decode(data[half:], type.element)]
    bits = int.from_bytes(data, "little")
    if isinstance(type, FloatType):
        return _float_value(bits & ((1 << type.width) - 1), type.name)
    width = integer_width(type) or 64
    bits &= (1 << width) - 1
    if width == 1:
        return bool(bits)
    unsigned = isinstance(type, IntegerType) and type.signedness == "u"
    return bits - (1 << width) if not unsigned and bits >> (width - 1) else bits


def decode_all(data: bytes, type: Type) -> list[Json]:
    """The values of packed elements."""
    size = element_size(type)
    if isinstance(type, FloatType) and type.name == "f64":
        return [number(value) for value in struct.unpack(f"<{len(data) // 8}d", data)]
    if isinstance(type, FloatType) and type.name == "f32":
        return [_shortest(value, "f32") for value in struct.unpack(f"<{len(data) // 4}f", data)]
    if integer_width(type) == 8 * size and isinstance(type, (IntegerType, IndexType)) and size in _INTEGER_FORMATS:
        signed, unsigned = _INTEGER_FORMATS[size]
        code = unsigned if isinstance(type, IntegerType) and type.signedness == "u" else signed
        return list(struct.unpack(f"<{len(data) // size}{code}", data))
    return [decode(data[i : i + size], type) for i in range(0, len(data), size)]


def number(value: float) -> Json:
    """The float as JSON has it: NaN and the infinities are strings."""
    return value if math.isfinite(value) else ("nan" if value != value else ("inf" if value > 0 else "-inf"))


def _float_value(bits: int, name: str) -> Json:
    return _shortest(floats.to_float(bits, name), name)


def _shortest(value: float, name: str) -> Json:
    """What the shortest decimal stands for that reads back as the same narrow value: 0.1, not 0.10000000149."""
    if not math.isfinite(value) or name not in _SHORTEST or (abs(value) < 1e19 and value == int(value)):
        return number(value)
    fewest, most = _SHORTEST[name]
    for digits in range(fewest, most):
        short = float(f"{value:.{digits}g}")
        if _same(short, value, name):
            return short
    return float(f"{value:.{most}g}")


def _same(short: float, value: float, name: str) -> bool:
    try:
        if name in _PACK:
            code = f"<{_PACK[name]}"
            return struct.unpack(code, struct.pack(code, short))[0] == value
    except OverflowError:
        return False
    return floats.to_float(floats.from_float(short, name), name) == value


def nest(flat: Sequence[Json], shape: Sequence[int]) -> Json:
    """Row-major elements as nested lists of the shape; elements that are not there are left out at the end."""
    if not shape:
        return flat[0] if flat else None
    if 0 in shape:
        return _empty(shape)
    rows: list[Json] = list(flat)
    for extent in reversed(shape[1:]):
        rows = [rows[i : i + extent] for i in range(0, len(rows), extent)]
    return rows


def _empty(shape: Sequence[int]) -> Json:
    """The lists of a shape with a zero in it: everything up to the zero, but not without end."""
    room, extents = 1000, list[int]()
    for extent in shape[: shape.index(0)]:
        extents.append(min(extent, room))
        room //= extents[-1]
    value: Json = []
    for extent in reversed(extents):
        value = [value] * extent
    return value


def flatten(rows: Sequence[Json], depth: int) -> list[Json]:
    """The elements of lists nested `depth` deep, row-major."""
    flat: list[Json] = list(rows)
    for _ in range(depth - 1):
        flat = list(chain.from_iterable(flat))  # type: ignore[arg-type]
    return flat
