"""What can be folded: regions, blocks, runs of comments, the parts between lines `// -----`, and what one statement
writes in brackets over several lines, such as a long dictionary of attributes or a dense literal.

A fold goes from the line that begins it to the last one that it hides: the line of a closing brace stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum, auto
from typing import Final, Literal

from fathom.records import NamedTuple, record
from fathom.slices import checkpoint, paced
from fathom.syntax.lexer import is_trivia
from fathom.syntax.pieces import Piece
from fathom.syntax.shapes import Shape
from fathom.syntax.tree import Item
from fathom_server.model.nesting import turns_of
from fathom_server.model.snapshot import Snapshot

Kind = Literal["", "comment", "region"]
_CLOSING: Final = {")": "(", "]": "[", "}": "{", ">": "<", "#-}": "{-#"}
_OPENING: Final = frozenset(_CLOSING.values())


@record
class Fold:
    """Lines that can be folded, from the one that stays to the last one that is hidden, counted from 0. `depth` is the
    number of folds around it. A comment, or a part of the document, says so."""

    first: int
    last: int
    depth: int
    kind: Kind = ""


class _Mark(Enum):
    OPEN = auto()
    CLOSE = auto()
    LABEL = auto()
    COMMENT = auto()
    BRACKETS = auto()
    SPLIT = auto()


class _Landmark(NamedTuple):
    """What matters of an item, at one of its lines. `before` is the last line before with some text, -1 if there is
    none; of comments and brackets `last` is the last line."""

    mark: _Mark
    line: int
    before: int
    last: int = 0


@record
class _Landmarks:
    """All that matters of an item; `last` is its last line with some text, -1 if there is none."""

    marks: tuple[_Landmark, ...]
    last: int


def folds(snapshot: Snapshot, limit: int | None = None) -> list[Fold]:
    """What can be folded, in the order of the text; if that is more than a limit, the outermost."""
    return outermost(_folds(snapshot), limit)


def outermost(found: Iterable[Fold], limit: int | None) -> list[Fold]:
    """Folds in the order of the text; if they are more than a limit, the outermost."""
    kept = list(found)
    if limit is not None and len(kept) > limit:
        kept = sorted(kept, key=lambda fold: fold.depth)[: max(limit, 0)]
    return sorted(kept, key=lambda fold: (fold.first, -fold.last))


class _Open:
    """A region that is open, or a part: the line that begins it, and that of the label of its present block."""

    __slots__ = ("first", "label")

    def __init__(self, first: int) -> None:
        self.first = first
        self.label: int | None = None


def _folds(snapshot: Snapshot) -> Iterator[Fold]:
    """What can be folded, as it ends."""
    open: list[_Open] = []
    part: int | None = None
    start, last = 0, -1

    def block_ends(last: int) -> Iterator[Fold]:
        label = open[-1].label if open else None
        if label is not None and last > label:
            yield Fold(label, last, len(open))

    def region_ends(last: int, shown: int) -> Iterator[Fold]:
        yield from block_ends(last)
        region = open.pop()
        if shown > region.first:
            yield Fold(region.first, shown, len(open))

    for item in paced(snapshot.tree.items):
        known = _landmarks(item)
        for mark, line, before, end in known.marks:
            checkpoint()
            line += start
            text = start + before if before >= 0 else last
            match mark:
                case _Mark.OPEN:
                    open.append(_Open(line))
                case _Mark.CLOSE if open:
                    yield from region_ends(min(text, line - 1), line - 1)
                case _Mark.LABEL:
                    yield from block_ends(text)
                    if open:
                        open[-1].label = line
                case _Mark.COMMENT:
                    yield Fold(line, start + end, len(open), "comment")
                case _Mark.BRACKETS:
                    yield Fold(line, start + end, len(open) + 1)
                case _Mark.SPLIT:
                    while open:
                        yield from region_ends(text, text)
                    if part is not None and text > part:
                        yield Fold(part, text, 0, "region")
                    part = line
                case _:
                    pass
        if known.last >= 0:
            last = start + known.last
        start += item.line_count
    while open:
        yield from region_ends(last, last)
    if part is not None and last > part:
        yield Fold(part, last, 0, "region")


def _landmarks(item: Item) -> _Landmarks:
    """What matters of an item; kept with it unless it is a single statement."""
    if len(item.pieces) == 1:
        return _read(item)
    known = item.cache.get(_landmarks)
    if known is None:
        known = item.cache[_landmarks] = _read(item)
    return known


def _read(item: Item) -> _Landmarks:
    landmarks: list[_Landmark] = []
    line, last = 0, -1
    comment: int | None = None
    for piece in paced(item.pieces):
        if piece.shape.is_trivia or piece.shape.begins_split:
            is_text = bool(piece.text.strip())
            is_divider = piece.shape.begins_split
            if comment is not None and (not is_text or is_divider):
                landmarks += _comments(comment, line, last)
                comment = None
            if is_divider:
                landmarks.append(_Landmark(_Mark.SPLIT, line, last))
            elif is_text and comment is None:
                comment = line
            if is_text:
                last = line
            line += piece.line_count
            continue
        if comment is not None:
            landmarks += _comments(comment, line, last)
            comment = None
        tokens = piece.shape.tokens
        for turn in piece.shape.known(turns_of):
            at = line + (tokens[turn.token].line if turn.token < len(tokens) else 0)
            landmarks.append(_Landmark(_Mark[turn.move.name], at, last if at == line else at - 1))
        if piece.line_count > 1:
            landmarks += [_Landmark(_Mark.BRACKETS, line + a, last, line + b) for a, b in piece.shape.known(_brackets)]
        line += piece.line_count
        last = line - 1 - _blank_at_end(piece)
    if comment is not None:
        landmarks += _comments(comment, line, last)
    return _Landmarks(tuple(landmarks), last)


def _comments(first: int, end: int, before: int) -> Iterator[_Landmark]:
    """A run of comments from one line up to another, if it is more than one."""
    if end - first > 1:
        yield _Landmark(_Mark.COMMENT, first, before, end - 1)


def _blank_at_end(piece: Piece) -> int:
    """How many lines at the end of a statement have no token."""
    lines = piece.lines
    return next((n for n in range(len(lines)) if not is_trivia(lines[-1 - n])), len(lines) - 1)


def _brackets(shape: Shape) -> tuple[tuple[int, int], ...]:
    """The brackets that open on one line of a statement and close on another: the first line, and the last one that is
    hidden. Of those that open or close on the same lines the outermost."""
    open: list[tuple[str, int]] = []
    ends: dict[int, int] = {}
    for token in paced(shape.tokens):
        if token.text in _OPENING:
            open.append((token.text, token.line))
        elif (opening := _CLOSING.get(token.text)) is not None and any(text == opening for text, _ in open[-4:]):
            while open[-1][0] != opening:
                open.pop()
            _, first = open.pop()
            if token.line - 1 > first:
                ends[first] = max(ends.get(first, 0), token.line - 1)
    return tuple(sorted(ends.items()))
