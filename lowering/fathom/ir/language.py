"""What the language itself is in an edition of MLIR, beside its dialects: how the generic form is written, which names
may stand without a dialect, what is called otherwise.

The IR is always that of today, as far as the language goes: a group's sizes are the property `operandSegmentSizes`,
whatever a text calls them. What reads a text asks `Context.language`, and what writes one `PrintingFlags.language`.
Of a dialect and its types and attributes nothing is said here; these are definitions (`fathom.editions`).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from fathom.records import field, record

_NOTHING: Final[Mapping[str, str]] = MappingProxyType({})
_NO_OPERATIONS: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType({})


@record(eq=False)
class Language:
    """`edition` is its name, "22". A name without a dialect that is no operation of the dialect that goes without
    saying is one of the first of the `bare_dialects` that has it. Without `has_properties` the generic form has no
    `<{…}>`: all stands in the dictionary of attributes, sorted by name. `written` is what properties of today are
    called in texts, and `written_in` those of single operations; with `sizes_are_dense` the sizes of groups are dense
    elements. The `former_words` mean what they did once: a layout may be an `offset` and `strides`, an alias of a type
    has the word `type`, and elements may be `opaque`. With `numbers_first` the first of several aliases has a number
    too. With `gaps_before_regions` the generic form has a blank before each region, and the entry block of any region
    is said to have no predecessors."""

    edition: str = "22"
    bare_dialects: tuple[str, ...] = ()
    has_properties: bool = True
    written: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    written_in: Mapping[str, Mapping[str, str]] = field(default_factory=lambda: _NO_OPERATIONS)
    sizes_are_dense: bool = False
    former_words: frozenset[str] = frozenset()
    numbers_first: bool = False
    gaps_before_regions: bool = False

    def names_in(self, operation: str) -> Mapping[str, str]:
        """What properties of today are called in the text of an operation."""
        own = self.written_in.get(operation)
        return self.written if own is None else {**self.written, **own}


TODAY: Final = Language()
"""That of MLIR 22."""
MARK: Final = "// MLIR:"
"""What begins the comment in which a text says its edition (`fathom.editions.chosen`)."""
