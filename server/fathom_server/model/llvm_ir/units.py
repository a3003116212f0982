"""The units of an LLVM IR text: a function, a declaration, a global, a type, a node of metadata.

Where a unit begins is said by its line alone, so that an edit changes the units that it touches and no other. What
stands between two units, comments mostly, belongs to the one before.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from enum import Enum
from typing import Any, Final

from fathom.cached import cached_property
from fathom.slices import paced
from fathom_server.model.llvm_ir.names import Names, names_of
from fathom_server.model.llvm_ir.tokens import Token, key_of, tokens_in


class UnitKind(Enum):
    """What a unit is."""

    FUNCTION = "function"
    DECLARATION = "declaration"
    GLOBAL = "global"
    TYPE = "type"
    COMDAT = "comdat"
    METADATA = "metadata"
    GROUP = "group"
    SUMMARY = "summary"
    OTHER = "other"
    """What concerns the module, or stands before all else."""


_NAME: Final = r'(?:[-$.\w]+|"[^"\n]*")'
_BEGINNING: Final = re.compile(
    rf"""^[ \t]*(?:
      (define)\b(?!:)
    | (declare)\b(?!:)
    | (@){_NAME}[ \t]*=
    | (%){_NAME}[ \t]*=[ \t]*type\b
    | (\$){_NAME}[ \t]*=
    | (!)[-$.\w\\]+[ \t]*=
    | (attributes)[ \t]*\#
    | (\^)\d+[ \t]*=
    | (target[ \t]+(?:datalayout|triple)\b|source_filename[ \t]*=|module[ \t]+asm\b|(?<![ \t])uselistorder(?:_bb)?[ \t])
    )""",
    re.ASCII | re.VERBOSE | re.MULTILINE,
)
_KINDS: Final = (
    *(UnitKind.FUNCTION, UnitKind.DECLARATION, UnitKind.GLOBAL, UnitKind.TYPE, UnitKind.COMDAT),
    *(UnitKind.METADATA, UnitKind.GROUP, UnitKind.SUMMARY, UnitKind.OTHER),
)
"""By the groups of the pattern."""
_FIRST: Final = re.compile(r"(?:[ \t]*(?:;[^\n]*)?\n)*")
"""Comments and empty lines."""
_GLOBAL: Final = re.compile(f"@{_NAME}", re.ASCII)
_DEFINED: Final = {
    **dict.fromkeys((UnitKind.FUNCTION, UnitKind.DECLARATION, UnitKind.GLOBAL), _GLOBAL),
    UnitKind.TYPE: re.compile(f"%{_NAME}", re.ASCII),
    UnitKind.COMDAT: re.compile(rf"\${_NAME}", re.ASCII),
    UnitKind.METADATA: re.compile(r"![-$.\w\\]+", re.ASCII),
    UnitKind.GROUP: re.compile(r"#\d+", re.ASCII),
    UnitKind.SUMMARY: re.compile(r"\^\d+", re.ASCII),
}
"""How the names are written that units define."""


class Unit:
    """A unit, with the lines up to the next one. Offsets count from its beginning. What follows from its text is worked
    out when it is asked for, and stays with it."""

    def __init__(self, kind: UnitKind, text: str) -> None:
        self.kind = kind
        self.text = text
        self.length = len(text)
        self.line_count = text.count("\n") + (not text.endswith("\n"))
        self.cache: dict[object, Any] = {}
        """What features derive from the unit alone, under keys of their own."""
        self._line: tuple[int, list[Token]] | None = None

    @property
    def reach(self) -> int:
        """No line after its own decides what it is."""
        return 0

    @cached_property
    def line_starts(self) -> list[int]:
        """Where each line begins."""
        starts = [0]
        at = self.text.find("\n") + 1
        while 0 < at < self.length:
            starts.append(at)
            at = self.text.find("\n", at) + 1
        return starts

    @cached_property
    def names(self) -> Names:
        """The names that it defines and uses."""
        return names_of(self.text, is_function=self.is_function)

    @cached_property
    def name_span(self) -> tuple[int, int] | None:
        """Where the name stands of what it defines for the whole module; None if it has none, as in a broken text."""
        pattern = _DEFINED.get(self.kind)
        found = pattern.search(self.text) if pattern is not None else None
        return found.span() if found is not None else None

    @cached_property
    def key(self) -> str:
        """What it defines for the whole module; empty if that has no name."""
        span = self.name_span
        return key_of(self.text[slice(*span)]) if span is not None else ""

    @cached_property
    def end(self) -> int:
        """Where the unit itself ends, without the comments and the empty lines behind it."""
        text = self.text
        if self.kind is UnitKind.FUNCTION and (brace := text.rfind("\n}")) >= 0:
            return brace + 2
        end = len(text.rstrip())
        while end and (start := text.rfind("\n", 0, end) + 1) and text.startswith(";", start):
            end = len(text[:start].rstrip())
        return end

    @property
    def is_function(self) -> bool:
        """Whether it is a function, with a body or without."""
        return self.kind in (UnitKind.FUNCTION, UnitKind.DECLARATION)

    def line_number(self, offset: int) -> int:
        """The number of the line that an offset is on; of the last one, for one behind the end."""
        return bisect_right(self.line_starts, offset) - 1

    def line(self, number: int) -> str:
        """A line with its end."""
        starts = self.line_starts
        return self.text[starts[number] : starts[number + 1] if number + 1 < len(starts) else self.length]

    def tokens_of_line(self, number: int) -> list[Token]:
        """The tokens of a line; their places count from the beginning of the unit. Those of the line that was asked for
        last are kept: it may be long."""
        known = self._line
        if known is None or known[0] != number:
            start = self.line_starts[number]
            known = self._line = number, list(paced(tokens_in(self.text, start, start + len(self.line(number)))))
        return known[1]


def begins_as_llvm_ir(text: str) -> bool:
    """Whether a text begins with a unit that cannot be MLIR, behind comments."""
    first = _FIRST.match(text)
    begun = _BEGINNING.match(text, first.end()) if first is not None else None
    # An alias of MLIR may begin as a node does.
    return begun is not None and _KINDS[(begun.lastindex or 1) - 1] is not UnitKind.METADATA


def units_of(text: str) -> list[Unit]:
    """The units of a text that begins at the beginning of a line."""
    return list(_units_of(text)) if text else []


def _units_of(text: str) -> Iterator[Unit]:
    found = list(paced(_BEGINNING.finditer(text)))
    first = found[0].start() if found else len(text)
    if first:
        yield Unit(UnitKind.OTHER, text[:first])
    ends = [*(match.start() for match in found[1:]), len(text)]
    for match, end in zip(paced(found), ends, strict=False):
        yield Unit(_KINDS[(match.lastindex or 1) - 1], text[match.start() : end])
