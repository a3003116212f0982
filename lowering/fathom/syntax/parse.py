"""Text to tree, and edit to tree: `parse` reads a whole text, `reparse` only what an edit can have changed.

The promise, held by a property test: after any sequence of edits the tree is that of parsing the final text from
nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, overload

from fathom.syntax.events import UnclosedEvent
from fathom.syntax.frames import Frame
from fathom.syntax.shapes import ShapeMemory
from fathom.syntax.tree import Item, Piece, SyntaxTree

_LINE: Final = re.compile(r"[^\n]*\n|[^\n]+")


def split_lines(text: str) -> list[str]:
    """The lines with their line ends, as LSP counts them: `\\n`, `\\r\\n` and a lone `\\r` end a line."""
    if "\r" not in text:
        return _LINE.findall(text)
    return re.findall(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+", text)


def parse(text: str, memory: ShapeMemory) -> SyntaxTree:
    """The tree of a text. Never fails: mistakes are errors of the items."""
    lines = split_lines(text)
    return _tree(list(_group(_pieces(lines, 0, memory.root, memory), memory)))


def _tree(items: list[Item]) -> SyntaxTree:
    return SyntaxTree(items, max([item.reach for item in items], default=0))


def _pieces(lines: Sequence[str], index: int, frame: Frame, memory: ShapeMemory) -> Iterator[Piece]:
    count = len(lines)
    while index < count:
        shape = memory.shape_at(frame, lines, index)
        end = index + shape.lines
        yield Piece(shape, frame, tuple(lines[index:end]))
        if shape.pops or shape.pushes:
            frame = memory.leave(frame, shape)
        index = end


def _group(pieces: Iterator[Piece], memory: ShapeMemory) -> Iterator[Item]:
    """Items: a statement in a container, with the blank lines and comments before it and all that is nested in it."""
    current: list[Piece] = []
    only_trivia = True
    frame: Frame = memory.root
    for piece in pieces:
        starts = piece.frame.is_container or _leaves_function(piece)
        if starts and not only_trivia:
            yield Item(tuple(current), frame)
            current, only_trivia = [], True
        current.append(piece)
        only_trivia = only_trivia and piece.shape.is_trivia
        frame = memory.leave(piece.frame, piece.shape)
    if current:
        yield Item(tuple(current), frame)


def _leaves_function(piece: Piece) -> bool:
    events = piece.shape.events
    return bool(events) and isinstance(events[0], UnclosedEvent)


class _SplicedLines(Sequence[str]):
    """The lines of a tree from line `start` on, with the lines `[first, last)` replaced; fetched item by item."""

    def __init__(self, tree: SyntaxTree, start: int, first: int, last: int, replacement: Sequence[str]) -> None:
        self._tree = tree
        self._lines: list[str] = []
        if start < first:
            index = tree.item_at_line(start)
            number = tree.start_lines[index]
            while number < first:
                lines = tree.items[index].lines
                self._lines += lines[max(start - number, 0) : max(first - number, 0)]
                number += len(lines)
                index += 1
        self._lines += replacement
        self._count = len(self._lines) + max(tree.line_count - last, 0)
        self._next_item = tree.item_at_line(last) if last < tree.line_count else len(tree.items)
        self._skip = last - tree.start_lines[self._next_item] if self._next_item < len(tree.items) else 0

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        stop = index.stop if isinstance(index, slice) else index + 1
        while len(self._lines) < stop and self._next_item < len(self._tree.items):
            self._lines += self._tree.items[self._next_item].lines[self._skip :]
            self._skip = 0
            self._next_item += 1
        return self._lines[index]


def reparse(
    tree: SyntaxTree, first: int, last: int, replacement: Sequence[str], memory: ShapeMemory
) -> tuple[SyntaxTree, range, range]:
    """The tree after the lines `[first, last)` are replaced; with the range of items that went and of those that came.

    All items outside these ranges are the same objects as before.
    """
    if not tree.items:
        new = _tree(list(_group(_pieces(replacement, 0, memory.root, memory), memory)))
        return new, range(0), range(len(new.items))
    item_index, piece_index, start = _restart(tree, first)
    head = tree.items[item_index].pieces[:piece_index]
    frame = tree.items[item_index].pieces[piece_index].frame if head or piece_index else tree.items[item_index].frame
    lines = _SplicedLines(tree, start, first, last, replacement)
    shift = len(replacement) - (last - first)
    boundary = _Boundary(tree, last)
    fresh: list[Piece] = list(head)
    line = 0
    tail_item, tail_piece = len(tree.items), 0
    for piece in _pieces(lines, 0, frame, memory):
        old_line = start + line - shift
        if start + line >= first + len(replacement) and (found := boundary.at(old_line, piece.frame)) is not None:
            tail_item, tail_piece = found
            break
        fresh.append(piece)
        line += len(piece.lines)
    rest: list[Piece] = []
    if tail_item < len(tree.items) and tail_piece > 0:
        rest = list(tree.items[tail_item].pieces[tail_piece:])
        tail_item += 1
    # An item that left regions open ended because of the statement after it, which may have changed.
    while (
        item_index > 0
        and not tree.items[item_index - 1].frame_out.is_container
        and all(p.shape.is_trivia for p in head)
    ):
        item_index -= 1
        head = tree.items[item_index].pieces
        fresh[:0] = head
    items = list(_group(iter(fresh + rest), memory))
    # Comments and blank lines at the end belong to the item that follows.
    while items and items[-1].is_trivia and tail_item < len(tree.items):
        items[-1:] = _group(iter(items[-1].pieces + tree.items[tail_item].pieces), memory)
        tail_item += 1
    reach = max([tree.reach, *(item.reach for item in items)])
    new = SyntaxTree([*tree.items[:item_index], *items, *tree.items[tail_item:]], reach)
    return new, range(item_index, tail_item), range(item_index, item_index + len(items))


def _restart(tree: SyntaxTree, line: int) -> tuple[int, int, int]:
    """Where to begin again for a change at a line: item, piece, and number of its first line.

    That is the last statement before it that is more than a comment, since the change may continue that statement; or
    one still earlier that was decided by the line, as a mistake is that shows only far below an open bracket.
    """
    item_index = tree.item_at_line(line)
    best: tuple[int, int, int] | None = None
    while item_index >= 0:
        number = tree.start_lines[item_index]
        earliest: tuple[int, int, int] | None = None
        for piece_index, piece in enumerate(tree.items[item_index].pieces):
            if number >= line:
                break
            end = number + len(piece.lines)
            if not piece.shape.is_trivia:
                here = (item_index, piece_index, number)
                if end + piece.shape.reach > line and earliest is None:
                    earliest = here
                if best is None or best[0] == item_index:
                    best = here
            number = end
        best = earliest or best
        item_index -= 1
        if best is not None and tree.start_lines[item_index + 1] + tree.reach <= line:
            break
    return best or (0, 0, 0)


class _Boundary:
    """Looks up whether an old statement begins at an old line in a given frame, for lines from `first` on."""

    def __init__(self, tree: SyntaxTree, first: int) -> None:
        self._tree = tree
        self._item = tree.item_at_line(first) if first < tree.line_count else len(tree.items)
        self._starts: dict[int, int] = {}
        self._load()

    def _load(self) -> None:
        self._starts = {}
        if self._item < len(self._tree.items):
            number = self._tree.start_lines[self._item]
            for index, piece in enumerate(self._tree.items[self._item].pieces):
                self._starts[number] = index
                number += len(piece.lines)

    def at(self, line: int, frame: Frame) -> tuple[int, int] | None:
        while self._item < len(self._tree.items) and line >= self._tree.start_lines[self._item + 1]:
            self._item += 1
            self._load()
        index = self._starts.get(line)
        if index is None or self._tree.items[self._item].pieces[index].frame is not frame:
            return None
        return self._item, index
