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


@record(eq=False)
class Language:
    """`edition` is its name, "22". A name without a dialect that is no operation of the dialect that goes without
    saying is one of the first of the `bare_dialects` that has it. Without `has_properties` the generic form has no
    `<{…}>`: all stands in the dictionary of attributes, sorted by name. `written` is what properties of today are
    called in texts."""

    edition: str = "22"
    bare_dialects: tuple[str, ...] = ()
    has_properties: bool = True
    written: Mapping[str, str] = field(default_factory=lambda: _NOTHING)

    @property
    def read(self) -> Mapping[str, str]:
        """What names in texts are called today: `written`, the other way round."""
        return {text: today for today, text in self.written.items()}


TODAY: Final = Language()
"""That of MLIR 22."""
MARK: Final = "// MLIR:"
"""What begins the comment in which a text says its edition (`fathom.editions.chosen`)."""
