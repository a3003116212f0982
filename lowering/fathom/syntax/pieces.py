"""The statements of a document: each with its lines and what was learnt about lines like them."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from fathom.slices import paced
from fathom.syntax.carried import Carrier, short, width
from fathom.syntax.events import AliasEvent
from fathom.syntax.frames import Frame
from fathom.syntax.lexer import SPACE, Token, holes_of, indentation
from fathom.syntax.sequence import Chunk, ChunkedSequence
from fathom.syntax.shapes import Shape
from fathom.syntax.stream import MANY, tokens_of_lines

LONG: Final = 1000
"""Of a statement of more tokens than this it is remembered where they stand, once somebody has asked for one."""


class Piece:
    """One statement: its shape, the frame before it, and its lines with their line ends. Each stands at one place of a
    tree, and is known by being that object."""

    __slots__ = ("_met", "_places", "frame", "length", "lines", "shape")

    def __init__(self, shape: Shape, frame: Frame, lines: tuple[str, ...], holes: list[str] | None = None) -> None:
        """`holes` are the texts of the holes, if they are at hand."""
        self._met = holes
        self._places: tuple[array[int], array[int]] | None = None
        self.shape = shape
        self.frame = frame
        self.lines = lines
        self.length = len(lines[0]) if len(lines) == 1 else sum(map(len, lines))

    @property
    def line_count(self) -> int:
        return len(self.lines)

    @property
    def reach(self) -> int:
        return self.shape.reach

    @property
    def text(self) -> str:
        lines = self.lines
        return lines[0] if len(lines) == 1 else "".join(lines)

    @property
    def is_location(self) -> bool:
        """Whether it is the alias of a location of which nothing can be wrong, as there are thousands in what compilers
        print."""
        events = self.shape.events
        if len(events) != 1 or not isinstance(event := events[0], AliasEvent):
            return False
        return event.alias.is_location and not any("\\" in line for line in self.lines)

    @property
    def end(self) -> int:
        """Where its last token ends."""
        last = short(self.lines[-1])
        if "//" in last or not self.shape.tokens:
            spans = self.token_spans()
            return spans[-1][1] if spans else 0
        return self.length - (len(last) - len(last.rstrip(SPACE)))

    def holes(self) -> list[str]:
        if len(self.lines) == 1:
            return holes_of(self.lines[0])
        return [hole for line in paced(self.lines) for hole in holes_of(line)]

    def take_holes(self) -> list[str]:
        """The texts of the holes, as `holes` gives them, to the one who goes through all statements: what was at hand
        is not kept any longer."""
        holes, self._met = self._met, None
        return self.holes() if holes is None else holes

    def forget_holes(self) -> None:
        """Does not keep what is at hand."""
        self._met = None

    def texts(self, base: int) -> Callable[[int], str]:
        """What gives the texts of tokens, by their indices from `base` on."""
        if self._places is not None:
            (starts, ends), whole = self._places, self.text
            return lambda ref: whole[starts[base + ref] : ends[base + ref]]
        hole_of, tokens, holes = self.shape.hole_of, self.shape.tokens, self.holes()

        def text(ref: int) -> str:
            hole = hole_of[base + ref]
            return holes[hole] if hole >= 0 else tokens[base + ref].text

        return text

    def tokens_at(self, offset: int) -> list[tuple[int, Token, int, int]]:
        """The tokens that hold an offset or end there, at most two: each with its index, its start and its end."""
        if self._is_long:
            starts, ends = self._known_places()
            last = bisect_right(starts, offset) - 1
            spans = ((index, (starts[index], ends[index])) for index in range(max(last - 1, 0), last + 1))
        else:
            spans = enumerate(self._each_span(None))
        touched = [(index, start, end) for index, (start, end) in spans if start <= offset <= end]
        tokens = self.shape.tokens
        return [
            (index, tokens[index]._replace(text=self.token_text(index)), start, end) for index, start, end in touched
        ]

    def token_text(self, index: int) -> str:
        """The text of a token."""
        hole = self.shape.hole_of[index]
        if hole < 0:
            return self.shape.tokens[index].text
        if not self._is_long:
            return self.holes()[hole]
        starts, ends = self._known_places()
        return self.text[starts[index] : ends[index]]

    @property
    def _is_long(self) -> bool:
        """Whether it is remembered where the tokens stand, since to find that out for one of them takes long."""
        tokens = self.shape.tokens
        return (
            len(tokens) > LONG and tokens[-1].text != MANY and not any(isinstance(line, Carrier) for line in self.lines)
        )

    def _known_places(self) -> tuple[array[int], array[int]]:
        """Where the tokens start, and where they end."""
        if self._places is None:
            starts, ends = array("q"), array("q")
            for start, end in self._each_span(None):
                starts.append(start)
                ends.append(end)
            self._places = starts, ends
        return self._places

    def tokens(self) -> list[Token]:
        """The tokens with their texts and places in this statement; where there are too many, those that were read."""
        unread = [token for token in self.shape.tokens[-2:] if token.text == MANY]
        read = self.lines[: unread[0].line] if unread else self.lines
        return tokens_of_lines(read) + unread

    def token_spans(self, count: int | None = None) -> list[tuple[int, int]]:
        """Start and end of each token, or of the first `count`, in characters from the beginning of the statement."""
        return list(self._each_span(count))

    def token_span(self, index: int) -> tuple[int, int]:
        """Start and end of the token of an index."""
        if self._places is not None:
            return self._places[0][index], self._places[1][index]
        return self.token_spans(index + 1)[index]

    def _each_span(self, count: int | None) -> Iterator[tuple[int, int]]:
        """They follow from those of the statement that the shape was learnt from: only holes differ in width, and the
        white space before each line."""
        shape, lines = self.shape, self.lines
        holes = self.holes()
        start, line, shift = 0, -1, 0
        for token, hole in paced(zip(shape.tokens[:count], shape.hole_of, strict=False)):
            while line < token.line:
                start += len(lines[line]) if line >= 0 else 0
                line += 1
                shift = start + indentation(lines[line]) - shape.indentations[line]
            first = token.column + shift
            if hole < 0:
                yield first, first + width(token.text)
            else:
                last = first + width(holes[hole])
                yield first, last
                shift = last - token.column - width(token.text)


Pieces: TypeAlias = ChunkedSequence[Piece]


def last_statement(pieces: Pieces, before: int) -> int:
    """The index of the last piece before one that is not a comment or a blank line; -1 where there is none."""
    if before <= 0:
        return -1
    if not pieces[before - 1].shape.is_trivia:
        return before - 1
    number = bisect_right(pieces.starts, before - 1) - 1
    for chunk, start in zip(reversed(pieces.chunks[: number + 1]), reversed(pieces.starts[: number + 1]), strict=True):
        if chunk.known(first_in) < 0:
            continue
        for index in range(min(before - start, len(chunk)) - 1, -1, -1):
            if not chunk.elements[index].shape.is_trivia:
                return start + index
    return -1


def first_in(chunk: Chunk[Piece]) -> int:
    """The index of the first piece of a chunk that is not a comment or a blank line; -1 where there is none."""
    return next((index for index, piece in enumerate(chunk.elements) if not piece.shape.is_trivia), -1)


def locations_only(chunk: Chunk[Piece]) -> bool:
    """Whether the pieces of a chunk are aliases of locations, blank lines and comments."""
    return all(piece.is_location or piece.shape.is_trivia for piece in chunk.elements)
