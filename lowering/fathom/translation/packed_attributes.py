"""What the numbers stand for that attributes have in a list of texts, such as `["memory", "3"]`: LLVM's own encoding.

Source of the rules: what `mlir-translate` makes of each number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from fathom.llvmir.attribute_kinds import ALLOC_KINDS, MEMORY_ACCESS, MEMORY_LOCATIONS
from fathom.llvmir.attributes import AttributeValue, MemoryEffects
from fathom.translation.unsaid import Lost

_CLASSES: Final = ("snan", "qnan", "ninf", "nnorm", "nsub", "nzero", "pzero", "psub", "pnorm", "pinf")
"""The classes of floats by their bits."""
_JOINED: Final = (("nan", 0x3), ("inf", 0x204), ("norm", 0x108), ("sub", 0x90), ("zero", 0x60))
"""The names of several classes, by their bits."""
_PLACES: Final = ("argmem", "inaccessiblemem", "errnomem", "other", "target_mem0", "target_mem1")
"""The places in memory, two bits for each."""
_CAPTURES: Final = ("address_is_null", "address", "read_provenance", "provenance")
_WHOLE: Final = 0b1111


def unpacked(name: str, number: int) -> AttributeValue:
    """The value of an attribute that is given as a number. Raises Lost for a number that stands for nothing."""
    how = _UNPACKED.get(name)
    return how(number) if how is not None else number


def _sizes(packed: int) -> AttributeValue:
    """Which arguments say how much is allocated: the size of an element, and the count, if there is one."""
    size, count = packed >> 32, packed & 0xFFFFFFFF
    return (size,) if count == 0xFFFFFFFF else (size, count)


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


def _captures(packed: int) -> AttributeValue:
    raise Lost(f"the translation to LLVM IR does not carry the attribute 'captures' with the value '{packed}'")


_UNPACKED: Final[Mapping[str, Callable[[int], AttributeValue]]] = {
    "allocsize": _sizes,
    "memory": _memory,
    "allockind": _words(ALLOC_KINDS),
    "nofpclass": _float_classes,
    "uwtable": _unwind_table,
    "vscale_range": _scale,
    "captures": _captures,
}
