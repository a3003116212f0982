"""The syntax tree: statements grouped into items, each item a function or another independent piece of the document.

Everything is immutable but for caches; an edit makes a new tree that shares all items it did not touch, and in those
that it did touch all statements but a few. A place inside an item is an offset from its beginning, so an edit moves
nothing that comes after it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate, chain
from typing import Any, Final

from fathom.syntax.frames import Frame
from fathom.syntax.mistakes import Mistake, mistakes_of, unclosed
from fathom.syntax.pieces import Piece, Pieces, first_in, last_statement
from fathom.syntax.sequence import Chunk, ChunkedSequence
from fathom.syntax.unclosed import brace_of, culprit, misplaced, nesting_of


class Item:
    """Statements that stand or fall together: a function with the comments before it, an alias, the header of a
    module."""

    __slots__ = ("_cache", "_errors", "_first", "begins_split", "frame_out", "length", "line_count", "pieces", "reach")

    def __init__(self, pieces: Pieces, frame_out: Frame) -> None:
        self.pieces: Final = pieces
        self.frame_out: Final = frame_out
        self.length: Final = pieces.length
        self.line_count: Final = pieces.line_count
        self.reach: Final = pieces.reach
        self.begins_split: Final = pieces.chunks[0].elements[0].shape.begins_split
        """Whether it is a line `// -----`."""
        self._cache: dict[object, Any] | None = None
        self._errors: tuple[Mistake, ...] | None = None
        self._first: int | None = None

    @property
    def cache(self) -> dict[object, Any]:
        """What later stages derive from the item alone, under keys of their own. Few need it of an item of which there
        is nothing to say, of which there may be a million."""
        if self._cache is None:
            self._cache = {}
        return self._cache

    def cached(self, key: object) -> object:
        """What a later stage derived under a key; None where it has not."""
        return self._cache.get(key) if self._cache is not None else None

    def forget(self) -> None:
        """Lets go of what later stages derived, which may refer to the item; it is derived anew if somebody asks."""
        self._cache = None

    @property
    def frame(self) -> Frame:
        return self.pieces.chunks[0].elements[0].frame

    @property
    def lines(self) -> Iterator[str]:
        return chain.from_iterable(piece.lines for piece in self.pieces)

    @property
    def text(self) -> str:
        return "".join(self.lines)

    def text_between(self, start: int, end: int) -> str:
        """The text from one offset of the item to another."""
        if start >= end:
            return ""
        first, base = self.pieces.find_offset(start)
        at = base
        texts: list[str] = []
        for piece in self.pieces.from_index(first):
            if at >= end:
                break
            texts.append(piece.text)
            at += piece.length
        return "".join(texts)[start - base : end - base]

    def start(self, index: int) -> int:
        """The offset at which a statement begins; of the index after the last one, where the item ends."""
        return self.pieces.offset(index)

    def piece_at(self, offset: int) -> int:
        """The index of the statement that an offset lies in; the nearest one for an offset outside."""
        return self.pieces.find_offset(offset)[0]

    def index_of(self, piece: Piece) -> int:
        """Where a statement stands. A `ValueError` if it is not one of the item's."""
        return self.pieces.index_of(piece)

    @property
    def first_statement(self) -> int:
        """The index of the first piece that is not a comment or a blank line; -1 where there is nothing else."""
        if self._first is not None:
            return self._first
        if not self.pieces[0].shape.is_trivia:
            self._first = 0
        else:
            firsts = zip(self.pieces.starts, (chunk.known(first_in) for chunk in self.pieces.chunks), strict=False)
            self._first = next((start + index for start, index in firsts if index >= 0), -1)
        return self._first

    def last_statement(self, before: int) -> int:
        """The index of the last piece before one that is not a comment or a blank line; -1 where there is none."""
        return last_statement(self.pieces, before)

    @property
    def is_trivia(self) -> bool:
        return self.first_statement < 0

    @property
    def has_errors(self) -> bool:
        return bool(self.errors)

    @property
    def errors(self) -> tuple[Mistake, ...]:
        """The mistakes of syntax, in the order of the text."""
        if self._errors is None:
            self._errors = tuple(mistakes_of(self.pieces, self.frame_out))
        return self._errors

    @property
    def is_askew(self) -> bool:
        """Whether a closing brace in it stands as if it were meant for another region."""
        return any(True for _ in misplaced(nesting_of(self.pieces)))

    def line_at(self, offset: int) -> tuple[int, int, str]:
        """The line of the item that an offset lies in: its number, where it begins, and its text. The last line for an
        offset behind the end."""
        index, start = self.pieces.find_offset(offset)
        number = self.pieces.line(index)
        lines = self.pieces[index].lines
        starts = list(accumulate(map(len, lines), initial=start))
        at = max(min(bisect_right(starts, offset), len(lines)) - 1, 0)
        return number + at, starts[at], lines[at]


def _that_nest(chunk: Chunk[Item]) -> list[tuple[Piece, int]]:
    """The statements that open or close a container, and those of items in which a closing brace seems misplaced, with
    their offsets."""
    that_nest: list[tuple[Piece, int]] = []
    for item, start in zip(chunk.elements, chunk.offsets, strict=False):
        if item.frame is not item.frame_out or item.is_askew:
            that_nest += [(piece, start + offset) for piece, offset in nesting_of(item.pieces)]
    return that_nest


def _dividers_in(chunk: Chunk[Item]) -> tuple[int, ...]:
    """The items of a chunk that begin splits."""
    return tuple(index for index, item in enumerate(chunk.elements) if item.begins_split)


class SyntaxTree:
    """The items of a document, in order. Together their lines are exactly its text.

    With `splits`, lines `// -----` divide it into parts that are documents of their own; each such line is an item, the
    first of the split that it begins.
    """

    __slots__ = ("_dividers", "_unclosed", "items", "splits")

    def __init__(self, items: ChunkedSequence[Item], splits: bool = False) -> None:
        self.items: Final = items
        self.splits: Final = splits
        self._dividers: list[int] | None = None
        self._unclosed: list[tuple[int, Mistake]] | None = None

    @property
    def dividers(self) -> list[int]:
        """The indices of the items that are lines `// -----`."""
        if self._dividers is None:
            known = zip(self.items.starts, self.items.known(_dividers_in) if self.splits else (), strict=False)
            self._dividers = [start + index for start, indices in known for index in indices]
        return self._dividers

    @property
    def split_starts(self) -> list[int]:
        """The index of the first item of each split; one that a line `// -----` begins has that for its first."""
        return self.dividers if self.dividers[:1] == [0] else [0, *self.dividers]

    def split_of(self, index: int) -> Item | None:
        """The line that begins the split in which an item stands; None where none does."""
        number = bisect_right(self.dividers, index)
        return self.items[self.dividers[number - 1]] if number else None

    def split_around(self, index: int) -> range:
        """The indices of the items of the split in which an item stands."""
        starts = self.split_starts
        number = bisect_right(starts, index)
        return range(starts[number - 1], starts[number] if number < len(starts) else len(self.items))

    @property
    def text(self) -> str:
        return "".join(item.text for item in self.items)

    def unclosed(self) -> list[tuple[int, Mistake]]:
        """The item of each split that opens a region which is not closed where that ends, though containers such as a
        module are all that is open there, with the mistake in it."""
        if self._unclosed is None:
            self._unclosed = self._find_unclosed()
        return self._unclosed

    def _find_unclosed(self) -> list[tuple[int, Mistake]]:
        unclosed_braces: list[tuple[int, Mistake]] = []
        for begin in self.split_starts if self.items else ():
            around = self.split_around(begin)
            frame = self.items[around.stop - 1].frame_out
            if not frame.depth or not frame.is_container:
                continue
            items = self.items[around.start : around.stop] if len(self.split_starts) > 1 else self.items
            known = zip(items.offsets, items.known(_that_nest), strict=False)
            brace = culprit([(piece, start + offset) for start, nesting in known for piece, offset in nesting])
            if brace is not None:
                first, last = brace_of(*brace)
                index, start = items.find_offset(first)
                unclosed_braces.append((around.start + index, unclosed((first - start, last - start))))
        return unclosed_braces

    @property
    def line_count(self) -> int:
        return self.items.line_count

    @property
    def length(self) -> int:
        return self.items.length

    def start(self, index: int) -> int:
        """The offset at which an item begins; of the index after the last one, the length of the document."""
        return self.items.offset(index)

    def first_line(self, index: int) -> int:
        """The first line of an item; of the index after the last one, the number of lines."""
        return self.items.line(index)

    def index_of(self, item: Item) -> int:
        """Where an item stands. A `ValueError` if it does not stand in this tree."""
        return self.items.index_of(item)

    def item_at_line(self, line: int) -> int:
        """The index of the item that a line belongs to; the last for a line past the end."""
        return self.items.find_line(line)[0]

    def item_at_offset(self, offset: int) -> int:
        return self.items.find_offset(offset)[0]

    def around(self, offset: int) -> tuple[Item, int]:
        """The item that an offset lies in, and where it begins."""
        index = self.item_at_offset(offset)
        return self.items[index], self.start(index)

    def lines_from(self, number: int) -> Iterator[str]:
        """The lines from one on, with their line ends."""
        if number >= self.line_count:
            return
        index, base = self.items.find_line(number)
        item = self.items[index]
        at, first = item.pieces.find_line(number - base)
        yield from item.pieces[at].lines[number - base - first :]
        for piece in item.pieces.from_index(at + 1):
            yield from piece.lines
        for item in self.items.from_index(index + 1):
            yield from item.lines

    def line(self, number: int) -> str:
        """A line with its line end; empty for a line past the end."""
        return self.line_and_start(number)[0]

    def line_start(self, number: int) -> int:
        """The offset at which a line begins; the length of the document for a line past the end."""
        return self.line_and_start(number)[1]

    def line_and_start(self, number: int) -> tuple[str, int]:
        """A line with its line end, and where it begins; nothing, at the end, for a line past that."""
        if not 0 <= number < self.items.line_count:
            return "", self.items.length
        index, base = self.items.find_line(number)
        pieces = self.items[index].pieces
        at, first = pieces.find_line(number - base)
        lines, before = pieces[at].lines, number - base - first
        return lines[before], self.items.offset(index) + pieces.offset(at) + sum(map(len, lines[:before]))

    def line_of(self, offset: int) -> tuple[int, int]:
        """The number of the line that an offset is on, and where the line begins."""
        return self.line_at(offset)[:2]

    def line_at(self, offset: int) -> tuple[int, int, str]:
        """The line that an offset is on: its number, where it begins, and its text. Behind the end it is the empty line
        after a final line end, else the last line."""
        items = self.items
        if not items:
            return 0, 0, ""
        index, start = items.find_offset(offset)
        number, line_start, line = items[index].line_at(offset - start)
        if offset >= items.length and line.endswith("\n"):
            return items.line_count, items.length, ""
        return items.line(index) + number, start + line_start, line
