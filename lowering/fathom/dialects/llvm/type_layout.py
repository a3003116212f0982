"""How much memory numbers and vectors take, by the entries of the data layouts around an operation.

    #dlti.dl_spec<index = 32 : i32, f64 = dense<[32, 64]> : vector<2xi64>>

Source of the rules: *Data Layout Modeling*, "Query Model", "Default Layout".
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Final

from fathom.dialects.dlti import EntriesAttr
from fathom.ir.attributes import Attribute, DenseElementsAttr, IntegerAttr
from fathom.ir.types import INDEX, ComplexType, FloatType, IndexType, IntegerType, Type, VectorType

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fathom.ir.operation import Operation

MACHINE_WORD: Final = 64
"""The bits of an index of which no entry says another width."""

SPECIFICATION: Final = "dlti.dl_spec"


class TypeLayout:
    """Sizes under some entries. TypeError is raised for a type that none of these rules is about."""

    def __init__(self, entries: Mapping[str | Type, Attribute]) -> None:
        self.entries = entries

    @property
    def index_width(self) -> int:
        """The bits of an index."""
        given = self.entries.get(INDEX)
        return given.value if isinstance(given, IntegerAttr) else MACHINE_WORD

    def size(self, type: Type) -> int:
        """The bytes of a value."""
        return -(-self.bits(type) // 8)

    def bits(self, type: Type) -> int:
        """The bits of a value, without padding behind it; of a scalable vector, those of its shortest form."""
        match type:
            case IntegerType() | FloatType():
                return type.width
            case IndexType():
                return self.index_width
            case ComplexType(element):
                size = self.bits(element)
                return _up(size, 8 * self._alignment_of_part(element)) + size
            case VectorType():
                *outer, last = type.ranked_shape or (1,)
                return prod(outer) * power_of_two(last) * 8 * self.size(type.element)
            case _:
                raise TypeError(f"{type} has no size in memory")

    def _alignment_of_part(self, type: Type) -> int:
        """The alignment of a part of a complex number, in bytes: entries of integers are not asked."""
        entry = self.entries.get(type) if isinstance(type, FloatType) else None
        first = entry.values[0] if isinstance(entry, DenseElementsAttr) else None
        return first // 8 if isinstance(first, int) else power_of_two(self.size(type))


def layout_around(op: Operation | None) -> TypeLayout:
    """The layout by what the operation and those around it say, the closest first."""
    entries: dict[str | Type, Attribute] = {}
    while op is not None:
        given = op.attributes.get(SPECIFICATION)
        if isinstance(given, EntriesAttr):
            entries = {**dict(given.entries), **entries}
        op = op.parent_op
    return TypeLayout(entries)


def power_of_two(value: int) -> int:
    """The smallest power of two that is not below `value`."""
    return 1 << max(value - 1, 0).bit_length()


def _up(value: int, multiple: int) -> int:
    return -(-value // multiple) * multiple
