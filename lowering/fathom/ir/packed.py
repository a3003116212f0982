"""Elements as MLIR stores them: little-endian bytes, one element after the other, decoded when they are asked for.

The elements of a model's weights are carried from the text of a file to that of another, and hardly ever looked at.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeAlias, overload

from fathom.ir.types import ComplexType, FloatType, IndexType, IntegerType, Type

Element: TypeAlias = "int | tuple[int, int]"

_CODES: Final = {8: "b", 16: "h", 32: "i", 64: "q"}


class PackedElements(Sequence[Element]):
    """So many elements of a type that `code_of` knows. `read` gives the bytes from one offset to another."""

    __slots__ = ("_count", "_read", "_size", "element")

    def __init__(self, element: Type, count: int, read: Callable[[int, int], bytes]) -> None:
        self.element = element
        self._count = count
        self._size = element_size(element)
        self._read = read

    @property
    def raw(self) -> bytes:
        """All of them."""
        return self._read(0, self._count * self._size)

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> Element: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Element]: ...
    def __getitem__(self, index: int | slice) -> Element | Sequence[Element]:
        if isinstance(index, slice):
            return tuple(self)[index]
        place = range(self._count)[index] * self._size
        return unpack(self._read(place, place + self._size), self.element)[0]

    def __iter__(self) -> Iterator[Element]:
        return iter(unpack(self.raw, self.element))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, PackedElements):
            if self._read is other._read or len(self) != len(other):
                return len(self) == len(other)
            return self.raw == other.raw if self.element == other.element else tuple(self) == tuple(other)
        return isinstance(other, tuple) and tuple(self) == other

    def __hash__(self) -> int:
        return hash(tuple(self))


def code_of(element: Type) -> str | None:
    """The letter of `struct` for a number as attributes hold it: a float by its bit pattern, others signed but for
    unsigned types. None for what no letter fits."""
    match element:
        case FloatType():
            code = _CODES.get(element.width)
            return code.upper() if code is not None else None
        case IntegerType(width, signedness):
            code = _CODES.get(width)
            return code.upper() if code is not None and signedness == "u" else code
        case IndexType():
            return "q"
        case ComplexType():
            return code_of(element.element) if not isinstance(element.element, ComplexType) else None
        case _:
            return None


def element_size(element: Type) -> int:
    """The bytes of an element of a type that `code_of` knows."""
    code = code_of(element)
    assert code is not None, "elements of no such type are packed"
    return struct.calcsize(f"<{code}") * (2 if isinstance(element, ComplexType) else 1)


def unpack(raw: bytes, element: Type) -> Sequence[Element]:
    """The elements that bytes hold."""
    code = code_of(element)
    numbers: tuple[int, ...] = struct.unpack(f"<{len(raw) // struct.calcsize(f'<{code}')}{code}", raw)
    return list(zip(numbers[::2], numbers[1::2], strict=True)) if isinstance(element, ComplexType) else numbers


def pack(elements: Sequence[Element], element: Type) -> bytes:
    """The bytes of elements, of a type that `code_of` knows."""
    numbers: list[int] = []
    for number in elements:
        numbers += number if isinstance(number, tuple) else (number,)
    return struct.pack(f"<{len(numbers)}{code_of(element)}", *numbers)
