"""Text to tree, and edit to tree: `parse` reads a whole text, `reparse` only what an edit can have changed.

The promise, held by a property test: after any sequence of edits the tree is that of parsing the final text from
nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final, TypeAlias, overload

from fathom.slices import checkpoint, paced
from fathom.syntax.carried import LONG, carry, short
from fathom.syntax.frames import Frame
from fathom.syntax.grouping import Grouping, begins_item
from fathom.syntax.lexer import SPLIT_MARKER, is_split
from fathom.syntax.pieces import Piece, last_statement
from fathom.syntax.sequence import ChunkedSequence, chunked
from fathom.syntax.shapes import SPLIT, RepeatedLines, ShapeMemory
from fathom.syntax.tree import Item, SyntaxTree

_LINE: Final = re.compile(r"[^\n]*\n|[^\n]+")
_MUCH: Final = 1 << 18
"""How many characters are divided into lines at once."""
_ANY_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")


def split_lines(text: str) -> list[str]:
    """The lines with their line ends, as LSP counts them: `\\n`, `\\r\\n` and a lone `\\r` end a line."""
    if len(text) < LONG:
        return (_LINE if "\r" not in text else _ANY_LINE).findall(text)
    return [carry(line) if len(line) >= LONG else line for line in paced(_many_lines(text))]


def _many_lines(text: str) -> Iterator[str]:
    pattern = _LINE if "\r" not in text else _ANY_LINE
    start = 0
    while start < len(text):
        # The last line of a stretch may be of any length, and is found at once unless it may be several.
        end = text.find("\n", start + _MUCH) + 1 or len(text)
        last = end if pattern is _ANY_LINE else text.rfind("\n", start, start + _MUCH) + 1 or start
        yield from pattern.findall(text, start, last)
        if last < end:
            yield text[last:end]
        start = end


def parse(text: str, memory: ShapeMemory, *, splits: bool = False, keeps_holes: bool = False) -> SyntaxTree:
    """The tree of a text. Never fails: mistakes are errors of the items. With `splits`, lines `// -----` divide it.
    `keeps_holes` is for whoever elaborates all of it at once."""
    return _tree(split_lines(text), memory, splits, keeps_holes)


def _tree(lines: Sequence[str], memory: ShapeMemory, splits: bool, keeps_holes: bool = False) -> SyntaxTree:
    grouping = Grouping(memory, keeps_holes=keeps_holes)
    divided = _splits_among(lines) if splits else ()
    grouping.read(_pieces(lines, 0, memory.root, memory, divided, met=RepeatedLines()))
    return SyntaxTree(chunked(grouping.end()), splits)


def _splits_among(lines: Sequence[str]) -> list[int]:
    """The indices of the lines that divide a text."""
    return [
        index
        for index, line in enumerate(paced(lines))
        if SPLIT_MARKER in (line if len(line) < LONG else short(line)) and is_split(line)
    ]


def _pieces(
    lines: Sequence[str],
    index: int,
    frame: Frame,
    memory: ShapeMemory,
    splits: Sequence[int],
    former: _Former | None = None,
    met: RepeatedLines | None = None,
) -> Iterator[Piece]:
    """The statements of some lines, which those at the indices `splits` divide; behind all of these, some may be what
    `former` ones were. `met` are lines that were read before."""
    for divider in splits:
        yield from _between_splits(lines[index:divider], 0, frame, memory, None, met)
        frame, index = memory.root, divider + 1
        yield Piece(SPLIT, frame, (lines[divider],))
    yield from _between_splits(lines, index, frame, memory, former, met)


def _between_splits(
    lines: Sequence[str],
    index: int,
    frame: Frame,
    memory: ShapeMemory,
    former: _Former | None,
    met: RepeatedLines | None,
) -> Iterator[Piece]:
    count = len(lines)
    while index < count:
        checkpoint()
        piece = former.again(index, frame) if former is not None else None
        if piece is None:
            shape, holes, own = memory.shape_at(frame, lines, index, met)
            if own is None:
                own = (lines[index],) if shape.lines == 1 else tuple(lines[index : index + shape.lines])
            piece = Piece(shape, frame, own, holes)
        shape = piece.shape
        yield piece
        if shape.pops or shape.pushes:
            frame = memory.leave(frame, shape)
        index += shape.lines


Position: TypeAlias = "tuple[int, int]"
"""The index of an item and that of a piece in it; the number of items and 0 at the end of the document."""


class _SplicedLines(Sequence[str]):
    """The lines of a tree from line `start` up to line `end`, with the lines `[first, last)` replaced; fetched as they
    are asked for. `splits` are the indices of those that divide the text."""

    def __init__(
        self, tree: SyntaxTree, start: int, first: int, last: int, end: int, replacement: Sequence[str]
    ) -> None:
        self._lines = [*islice(tree.lines_from(start), max(first - start, 0)), *replacement]
        self._count = len(self._lines) + max(end - last, 0)
        self._rest = tree.lines_from(last)
        self.splits = _splits_among(self._lines) if tree.splits else []

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        stop = min(index.stop if isinstance(index, slice) else index + 1, self._count)
        if len(self._lines) < stop:
            self._lines += islice(self._rest, stop - len(self._lines))
        return self._lines[index]


def reparse(
    tree: SyntaxTree, first: int, last: int, replacement: Sequence[str], memory: ShapeMemory
) -> tuple[SyntaxTree, range, range]:
    """The tree after the lines `[first, last)` are replaced; with the range of items that went and of those that came.

    All items outside these ranges are the same objects as before, and so are all statements that mean what they meant.
    """
    if not tree.items:
        new = _tree(replacement, memory, tree.splits)
        return new, range(0), range(len(new.items))
    (item, piece), start = _restart(tree, first)
    split = _next_split(tree, last)
    lines = _SplicedLines(tree, start, first, last, tree.first_line(split), replacement)
    shift = len(replacement) - (last - first)
    former = _Former(tree, last, start - shift)
    fresh: list[Piece] = []
    for read in _pieces(lines, 0, tree.items[item].pieces[piece].frame, memory, lines.splits, former):
        if former.is_met:
            break
        fresh.append(read)
    end = former.position if former.is_met else (split, 0)
    begin, end, fresh = _trimmed(tree, (item, piece), end, fresh)
    if begin == end and not fresh:
        return tree, range(0), range(0)
    return _regrouped(tree, begin, end, fresh, memory)


def _next_split(tree: SyntaxTree, line: int) -> int:
    """The index of the first item from a line on that begins a split; the number of items if there is none."""
    if tree.dividers and line < tree.line_count:
        index = tree.item_at_line(line)
        index += tree.first_line(index) < line
        return next((divider for divider in tree.dividers if divider >= index), len(tree.items))
    return len(tree.items)


def _trimmed(
    tree: SyntaxTree, begin: Position, end: Position, fresh: list[Piece]
) -> tuple[Position, Position, list[Piece]]:
    """What is left to be replaced, and by what, when statements at both ends turn out to be as they were."""
    kept = 0
    for where, piece in _forward(tree, begin):
        begin = where
        if where == end or kept == len(fresh) or not _are_equal(fresh[kept], piece):
            break
        kept += 1
    else:
        begin = (len(tree.items), 0)
    last = len(fresh)
    for where, piece in _backward(tree, end):
        if end == begin or last == kept or not _are_equal(fresh[last - 1], piece):
            break
        end = where
        last -= 1
    return begin, end, fresh[kept:last]


def _forward(tree: SyntaxTree, begin: Position) -> Iterator[tuple[Position, Piece]]:
    """The statements from a position on."""
    number, index = begin
    for item in tree.items.from_index(number):
        for piece in item.pieces.from_index(index):
            yield (number, index), piece
            index += 1
        number, index = number + 1, 0


def _backward(tree: SyntaxTree, end: Position) -> Iterator[tuple[Position, Piece]]:
    """The statements before a position, the last one first."""
    number, index = end
    while number >= 0:
        while index > 0:
            index -= 1
            yield (number, index), tree.items[number].pieces[index]
        number -= 1
        index = len(tree.items[number].pieces) if number >= 0 else 0


def _are_equal(one: Piece, other: Piece) -> bool:
    return one.shape is other.shape and one.frame is other.frame and one.lines == other.lines


def _regrouped(
    tree: SyntaxTree, begin: Position, end: Position, fresh: list[Piece], memory: ShapeMemory
) -> tuple[SyntaxTree, range, range]:
    """The tree with other statements in the place of those from one position to another, and the items that went and
    came."""
    old = tree.items
    (first, piece), (last, rest) = begin, end
    if piece and first == last and 0 <= old[first].first_statement < piece and not any(map(begins_item, fresh)):
        # The usual edit: in the middle of an item, which goes on as it was.
        item = Item(old[first].pieces.spliced(piece, rest, fresh), old[first].frame_out)
        return (
            SyntaxTree(old.spliced(first, first + 1, [item]), tree.splits),
            range(first, first + 1),
            range(first, first + 1),
        )
    grouping = Grouping(memory)
    head = old[first].pieces[:piece] if piece else ChunkedSequence[Piece]()
    # An item that left regions open ended because of the statement after it, which may have changed; comments at the
    # end of the text belong to what now follows them.
    # So does a list of aliases.
    if first > 0 and (
        (_is_open(old[first - 1]) and last_statement(head, len(head)) < 0)
        or (not head and old[first - 1].pieces[-1].is_location)
    ):
        first -= 1
        grouping.extend(old[first].pieces)
    grouping.extend(head)
    grouping.read(fresh)
    if rest:
        grouping.extend(old[last].pieces[rest:])
        last += 1
    # Comments and blank lines before an item belong to it, and what a list of aliases goes on with to that.
    while last < len(old) and (
        (grouping.only_trivia and not grouping.is_empty) or grouping.is_listed(old[last].pieces[0])
    ):
        grouping.extend(old[last].pieces)
        last += 1
    items = grouping.end()
    # An item may have been taken in for nothing.
    while items and first < last and _are_same(old[first], items[0]):
        first, items = first + 1, items[1:]
    while items and first < last and _are_same(old[last - 1], items[-1]):
        last, items = last - 1, items[:-1]
    new = SyntaxTree(old.spliced(first, last, items), tree.splits)
    return new, range(first, last), range(first, first + len(items))


def _are_same(one: Item, other: Item) -> bool:
    if one.frame_out is not other.frame_out or len(one.pieces) != len(other.pieces):
        return False
    return one.pieces.difference(other.pieces)[1:] == (0, 0)


def _is_open(item: Item) -> bool:
    return item.is_trivia or not item.frame_out.is_container


def _restart(tree: SyntaxTree, line: int) -> tuple[Position, int]:
    """Where to begin again for a change at a line, and the number of the first line there.

    That is the last statement before it that is more than a comment, since the change may continue that statement; or
    one still earlier that was decided by the line, as a mistake is that shows only far below an open bracket.
    """
    index = tree.items.first_reaching(line)
    if index is not None:
        base, pieces = tree.first_line(index), tree.items[index].pieces
        piece = pieces.first_reaching(line - base)
        if piece is not None and base + pieces.line(piece) < line:
            return (index, piece), base + pieces.line(piece)
    if line == 0:
        return (0, 0), 0
    index, base = tree.items.find_line(line - 1)
    before = tree.items[index].pieces.find_line(line - 1 - base)[0] + 1
    while (piece := tree.items[index].last_statement(before)) < 0 and index > 0:
        index -= 1
        before = len(tree.items[index].pieces)
    piece = max(piece, 0)
    return (index, piece), tree.first_line(index) + tree.items[index].pieces.line(piece)


class _Former:
    """The statements of a tree from a line on, which were not edited but may stand in another frame now."""

    def __init__(self, tree: SyntaxTree, first: int, shift: int) -> None:
        """`shift` is what is added to the index of a line for its number in the tree."""
        self._shift = shift
        self._first = first
        index, base = tree.items.find_line(first)
        piece, start = tree.items[index].pieces.find_line(first - base)
        self._statements = _forward(tree, (index, piece))
        self._line = base + start
        self._next = next(self._statements, None)
        self.is_met = False
        """Whether the last line that was asked for begins a statement that is as it was, and so are all behind it."""

    @property
    def position(self) -> Position:
        """Where the statement stands that was met."""
        assert self._next is not None, "it was met"
        return self._next[0]

    def again(self, index: int, frame: Frame) -> Piece | None:
        """The statement at a line, in the frame where it stands now; None where it has to be read. To be asked for
        lines in their order."""
        line = index + self._shift
        if line < self._first:
            return None
        while self._next is not None and self._line < line:
            self._line += self._next[1].shape.lines
            self._next = next(self._statements, None)
        if self._next is None or self._line != line:
            return None
        former = self._next[1]
        if former.frame is frame:
            self.is_met = True
            return former
        shape = former.shape
        if shape.is_free or (shape.is_shared and former.frame.default_dialect == frame.default_dialect):
            return Piece(former.shape, frame, former.lines)
        return None
