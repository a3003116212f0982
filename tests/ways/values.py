"""What a call is given and gives back, as JSON has it: as Python has it for the library, as a person types it for the
command line, and as the protocol has it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final, TypeAlias, cast

import numpy as np

from fathom.dialects.llvm.types import LLVMArrayType, LLVMPointerType, LLVMStructType
from fathom.execution import Json
from fathom.ir.floats import SEMANTICS, from_float, to_float
from fathom.ir.types import ComplexType, FloatType, IndexType, IntegerType, MemRefType, TensorType, Type, VectorType

_Array: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"
OF_NUMPY: Final = {"f16": "<f2", "f32": "<f4", "f64": "<f8", "f80": "g"}
MOST_EXACT: Final = 1 << 53
"""JSON of other programs has no larger integers."""


# ---- for the library


def as_python(type: Type, given: Any, pointed: Type | None) -> Any:
    """A value that Python gives for an argument; `pointed` is what a pointer points to."""
    match type:
        case ComplexType():
            return complex(float(given[0]), float(given[1]))
        case FloatType():
            return float(given)
        case VectorType():
            return _dense(type.element, given)
        case MemRefType() | TensorType():
            return _array(type, given)
        case LLVMStructType() | LLVMArrayType():
            return [as_python(part, each, None) for part, each in zip(_parts(type), given, strict=True)]
        case LLVMPointerType():
            assert pointed is not None
            size, alignment = _extent(pointed)
            step = -(-size // alignment) * alignment
            return np.frombuffer(
                bytearray(b"".join(_bytes(pointed, each).ljust(step, b"\0") for each in given["data"])), "u1"
            )
        case _:
            return int(given)


def as_json(type: Type, value: Any) -> Json:
    """A result of Python as JSON has it."""
    match type:
        case ComplexType():
            return [_float(value.real), _float(value.imag)]
        case FloatType():
            return _float(value)
        case VectorType() | MemRefType() | TensorType():
            while isinstance(type, (VectorType, MemRefType, TensorType)):
                type = type.element
            return _each(type, value.tolist() if value.dtype.char != "g" else value.astype("f8").tolist())
        case LLVMStructType() | LLVMArrayType():
            return [as_json(part, each) for part, each in zip(_parts(type), value, strict=True)]
        case _:
            return value


def _each(type: Type, value: Any) -> Json:
    """Nested lists of elements, which are the bits of what NumPy has no type for."""
    if isinstance(value, list):
        return [_each(type, each) for each in cast("list[Any]", value)]
    match type:
        case FloatType(name):
            return _float(value if name in OF_NUMPY else to_float(value, name))
        case IntegerType(width) if width > 1 and not type.signedness:
            return (value + (1 << (width - 1))) % (1 << width) - (1 << (width - 1))
        case _:
            return value


def _float(value: float) -> Json:
    return float(value) if np.isfinite(value) else str(float(value))


def _dense(element: Type, given: Any) -> _Array:
    """An array of nested lists."""
    while isinstance(element, VectorType):
        element = element.element
    numbers = [_element(element, each) for each in _flat(given)]
    return np.array(numbers, _dtype(element)).reshape(np.shape(given))


def _array(type: MemRefType | TensorType, given: Any) -> _Array:
    data = cast("Any", given["data"]) if isinstance(given, dict) else given
    dense = _dense(type.element, data)
    if isinstance(type.element, VectorType):
        return _in_rows(dense, isinstance(type, MemRefType))
    if not isinstance(given, dict) or "strides" not in given:
        return dense
    steps, offset = cast("list[int]", given["strides"]), cast("int", given["offset"])
    memory = np.zeros(offset + sum(step * extent for step, extent in zip(steps, dense.shape, strict=True)), dense.dtype)
    at = [step * dense.itemsize for step in steps]
    array = np.lib.stride_tricks.as_strided(memory[offset:], dense.shape, at)
    array[...] = dense
    return array


def _in_rows(dense: _Array, is_memory: bool) -> _Array:
    """An array of vectors, whose rows are as wide as a power of two and aligned to that."""
    if not is_memory:
        return dense
    lanes = 1 << (dense.shape[-1] - 1).bit_length()
    size = lanes * dense.itemsize
    memory = np.zeros(dense.size * size + size, "u1")
    start = -memory.__array_interface__["data"][0] % size
    rows = np.ndarray((*dense.shape[:-1], lanes), dense.dtype, memory.data, start)[..., : dense.shape[-1]]
    rows[...] = dense
    return rows


def _dtype(element: Type) -> str:
    match element:
        case FloatType(name):
            return OF_NUMPY.get(name, f"<u{_bytes_of(SEMANTICS[name].width)}")
        case IntegerType(1):
            return "?"
        case IntegerType(width):
            return f"<{'i' if width in (8, 16, 32, 64) else 'u'}{_bytes_of(width)}"
        case _:
            return "<i8"


def _element(element: Type, given: Any) -> Any:
    """A number of an array."""
    match element:
        case FloatType(name):
            return float(given) if name in OF_NUMPY else from_float(float(given), name)
        case IntegerType(1):
            return int(given) & 1 == 1
        case IntegerType(width):
            masked = int(given) % (1 << width)
            return masked - (masked >> (width - 1) << width) if width in (8, 16, 32, 64) else masked
        case _:
            return int(given)


def _bytes_of(width: int) -> int:
    """The bytes of an integer of so many bits in an array."""
    return 1 << max(0, (width - 1).bit_length() - 3)


def _flat(value: Any) -> Iterator[Any]:
    if not isinstance(value, list):
        yield value
        return
    for each in cast("list[Any]", value):
        yield from _flat(each)


# ---- in memory


def _parts(type: LLVMStructType | LLVMArrayType) -> Sequence[Type]:
    if isinstance(type, LLVMArrayType):
        return (type.element,) * type.size
    return cast("tuple[Type, ...]", type.body)


def _extent(type: Type) -> tuple[int, int]:
    """How many bytes a value takes, and its alignment, by LLVM's layout for processors of 64 bits."""
    match type:
        case LLVMArrayType(count, element):
            size, alignment = _extent(element)
            return -(-size // alignment) * alignment * count, alignment
        case LLVMStructType():
            at, most = 0, 1
            for part in _parts(type):
                size, alignment = _aligned(part, type)
                at, most = -(-at // alignment) * alignment + size, max(most, alignment)
            return -(-at // most) * most, most
        case _:
            width = _width(type)
            alignment = min(_bytes_of(width), 16)
            return -(-((width + 7) // 8) // alignment) * alignment, alignment


def _aligned(part: Type, struct: LLVMStructType) -> tuple[int, int]:
    size, alignment = _extent(part)
    return -(-size // alignment) * alignment, 1 if struct.packed else alignment


def _width(type: Type) -> int:
    match type:
        case FloatType(name):
            return SEMANTICS[name].width
        case IntegerType(width):
            return width
        case _:
            assert isinstance(type, IndexType)
            return 64


def _bytes(type: Type, given: Any) -> bytes:
    """A value as it lies in memory."""
    size, _ = _extent(type)
    match type:
        case LLVMArrayType(_, element):
            return b"".join(_bytes(element, each) for each in given)
        case LLVMStructType():
            data = bytearray()
            for part, each in zip(_parts(type), given, strict=True):
                alignment = _aligned(part, type)[1]
                data += bytes(-len(data) % alignment) + _bytes(part, each)
            return bytes(data).ljust(size, b"\0")
        case FloatType(name):
            return from_float(float(given), name).to_bytes(size, "little")
        case _:
            return (int(given) % (1 << _width(type))).to_bytes(size, "little")


# ---- for the command line, and from it


def as_typed(given: Json) -> str:
    """A value as a person types it: numbers and keys without quotes."""
    match given:
        case {"type": str(type), **rest}:
            return f"{{type: {json.dumps(type)}, {as_typed(rest).removeprefix('{')}"
        case dict():
            return f"{{{', '.join(f'{key}: {as_typed(each)}' for key, each in given.items())}}}"
        case list():
            return f"[{', '.join(map(as_typed, given))}]"
        case str():
            return given
        case _:
            return json.dumps(given)


_NUMBER: Final = re.compile(r"true|false|nan|-?inf|[-+]?\d+\.?\d*(?:e[-+]?\d+)?|[-+]?\.\d+", re.IGNORECASE)


def numbers_in(printed: str) -> list[str]:
    """The numbers that are printed, each spelt in one way."""
    return [_spelt(word) for word in _NUMBER.findall(printed)]


def numbers_of(results: Json) -> list[str]:
    """The numbers of results, spelt in the same way."""
    plain: list[Any] = [result["data"] if isinstance(result, dict) else result for result in cast("list[Any]", results)]
    return [_spelt(json.dumps(each).strip('"')) for each in _flat(plain)]


def _spelt(word: str) -> str:
    if re.fullmatch(r"[-+]?\d+", word):
        return f"{int(word)}"
    if word.lower() in ("true", "false"):
        return word.lower()
    number = float(word)
    return f"{int(number)}" if number.is_integer() else f"{number}"


# ---- in the protocol


def as_protocol(result: Json) -> Json:
    """A result without its type: integers that other programs would lose are texts."""
    match result:
        case {"shape": shape, "data": data}:
            return {"value": as_protocol(data), "shape": shape}
        case list():
            return [as_protocol(each) for each in result]
        case int() if not isinstance(result, bool) and abs(result) > MOST_EXACT:
            return str(result)
        case _:
            return result
