"""What to change in a text so that it is formatted: changes of nothing but white space, in the order of the text.

An item that leaves a region open, and a statement that does not parse or is nested too deep, stay as they are, but that
an operation which nobody knows may not take in what stands no deeper than it. The cost follows the lines that are asked
for: a statement's frame says how deep it stands.
"""

from __future__ import annotations

from collections.abc import Iterator

from fathom.formatting.change import Change, put
from fathom.formatting.comments import Margin, Move, between, column_of
from fathom.formatting.layout import layout_of
from fathom.formatting.lines import content_end, is_blank, line_end, margin
from fathom.formatting.statements import INDENT, Laid
from fathom.records import record
from fathom.slices import checkpoint
from fathom.syntax.frames import Frame
from fathom.syntax.lexer import indentation
from fathom.syntax.mistakes import MOST_REGIONS
from fathom.syntax.pieces import Piece
from fathom.syntax.tree import Item, SyntaxTree


@record
class _Place:
    """A statement and where it stands: its offset and its line. One that is `frozen` stays as it is."""

    piece: Piece
    start: int
    line: int
    frozen: bool


def format_tree(tree: SyntaxTree, lines: range | None = None) -> list[Change]:
    """The changes that format a text, or of these those that touch nothing but such lines."""
    if not tree.items:
        return []
    places = _places(tree, 0) if lines is None else _around(tree, lines)
    changes = sorted(_Formatter(tree).run(places), key=lambda change: (change.start, change.end))
    if lines is None:
        return changes
    first, last = tree.line_start(lines.start), tree.line_start(lines.stop)
    # What is put where the line behind begins is its margin.
    behind = last if lines.stop < tree.line_count else last + 1
    return [change for change in changes if first <= change.start < behind and change.end <= last]


def _places(tree: SyntaxTree, line: int) -> Iterator[_Place]:
    """The statements from the one on that covers a line."""
    index, first = tree.items.find_line(line)
    start = tree.items.offset(index)
    piece_index, first_line = tree.items[index].pieces.find_line(line - first)
    offset = tree.items[index].pieces.offset(piece_index)
    for item in tree.items.from_index(index):
        frozen = _is_frozen(item)
        at, number = start + offset, first + first_line
        for piece in item.pieces.from_index(piece_index):
            checkpoint()
            yield _Place(piece, at, number, frozen)
            at += piece.length
            number += piece.line_count
        start, first = start + item.length, first + item.line_count
        piece_index = offset = first_line = 0


def _around(tree: SyntaxTree, lines: range) -> Iterator[_Place]:
    """The statements of some lines, from the last before them up to the first behind them."""
    line = min(lines.start, tree.line_count - 1)
    while line > 0:
        line -= 1
        index, first = tree.items.find_line(line)
        piece, at = tree.items[index].pieces.find_line(line - first)
        line = first + at
        if not tree.items[index].pieces[piece].shape.is_trivia:
            break
    for place in _places(tree, line):
        yield place
        if place.line >= lines.stop and not place.piece.shape.is_trivia:
            return


def _is_frozen(item: Item) -> bool:
    """Whether an item leaves a region open, so that nobody knows how deep what is in it stands."""
    return not item.frame_out.is_container or item.is_askew


class _Formatter:
    def __init__(self, tree: SyntaxTree) -> None:
        self.tree = tree
        self.behind = Margin()
        self.pending: list[_Place] = []
        """The blank lines and comments behind the last statement."""
        self.before: Move | None = None
        """Where the last statement stood, and stands, if it opened no region."""
        self.taking: Move | None = None
        """The same in characters, if it ends with an operation that would take in what stands deeper."""
        self.is_begun = False
        self.broken: dict[Frame, bool] = {}

    def run(self, places: Iterator[_Place]) -> Iterator[Change]:
        last: _Place | None = None
        for place in places:
            if last is None and place.line:
                self.is_begun = True
            last = place
            if place.piece.shape.is_trivia:
                self.pending.append(place)
                continue
            yield from self.statement(place)
            self.is_begun = True
        yield from self.behind.end()
        if last is not None and last.start + last.piece.length == self.tree.length:
            yield from self.end(last)

    def statement(self, place: _Place) -> Iterator[Change]:
        piece = place.piece
        if piece.shape.begins_split:
            # MLIR's tools do not take the first line of a text for one that divides it, so a blank one before it stays.
            self.is_begun = self.is_begun or all(is_blank(waiting.piece.lines[0]) for waiting in self.pending)
            yield from self.trivia(None, 0)
            self.before = self.taking = None
            line = piece.lines[0]
            end, stop = content_end(line), len(line) - len(line_end(line))
            if end < stop:
                yield Change(place.start + end, place.start + stop, "")
            return
        layout = piece.shape.known(layout_of)
        is_deep = piece.frame.depth + layout.deepest > MOST_REGIONS
        if place.frozen or layout.frozen or is_deep or self.is_broken(piece.frame):
            yield from self.frozen(place)
            return
        laid = Laid(piece, layout, place.start, place.line, self.behind)
        first = laid.first
        closes = piece.shape.pops > 0 and piece.shape.tokens[0].text == "}"
        yield from self.trivia(None if closes else first, first.new + INDENT * closes)
        yield from laid.changes()
        self.before = laid.code if not piece.shape.pushes else None
        self.taking = Move(indentation(piece.lines[0]), laid.code.new) if piece.shape.open_ended else None

    def frozen(self, place: _Place) -> Iterator[Change]:
        """A statement that stays as it is, and beside the one before it if it stands beside it."""
        piece = place.piece
        line, old = piece.lines[0], indentation(piece.lines[0])
        move = Move(margin(line), margin(line))
        new = old
        if self.taking is not None and self.taking.new < old <= self.taking.old:
            new = self.taking.new
            move = Move(move.old, new)
        yield from self.trivia(move, move.new)
        if new < old:
            yield from put(place.start, place.start + old, line[:old], " " * new)
        self.before = move if not piece.shape.pushes else None
        self.taking = Move(old, new) if piece.shape.open_ended else None
        yield from self.behind.end()

    def is_broken(self, frame: Frame) -> bool:
        """Whether a statement stands in a region of one that does not parse."""
        is_broken = self.broken.get(frame)
        if is_broken is None:
            is_here = frame.open is not None and frame.open.broken
            is_broken = self.broken[frame] = is_here or (frame.parent is not None and self.is_broken(frame.parent))
        return is_broken

    def trivia(self, following: Move | None, otherwise: int) -> Iterator[Change]:
        """The blank lines and comments before a statement."""
        lines = [(place.start, place.piece.lines[0]) for place in self.pending]
        self.pending.clear()

        def column(comment: str, old: int) -> int:
            return column_of(comment, old, following, self.before, otherwise)

        yield from between(lines, not self.is_begun, column)
        self.is_begun = self.is_begun or not all(is_blank(line) for _, line in lines)

    def end(self, last: _Place) -> Iterator[Change]:
        """The end of the text: no blank lines, and the end of the last line."""
        blank: list[_Place] = []
        while self.pending and is_blank(self.pending[-1].piece.lines[0]):
            blank.append(self.pending.pop())
        yield from self.trivia(None, 0)
        for place in blank:
            yield Change(place.start, place.start + place.piece.length, "")
        line = last.piece.lines[-1]
        if not line_end(line) and not is_blank(line):
            yield Change(self.tree.length, self.tree.length, "\n")
