"""The syntax tree: statements grouped into items, each item a function or another independent piece of the document.

Everything is immutable but for caches; an edit makes a new tree that shares all items it did not touch. A place inside
an item is an offset from its beginning, so an edit moves nothing that comes after it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any, Final, Literal

from fathom.syntax.events import BrokenEndEvent, ErrorEvent, OpenEvent, OpEvent
from fathom.syntax.expectations import stands_behind
from fathom.syntax.frames import Frame
from fathom.syntax.lexer import Token, holes_of, indentation, tokens_of
from fathom.syntax.shapes import Shape

UNCLOSED: Final = "expected '}' to close the region that begins here"
"""The message of a region that is still open where the text, or what it is part of, ends."""

MOST_REGIONS: Final = 96
"""How deep regions may nest; what goes through them follows them by calls."""


class Piece:
    """One statement: its shape, the frame before it, and its lines with their line ends."""

    __slots__ = ("frame", "lines", "shape")

    def __init__(self, shape: Shape, frame: Frame, lines: tuple[str, ...]) -> None:
        self.shape = shape
        self.frame = frame
        self.lines = lines

    @property
    def length(self) -> int:
        lines = self.lines
        return len(lines[0]) if len(lines) == 1 else sum(map(len, lines))

    def holes(self) -> list[str]:
        if len(self.lines) == 1:
            return holes_of(self.lines[0])
        return [hole for line in self.lines for hole in holes_of(line)]

    def tokens(self) -> list[Token]:
        """The tokens with their texts and places in this statement."""
        return [token for number, line in enumerate(self.lines) for token in tokens_of(line, number)]

    def token_spans(self) -> list[tuple[int, int]]:
        """Start and end of each token, in characters from the beginning of the statement.

        They follow from those of the statement that the shape was learnt from: only holes differ in width, and the
        white space before each line.
        """
        shape, lines = self.shape, self.lines
        holes = self.holes()
        start, line, shift = 0, -1, 0
        spans: list[tuple[int, int]] = []
        for token, hole in zip(shape.tokens, shape.hole_of, strict=True):
            while line < token.line:
                start += len(lines[line]) if line >= 0 else 0
                line += 1
                shift = start + indentation(lines[line]) - shape.indentations[line]
            first = token.column + shift
            if hole < 0:
                spans.append((first, first + len(token.text)))
            else:
                last = first + len(holes[hole])
                spans.append((first, last))
                shift = last - token.column - len(token.text)
        return spans


MistakeCode = Literal["parse", "unclosed", "unregistered"]


class Mistake:
    """A mistake in an item: the message and the range it concerns, in characters from the beginning of the item.

    `code` tells a region that is not closed, and an operation of an unregistered name, from all others.
    """

    __slots__ = ("code", "end", "message", "start")

    def __init__(self, message: str, start: int, end: int, code: MistakeCode = "parse") -> None:
        self.message = message
        self.start = start
        self.end = end
        self.code: MistakeCode = code

    def __repr__(self) -> str:
        return f"{self.start}-{self.end}: {self.message}"


class Item:
    """Statements that stand or fall together: a function with the comments before it, an alias, the header of a module.

    `cache` holds what later stages derive from the item alone, under keys of their own.
    """

    __slots__ = ("_errors", "cache", "frame_out", "length", "line_count", "pieces", "reach", "starts")

    def __init__(self, pieces: tuple[Piece, ...], frame_out: Frame) -> None:
        self.pieces = pieces
        self.frame_out = frame_out
        self.starts: tuple[int, ...] = (0, *accumulate(piece.length for piece in pieces))
        """The offset of each piece, and of the end."""
        self.length = self.starts[-1]
        self.line_count = sum(len(piece.lines) for piece in pieces)
        self.reach = max([piece.shape.reach for piece in pieces], default=0)
        self.cache: dict[object, Any] = {}
        self._errors: list[Mistake] | None = None

    @property
    def frame(self) -> Frame:
        return self.pieces[0].frame

    @property
    def lines(self) -> list[str]:
        return [line for piece in self.pieces for line in piece.lines]

    @property
    def text(self) -> str:
        return "".join(line for piece in self.pieces for line in piece.lines)

    @property
    def is_trivia(self) -> bool:
        return all(piece.shape.is_trivia for piece in self.pieces)

    @property
    def has_errors(self) -> bool:
        return bool(self.errors)

    @property
    def errors(self) -> list[Mistake]:
        """The mistakes of syntax, in the order of the text."""
        if self._errors is None:
            self._errors = list(_errors_of(self))
        return self._errors


def _errors_of(item: Item) -> Iterator[Mistake]:
    for piece, start in zip(item.pieces, item.starts, strict=False):
        if piece.frame.depth <= MOST_REGIONS < piece.frame.depth + _deepest(piece.shape):
            yield Mistake(f"more than {MOST_REGIONS} regions stand open here", start, start + piece.length)
        if not piece.shape.has_errors:
            continue
        spans = piece.token_spans()
        for event in piece.shape.events:
            if isinstance(event, ErrorEvent):
                first, last = _error_range(event, spans)
                unregistered = event.parsed is not None and event.parsed.unregistered
                yield Mistake(event.message, start + first, start + last, "unregistered" if unregistered else "parse")
    yield from _unclosed(item)


def _last_brace(item: Item) -> tuple[int, int]:
    """Where the last opening brace of an item stands, from its beginning."""
    for piece, start in zip(reversed(item.pieces), reversed(item.starts[:-1]), strict=True):
        tokens = piece.shape.tokens
        for index in range(len(tokens) - 1, -1, -1):
            if tokens[index].text == "{":
                first, last = piece.token_spans()[index]
                return start + first, start + last
    return 0, item.length


def _deepest(shape: Shape) -> int:
    """How much deeper than before it a statement gets."""
    if len(shape.events) <= 1:
        return len(shape.pushes)
    depth, deepest = 0, len(shape.pushes) - shape.pops
    for event in shape.events:
        if isinstance(event, OpenEvent):
            depth += not event.reopens
        elif isinstance(event, BrokenEndEvent) or (isinstance(event, OpEvent) and event.ends_region):
            depth -= 1
        deepest = max(deepest, depth)
    return deepest


_PAST: Final = ("@ identifier expected to start with letter or '_'", "expected three consecutive dots for an ellipsis")
"""Messages about the place behind the token itself."""


def _error_range(event: ErrorEvent, spans: list[tuple[int, int]]) -> tuple[int, int]:
    """The token of the mistake, or, where the text just ends too early, the place after the last token."""
    if 0 <= event.at < len(spans):
        first, last = spans[event.at]
        # What is missing is missing behind the token before, as MLIR says; the range goes on to what is there instead.
        if event.at > 0 and stands_behind(event.message):
            first = spans[event.at - 1][1]
        return (last, last) if event.message in _PAST else (first, last)
    last = min(~event.at if event.at < 0 else event.end - 1, len(spans) - 1)
    if last < 0:
        return 0, 0
    return spans[last][1], spans[last][1]


def _unclosed(item: Item) -> Iterator[Mistake]:
    """A region that is still open where the item ends is reported at its opening brace."""
    depth = item.frame_out.depth
    container = item.frame_out
    while not container.is_container and container.parent is not None:
        container = container.parent
    if depth == container.depth:
        return
    stack: list[tuple[int, int]] = []
    for piece, start in zip(item.pieces, item.starts, strict=False):
        shape = piece.shape
        if shape.pops:
            del stack[max(len(stack) - shape.pops, 0) :]
        if shape.pushes:
            braces = [i for i, token in enumerate(shape.tokens) if token.text == "{" and token.kind == "PUNCT"]
            spans = piece.token_spans()
            for brace in braces[-len(shape.pushes) :]:
                stack.append((start + spans[brace][0], start + spans[brace][1]))
    if stack:
        yield Mistake(UNCLOSED, *stack[0], "unclosed")


class SyntaxTree:
    """The items of a document, in order. Together their lines are exactly its text."""

    def __init__(self, items: Sequence[Item], reach: int) -> None:
        self.items = list(items)
        self.reach = reach
        """No statement was decided by more lines after its own than this, but for the one that follows it."""
        self._start_lines: list[int] | None = None
        self._start_offsets: list[int] | None = None

    @property
    def text(self) -> str:
        return "".join(item.text for item in self.items)

    def unclosed(self) -> tuple[int, Mistake] | None:
        """The first item that opens a container, such as a module, which is not closed, with the mistake in it."""
        depth = self.items[-1].frame_out.depth if self.items else 0
        for index, item in enumerate(self.items if depth else ()):
            if item.frame_out.is_container and item.frame.depth < item.frame_out.depth and self._stays_open(index):
                return index, Mistake(UNCLOSED, *_last_brace(item), "unclosed")
        return None

    def _stays_open(self, index: int) -> bool:
        depth = self.items[index].frame.depth
        return all(item.frame_out.depth > depth for item in self.items[index:])

    @property
    def start_lines(self) -> list[int]:
        """The number of the first line of each item, and the number of lines."""
        if self._start_lines is None:
            self._start_lines = [0, *accumulate([item.line_count for item in self.items])]
        return self._start_lines

    @property
    def start_offsets(self) -> list[int]:
        """The offset of each item, and of the end, in characters."""
        if self._start_offsets is None:
            self._start_offsets = [0, *accumulate([item.length for item in self.items])]
        return self._start_offsets

    @property
    def line_count(self) -> int:
        return self.start_lines[-1]

    @property
    def length(self) -> int:
        return self.start_offsets[-1]

    def item_at_line(self, line: int) -> int:
        """The index of the item that a line belongs to; the last for a line past the end."""
        return max(min(bisect_right(self.start_lines, line) - 1, len(self.items) - 1), 0)

    def item_at_offset(self, offset: int) -> int:
        return max(min(bisect_right(self.start_offsets, offset) - 1, len(self.items) - 1), 0)

    def line(self, number: int) -> str:
        """A line with its line end; empty for a line past the end."""
        if not 0 <= number < self.line_count:
            return ""
        index = self.item_at_line(number)
        rest = number - self.start_lines[index]
        for piece in self.items[index].pieces:
            if rest < len(piece.lines):
                return piece.lines[rest]
            rest -= len(piece.lines)
        return ""

    def line_start(self, number: int) -> int:
        """The offset at which a line begins; the length of the document for a line past the end."""
        if number >= self.line_count:
            return self.length
        index = self.item_at_line(number)
        offset, rest = self.start_offsets[index], number - self.start_lines[index]
        for line in self.items[index].lines[:rest]:
            offset += len(line)
        return offset

    def line_of(self, offset: int) -> tuple[int, int]:
        """The number of the line that an offset is on, and where the line begins."""
        if not self.items:
            return 0, 0
        index = self.item_at_offset(min(offset, max(self.length, 0)))
        start, number = self.start_offsets[index], self.start_lines[index]
        for line in self.items[index].lines:
            if start + len(line) > offset:
                return number, start
            start += len(line)
            number += 1
        # Past the last line: on the empty line after a final line end, else at the end of the last line.
        last = self.line(self.line_count - 1)
        if last.endswith("\n") or not last:
            return self.line_count, self.length
        return self.line_count - 1, self.length - len(last)
