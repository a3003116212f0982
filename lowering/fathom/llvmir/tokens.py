"""The tokens of LLVM IR, and where one of them stands.

A token is a text; what kind it is, its first or last character says. An array, a vector or a struct of plain types is
one token, since there are a few of them in a module and each stands there many times. Places are found when somebody
asks, by going through the text again.
"""

from __future__ import annotations

import re
from typing import Final

END: Final = "\0"
"""The token behind the last one."""
MOST_NESTED: Final = 96
"""How deep brackets may be open in a type or a constant."""

_SKIPPED: Final = r"[ \t\r\n\f\v]*+(?:;[^\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/)?|"
"""White space, and a comment in the place of a token."""
_PUNCTUATION: Final = r"[,=()\[\]{}<>*|]"
_WORD: Final = r"""-?[0-9]+\.[0-9]*(?:[eE][-+]?[0-9]+)?|[%@$!#^]?(?:[-$.\w\\]+|"[^"]*"):?|.|\Z"""
_PLAIN: Final = (
    r"(?:i[0-9]++|ptr(?: addrspace\([0-9]++\))?+|%[-$.\w]++|half|bfloat|float|double|x86_fp80|fp128|ppc_fp128)[\]>]*+"
)
"""A plain type, with the brackets behind it that close what it is an element of."""
_COUNT: Final = r"(?:[\[<](?:vscale x )?+[0-9]++ x )"
_ELEMENT: Final = rf"{_COUNT}{{0,{MOST_NESTED}}}+{_PLAIN}"
_TYPE: Final = rf"<?\{{ {_ELEMENT}(?:, {_ELEMENT})*+ \}}>?|{_COUNT}{{1,{MOST_NESTED}}}+{_PLAIN}"
"""An array, a vector or a struct, which nests no deeper than what is read."""
_TOKEN: Final = re.compile(rf"{_SKIPPED}({_TYPE}|{_PUNCTUATION}|{_WORD}))", re.ASCII | re.DOTALL)
_SIMPLE: Final = re.compile(rf"{_SKIPPED}({_PUNCTUATION}|{_WORD}))", re.ASCII | re.DOTALL)


def tokens_of(text: str) -> list[str]:
    """The tokens of a text, such as a line; also those that types consist of."""
    return list(filter(None, _SIMPLE.findall(text)))


def extent_of(text: str) -> tuple[int, int]:
    """From where to where there are tokens in a text that has some."""
    spans = [match.span(1) for match in _SIMPLE.finditer(text) if match[1]]
    return spans[0][0], spans[-1][1]


class Mistake(Exception):
    """Something that is not as LLVM writes it, with the line and the column where it stands, from 1 on."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(f"{line}:{column}: {message}")
        self.message = message
        self.line = line
        self.column = column


class Tokens:
    """The tokens of a text, and the one that is next."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.t: list[str] = [*filter(None, _TOKEN.findall(text)), *(END,) * 4]
        self.p: int = 0
        self.depth: int = 0

    def mistake(self, message: str, at: int | None = None) -> Mistake:
        """A mistake at a token; the next one, if no other is said."""
        number = min(self.p if at is None else at, len(self.t) - 4)
        start = len(self.text)
        for count, match in enumerate(match for match in _TOKEN.finditer(self.text) if match[1]):
            if count == number:
                start = match.start(1)
                break
        before = self.text.count("\n", 0, start)
        return Mistake(message, before + 1, start - self.text.rfind("\n", 0, start))

    def unexpected(self, wanted: str) -> Mistake:
        """The next token is not what it should be."""
        token = self.t[min(self.p, len(self.t) - 1)]
        return self.mistake(f"expected {wanted}, got {'the end' if token == END else token[:40]}")

    def expect(self, token: str) -> None:
        """Goes on behind a token that has to be there."""
        if self.t[self.p] != token:
            raise self.unexpected(f"'{token}'")
        self.p += 1

    def accept(self, token: str) -> bool:
        """Goes on behind a token, if it is there."""
        if self.t[self.p] != token:
            return False
        self.p += 1
        return True

    def one_of(self, words: tuple[str, ...]) -> str:
        """One of some words, behind which it goes on; the empty text if it is none of them."""
        token = self.t[self.p]
        if token not in words:
            return ""
        self.p += 1
        return token

    def number(self) -> int:
        """A number that has to be there."""
        token = self.t[self.p]
        try:
            number = int(token)
        except ValueError:
            raise self.unexpected("a number") from None
        self.p += 1
        return number

    def string(self) -> str:
        """What stands between the quotes of a string that has to be there, as it is written."""
        token = self.t[self.p]
        if len(token) < 2 or token[0] != '"' or token[-1] != '"':
            raise self.unexpected("a string")
        self.p += 1
        return token[1:-1]

    def opened(self) -> None:
        """A bracket is open, which has to be closed."""
        self.depth += 1
        if self.depth > MOST_NESTED:
            raise self.mistake(f"more than {MOST_NESTED} brackets are open")

    def closed(self, token: str) -> None:
        """Goes on behind the bracket that closes."""
        self.depth -= 1
        self.expect(token)
