"""Sizes and alignments of types under a data layout, as LLVM computes them, and what is wrong with a text of one.

All sizes are in bits where the name says so, and in bytes otherwise. Source of the rules: *LLVM Language Reference*,
"Data Layout"; what no specification mentions has LLVM's defaults; and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from fathom.dialects.llvm.types import (
    LLVMArrayType,
    LLVMPointerType,
    LLVMPPCFP128Type,
    LLVMStructType,
    LLVMTargetExtType,
    LLVMX86AMXType,
)
from fathom.ir.types import FloatType, IntegerType, Type, VectorType
from fathom.records import field, record

INTEGERS: Final = {1: (8, 8), 8: (8, 8), 16: (16, 16), 32: (32, 32), 64: (32, 64)}
FLOATS: Final = {16: (16, 16), 32: (32, 32), 64: (64, 64), 128: (128, 128)}
VECTORS: Final = {64: (64, 64), 128: (128, 128)}
_ADDRESS_SPACE: Final = re.compile(r"[ue]*(\d*)(?:\(.*\))?")
"""What stands behind the `p` of a pointer: flags, the number, and a name."""


@record
class Pointer:
    """A pointer's width, alignments and index width, in bits."""

    width: int = 64
    abi: int = 64
    preferred: int = 64
    index: int = 64


def _align_up(value: int, alignment: int) -> int:
    return -(-value // alignment) * alignment


def _power_of_two(value: int) -> int:
    return 1 << max(value - 1, 0).bit_length()


@record(frozen=False)
class DataLayout:
    """Alignments in bits by width, as (ABI, preferred)."""

    text: str = ""
    integers: dict[int, tuple[int, int]] = field(default_factory=lambda: dict(INTEGERS))
    floats: dict[int, tuple[int, int]] = field(default_factory=lambda: dict(FLOATS))
    vectors: dict[int, tuple[int, int]] = field(default_factory=lambda: dict(VECTORS))
    aggregate: tuple[int, int] = (0, 64)
    is_big_endian: bool = False
    pointers: dict[int, Pointer] = field(default_factory=lambda: {0: Pointer()})
    foreign: Callable[[Type], Type | None] = lambda _: None
    """Which type of the LLVM dialect stands for one of another."""
    _alignments: dict[tuple[Type, bool], int] = field(default_factory=dict[tuple[Type, bool], int])

    def pointer(self, space: int) -> Pointer:
        return self.pointers.get(space, self.pointers[0])

    def width_bits(self, type: Type) -> int:
        """The bits of a value; of a scalable vector, those of its shortest form."""
        match type:
            case IntegerType(width):
                return width
            case FloatType():
                return type.width
            case LLVMPointerType(space):
                return self.pointer(space).width
            case VectorType():
                return type.ranked_shape[0] * self.width_bits(type.element)
            case LLVMArrayType(size, element):
                return size * self.size(element) * 8
            case LLVMStructType():
                return self.struct(type)[1] * 8
            case LLVMPPCFP128Type():
                return 128
            case LLVMX86AMXType():
                return 8192
            case LLVMTargetExtType():
                return self.pointer(0).width
            case _:
                return self.width_bits(self._foreign(type))

    def _foreign(self, type: Type) -> Type:
        """The type that stands for one of another dialect."""
        stands_for = self.foreign(type)
        if stands_for is None:
            raise ValueError(f"{type} has no size")
        return stands_for

    def store_size(self, type: Type) -> int:
        """The bytes that a store writes."""
        return -(-self.width_bits(type) // 8)

    def size(self, type: Type) -> int:
        """The bytes from one element of an array to the next."""
        return _align_up(self.store_size(type), self.alignment(type))

    def alignment(self, type: Type, *, preferred: bool = False) -> int:
        """The alignment in bytes that the ABI asks for, or that is preferred."""
        key = (type, preferred)
        known = self._alignments.get(key)
        if known is None:
            known = self._alignments[key] = max(self._alignment_bits(type, preferred) // 8, 1)
        return known

    def _alignment_bits(self, type: Type, preferred: bool) -> int:
        match type:
            case IntegerType(width):
                widths = sorted(self.integers)
                return self.integers[next((w for w in widths if w >= width), widths[-1])][preferred]
            case FloatType():
                known = self.floats.get(type.width)
                return known[preferred] if known else _power_of_two(type.width // 8) * 8
            case LLVMPointerType(space):
                pointer = self.pointer(space)
                return pointer.preferred if preferred else pointer.abi
            case VectorType():
                known = self.vectors.get(self.width_bits(type))
                return known[preferred] if known else _power_of_two(self.store_size(type)) * 8
            case LLVMArrayType(_, element):
                return self.alignment(element, preferred=preferred) * 8
            case LLVMStructType():
                if type.packed and not preferred:
                    return 8
                own = 1 if type.packed else max((self.alignment(f) for f in type.body or ()), default=1)
                return max(self.aggregate[preferred], own * 8)
            case LLVMPPCFP128Type():
                return 128
            case LLVMX86AMXType():
                return 512
            case LLVMTargetExtType():
                return self.pointer(0).abi
            case _:
                return self._alignment_bits(self._foreign(type), preferred)

    def struct(self, type: LLVMStructType) -> tuple[list[int], int]:
        """The offset of each field, and the size of the whole, in bytes."""
        offsets: list[int] = []
        end, alignment = 0, 1
        for index in range(len(type.body or ())):
            element = type.field(index)
            own = 1 if type.packed else self.alignment(element)
            alignment = max(alignment, own)
            end = _align_up(end, own)
            offsets.append(end)
            end += self.size(element)
        return offsets, _align_up(end, alignment)


def parse_data_layout(text: str) -> DataLayout:
    """The layout that a specification such as `e-m:e-i64:64-n8:16:32:64-S128` describes."""
    layout = DataLayout(text)
    for part in filter(None, text.split("-")):
        head, *numbers = part.split(":")
        if part in ("e", "E"):
            layout.is_big_endian = part == "E"
        kind, width = head[0], head[1:]
        if kind in "ifv" and width.isdigit() and numbers:
            abi = int(numbers[0])
            table = {"i": layout.integers, "f": layout.floats, "v": layout.vectors}[kind]
            table[int(width)] = (abi, int(numbers[1]) if len(numbers) > 1 else abi)
        elif kind == "a" and not width and numbers:
            abi = int(numbers[0])
            layout.aggregate = (abi, int(numbers[1]) if len(numbers) > 1 else abi)
        elif kind == "p" and numbers and (space := _ADDRESS_SPACE.fullmatch(width)):
            size, *rest = map(int, numbers)
            abi = rest[0] if rest else size
            preferred = rest[1] if len(rest) > 1 else abi
            layout.pointers[int(space[1] or 0)] = Pointer(size, abi, preferred, rest[2] if len(rest) > 2 else size)
    return layout


# ---- what is wrong with a text, in LLVM's words


_MOST_BITS: Final = 24
"""Of sizes and of the numbers of address spaces."""
_MOST_BITS_OF_ALIGNMENTS: Final = 16
_MANGLINGS: Final = frozenset("elomwxa")
_POINTER: Final = re.compile(r"([A-Za-z]*)([^(]*)(\(.*)?")
"""The flags, the number and the name of an address space."""
_NAME: Final = re.compile(r"\([^()]+\)")
_POINTER_FLAGS: Final = frozenset("ue")


def layout_problem(text: str) -> str | None:
    """What is wrong with a data layout; None for one that LLVM takes."""
    if not text:
        return None
    for part in text.split("-"):
        try:
            _check(part)
        except _Wrong as wrong:
            return f"invalid data layout descriptor: {wrong}"
    return None


class _Wrong(Exception):
    """What is wrong with a part; does not leave this module."""


def _check(part: str) -> None:
    if not part:
        raise _Wrong("empty specification is not allowed")
    kind = "ni" if part.startswith("ni") else part[0]
    check = _CHECKS.get(kind)
    if check is None:
        raise _Wrong(f"unknown specifier '{kind}'")
    check(kind, part.removeprefix(kind))


# ---- components


def _malformed(form: str) -> _Wrong:
    return _Wrong(f'malformed specification, must be of the form "{form}"')


def _number(text: str, bits: int) -> int | None:
    """A number of so many bits; None where the text is none."""
    if not (text.isascii() and text.isdigit()):
        return None
    number = int(text[:20])
    return number if number < 1 << bits else None


def _size(text: str, what: str = "size") -> int:
    if not text:
        raise _Wrong(f"{what} component cannot be empty")
    number = _number(text, _MOST_BITS)
    if not number:
        raise _Wrong(f"{what} must be a non-zero 24-bit integer")
    return number


def _address_space(text: str) -> int:
    if not text:
        raise _Wrong("address space component cannot be empty")
    number = _number(text, _MOST_BITS)
    if number is None:
        raise _Wrong("address space must be a 24-bit integer")
    return number


def _alignment(text: str, what: str, *, zero: bool = False) -> int:
    """An alignment in bits; one that may be zero asks for nothing."""
    if not text:
        raise _Wrong(f"{what} alignment component cannot be empty")
    number = _number(text, _MOST_BITS_OF_ALIGNMENTS)
    if number is None:
        raise _Wrong(f"{what} alignment must be a 16-bit integer")
    if number == 0 and not zero:
        raise _Wrong(f"{what} alignment must be non-zero")
    if number % 8 or number & (number - 1):
        raise _Wrong(f"{what} alignment must be a power of two times the byte width")
    return number


def _alignments(parts: list[str], *, zero: bool = False) -> None:
    """The alignment that is demanded, and perhaps one that is preferred."""
    abi = _alignment(parts[0], "ABI", zero=zero)
    if len(parts) > 1 and _alignment(parts[1], "preferred") < abi:
        raise _Wrong("preferred alignment cannot be less than the ABI alignment")


# ---- specifications, by the letter that they begin with


def _endianness(kind: str, rest: str) -> None:
    del kind
    if rest:
        raise _Wrong("malformed specification, must be just 'e' or 'E'")


def _nothing(kind: str, rest: str) -> None:
    """What LLVM had once, and passes over."""
    del kind, rest


def _primitive(kind: str, rest: str) -> None:
    parts = rest.split(":")
    if not 2 <= len(parts) <= 3:
        raise _malformed(f"{kind}<size>:<abi>[:<pref>]")
    size = _size(parts[0])
    if kind == "i" and size == 8 and _alignment(parts[1], "ABI") != 8:
        raise _Wrong("i8 must be 8-bit aligned")
    _alignments(parts[1:])


def _aggregate(kind: str, rest: str) -> None:
    parts = rest.split(":")
    if not 2 <= len(parts) <= 3:
        raise _malformed(f"{kind}:<abi>[:<pref>]")
    if parts[0] and _number(parts[0], _MOST_BITS) != 0:
        raise _Wrong("size must be zero")
    _alignments(parts[1:], zero=True)


def _pointer(kind: str, rest: str) -> None:
    parts = rest.split(":")
    if not 3 <= len(parts) <= 5:
        raise _malformed(f"{kind}[<n>]:<size>:<abi>[:<pref>[:<idx>]]")
    match = _POINTER.fullmatch(parts[0])
    if match is None:
        raise _Wrong("address space must be a 24-bit integer")
    flags, number, name = match.groups()
    for flag in flags:
        if flag not in _POINTER_FLAGS:
            raise _Wrong(f"'{flag}' is not a valid pointer specification flag")
    if name is not None and not _NAME.fullmatch(name):
        raise _Wrong("Expected `( address space name )`")
    space = _address_space(number) if number else 0
    if flags and space == 0:
        raise _Wrong("address space 0 cannot be unstable or have external state")
    size = _size(parts[1], "pointer size")
    _alignments(parts[2:4])
    if len(parts) > 4 and _size(parts[4], "index size") > size:
        raise _Wrong("index size cannot be larger than the pointer size")


def _native(kind: str, rest: str) -> None:
    del kind
    for size in rest.split(":"):
        _size(size)


def _non_integral(kind: str, rest: str) -> None:
    if not rest.startswith(":"):
        raise _malformed(f"{kind}:<address space>[:<address space>]...")
    for space in rest[1:].split(":"):
        if _address_space(space) == 0:
            raise _Wrong("address space 0 cannot be non-integral")


def _stack(kind: str, rest: str) -> None:
    if not rest:
        raise _malformed(f"{kind}<size>")
    _alignment(rest, "stack natural")


def _of_address_space(kind: str, rest: str) -> None:
    if not rest:
        raise _malformed(f"{kind}<address space>")
    _address_space(rest)


def _function_pointer(kind: str, rest: str) -> None:
    if not rest:
        raise _malformed(f"{kind}<type><abi>")
    if rest[0] not in "in":
        raise _Wrong(f"unknown function pointer alignment type '{rest[0]}'")
    _alignment(rest[1:], "ABI")


def _mangling(kind: str, rest: str) -> None:
    if not re.fullmatch(":.+", rest):
        raise _malformed(f"{kind}:<mangling>")
    if rest[1:] not in _MANGLINGS:
        raise _Wrong("unknown mangling mode")


_CHECKS: Final[Mapping[str, Callable[[str, str], None]]] = {
    "e": _endianness,
    "E": _endianness,
    "s": _nothing,
    "i": _primitive,
    "f": _primitive,
    "v": _primitive,
    "a": _aggregate,
    "p": _pointer,
    "n": _native,
    "ni": _non_integral,
    "S": _stack,
    "P": _of_address_space,
    "A": _of_address_space,
    "G": _of_address_space,
    "F": _function_pointer,
    "m": _mangling,
}
