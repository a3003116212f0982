"""Sizes and alignments of types under a data layout, as LLVM computes them.

All sizes are in bits where the name says so, and in bytes otherwise. Source of the rules: *LLVM Language Reference*,
"Data Layout"; what no specification mentions has LLVM's defaults.
"""

from __future__ import annotations

import re
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
    pointers: dict[int, Pointer] = field(default_factory=lambda: {0: Pointer()})
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
                raise ValueError(f"{type} has no size")

    def store_size(self, type: Type) -> int:
        """The bytes that a store writes."""
        return -(-self.width_bits(type) // 8)

    def size(self, type: Type) -> int:
        """The bytes from one element of an array to the next."""
        return _align_up(self.store_size(type), self.alignment(type))

    def alignment(self, type: Type, *, preferred: bool = False) -> int:
        """The alignment in bytes that the ABI asks for, or that is preferred."""
        key = (type, preferred)
        found = self._alignments.get(key)
        if found is None:
            found = self._alignments[key] = max(self._alignment_bits(type, preferred) // 8, 1)
        return found

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
                raise ValueError(f"{type} has no size")

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
