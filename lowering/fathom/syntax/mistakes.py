"""The mistakes of syntax in statements: what each says of itself, kept chunk by chunk."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

from fathom.slices import checkpoint, paced
from fathom.syntax.events import BrokenEndEvent, ErrorEvent, OpenEvent, OpEvent
from fathom.syntax.frames import Frame
from fathom.syntax.pieces import Piece, Pieces
from fathom.syntax.sequence import Chunk
from fathom.syntax.shapes import Shape
from fathom.syntax.unclosed import unclosed_in

MOST_REGIONS: Final = 96
"""How deep regions may nest; what goes through them follows them by calls."""


MistakeCode = Literal["parse", "further", "stray", "overrun", "unclosed", "unregistered"]


class Mistake:
    """A mistake in an item: the message and the range it concerns, in characters from the beginning of the item.

    `code` tells from all others: what is `further` said of the mistake before, something `stray` that begins nothing,
    what shows only at the end of the text, a region that is not closed, and an operation of an unregistered name.
    """

    __slots__ = ("code", "end", "message", "start")

    def __init__(self, message: str, start: int, end: int, code: MistakeCode = "parse") -> None:
        self.message = message
        self.start = start
        self.end = end
        self.code: MistakeCode = code

    def __repr__(self) -> str:
        return f"{self.start}-{self.end}: {self.message}"


def mistakes_of(pieces: Pieces, frame_out: Frame) -> Iterator[Mistake]:
    """The mistakes of syntax in the statements of an item, in the order of the text."""
    for start, mistakes in zip(pieces.offsets, pieces.known(_errors_in), strict=False):
        for mistake, is_ahead in mistakes:
            first, last = start + mistake.start, start + mistake.end
            if is_ahead:
                first, last = _token_behind(pieces, first) or (first, last)
            yield Mistake(mistake.message, first, last, mistake.code)
    if (brace := unclosed_in(pieces, frame_out)) is not None:
        yield unclosed(brace)


def number_of_mistakes(pieces: Pieces, frame_out: Frame) -> int:
    """How many mistakes of syntax statements have, but for regions that stand too deep: for one who need not know where
    they are, which takes longer."""
    return sum(pieces.known(_number_in)) + (unclosed_in(pieces, frame_out) is not None)


def _number_in(chunk: Chunk[Piece]) -> int:
    shapes = (piece.shape for piece in chunk.elements)
    events = (event for shape in shapes if shape.has_errors for event in shape.events)
    return sum(1 + len(event.further) for event in events if isinstance(event, ErrorEvent))


def unclosed(brace: tuple[int, int]) -> Mistake:
    """The mistake of a region that is still open where the text, or what it is part of, ends, at its brace."""
    return Mistake("expected '}' to close the region that begins here", *brace, "unclosed")


def _token_behind(pieces: Pieces, offset: int) -> tuple[int, int] | None:
    """The first token behind the statement in which the text before an offset stands, if there is one."""
    index, _ = pieces.find_offset(offset - 1)
    for number, piece in enumerate(paced(pieces.from_index(index + 1)), index + 1):
        if spans := piece.token_spans():
            first, last = spans[0]
            return pieces.offset(number) + first, pieces.offset(number) + last
    return None


def _errors_in(chunk: Chunk[Piece]) -> tuple[tuple[Mistake, bool], ...]:
    """The mistakes in the statements of a chunk, in characters from its beginning, and of each whether it shows at the
    first token behind its statement, if there is one."""
    errors: list[tuple[Mistake, bool]] = []
    checkpoint()
    for index, piece in enumerate(chunk.elements):
        shape = piece.shape
        if not shape.has_errors and piece.frame.depth + len(shape.events) + len(shape.pushes) <= MOST_REGIONS:
            continue
        checkpoint()
        if piece.frame.depth <= MOST_REGIONS < piece.frame.depth + _deepest(shape):
            start = chunk.offsets[index]
            errors.append(
                (Mistake(f"more than {MOST_REGIONS} regions stand open here", start, start + piece.length), False)
            )
        if not shape.has_errors:
            continue
        start, spans = chunk.offsets[index], piece.token_spans()
        for event in shape.events:
            if isinstance(event, ErrorEvent):
                is_ahead = event.at >= len(spans) and event.shows != "behind"
                first, last = _error_range(event, spans)
                errors.append(
                    (Mistake(event.message, start + first, start + last, _code_of(event, len(spans))), is_ahead)
                )
                for message, token in event.further:
                    first, last = spans[min(token, len(spans) - 1)]
                    errors.append((Mistake(message, start + first, start + last, "further"), False))
    return tuple(errors)


def _code_of(event: ErrorEvent, tokens: int) -> MistakeCode:
    """The code of a mistake in a statement of so many tokens."""
    if event.parsed is not None and event.parsed.unregistered:
        return "unregistered"
    if event.parsed is None and not (0 <= event.at < tokens or event.shows == "behind"):
        return "overrun"
    return "stray" if event.at == 0 and event.shows == "behind" else "parse"


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


def _error_range(event: ErrorEvent, spans: list[tuple[int, int]]) -> tuple[int, int]:
    """The token of the mistake, or, where the text just ends too early, the place after the last token."""
    if 0 <= event.at < len(spans):
        first, last = spans[event.at]
        # What is missing is missing behind the token before, as MLIR says; the range goes on to what is there instead.
        if event.at > 0 and event.shows == "behind":
            first = spans[event.at - 1][1]
        return (last, last) if event.shows == "past" else (first, last)
    last = min(~event.at if event.at < 0 else event.end - 1, len(spans) - 1)
    if last < 0:
        return 0, 0
    return spans[last][1], spans[last][1]
