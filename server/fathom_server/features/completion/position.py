"""Where the cursor is: the word before it, and what may stand there. It is read off the line, which is as a rule not
whole yet."""

from __future__ import annotations

import re
from typing import Final

from fathom.elaborate.suggestions import UNPREFIXED
from fathom.irdl.definition import OpDefinition
from fathom.records import record
from fathom.syntax.carried import LONG
from fathom.syntax.tree import Item
from fathom_server.model.snapshot import Snapshot

_WORD: Final = re.compile(r"(?:[%^@!#]|\")?[\w$.\-]*(?:::@[\w$.\-]*)*$")
_REST: Final = re.compile(r"[\w$.\-]*")
_BEGINNING: Final = re.compile(r"(?:^|[{}])\s*(?:%[\w$.\-]+(?::\d+)?(?:\s*,\s*%[\w$.\-]+(?::\d+)?)*\s*=\s*)?$")
_DIMENSIONS: Final = re.compile(r"<(?:[\d?*\[\]]+x)+")
_OPERATION: Final = re.compile(r'\s*(?:%[^=]*=\s*)?"?([A-Za-z_][\w$.]*)')
_LABEL: Final = re.compile(r"\s*\^[\w$.\-]+\s*\(")
_STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*"?|//')

LONGEST_SHAPE: Final = 200
"""The sizes of a shaped type take no more characters."""


@record
class Position:
    """A place in an item: `word` is what of a word stands before the cursor, from `start` on; what stands up to `end`
    belongs to it. `sign` is what it begins with, if that says what it is: `%`, `^`, `@`, `!` or `#`. With
    `begins_operation` the name of an operation can stand there, in quotes if `is_quoted`. `index` is the statement's,
    and `head` what stands on the line before the word."""

    item: Item
    index: int
    start: int
    end: int
    word: str
    sign: str
    begins_operation: bool
    is_quoted: bool
    head: str

    def operation(self, snapshot: Snapshot) -> OpDefinition | None:
        """The definition of the operation that begins on the line, before the position."""
        found = _OPERATION.match(self.head)
        if found is None:
            return None
        dialect = self.item.pieces[self.index].frame.default_dialect
        names = (found[1], f"{dialect}.{found[1]}", *(f"{each}.{found[1]}" for each in UNPREFIXED))
        return next(filter(None, map(snapshot.context.lookup, names)), None)


def position_at(snapshot: Snapshot, offset: int) -> Position | None:
    """The position at an offset; None in a comment or a string, where a name is defined, and on a line of a size that
    nobody types."""
    tree = snapshot.tree
    if not tree.items:
        return None
    number, line_start = tree.line_of(offset)
    line = tree.line(number)
    if len(line) >= LONG:
        return None
    column = offset - line_start
    before = line[:column]
    found = _WORD.search(before)
    word = found[0] if found is not None else ""
    for dimensions in _DIMENSIONS.finditer(before, max(column - LONGEST_SHAPE, 0)):
        word = word[max(dimensions.end() - (column - len(word)), 0) :]
    head = before[: column - len(word)]
    begins = _BEGINNING.search(head) is not None
    is_quoted = word.startswith('"')
    if (is_quoted and not begins) or _is_inside(before, len(head)):
        return None
    sign = word[:1] if word[:1] in ("%", "^", "@", "!", "#") else ""
    if (sign in ("%", "^", "!", "#") and not head.strip()) or (sign == "%" and _LABEL.match(head)):
        return None
    index = tree.item_at_offset(offset)
    item = tree.items[index]
    rest = _REST.match(line, column)
    end = offset + (len(rest[0]) if rest is not None else 0)
    piece = item.piece_at(max(offset - tree.start(index), 0))
    word = word.removeprefix('"')
    return Position(item, piece, offset - len(word), end, word, sign, begins, is_quoted, head)


def _is_inside(before: str, head: int) -> bool:
    """Whether a line ends in a comment, or in a string that begins before the word."""
    for each in _STRING.finditer(before):
        if each[0] == "//":
            return True
        is_open = each.end() == len(before) and (len(each[0]) == 1 or not each[0].endswith('"'))
        if is_open and each.start() < head:
            return True
    return False
