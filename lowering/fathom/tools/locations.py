"""Where the operations of a text come from that a tool printed with `--mlir-print-debuginfo`, and that text without the
locations.

    %0 = arith.addi %a, %b : i32 loc(#loc3)      %0 = arith.addi %a, %b : i32     line 4, column 8 of the file that the
    #loc3 = loc("in.mlir":4:8)               ->                                   tool was handed

What a tool reads has no locations of its own, so each operation has the place where the tool read its name. Nothing is
parsed but strings, comments, brackets and locations: the operations may be of any dialect.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from fathom.ir.operation import Span
from fathom.records import record
from fathom.slices import paced

Place: TypeAlias = tuple[int, int]
"""A line and a column of the text that a tool was handed; both count from 1."""
MOST_PLACES: Final = 64
"""So many places of an operation are kept."""

_STRING: Final = r'"(?:[^"\\\n]|\\.)*+"'
_TOKEN: Final = re.compile(rf"{_STRING}|//[^\n]*+|\n|(?<![\w.$#%@!^-])loc\(|[()\[\]{{}}]")
_ALIAS: Final = re.compile(r"#[\w$.-]+ = loc\(")
_REFERENCE: Final = re.compile(rf"({_STRING}):(\d+):(\d+)|(#[\w$.-]+)|{_STRING}")
_RESOURCES: Final = re.compile(r"^\{-#", re.MULTILINE)


@record
class Located:
    """A text without locations, of so many `operations`. `places` are where the operations come from whose first lines
    have these spans, in the order in which they end."""

    text: str
    places: tuple[tuple[Span, tuple[Place, ...]], ...]
    operations: int = 0


def without_locations(printed: str, file: str) -> Located:
    """The text that a tool printed of what it read from a file. What is no text of MLIR stays as it is."""
    resources = _RESOURCES.search(printed)
    end = resources.start() if resources is not None else len(printed)
    scan = _Scan(printed, end)
    scan.run()
    places = _Places(scan.aliases, file)
    located = tuple((span, found) for span, loc in paced(scan.operations) if (found := places.of(loc)))
    return Located("".join([*scan.kept, printed[end:]]), located, len(scan.operations))


class _Scan:
    """Goes over a text once. Offsets of operations are those in the text that is kept."""

    def __init__(self, text: str, end: int) -> None:
        self.text = text
        self.end = end
        self.kept: list[str] = []
        self.aliases: dict[str, str] = {}
        self.operations: list[tuple[Span, str]] = []
        self._length = 0
        self._copied = 0
        self._line_ends: list[int] = []
        self._begins: list[int | None] = [None]
        """Where the statement begins that is read at each depth of brackets."""

    def run(self) -> None:
        at = 0
        while at < self.end:
            stop = self.text.find("\n", at, self.end) + 1 or self.end
            if len(self._begins) == 1 and _ALIAS.match(self.text, at):
                stop = self._alias(at)
            elif len(self._begins) == 1 and self.text[at] in "#!":
                self._begins[0] = None
            else:
                stop = self._line(at)
            at = stop
        self._keep(self.end)

    def _alias(self, at: int) -> int:
        """A line that says what a name stands for; it is left out."""
        name, _, _ = self.text[at : at + 256].partition(" = ")
        opening = self.text.index("loc(", at) + 3
        closing = self._closing(opening)
        self.aliases[name] = self.text[opening:closing]
        stop = self.text.find("\n", closing, self.end) + 1 or self.end
        self._keep(at)
        self._copied = stop
        return stop

    def _line(self, at: int) -> int:
        """A line of operations, up to its end."""
        text, is_label = self.text, self.text[at : at + 200].lstrip().startswith("^")
        first = at
        while first < self.end and text[first] in " \t":
            first += 1
        if first < self.end and text[first] not in "\n})]" and self._begins[-1] is None and not is_label:
            self._begins[-1] = self._new(first)
        position = first
        while (token := _TOKEN.search(text, position, self.end)) is not None:
            position = token.end()
            match token[0][0]:
                case "\n":
                    if text[first : token.start()].strip():
                        self._line_ends.append(self._new(token.start()))
                    break
                case "l":
                    position = self._location(token)
                case "(" | "[" | "{":
                    self._begins.append(None)
                case ")" | "]" | "}":
                    if len(self._begins) > 1:
                        self._begins.pop()
                case _:
                    continue
        else:
            position = self.end
        if is_label:
            self._begins[-1] = None
        return position

    def _location(self, token: re.Match[str]) -> int:
        """A location in a line: of an operation where the line ends behind it, else of an argument; or an attribute."""
        text, opening = self.text, token.end() - 1
        closing = self._closing(opening)
        before = text[max(0, token.start() - 200) : token.start()].rstrip(" ")
        if not before or before[-1] in "=[,(<\n":
            return closing
        begin = token.start() - 1 if text[token.start() - 1] == " " else token.start()
        self._keep(begin)
        self._copied = closing
        if text[closing : closing + 1] in ("", "\n") and (start := self._begins[-1]) is not None:
            self.operations.append((Span(start, self._first_line_end(start)), text[opening:closing]))
            self._begins[-1] = None
        return closing

    def _closing(self, opening: int) -> int:
        """Behind the bracket that closes one; the end where none does."""
        depth = 0
        for token in _TOKEN.finditer(self.text, opening, self.end):
            depth += (token[0] in "([{" or token[0] == "loc(") - (token[0] in ")]}")
            if depth <= 0 and token[0] in ")]}":
                return token.end()
        return self.end

    def _first_line_end(self, start: int) -> int:
        """Where the first line of a statement ends, in the text that is kept."""
        index = bisect_left(self._line_ends, start)
        return self._line_ends[index] if index < len(self._line_ends) else self._length

    def _keep(self, stop: int) -> None:
        if stop > self._copied:
            self.kept.append(self.text[self._copied : stop])
            self._length += stop - self._copied
            self._copied = stop

    def _new(self, offset: int) -> int:
        """Where an offset is in the text that is kept."""
        return self._length + offset - self._copied


class _Places:
    """The places that locations stand for."""

    def __init__(self, aliases: Mapping[str, str], file: str) -> None:
        self._aliases = aliases
        self._file = f'"{file}"'
        self._known: dict[str, tuple[Place, ...]] = {}

    def of(self, location: str) -> tuple[Place, ...]:
        """The places in the file that a location names, by itself or by names of others."""
        known = self._known.get(location)
        if known is None:
            known = self._known[location] = tuple(dict.fromkeys(self._found(location)))
        return known

    def _found(self, location: str) -> Iterator[Place]:
        seen: set[str] = set()
        left, count = [location], 0
        while left and count < MOST_PLACES:
            names: list[str] = []
            for match in _REFERENCE.finditer(left.pop()):
                if match[4] is not None and match[4] not in seen:
                    seen.add(match[4])
                    names.append(self._aliases.get(match[4], ""))
                elif match[1] == self._file and len(match[2]) < 10 and len(match[3]) < 10:
                    count += 1
                    yield int(match[2]), int(match[3])
            left += reversed(names)
