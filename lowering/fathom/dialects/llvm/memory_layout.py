"""How much memory values of LLVM's types take, and how they are aligned, by the entries of the data layouts around an
operation.

Source of the rules: *'llvm' Dialect*, "Data Layout and Triple", and `DataLayoutInterfaces.cpp` of MLIR 22.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.type_layout import TypeLayout, layout_around, power_of_two
from fathom.dialects.llvm.types import LLVMArrayType, LLVMPointerType, LLVMStructType
from fathom.ir.attributes import DenseElementsAttr, StringAttr
from fathom.ir.types import IntegerType, Type, VectorType

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation

ENDIANNESS: Final = "dlti.endianness"


class MemoryLayout(TypeLayout):
    """Sizes and alignments of LLVM's types, too. TypeError is raised for a type that has none."""

    @property
    def is_big_endian(self) -> bool:
        """Whether the first byte of a number is its greatest part."""
        return self.entries.get(ENDIANNESS) == StringAttr("big")

    def bits(self, type: Type) -> int:
        """The bits of a value, without padding behind it."""
        match type:
            case LLVMPointerType():
                given = self.entries.get(type, self.entries.get(LLVMPointerType()))
                return _number(given, 0) or 64
            case LLVMArrayType(size, element):
                return 8 * size * _up(self.size(element), self.alignment(element))
            case LLVMStructType(body) if body is not None:
                return 8 * self._end(body, packed=type.packed)
            case VectorType() if isinstance(type.element, LLVMPointerType):
                *outer, last = type.ranked_shape or (1,)
                return prod(outer) * power_of_two(last) * self.bits(type.element)
            case _:
                return super().bits(type)

    def alignment(self, type: Type) -> int:
        """The bytes that the address of a value is a multiple of."""
        match type:
            case LLVMPointerType():
                given = self.entries.get(type, self.entries.get(LLVMPointerType()))
                return (_number(given, 1) or 64) // 8 or 1
            case LLVMArrayType(_, element):
                return self.alignment(element)
            case LLVMStructType(body) if body is not None:
                return 1 if type.packed else max((self.alignment(type_) for type_ in body), default=1)
            case IntegerType(width):
                return self._alignment_of_integer(width)
            case _:
                return (_number(self.entries.get(type), 0) or 0) // 8 or power_of_two(self.size(type))

    def offset(self, type: LLVMStructType, index: int) -> int:
        """Where a field of a struct begins."""
        body = type.body or ()
        before = self._before(body[:index], packed=type.packed)
        return before if type.packed else _up(before, self.alignment(body[index]))

    def _alignment_of_integer(self, width: int) -> int:
        """The entry of this width, or of the next greater one, counts; or that of the greatest there is."""
        known = {
            type.width: number
            for type, given in self.entries.items()
            if isinstance(type, IntegerType) and (number := _number(given, 0)) is not None
        }
        if not known:
            return power_of_two(-(-width // 8)) if width < 64 else 4
        return known[min((bits for bits in known if bits >= width), default=max(known))] // 8 or 1

    def _before(self, body: tuple[Type, ...], *, packed: bool) -> int:
        """The bytes of fields, with the padding before each of them."""
        end = 0
        for type_ in body:
            end = (end if packed else _up(end, self.alignment(type_))) + self.size(type_)
        return end

    def _end(self, body: tuple[Type, ...], *, packed: bool) -> int:
        alignment = 1 if packed else max((self.alignment(type_) for type_ in body), default=1)
        return _up(self._before(body, packed=packed), alignment)


def memory_layout(op: Operation) -> MemoryLayout:
    """The layout by what the operation and those around it say."""
    return MemoryLayout(layout_around(op).entries)


def _number(entry: Attribute | None, index: int) -> int | None:
    values = entry.values if isinstance(entry, DenseElementsAttr) else ()
    number = values[0 if len(values) == 1 else index] if len(values) > index or len(values) == 1 else None
    return number if isinstance(number, int) else None


def _up(value: int, multiple: int) -> int:
    return -(-value // multiple) * multiple
