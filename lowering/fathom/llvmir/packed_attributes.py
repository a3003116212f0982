"""The numbers that stand for values of attributes, as in `["memory", "3"]` of the llvm dialect: LLVM's own encoding.

Source of the rules: what `mlir-translate` makes of each number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from fathom.llvmir.attribute_kinds import ALLOC_KINDS, MEMORY_ACCESS, MEMORY_LOCATIONS
from fathom.llvmir.attributes import AttributeValue, MemoryEffects

_CLASSES: Final = ("snan", "qnan", "ninf", "nnorm", "nsub", "nzero", "pzero", "psub", "pnorm", "pinf")
"""The classes of floats by their bits."""
_JOINED: Final = (("nan", 0x3), ("inf", 0x204), ("norm", 0x108), ("sub", 0x90), ("zero", 0x60))
"""The names of several classes, by their bits."""
_PLACES: Final = ("argmem", "inaccessiblemem", "errnomem", "other", "target_mem0", "target_mem1")
"""The places in memory, two bits for each."""
_NO_COUNT: Final = 0xFFFFFFFF
"""It stands for no count, where it could be that of elements."""


def packed(kind: str, value: AttributeValue) -> int | None:
    """The number that stands for the value of an attribute; None if none does."""
    match kind, value:
        case "allocsize", (int(size),):
            return size << 32 | _NO_COUNT
        case "allocsize", (int(size), int(count)):
            return size << 32 | count
        case "allockind", tuple(words):
            return sum(1 << at for at, word in enumerate(ALLOC_KINDS) if word in words)
        case "memory", MemoryEffects(other, locations):
            access = dict(locations)
            return sum(MEMORY_ACCESS.index(access.get(place, other)) << 2 * at for at, place in enumerate(_PLACES))
        case _, int(number):
            return number
        case _:
            return None


def unpacked(name: str, number: int) -> AttributeValue:
    """The value of an attribute that is given as a number."""
    how = _UNPACKED.get(name)
    return how(number) if how is not None else number


def _sizes(packed: int) -> AttributeValue:
    """Which arguments say how much is allocated: the size of an element, and the count, if there is one."""
    size, count = packed >> 32, packed & 0xFFFFFFFF
    return (size,) if count == _NO_COUNT else (size, count)


def _memory(packed: int) -> AttributeValue:
    access = {place: MEMORY_ACCESS[packed >> 2 * at & 3] for at, place in enumerate(_PLACES)}
    other = access.pop("other")
    return MemoryEffects(other, tuple((place, access[place]) for place in MEMORY_LOCATIONS if access[place] != other))


def _words(words: Sequence[str]) -> Callable[[int], AttributeValue]:
    return lambda packed: tuple(word for at, word in enumerate(words) if packed >> at & 1)


def _float_classes(packed: int) -> AttributeValue:
    if packed & 0x3FF == 0x3FF:
        return ("all",)
    words: list[str] = []
    for name, bits in _JOINED:
        if packed & bits == bits:
            words.append(name)
            packed &= ~bits
    words += [name for at, name in enumerate(_CLASSES) if packed >> at & 1]
    return tuple(words)


def _unwind_table(packed: int) -> AttributeValue:
    return ("sync",) if packed & 1 else ()


def _scale(packed: int) -> AttributeValue:
    return (packed >> 32, packed & 0xFFFFFFFF)


_UNPACKED: Final[Mapping[str, Callable[[int], AttributeValue]]] = {
    "allocsize": _sizes,
    "memory": _memory,
    "allockind": _words(ALLOC_KINDS),
    "nofpclass": _float_classes,
    "uwtable": _unwind_table,
    "vscale_range": _scale,
}
