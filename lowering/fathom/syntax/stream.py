"""Tokens of a run of lines, lexed as far as they are asked for."""

from __future__ import annotations

from collections.abc import Callable

from fathom.syntax.lexer import Token, tokens_of

LineAt = Callable[[int], "str | None"]
"""The text of a line, counted from the beginning of the statement, or None past the end of the document."""


class TokenStream:
    """The tokens from a line on, lexed as far as they are asked for; then `END` tokens."""

    def __init__(self, line_at: LineAt) -> None:
        self._line_at = line_at
        self._next_line = 0
        self.tokens: list[Token] = []
        self._end: Token | None = None

    @property
    def lines_seen(self) -> int:
        """How many lines were lexed, the end of the document counting as one."""
        return self._next_line + (self._end is not None)

    def token(self, index: int) -> Token:
        while index >= len(self.tokens):
            if self._end is not None:
                return self._end
            line = self._line_at(self._next_line)
            if line is None:
                self._end = Token("END", "", self._next_line, 0)
                return self._end
            self.tokens += tokens_of(line, self._next_line)
            self._next_line += 1
        return self.tokens[index]
