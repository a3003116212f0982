"""The border between the protocol's positions, in lines and encoded columns, and Fathom's offsets in characters."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

from lsprotocol import types

from fathom.slices import paced
from fathom.text.encodings import Encoding, from_units, to_units
from fathom_server.lsp.encoded import encoded_range, written_range

if TYPE_CHECKING:
    from typing import Protocol

    from fathom.ir.operation import Span
    from fathom.syntax.tree import Item

    class Lines(Protocol):
        """A text in lines, each with its end."""

        @property
        def length(self) -> int: ...
        @property
        def line_count(self) -> int: ...
        def line(self, number: int) -> str: ...
        def line_and_start(self, number: int) -> tuple[str, int]: ...
        def line_at(self, offset: int) -> tuple[int, int, str]: ...

    class PositionLike(Protocol):
        """A position as the protocol has it, also where pygls made it of a message it has no type for."""

        line: int
        character: int


def encoding_of(name: object) -> Encoding:
    value = str(getattr(name, "value", name))
    return value if value in ("utf-8", "utf-16", "utf-32") else "utf-16"


def from_lsp_point(tree: Lines, position: PositionLike, encoding: Encoding) -> tuple[int, int]:
    """Line and column in characters; a position past the end is the end."""
    line = max(position.line, 0)
    if line >= tree.line_count:
        last = max(tree.line_count - 1, 0)
        text = tree.line(last)
        ends = not text or text.endswith(("\n", "\r"))
        return (tree.line_count, 0) if ends else (last, len(text))
    return line, from_units(tree.line(line), position.character, encoding)


def from_lsp(tree: Lines, position: PositionLike, encoding: Encoding) -> int:
    """The offset of a position; of one past the end, the end."""
    line, start = tree.line_and_start(max(position.line, 0))
    return start + from_units(line, position.character, encoding)


def to_lsp(tree: Lines, offset: int, encoding: Encoding) -> types.Position:
    """The position of an offset."""
    offset = max(0, min(offset, tree.length))
    number, start, line = tree.line_at(offset)
    return types.Position(number, to_units(line, offset - start, encoding))


def range_to_lsp(tree: Lines, start: int, end: int, encoding: Encoding) -> types.Range:
    return types.Range(to_lsp(tree, start, encoding), to_lsp(tree, end, encoding))


class ItemRanges:
    """Positions inside one item, whose first line is given: what stands before the item is not looked at."""

    def __init__(self, item: Item, first_line: int, encoding: Encoding) -> None:
        self._item = item
        self._first_line = first_line
        self._encoding: Encoding = encoding

    def position(self, offset: int) -> types.Position:
        offset = max(0, min(offset, self._item.length))
        number, start, line = self._item.line_at(offset)
        if offset == self._item.length and line.endswith("\n"):
            return types.Position(self._first_line + number + 1, 0)
        return types.Position(self._first_line + number, to_units(line, offset - start, self._encoding))

    def range(self, span: Span | None) -> types.Range:
        start = self.position(span.start if span is not None else 0)
        end = self.position(span.end if span is not None else 0)
        return types.Range(start, end)


def is_plain(text: str, encoding: Encoding) -> bool:
    """Whether columns of a text are counted in its characters."""
    return encoding == "utf-32" or text.isascii()


class TreeRanges:
    """The ranges of many spans of a document, as JSON. Of one in MLIR the lines of each item with spans are gone over
    once."""

    def __init__(self, tree: Lines, encoding: Encoding) -> None:
        from fathom.syntax.tree import SyntaxTree

        self._tree = tree
        self._items = tree.items if isinstance(tree, SyntaxTree) else None
        self._encoding: Encoding = encoding
        self._known: dict[int, tuple[int, list[int]] | None] = {}
        """The first line of an item, by its index, and where its lines begin in the document, and it ends; None where
        columns are not counted in characters."""
        self._first, self._starts = 0, [0, 0]

    def encoded(self, start: int, end: int) -> str:
        """The range between two offsets."""
        if not self._starts[0] <= start <= end < self._starts[-1] and not self._enter(start, end):
            return encoded_range(range_to_lsp(self._tree, start, end, self._encoding))
        first, starts = self._first, self._starts
        line = bisect_right(starts, start) - 1
        last = line if end < starts[line + 1] else bisect_right(starts, end) - 1
        return written_range(first + line, start - starts[line], first + last, end - starts[last])

    def _enter(self, start: int, end: int) -> bool:
        """Goes to the item in which both offsets stand; False where there is none in which that is counted."""
        items = self._items
        if items is None or not 0 <= start <= end < items.length:
            return False
        index, begin = items.find_offset(start)
        if index not in self._known:
            lines = list(items[index].lines)
            plain = all(is_plain(line, self._encoding) for line in paced(lines))
            starts = [*accumulate(map(len, lines), initial=begin)]
            self._known[index] = (items.line(index), starts) if plain else None
        known = self._known[index]
        if known is None or end >= known[1][-1]:
            return False
        self._first, self._starts = known
        return True


class TextPositions:
    """Positions in a text that is not a document of the session, such as a preview's."""

    def __init__(self, text: str, encoding: Encoding) -> None:
        self._lines = [f"{line}\n" for line in text.split("\n")]
        self._encoding: Encoding = encoding
        self._starts = [0]
        for line in paced(self._lines):
            self._starts.append(self._starts[-1] + len(line))
        self._is_plain = is_plain(text, encoding)

    def encoded(self, span: Span) -> str:
        """The range of a span as JSON."""
        start, end, starts = span.start, span.end, self._starts
        line = bisect_right(starts, start) - 1
        if self._is_plain and end < starts[-1]:
            last = line if end < starts[line + 1] else bisect_right(starts, end) - 1
            return written_range(line, start - starts[line], last, end - starts[last])
        return encoded_range(self.range(span))

    def range(self, span: Span) -> types.Range:
        return types.Range(self._position(span.start), self._position(span.end))

    def _position(self, offset: int) -> types.Position:
        number = min(bisect_right(self._starts, offset) - 1, max(len(self._lines) - 1, 0))
        line = self._lines[number] if self._lines else ""
        return types.Position(number, to_units(line, offset - self._starts[number], self._encoding))
