"""Enumerations: keywords and their numbers, single or as a set of bits.

Source of the rules: *Operation Definition Specification (ODS)*, "Enum attributes", and the printers that MLIR 22
generates for them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final, Protocol

from fathom.cached import cached_property
from fathom.records import record

_KEYWORD: Final = re.compile(r"[A-Za-z_][\w$.]*")
"""A keyword; the names of other cases stand in quotes."""
_WHITE_SPACE: Final = " \t\n\v\f\r"


class KeywordReader(Protocol):
    """What reading a case takes."""

    def suggest(self, words: Iterable[str]) -> None:
        """Says which words mean something here."""
        ...

    def keyword_or_string(self) -> str:
        """The next word, or the contents of a string literal; fails where neither stands."""
        ...

    def accept(self, text: str) -> bool: ...

    def fail_before(self, message: str) -> object:
        """Fails at the token that was read last."""
        ...


def unknown_case(cases: Iterable[str], noun: str, word: str) -> str:
    """What is said of a word that is no case."""
    return f"expected one of [{', '.join(cases)}] for {noun}, got: {word}"


@record(slots=False)
class Enumeration:
    """An enumeration of a dialect. `name` is that of its class in MLIR (`::mlir::arith::FastMathFlags`), as messages
    give it. With `bits` a value is a set of cases, joined by `separator`; with `primary_groups`, a case of several
    bits is printed in place of its members, and one of the `groups`, which are of one bit. An empty set is its case 0.
    Messages about those that MLIR reads as plain parameters say its `noun` instead of the name of the class."""

    name: str
    cases: Mapping[str, int]
    width: int = 32
    bits: bool = False
    separator: str = "|"
    primary_groups: bool = False
    summary: str = ""
    noun: str = ""
    groups: tuple[str, ...] = ()

    @cached_property
    def all_bits(self) -> int:
        """The bits of all cases."""
        every = 0
        for number in self.cases.values():
            every |= number
        return every

    @cached_property
    def _keywords(self) -> Mapping[int, str]:
        """The first keyword of each number."""
        keywords: dict[int, str] = {}
        for keyword, number in self.cases.items():
            keywords.setdefault(number, keyword)
        return keywords

    @cached_property
    def bare(self) -> Mapping[int, str]:
        """The cases that the format of an operation writes without quotes: keywords, and of sets those of one bit."""
        return {
            number: keyword
            for keyword, number in self.cases.items()
            if _KEYWORD.fullmatch(keyword) and (not self.bits or number.bit_count() == 1)
        }

    def spell(self, value: int) -> str:
        """The text of a number as a parameter, or as a property that is no attribute."""
        word = self.stringify(value)
        return word if self.bits or not word or _KEYWORD.fullmatch(word) else f'"{word}"'

    def spell_in_format(self, value: int) -> str:
        """The text of a number where the format of an operation has it as an attribute: in quotes unless it is one of
        the bare cases, or all are."""
        word = self.stringify(value)
        is_bare = self._unsigned(value) in self.bare or len(self.bare) == len(self.cases)
        return word if is_bare else f'"{word}"'

    def stringify(self, value: int) -> str:
        """The keyword of a number, or those of its bits; nothing where there is none."""
        value = self._unsigned(value)
        whole = self._keywords.get(value, "")
        if not self.bits or value == 0:
            return whole
        words: list[str] = []
        rest = value
        if self.primary_groups:
            for keyword, number in reversed(list(self.cases.items())):
                if (number.bit_count() > 1 or keyword in self.groups) and number & rest == number:
                    words.append(keyword)
                    rest &= ~number
        for keyword, number in self.cases.items():
            if number and number & rest == number:
                words.append(keyword)
        return self.separator.join(words)

    def symbolize(self, text: str) -> int | None:
        """The number that a text stands for: a case, or cases with separators between them. None for any other text."""
        if not self.bits or self.cases.get(text) == 0:
            return self.cases.get(text)
        value = 0
        for word in text.split(self.separator.strip()):
            number = self.cases.get(word.strip(_WHITE_SPACE))
            if not number:
                return None
            value |= number
        return value

    def _unsigned(self, value: int) -> int:
        """The number of a case that an attribute holds with a sign."""
        return value if value >= 0 or value in self._keywords else value + (1 << self.width)

    def value_of(self, keywords: list[str]) -> int:
        """The number that keywords stand for; an unknown one raises KeyError."""
        value = 0
        for keyword in keywords:
            value |= self.cases[keyword]
        return value

    def read(self, reader: KeywordReader) -> int:
        """A case, or those of a set, which a string literal may hold all together."""
        value = self._read_case(reader)
        while self.bits and reader.accept("|" if "|" in self.separator else ","):
            value |= self._read_case(reader)
        return value

    def _read_case(self, reader: KeywordReader) -> int:
        reader.suggest(self.cases)
        word = reader.keyword_or_string()
        value = self.symbolize(word)
        if value is None and self.noun:
            reader.fail_before(unknown_case(self.cases, self.noun, word))
        elif value is None:
            reader.fail_before(f"expected {self.name} to be one of: {', '.join(self.cases)}")
        return value or 0


NO_CASES: Final = Enumeration("", {})
"""What is no enumeration has these."""
