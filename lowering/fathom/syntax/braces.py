"""Which braces in something that does not parse open regions, and which dictionaries of attributes.

A dictionary that is not closed hides nothing behind it, and is no region. Behind the brace of one stands a name, and
what follows a name in a dictionary, with which no operation begins.
"""

from __future__ import annotations

from typing import Final

from fathom.cached import cached_property
from fathom.slices import paced
from fathom.syntax.beginnings import TokenAt

_BEHIND_NAMES: Final = frozenset(("=", ",", ":"))
"""What stands behind the first name of a dictionary, and not behind that of an operation."""
_BEHIND_DICTIONARIES: Final = frozenset((":", ",", ">", "]", "->"))
"""What stands behind a dictionary on its line, and not behind a region."""


class Braces:
    """The braces from token `start` on, as far as they were read. `closed` is how many regions that were open before
    are closed among them. In an alias no brace opens a region."""

    def __init__(self, token_at: TokenAt, start: int, is_alias: bool) -> None:
        self._token_at = token_at
        self._start = start
        self._next = start
        self._is_alias = is_alias
        self._open: list[bool] = []
        """Of each brace that is open, whether it is that of a region."""
        self._parentheses = 0
        self.closed = 0

    @property
    def regions(self) -> int:
        """How many regions stand open."""
        return sum(self._open)

    def read_to(self, end: int) -> bool:
        """Reads on up to a token; whether there was something to read."""
        is_new = self._next < end
        for index in paced(range(self._next, end)):
            match self._token_at(index).text:
                case "{":
                    self._open.append(not self._is_alias and not self._is_dictionary(index))
                case "}" if index > self._start and self._open:
                    self._open.pop()
                case "}" if index > self._start and not self._is_alias and self._closes_region(index):
                    self.closed += 1
                case "(":
                    self._parentheses += 1
                case ")":
                    self._parentheses -= 1
                case _:
                    pass
        self._next = max(self._next, end)
        return is_new

    def closes_at(self, index: int) -> bool:
        """Whether a brace at the beginning of a line closes a dictionary that stands open, since more of an operation
        follows it there."""
        if not self._open or self._open[-1] or self._token_at(index).text != "}":
            return False
        return self._goes_on_behind(index) or self._follows(index, ")")

    def _closes_region(self, index: int) -> bool:
        """Whether a brace that none among these opened closes a region: one that begins on its line does so whatever
        follows, as in `vector.mask %m { vector.load … } : vector<4xi1>`."""
        if not self._goes_on_behind(index):
            return True
        return self._token_at(index).line == self._token_at(self._start).line and self.closed < self._opened_before

    @cached_property
    def _opened_before(self) -> int:
        """How many braces before the first token, on its line, are not closed there."""
        line, opened = self._token_at(self._start).line, 0
        closed = 0
        for index in paced(range(self._start - 1, -1, -1)):
            token = self._token_at(index)
            if token.line != line:
                break
            if token.text == "}":
                closed += 1
            elif token.text == "{" and closed:
                closed -= 1
            elif token.text == "{":
                opened += 1
        return opened

    def _goes_on_behind(self, index: int) -> bool:
        """Whether behind a brace that closes stands what does not follow a region."""
        return any(self._follows(index, text) for text in _BEHIND_DICTIONARIES)

    def _follows(self, index: int, text: str) -> bool:
        """Whether a text stands behind a token, on its line."""
        following = self._token_at(index + 1)
        return following.text == text and following.line == self._token_at(index).line

    def _is_dictionary(self, index: int) -> bool:
        before = self._token_at(index - 1).text if index > self._start else ""
        first, second = self._token_at(index + 1), self._token_at(index + 2)
        # In parentheses stand regions, from their beginning on, or types with dictionaries behind them.
        in_types = self._parentheses > 0 and before not in ("(", ",") and first.line == self._token_at(index).line
        if before in ("<", "{") or in_types:
            return True
        return first.kind in ("BARE", "STRING") and second.text in _BEHIND_NAMES
