"""Where in `.td` files stands what a description says that was made of them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from fathom.descriptions.places import Finding, Place, place_in
from fathom.records import field, record
from fathom.tablegen.records import Location
from fathom.text.encodings import utf8

SYNTAX: Final = "syntax"
"""The key of a description that an assembly format becomes."""

_TOKEN: Final = re.compile(r'"(?:[^"\\\n]|\\.)*"?|[\w.]+|.|$')
_VALUE: Final = re.compile(r"\w+\s*=\s*")
_LITERAL: Final = re.compile(r'\s*(?:"((?:[^"\\\n]|\\.)*)"|\[\{(.*?)\}\])', re.DOTALL)
_CHARACTER: Final = re.compile(r"\\.|[^\\]", re.DOTALL)
_OF_FORMAT: Final = re.compile(r"`[^`\n]*`|\$?[\w-]+|.")
_ESCAPES: Final = {r"\n": "\n", r"\t": "\t"}


@record(eq=False)
class Lines:
    """The lines of files, whose texts `text_of` gives; None of one that cannot be read."""

    text_of: Callable[[str], str | None]
    _lines: dict[str, list[str]] = field(default_factory=dict[str, "list[str]"])

    def text(self, path: str) -> str:
        return self.text_of(path) or ""

    def place(self, where: Location) -> Place:
        """The token at a location, of which the column counts bytes."""
        path = where.file
        if path not in self._lines:
            self._lines[path] = self.text(path).split("\n")
        lines = self._lines[path]
        if where.line > len(lines):
            return Place(path, where.line - 1, where.column - 1, where.column - 1, "")
        line = lines[where.line - 1].rstrip("\r")
        head = utf8(line)[: max(where.column - 1, 0)].decode("utf-8", "replace")
        token = _TOKEN.match(line, len(head))
        return Place(path, where.line - 1, len(head), token.end() if token is not None else len(head), line)

    def place_in_format(self, where: Location, syntax: str, index: int) -> Place | None:
        """The place of a character of a format, whose definition is at a location: the formats of descriptions differ
        from it in white space. None where it is not written as it is, such as one that is put together."""
        name, text = self.place(where), self.text(where.file)
        start = sum(len(line) + 1 for line in self._lines[where.file][: name.line]) + name.start
        characters = [(offset, character) for offset, character in _characters(text, start) if not character.isspace()]
        if [character for _, character in characters] != [character for character in syntax if not character.isspace()]:
            return None
        number = sum(not character.isspace() for character in syntax[:index])
        if number >= len(characters):
            return place_in(where.file, text, characters[-1][0], characters[-1][0] + 1) if characters else None
        offset = characters[number][0]
        token = _OF_FORMAT.match(text, offset)
        return place_in(where.file, text, offset, token.end() if token is not None else offset)


def _characters(text: str, start: int) -> Iterator[tuple[int, str]]:
    """The characters of the literals, one behind the other, that the field at an offset of a text is set to, each with
    the offset at which it is written."""
    value = _VALUE.match(text, start)
    at = value.end() if value is not None else len(text)
    while (literal := _LITERAL.match(text, at)) is not None:
        at = literal.end()
        if literal[2] is not None:
            yield from enumerate(literal[2], literal.start(2))
            continue
        for match_ in _CHARACTER.finditer(literal[1]):
            yield literal.start(1) + match_.start(), _ESCAPES.get(match_[0], match_[0][-1])


@record(eq=False)
class Origins:
    """Where a file, or what it includes, says the parts of a description, by their kinds and names; the place of an
    assembly format has the kind `op.syntax`."""

    places: Mapping[tuple[str, str], Location]
    lines: Lines

    def place(self, kind: str, name: str) -> Place | None:
        """Where the definition is that became a table."""
        where = self.places.get((kind, name))
        return self.lines.place(where) if where is not None else None

    def place_of(self, finding: Finding) -> Place | None:
        """Where that is to be mended which is wrong with the description."""
        kind, _, rest = finding.key.partition(".")
        owners = (name for of, name in self.places if of == kind and f"{rest}.".startswith(f"{name}."))
        owner = max(owners, key=len, default=None)
        if owner is None:
            return None
        where = self.places.get((f"{kind}.{SYNTAX}", owner))
        if where is None or rest != f"{owner}.{SYNTAX}":
            return self.place(kind, owner)
        return self._place_in_format(where, finding.place) or self.lines.place(where)

    def _place_in_format(self, where: Location, place: Place) -> Place | None:
        """The place in a format of what is wrong with a line of the description, which holds it."""
        try:
            syntax = tomllib.loads(place.text).get(SYNTAX)
        except tomllib.TOMLDecodeError:
            return None
        index = place.start - len(f'{SYNTAX} = "')
        return self.lines.place_in_format(where, syntax, max(index, 0)) if isinstance(syntax, str) else None
