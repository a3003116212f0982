"""Attributes of functions, calls, results, parameters and globals.

The kinds of attributes are data: `attribute_kinds`. Source of the rules: *LLVM Language Reference*, "Parameter
Attributes", "Function Attributes", "Global Attributes".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

from fathom.llvmir.attribute_kinds import ORDER
from fathom.llvmir.types import Type
from fathom.records import Shared, record


@record
class ConstantRange:
    """`range(type lower, upper)`."""

    bits: int
    lower: int
    upper: int


@record
class MemoryEffects:
    """What is done to memory: to the locations that are named, and to all others."""

    default: str
    """`none`, `read`, `write` or `readwrite`."""
    locations: tuple[tuple[str, str], ...] = ()
    """Locations where something else is done than by default, in the order of `MEMORY_LOCATIONS`."""


@record
class CaptureInfo:
    """Which parts of a pointer may be captured, as words: anywhere, and by the result, where that is more."""

    other: tuple[str, ...]
    result: tuple[str, ...] | None = None


AttributeValue: TypeAlias = (
    int
    | Type
    | MemoryEffects
    | CaptureInfo
    | ConstantRange
    | tuple[str, ...]
    | tuple[int, ...]
    | tuple[tuple[int, int], ...]
    | None
)
"""By the form of a kind (`attribute_kinds.KINDS`): FLAG None; ALIGN and BYTES a number; TYPE a type; WORDS and QUOTED
words; NUMBERS numbers; MEMORY, CAPTURES, RANGE their records; RANGES pairs."""


@record
class Attribute:
    """An attribute that LLVM knows, by its word."""

    kind: str
    value: AttributeValue = None


@record
class StringAttribute:
    """An attribute that is two strings, of which the second may be empty."""

    kind: str
    value: str = ""


@record
class AttributeSet(Shared):
    """Attributes of one thing, in LLVM's order (`attribute_set`)."""

    attributes: tuple[Attribute | StringAttribute, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.attributes)

    def __iter__(self) -> Iterator[Attribute | StringAttribute]:
        return iter(self.attributes)

    def get(self, kind: str) -> Attribute | StringAttribute | None:
        """The attribute of a kind, if it is there."""
        return next((attribute for attribute in self.attributes if attribute.kind == kind), None)


NONE: Final = AttributeSet()


def attribute_set(attributes: Iterable[Attribute | StringAttribute]) -> AttributeSet:
    """A set of attributes that are given in any order: what LLVM knows in its order, then strings by their names. Of
    two of a kind the last one counts."""
    last = {(isinstance(attribute, StringAttribute), attribute.kind): attribute for attribute in attributes}
    ordered = sorted(last, key=lambda key: (key[0], -1 if key[0] else ORDER[key[1]], key[1]))
    return AttributeSet(tuple(last[key] for key in ordered)) if ordered else NONE


@record
class AttributeList:
    """Attributes of a function or a call: of itself, of its result and of its parameters."""

    function: AttributeSet = NONE
    result: AttributeSet = NONE
    parameters: tuple[AttributeSet, ...] = ()
    """Of as many parameters as one has attributes, from the first on."""

    def parameter(self, number: int) -> AttributeSet:
        """Attributes of a parameter."""
        return self.parameters[number] if number < len(self.parameters) else NONE


EMPTY: Final = AttributeList()
