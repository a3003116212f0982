"""The tokens of a stretch of text in the form in which they are sent: five numbers for each, the place counted from the
token before it. Stretches can be put one after the other, in any document, without being looked at again.

Source of the rules: *Language Server Protocol*, "Semantic Tokens". No token of MLIR spans lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate
from typing import Final

from fathom.records import NamedTuple
from fathom.slices import paced
from fathom.syntax.carried import Carried, Carrier, width
from fathom.syntax.lexer import SPACE, indentation, split_line
from fathom.syntax.pieces import Piece
from fathom.syntax.shapes import Shape
from fathom.text.encodings import Encoding, to_units
from fathom_server.features.semantic_tokens.legend import Kind, Modifier
from fathom_server.features.semantic_tokens.roles import Roles
from fathom_server.features.semantic_tokens.scopes import ARGUMENT, NOTHING, Marks

SIZE: Final = 5
"""So many numbers stand for a token."""
MOST_KNOWN: Final = 500
"""Of so many statements of a shape, which differ in the widths of their names, the tokens are kept."""


class Segment(NamedTuple):
    """The tokens of so many `lines`: `size` of them, the first and the last on these lines. `rest` are their numbers
    without the very first, which depends on what stands before."""

    lines: int
    size: int
    first: int
    last: int
    rest: str

    def numbers(self, first: int) -> str:
        """The numbers of the tokens, of which the first stands so many lines behind what stands before."""
        return f"{first},{self.rest}" if self.size else ""


class Placed(NamedTuple):
    """A token at a line and a column, in units of an encoding, as the protocol wants them."""

    line: int
    start: int
    length: int
    kind: int
    modifiers: int


def joined(segments: Iterable[Segment]) -> Segment:
    """Stretches that stand one after the other, as one."""
    lines, count, first, last = 0, 0, 0, -1
    parts: list[str] = []
    for segment in paced(segments):
        if segment.size:
            if count:
                parts.append(str(lines + segment.first - last))
            else:
                first = lines + segment.first
            parts.append(segment.rest)
            count += segment.size
            last = lines + segment.last
        lines += segment.lines
    return Segment(lines, count, first, last, ",".join(parts))


def segment_of(piece: Piece, marks: Marks, roles: Callable[[Shape], Roles], encoding: Encoding) -> Segment:
    """The tokens of a statement."""
    known = piece.shape.known(roles)
    key = _key(piece, marks, known)
    if key is None:
        return _segment(piece, marks, known, encoding)
    segment = known.known.get(key)
    if segment is None:
        if len(known.known) >= MOST_KNOWN:
            known.known.clear()
        segment = known.known[key] = _segment(piece, marks, known, encoding)
    return segment


def _key(piece: Piece, marks: Marks, roles: Roles) -> object:
    """Statements of one shape with the same key have the same tokens; None where there is more to look at."""
    lines, shape = piece.lines, piece.shape
    if not shape.tokens or len(shape.tokens) > MOST_KNOWN:
        return None
    if len(lines) == 1:
        line = lines[0]
        if not line.isascii() or "//" in line or isinstance(line, Carrier):
            return None
        return (marks, indentation(line), *map(len, piece.holes()))
    if any(not line.isascii() or "//" in line or isinstance(line, Carrier) for line in lines):
        return None
    return (marks, *map(indentation, lines), *map(len, piece.holes()))


def _segment(piece: Piece, marks: Marks, roles: Roles, encoding: Encoding) -> Segment:
    placed = list(placed_in(piece, marks, roles, encoding))
    if not placed:
        return Segment(piece.line_count, 0, 0, -1, "")
    numbers = list(numbers_of(placed))
    return Segment(piece.line_count, len(placed), placed[0].line, placed[-1].line, ",".join(map(str, numbers[1:])))


def numbers_of(placed: Iterable[Placed], line: int = 0) -> Iterator[int]:
    """The numbers of tokens, the first of which counts from a line."""
    column = 0
    for token in placed:
        if token.line != line:
            column = 0
        yield from (token.line - line, token.start - column, token.length, token.kind, token.modifiers)
        line, column = token.line, token.start


def placed_in(piece: Piece, marks: Marks, roles: Roles, encoding: Encoding) -> Iterator[Placed]:
    """The tokens of a statement with their places in it, in the order of the text."""
    starts = [0, *accumulate(map(len, piece.lines))]
    spans = iter(_spans(piece, marks, roles))
    following = next(spans, None)
    for number, line in enumerate(paced(piece.lines)):
        comment = _comment(line) if "//" in line else None
        measure = _Measure(line, encoding)
        while following is not None and following[0] < starts[number + 1]:
            start, end, kind, modifiers = following
            following = next(spans, None)
            first = measure.units(start - starts[number])
            if (length := measure.units(end - starts[number]) - first) > 0:
                yield Placed(number, first, length, kind, modifiers)
        if comment is not None:
            first = measure.units(comment[0])
            yield Placed(number, first, measure.units(comment[1]) - first, Kind.COMMENT, Modifier.NONE)


def _spans(piece: Piece, marks: Marks, roles: Roles) -> Iterator[tuple[int, int, int, int]]:
    """The tokens of a statement but its comments: where they begin and end in it, their kinds and modifiers."""
    marked = dict(zip(roles.values, marks, strict=False))
    if not roles.roles:
        return
    for index, ((start, end), role) in enumerate(paced(zip(piece.token_spans(), roles.roles, strict=False))):
        if role is None:
            continue
        kind, modifiers = role
        mark = marked.get(index, NOTHING)
        if mark == ARGUMENT:
            kind = Kind.PARAMETER
        elif mark:
            modifiers |= mark
        yield start, end, int(kind), int(modifiers)


def _comment(line: str) -> tuple[int, int] | None:
    """Where the comment of a line begins and ends."""
    column = 0
    for index, part in enumerate(paced(split_line(line))):
        if index % 2 and (part.startswith("//") or (isinstance(part, Carried) and part.literal.kind == "comment")):
            text = line[column:].strip(SPACE)
            first = line.find(text, column)
            return first, first + len(text)
        column += width(part)
    return None


class _Measure:
    """Counts the units of a line up to places that come in order."""

    __slots__ = ("_column", "_encoding", "_is_plain", "_line", "_units")

    def __init__(self, line: str, encoding: Encoding) -> None:
        self._line = line
        self._encoding: Encoding = encoding
        self._is_plain = encoding == "utf-32" or line.isascii()
        self._column = self._units = 0

    def units(self, column: int) -> int:
        """The units of so many characters."""
        if self._is_plain:
            return column
        more = self._line[self._column : column]
        self._units += to_units(more, len(more), self._encoding)
        self._column = column
        return self._units
