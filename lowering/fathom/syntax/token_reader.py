"""A position among tokens: what the reader of an operation and that of a dialect's type or attribute have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Final, NoReturn, Self

from fathom.ir.types import DYNAMIC
from fathom.syntax.grammar import is_simple_type
from fathom.syntax.lexer import Token
from fathom.syntax.stream import TokenStream

_TYPE_WORDS: Final = frozenset(("tensor", "memref", "vector", "complex", "tuple"))


def begins_type(token: Token) -> bool:
    """Whether a token is the first one of a type."""
    if token.kind == "BARE":
        return token.text in _TYPE_WORDS or is_simple_type(token.text)
    return token.kind == "EXCLAIM" or token.text == "("


class SyntaxFailure(Exception):
    """The text does not fit; `position` is the token where that became clear. `further` is what MLIR says besides,
    each with the token that it is shown at. Never leaves `fathom.syntax`."""

    def __init__(self, message: str, position: int, further: tuple[tuple[str, int], ...] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.position = position
        self.further = further

    def untraced(self) -> Self:
        """For one that is kept: what it went through refers to it in turn, and to all tokens that were read."""
        self.__context__ = None
        return self.with_traceback(None)


class TokenReader(ABC):
    """A position in a stream of tokens. What it reads there, references or values, is for those who derive from it."""

    def __init__(self, stream: TokenStream, position: int = 0) -> None:
        self.stream = stream
        self.position: int = position

    # ---- looking

    @property
    def token(self) -> Token:
        tokens = self.stream.tokens
        position = self.position
        return tokens[position] if position < len(tokens) else self.stream.token(position)

    def token_at(self, index: int) -> Token:
        return self.stream.token(index)

    def peek(self, ahead: int = 1) -> Token:
        return self.stream.token(self.position + ahead)

    def at(self, text: str) -> bool:
        return self.token.text == text

    def at_type(self) -> bool:
        return begins_type(self.token)

    # ---- failing

    @abstractmethod
    def fail_here(self, message: str) -> NoReturn:
        """The next token is wrong."""
        ...

    # ---- words

    def accept(self, text: str) -> bool:
        if not self.at(text):
            return False
        self.position += 1
        return True

    def expect(self, text: str, message: str | None = None) -> None:
        if not self.accept(text):
            self.fail_here(message or f"expected '{text}'")

    def keyword(self, choices: Iterable[str] | None = None, message: str = "expected valid keyword") -> str:
        """A bare word, if one of the choices, where there are any."""
        word = self.optional_keyword(choices)
        if word is None:
            self.fail_here(message)
        return word

    def suggest(self, words: Iterable[str]) -> None:
        """Says which words mean something here, for those who ask what could stand here; nothing else follows."""
        del words

    def optional_keyword(self, choices: Iterable[str] | None = None) -> str | None:
        token = self.token
        if token.kind != "BARE" or (choices is not None and token.text not in choices):
            return None
        self.position += 1
        return token.text

    def dimensions(self, missing: str = "expected 'x' in dimension list") -> list[int]:
        """Extents with their `x`: `4 x ?x`; the type that follows is still to be read. `missing` is what is said where
        an extent has none."""
        extents: list[int] = []
        while True:
            token = self.token
            if token.kind == "DIMS" and "*" not in token.text:
                length, whole = 1, token.text
                while self.peek(length).kind == "DIMS":
                    whole += self.peek(length).text
                    length += 1
                texts = [text.strip(" \t[]") for text in whole[:-1].split("x")]
                if not all(text == "?" or text.isdecimal() for text in texts):
                    self.fail_here("expected static shape")
                extents += [DYNAMIC if text == "?" else int(text[:18]) for text in texts]
                self.position += length
            elif (token.kind == "INTEGER" or token.text == "?") and self.peek().text == "x":
                extents.append(DYNAMIC if token.text == "?" else int(token.text[:18]))
                self.position += 2
            elif token.kind == "HEX" and self.split_hex():
                extents.append(0)
            elif token.kind == "INTEGER" or token.text == "?":
                self.position += 1
                self.fail_here(missing)
            else:
                return extents

    def split_hex(self) -> bool:
        """Makes `0xf32` inside a list of extents what it is there, `0 x f32`, where the tokens are the reader's own."""
        return False

    def optional_truth(self) -> int | None:
        """`true` or `false` where an integer stands. MLIR reads them as numbers of one bit, with a sign. Nobody means
        to write them, so they are not asked for where nothing stands."""
        if self.token.kind != "BARE":
            return None
        return -1 if self.accept("true") else 0 if self.accept("false") else None

    def optional_integer(self) -> int | None:
        """An integer with its sign."""
        if (truth := self.optional_truth()) is not None:
            return truth
        negative = self.at("-") and self.peek().kind in ("INTEGER", "HEX")
        token = self.peek() if negative else self.token
        if token.kind not in ("INTEGER", "HEX"):
            return None
        self.position += 1 + negative
        value = int(token.text, 16) if token.kind == "HEX" else int(token.text[:4000])
        return -value if negative else value
