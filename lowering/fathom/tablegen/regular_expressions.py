"""POSIX's extended regular expressions, as `!match` and `!instances` take them.

Python's own search backs up, and some expressions make it do so for longer than anybody waits. Here an expression is a
program whose threads go over the text side by side, so that a search takes at most as many steps as the program is long
for each character.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final

from fathom.records import NamedTuple
from fathom.slices import rest

_LONGEST: Final = 2_000
"""Characters of an expression."""
_LONGEST_PROGRAM: Final = 20_000
_MOST_REPEATED: Final = 255
_UNBOUNDED: Final = -1

_CLASSES: Final[Mapping[str, Callable[[str], bool]]] = {
    "alnum": lambda c: c.isascii() and c.isalnum(),
    "alpha": lambda c: c.isascii() and c.isalpha(),
    "blank": lambda c: c in " \t",
    "cntrl": lambda c: c < " " or c == "\x7f",
    "digit": lambda c: c.isascii() and c.isdigit(),
    "graph": lambda c: "!" <= c <= "~",
    "lower": lambda c: "a" <= c <= "z",
    "print": lambda c: " " <= c <= "~",
    "punct": lambda c: "!" <= c <= "~" and not c.isalnum(),
    "space": lambda c: c in " \t\n\r\f\v",
    "upper": lambda c: "A" <= c <= "Z",
    "xdigit": lambda c: c in "0123456789abcdefABCDEF",
}


class InvalidExpression(Exception):
    """A text is no regular expression, or a longer one than anybody writes."""


class _Step(NamedTuple):
    """A step of a program: `take` a character that passes a test, `split` to two places, stand at the `start` or the
    `end` of the text, or have `found` it."""

    kind: str
    test: Callable[[str], bool] | None = None
    to: tuple[int, ...] = ()


class Program:
    """A compiled expression."""

    def __init__(self, steps: tuple[_Step, ...]) -> None:
        self._steps = steps

    def steps_for(self, text: str) -> int:
        """How much work a search can be, as limits count it."""
        return (len(text) + 1) * len(self._steps) // 10

    def found_in(self, text: str) -> bool:
        """Whether some part of the text is what the expression describes."""
        threads: set[int] = set()
        for position in range(len(text) + 1):
            rest()
            reached = self._follow({0, *threads}, position == 0, position == len(text))
            if reached is None:
                return True
            if position == len(text):
                return False
            threads = set()
            for index in reached:
                test = self._steps[index].test
                if test is not None and test(text[position]):
                    threads.add(index + 1)
        return False

    def _follow(self, threads: set[int], at_start: bool, at_end: bool) -> set[int] | None:
        """The steps at which threads take a character; None if one of them has found the text."""
        left = list(threads)
        seen = set(threads)
        while left:
            index = left.pop()
            kind, _, to = self._steps[index]
            if kind == "found":
                return None
            if (kind == "start" and at_start) or (kind == "end" and at_end):
                to = (index + 1,)
            for target in to:
                if target not in seen:
                    seen.add(target)
                    left.append(target)
        return seen


@lru_cache(maxsize=64)
def compiled(expression: str) -> Program:
    """Raises InvalidExpression."""
    if len(expression) > _LONGEST:
        raise InvalidExpression(expression)
    try:
        return Program(tuple(_Compiler(expression).run()))
    except RecursionError:
        raise InvalidExpression(expression) from None


_Piece = list[_Step]
"""Steps that begin at 0 and go on behind their end."""


class _Compiler:
    def __init__(self, expression: str) -> None:
        self.text = expression
        self.at = 0

    def run(self) -> _Piece:
        piece = self.alternatives()
        if self.at < len(self.text):
            raise InvalidExpression(self.text)
        return [*piece, _Step("found")]

    def peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def alternatives(self) -> _Piece:
        piece = self.branch()
        while self.peek() == "|":
            self.at += 1
            other = self.branch()
            first, second = len(piece), len(other)
            jump = _Step("split", to=(first + second + 2,))
            piece = [_Step("split", to=(1, first + 2)), *_moved(piece, 1), jump, *_moved(other, first + 2)]
            self.bound(piece)
        return piece

    def branch(self) -> _Piece:
        piece: _Piece = []
        begin = self.at
        while (character := self.peek()) and character not in "|)":
            piece += _moved(self.repeated(), len(piece))
            self.bound(piece)
        if self.at == begin:
            raise InvalidExpression(self.text)
        return piece

    def repeated(self) -> _Piece:
        anchored = self.peek() in ("^", "$")
        piece = self.atom()
        character = self.peek()
        least, most = 1, 1
        if character and character in "*+?":
            self.at += 1
            least, most = {"*": (0, _UNBOUNDED), "+": (1, _UNBOUNDED), "?": (0, 1)}[character]
        elif character == "{" and self.text[self.at + 1 : self.at + 2].isdigit():
            least, most = self.counts()
        else:
            return piece
        if anchored or (self.peek() and self.peek() in "*+?"):
            raise InvalidExpression(self.text)
        return self.times(piece, least, most)

    def counts(self) -> tuple[int, int]:
        end = self.text.find("}", self.at)
        words = self.text[self.at + 1 : end].split(",") if end > 0 else []
        self.at = end + 1
        if len(words) not in (1, 2) or not words[0].isdigit() or not all(not word or word.isdigit() for word in words):
            raise InvalidExpression(self.text)
        least = int(words[0])
        most = least if len(words) == 1 else int(words[1]) if words[1] else _UNBOUNDED
        if max(least, most) > _MOST_REPEATED or _UNBOUNDED < most < least:
            raise InvalidExpression(self.text)
        return least, most

    def times(self, piece: _Piece, least: int, most: int) -> _Piece:
        size = len(piece)
        made: _Piece = []
        for _ in range(least):
            made += _moved(piece, len(made))
            self.bound(made)
        if most == _UNBOUNDED:
            begin = len(made)
            split = _Step("split", to=(begin + 1, begin + size + 2))
            return [*made, split, *_moved(piece, begin + 1), _Step("split", to=(begin,))]
        end = len(made) + (most - least) * (size + 1)
        for _ in range(most - least):
            made.append(_Step("split", to=(len(made) + 1, end)))
            made += _moved(piece, len(made))
            self.bound(made)
        return made

    def atom(self) -> _Piece:
        character = self.peek()
        self.at += 1
        match character:
            case "(":
                if self.peek() == ")":
                    self.at += 1
                    return []
                piece = self.alternatives()
                if self.peek() != ")":
                    raise InvalidExpression(self.text)
                self.at += 1
                return piece
            case "^":
                return [_Step("start")]
            case "$":
                return [_Step("end")]
            case ".":
                return [_Step("take", _any)]
            case "[":
                return [_Step("take", self.bracket())]
            case "\\":
                escaped = self.peek()
                if not escaped or escaped.isdigit():
                    raise InvalidExpression(self.text)
                self.at += 1
                return [_Step("take", escaped.__eq__)]
            case "*" | "+" | "?":
                raise InvalidExpression(self.text)
            case "{" if self.peek().isdigit():
                raise InvalidExpression(self.text)
            case _:
                return [_Step("take", character.__eq__)]

    def bracket(self) -> Callable[[str], bool]:
        """What is in brackets: characters, `a-z`, `[:alpha:]`."""
        negated = self.peek() == "^"
        if negated:
            self.at += 1
        single: set[str] = set()
        tests: list[Callable[[str], bool]] = []
        first = True
        while first or self.peek() != "]":
            first = False
            if self.text.startswith("[:", self.at):
                end = self.text.find(":]", self.at)
                test = _CLASSES.get(self.text[self.at + 2 : end]) if end > 0 else None
                if test is None:
                    raise InvalidExpression(self.text)
                tests.append(test)
                self.at = end + 2
                continue
            low = self.one()
            if self.peek() == "-" and self.text[self.at + 1 : self.at + 2] not in ("]", ""):
                self.at += 1
                high = self.one()
                if high < low:
                    raise InvalidExpression(self.text)
                tests.append(_between(low, high))
            else:
                single.add(low)
        self.at += 1

        def test_all(character: str) -> bool:
            return (character in single or any(test(character) for test in tests)) != negated

        return test_all

    def one(self) -> str:
        """A character in brackets, which may be written `[.a.]` or `[=a=]`."""
        for opening, closing in (("[.", ".]"), ("[=", "=]")):
            if self.text.startswith(opening, self.at) and self.text.startswith(closing, self.at + 3):
                self.at += 5
                return self.text[self.at - 3]
        character = self.peek()
        if not character:
            raise InvalidExpression(self.text)
        self.at += 1
        return character

    def bound(self, piece: _Piece) -> None:
        if len(piece) > _LONGEST_PROGRAM:
            raise InvalidExpression(self.text)


def _any(character: str) -> bool:
    return bool(character)


def _between(low: str, high: str) -> Callable[[str], bool]:
    return lambda character: low <= character <= high


def _moved(piece: _Piece, by: int) -> _Piece:
    return [_Step(kind, test, tuple(target + by for target in to)) for kind, test, to in piece]
