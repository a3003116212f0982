"""Pointers, structs and arrays of the LLVM dialect, as values of Python.

    !llvm.ptr                  None, an address, an array, whose memory the function reads and writes, or `str` and
                               `bytes`, of which it gets a copy with a zero behind them; gives an address, or None
    !llvm.struct<(i32, f64)>   a sequence with a value for each field; gives a tuple
    !llvm.array<3 x i8>        a sequence with a value for each element; gives a list

Inside of structs and arrays pointers are None or addresses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol, cast

import numpy as np

from fathom.dialects.llvm.types import LLVMArrayType, LLVMPointerType, LLVMStructType
from fathom.execution.outcome import ArgumentProblem, UnsupportedSignature
from fathom.execution.trampoline import WORD, layout_of
from fathom.programs.element_types import as_array, is_number

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fathom.ir.types import Type
    from fathom.programs.element_types import Array
    from fathom.programs.parameters import Parameter
    from fathom.programs.returned import Memory, Result

_MOST: Final = 1 << 64


class _Taker(Protocol):
    def take(self, value: object) -> bytes: ...


def is_pointer(type: Type) -> bool:
    """Whether a type is that of a pointer."""
    return isinstance(type, LLVMPointerType)


def is_of_llvm(type: Type) -> bool:
    """Whether values of a type are what is told of here."""
    return isinstance(type, (LLVMPointerType, LLVMStructType, LLVMArrayType))


def parts_of(type: Type) -> tuple[Type, ...]:
    """The types of the fields of a struct, or of the elements of an array."""
    match type:
        case LLVMStructType(tuple() as body):
            return body
        case LLVMArrayType(size, element):
            return (element,) * size
        case _:
            return ()


class Pointer:
    """What takes a pointer."""

    is_written: bool = True

    def __init__(self, type: Type, path: str) -> None:
        self.type, self.path = type, path

    def take(self, value: object) -> bytes | Array:
        """The word of an address, or the array whose memory is meant."""
        if value is None or (isinstance(value, int) and not isinstance(value, bool)):
            return address_word(value, self.path)
        if isinstance(value, (str, bytes, bytearray)):
            data = value.encode() if isinstance(value, str) else bytes(value)
            return np.frombuffer(bytearray(data + b"\0"), np.uint8)
        array = as_array(value)
        if array is None:
            expected = f"None, an address, an array, str or bytes for {self.type}"
            raise ArgumentProblem(self.path, expected, f"an object of the type {value.__class__.__name__}")
        if not array.flags.writeable:
            why = "a read-only one, which the function may write to (pass a copy of it)"
            raise ArgumentProblem(self.path, f"an array that can be written to for {self.type}", why)
        if not array.flags.c_contiguous or array.dtype.hasobject:
            why = "one with other strides, or with objects"
            raise ArgumentProblem(self.path, f"an array of numbers that lie one behind the other for {self.type}", why)
        return array

    def here(self, array: Array) -> Array:
        """The same."""
        return array

    def words(self, array: Array, address: int, beside: int) -> tuple[bytes, bytes]:
        """The address."""
        return address.to_bytes(WORD, "little"), b""

    def words_here(self, value: object, kept: list[Array]) -> bytes:
        """The address of the array, which is kept."""
        taken = self.take(value)
        if isinstance(taken, bytes):
            return taken
        kept.append(taken)
        return int(taken.__array_interface__["data"][0]).to_bytes(WORD, "little")


def address_word(value: object, path: str) -> bytes:
    """The word of an address, or of none."""
    number = 0 if value is None else value
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < _MOST:
        raise ArgumentProblem(path, "None or an address", f"an object of the type {value.__class__.__name__}")
    return number.to_bytes(WORD, "little")


class _Address:
    """What takes a pointer inside of something."""

    def __init__(self, path: str) -> None:
        self._path = path

    def take(self, value: object) -> bytes:
        return address_word(value, self._path)


class Aggregate:
    """What takes a struct or an array, whose parts are taken as `part_of` says."""

    is_written: bool = False

    def __init__(self, type: Type, path: str, part_of: Callable[[Type, str], Parameter]) -> None:
        self.type, self.path = type, path
        self._parts = [self._part(part, f"{path}[{i}]", part_of) for i, part in enumerate(parts_of(type))]

    def _part(self, type: Type, path: str, part_of: Callable[[Type, str], Parameter]) -> _Taker:
        if isinstance(type, LLVMPointerType):
            return _Address(path)
        if is_number(type) or is_of_llvm(type):
            return cast("_Taker", part_of(type, path))
        raise UnsupportedSignature(f"{path}: {type} inside of {self.type} cannot be passed from Python")

    def take(self, value: object) -> bytes:
        """The words of all parts."""
        array = as_array(value)
        values: Any = array.tolist() if array is not None else value
        given = cast("Sequence[object]", values) if isinstance(values, (list, tuple)) else None
        if given is None or len(given) != len(self._parts):
            got = f"an object of the type {value.__class__.__name__}" if given is None else f"one of {len(given)}"
            raise ArgumentProblem(self.path, f"a sequence of {len(self._parts)} for {self.type}", got)
        return b"".join([part.take(each) for part, each in zip(self._parts, given, strict=True)])

    def here(self, array: Array) -> Array:
        """It lies in no memory."""
        raise TypeError(self.type)

    def words(self, array: Array, address: int, beside: int) -> tuple[bytes, bytes]:
        """It lies in no memory."""
        raise TypeError(self.type)

    def words_here(self, value: object, kept: list[Array]) -> bytes:
        """The same words."""
        return self.take(value)


class Address:
    """What reads a pointer: an address, or None."""

    size = WORD

    def give(self, words: bytes, memory: Memory) -> object:
        """The address."""
        return int.from_bytes(words[:WORD], "little") or None


class Parts:
    """What reads a struct or an array, whose parts are read as `part_of` says."""

    def __init__(self, type: Type, part_of: Callable[[Type], Result]) -> None:
        self.size = WORD * layout_of(type).words
        self._parts = [part_of(part) for part in parts_of(type)]
        self._is_list = isinstance(type, LLVMArrayType)

    def give(self, words: bytes, memory: Memory) -> object:
        """Its parts."""
        values, offset = list[object](), 0
        for part in self._parts:
            values.append(part.give(words[offset : offset + part.size], memory))
            offset += part.size
        return values if self._is_list else tuple(values)
