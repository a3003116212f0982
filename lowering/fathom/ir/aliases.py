"""The aliases at the top and the bottom of printed text: `#map = affine_map<…>`, `#loc = loc(…)`.

Which attributes get one, and their numbers, follow from the order in which they are met: `visit` each attribute and
type in the order of printing, then `table` numbers them, nested ones first. Source of the rules: observed behaviour of
mlir-opt 22, and *MLIR Language Reference*, "Attribute Value Aliases".
"""

from __future__ import annotations

from collections import Counter
from typing import TypeAlias

from fathom.ir.attributes import (
    AffineMapAttr,
    Attribute,
    DenseArrayAttr,
    DenseElementsAttr,
    DenseResourceAttr,
    DenseStringsAttr,
    DistinctAttr,
    FloatAttr,
    IntegerAttr,
    IntegerSetAttr,
    SparseElementsAttr,
    StringAttr,
    UnitAttr,
)
from fathom.ir.locations import LocationAttr, NameLoc, UnknownLoc
from fathom.ir.naming import sanitize
from fathom.ir.types import TupleType, Type
from fathom.records import field, record

Aliasable: TypeAlias = "Type | Attribute"

LEAVES = (
    AffineMapAttr,
    DenseArrayAttr,
    DenseElementsAttr,
    DenseResourceAttr,
    DenseStringsAttr,
    FloatAttr,
    IntegerAttr,
    IntegerSetAttr,
    SparseElementsAttr,
    StringAttr,
    UnitAttr,
)
"""Attributes in which nothing is looked for, not even in their types."""

_MOST_PLAIN_TUPLE = 16
"""A tuple of more elements than this gets an alias."""


def alias_stem(element: Aliasable) -> str:
    """The name of an element's alias without its number; empty for one that has none.

    A dialect's attribute asks for an alias by having an attribute `alias`, the stem.
    """
    if isinstance(element, AffineMapAttr):
        return "map"
    if isinstance(element, IntegerSetAttr):
        return "set"
    if isinstance(element, LocationAttr):
        return "loc"
    if isinstance(element, DistinctAttr):
        return "" if isinstance(element.referenced, UnitAttr) else "distinct"
    if isinstance(element, TupleType):
        return "tuple" if len(element.elements) > _MOST_PLAIN_TUPLE else ""
    stem = getattr(element, "alias", "")
    return sanitize(stem, trailing_digit=False) if stem else ""


@record(frozen=False)
class _Entry:
    stem: str
    deferrable: bool
    depth: int = 0
    children: list[Aliasable] = field(default_factory=list[Aliasable])


@record
class AliasTable:
    """`names` has each aliased element's text; `first` are the elements defined above the operation, `last` those
    below."""

    names: dict[Aliasable, str]
    first: list[Aliasable]
    last: list[Aliasable]


class AliasCollector:
    """Meets elements in the order of printing."""

    def __init__(self) -> None:
        self._entries: dict[Aliasable, _Entry] = {}
        self._stack: list[tuple[_Entry, bool]] = []

    def visit(self, element: Aliasable, deferrable: bool = False) -> int:
        """Meets an element and what is nested in it; returns how deep aliases are nested there."""
        entry = self._entries.get(element)
        if entry is not None:
            if not deferrable:
                self._keep_first(entry)
            return entry.depth
        stem = alias_stem(element)
        entry = self._entries[element] = _Entry(stem, deferrable, 1 if stem else 0)
        deepest = 0
        self._stack.append((entry, deferrable))
        if isinstance(element, NameLoc) and isinstance(element.child, UnknownLoc):
            pass
        elif not isinstance(element, LEAVES):
            before = len(entry.children)
            element.spell(self._visit_nested)
            deepest = max((self._entries[child].depth for child in entry.children[before:]), default=0)
        self._stack.pop()
        if deepest:
            entry.depth = deepest + 1
        return entry.depth

    def _visit_nested(self, element: Aliasable) -> str:
        entry, deferrable = self._stack[-1]
        entry.children.append(element)
        self.visit(element, deferrable)
        # A nested location is asked for its inner text unless it is spelt as an alias.
        return "#"

    def _keep_first(self, entry: _Entry) -> None:
        if not entry.deferrable:
            return
        entry.deferrable = False
        for child in entry.children:
            self._keep_first(self._entries[child])

    def table(self, *, numbers_first: bool = False) -> AliasTable:
        """The aliases of all that was met: by depth, types before attributes, by stem, then in the order of meeting.
        With `numbers_first`, the first of several has a number too."""
        entries = [(element, entry) for element, entry in self._entries.items() if entry.stem]
        entries.sort(key=lambda item: (item[1].depth, not isinstance(item[0], Type), item[1].stem))
        names: dict[Aliasable, str] = {}
        counts: dict[str, int] = {}
        totals = Counter(entry.stem for _, entry in entries) if numbers_first else Counter[str]()
        for element, entry in entries:
            number = counts.get(entry.stem, 0)
            counts[entry.stem] = number + 1
            sigil = "!" if isinstance(element, Type) else "#"
            names[element] = f"{sigil}{entry.stem}{number if totals[entry.stem] > 1 else number or ''}"
        return AliasTable(
            names,
            [element for element, entry in entries if not entry.deferrable],
            [element for element, entry in entries if entry.deferrable],
        )
