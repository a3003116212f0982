"""Which braces in something that does not parse open regions, and which dictionaries of attributes.

A dictionary that is not closed hides nothing behind it, and is no region. Behind the brace of one stands a name, and
what follows a name in a dictionary, with which no operation begins.
"""

from __future__ import annotations

from typing import Final

from fathom.slices import paced
from fathom.syntax.beginnings import TokenAt

_BEHIND_NAMES: Final = frozenset(("=", ",", ":"))
"""What stands behind the first name of a dictionary, and not behind that of an operation."""


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
        self.closed = 0

    @property
    def regions(self) -> int:
        """How many regions stand open."""
        return sum(self._open)

    def read_to(self, end: int) -> bool:
        """Reads on up to a token; whether there was something to read."""
        is_new = self._next < end
        for index in paced(range(self._next, end)):
            text = self._token_at(index).text
            if text == "{":
                self._open.append(not self._is_alias and not self._is_dictionary(index))
            elif text == "}" and index > self._start:
                if self._open:
                    self._open.pop()
                elif not self._is_alias:
                    self.closed += 1
        self._next = max(self._next, end)
        return is_new

    def closes_at(self, index: int) -> bool:
        """Whether a brace at the beginning of a line closes a dictionary that stands open, since more of an operation
        follows it there."""
        token, following = self._token_at(index), self._token_at(index + 1)
        if not self._open or self._open[-1] or token.text != "}":
            return False
        return (
            following.line == token.line and following.kind == "PUNCT" and following.text in (":", ",", ">", ")", "]")
        )

    def _is_dictionary(self, index: int) -> bool:
        if index > self._start and self._token_at(index - 1).text == "<":
            return True
        first, second = self._token_at(index + 1), self._token_at(index + 2)
        return first.kind in ("BARE", "STRING") and second.text in _BEHIND_NAMES
