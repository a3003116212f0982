"""Tokens of a run of lines, lexed as far as they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Final, SupportsIndex, overload

from fathom.slices import checkpoint
from fathom.syntax.lexer import SPACE, Token, extent_at_end, first_token, is_trivia, tokens_of, with_its_x
from fathom.syntax.prefixes import Prefix

LineAt = Callable[[int], "str | None"]
"""The text of a line, counted from the beginning of the statement, or None past the end of the document."""

MOST_TOKENS: Final = 200_000
"""Of one statement no more tokens are read: a list of a hundred thousand numbers, line by line."""
MANY: Final = "\x02\x02"
"""The text of the token that stands for all others."""
_BEGIN_NOTHING: Final = frozenset(("", *"0123456789-[](),.+*:<>="))
_FEW: Final = 32


class TokenStream:
    """Tokens by their index, and `END` after the last. `tokens` are those at hand, to which `token` adds."""

    def __init__(self, tokens: Sequence[Token], end: Token) -> None:
        self.tokens = list(tokens)
        self.end: Token | None = end

    def token(self, index: int) -> Token:
        while index >= len(self.tokens):
            if self.end is not None:
                return self.end
            self._read_on()
        return self.tokens[index]

    def _read_on(self) -> None:
        """Adds tokens, or the end."""
        raise AssertionError("a stream with an end does not read on")

    def up_to(self, index: int, last: Token) -> TokenStream:
        """The tokens before one, `last`, and the end."""
        return TokenStream([*self.tokens[:index], last], Token("END", "", last.line, last.column))


class JoinedTokens(list[Token]):
    """A list whose first elements are those of another sequence, `before`; only what is behind them is held by it."""

    def __init__(self, before: Sequence[Token], behind: Iterable[Token] = ()) -> None:
        super().__init__(behind)
        self.before = before
        self._count = len(before)

    def __len__(self) -> int:
        return self._count + super().__len__()

    @overload
    def __getitem__(self, index: SupportsIndex) -> Token: ...
    @overload
    def __getitem__(self, index: slice) -> list[Token]: ...
    def __getitem__(self, index: SupportsIndex | slice) -> Token | list[Token]:
        if isinstance(index, slice):
            return [self[number] for number in range(len(self))[index]]
        place = range(len(self))[index] - self._count
        return super().__getitem__(place) if place >= 0 else self.before[place + self._count]

    def __iter__(self) -> Iterator[Token]:
        yield from self.before
        yield from self.behind()

    def behind(self) -> Iterator[Token]:
        """Those that it holds itself."""
        return super().__iter__()


class LineTokens(TokenStream):
    """The tokens from a line on, lexed line by line; of a line of which only the first is asked for, only that one."""

    def __init__(self, line_at: LineAt) -> None:
        self.tokens: list[Token] = []
        self.end: Token | None = None
        self._line_at = line_at
        self._next_line = 0
        self._begun = ""
        """The line of which the last token is the first."""

    @property
    def lines_seen(self) -> int:
        """How many lines were lexed, the end of the document counting as one."""
        return self._next_line + (self.end is not None)

    def _read_on(self) -> None:
        self._read_some()
        while self.end is None and (length := extent_at_end(self.tokens)):
            # What it is, the next line says.
            count = len(self.tokens)
            self._read_one()
            if len(self.tokens) > count:
                self.tokens[count - length :] = with_its_x(self.tokens[count - length :])

    def _read_one(self) -> None:
        """Adds the next token of the line that was begun, or else the first of the next one that has any; nothing at
        the end of a line."""
        if not self._begun:
            self._read_some()
        elif (token := first_token(self._begun, self.tokens[-1].line, self.tokens[-1].end)) is not None:
            self.tokens.append(token)
        else:
            self._begun = ""

    def _read_some(self) -> None:
        """Adds the first token of the next line that has any, or what follows it there."""
        if self._begun:
            first = self.tokens[-1]
            self.tokens += tokens_of(self._begun, first.line, first.end)
            self._begun = ""
            return
        checkpoint()
        if len(self.tokens) > MOST_TOKENS:
            self._end_early()
            return
        line = self._line_at(self._next_line)
        if line is None:
            self.end = Token("END", "", self._next_line, 0)
            return
        if not self._next_line:
            # All of the first one is asked for.
            self.tokens += tokens_of(line)
        elif not is_trivia(line) and (token := first_token(line, self._next_line)) is not None:
            self.tokens.append(token)
            self._begun = line
        self._next_line += 1

    def _end_early(self) -> None:
        """Passes over the lines that nothing can begin with, and ends. A token stands for the first of them and one for
        the last."""
        first = self._next_line
        while (line := self._line_at(self._next_line)) is not None and line.lstrip(SPACE)[:1] in _BEGIN_NOTHING:
            checkpoint()
            self._next_line += 1
        unread = dict.fromkeys((first, self._next_line - 1)) if self._next_line > first else ()
        self.tokens += [Token("BAD", MANY, line, 0) for line in unread]
        self.end = Token("END", "", self._next_line, 0)


def tokens_of_lines(lines: Sequence[str]) -> list[Token]:
    """The tokens of lines that belong together."""
    if len(lines) == 1:
        return tokens_of(lines[0])
    stream = LineTokens(lambda number: lines[number] if number < len(lines) else None)
    while stream.end is None:
        stream.token(len(stream.tokens))
    return stream.tokens


class TokensFrom(TokenStream):
    """The tokens of another stream from an index on, after others that stand before them."""

    def __init__(self, stream: TokenStream, start: int, before: Sequence[Token] = ()) -> None:
        self.tokens = JoinedTokens(before) if isinstance(before, Prefix) else list(before)
        self.end = None
        self._stream = stream
        self._shift = start - len(before)

    def up_to(self, index: int, last: Token) -> TokenStream:
        if not isinstance(self.tokens, JoinedTokens) or index < len(self.tokens.before):
            return super().up_to(index, last)
        stream = TokenStream((), Token("END", "", last.line, last.column))
        behind = islice(self.tokens.behind(), index - len(self.tokens.before))
        stream.tokens = JoinedTokens(self.tokens.before, [*behind, last])
        return stream

    def _read_on(self) -> None:
        first = len(self.tokens) + self._shift
        token = self._stream.token(first)
        if token is self._stream.end:
            self.end = token
        else:
            # A line may hold any number of operations, so none of them takes all that follows it.
            self.tokens += self._stream.tokens[first : first + _FEW]
