"""The words of one operation, which may be spread over several statements: its header, and what follows each region."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fathom.elaborate.elaborated import Elaborated, Place
from fathom.ir.operation import Span
from fathom.syntax.lexer import Token
from fathom.syntax.nodes import ParsedOp, Ref


@dataclass(slots=True)
class Segment:
    """A stretch of an operation's tokens: references from `first` on are the tokens of a piece from `base` on."""

    first: int
    piece: int
    base: int
    holes: list[str]


class Words:
    """Looks up the text and the place of an operation's tokens by their references."""

    __slots__ = ("_elaborated", "_segments")

    def __init__(self, elaborated: Elaborated, segment: Segment) -> None:
        self._elaborated = elaborated
        self._segments = [segment]

    def add(self, segment: Segment) -> None:
        """Takes in the stretch that follows a region."""
        self._segments.append(segment)

    def _segment(self, ref: Ref) -> Segment:
        segments = self._segments
        found = segments[0]
        if len(segments) > 1:
            for segment in segments:
                if segment.first <= ref:
                    found = segment
        return found

    def text(self, ref: Ref) -> str:
        segment = self._segment(ref)
        shape = self._elaborated.pieces[segment.piece].shape
        token = segment.base + ref - segment.first
        if token >= len(shape.hole_of):
            return ""  # after a mistake
        hole = shape.hole_of[token]
        return segment.holes[hole] if hole >= 0 else shape.tokens[token].text

    def place(self, ref: Ref) -> Place:
        segment = self._segment(ref)
        return Place(segment.piece, segment.base + ref - segment.first)

    def has(self, ref: Ref) -> bool:
        """Whether the statements hold the token: after a mistake, it may stand on a line of its own instead."""
        place = self.place(ref)
        return place.token < len(self._elaborated.pieces[place.piece].shape.tokens)

    def spaced(self, first: Ref, stop: Ref) -> Iterator[tuple[str, bool]]:
        """The texts of the tokens from `first` up to `stop`, and whether white space stands before each."""
        while first < stop:
            segment = self._segment(first)
            after = min([each.first for each in self._segments if each.first > first], default=stop)
            shape = self._elaborated.pieces[segment.piece].shape
            token = segment.base + first - segment.first
            for ref in range(first, min(after, stop)):
                yield self.text(ref), _follows_space(shape.tokens, token)
                token += 1
            first = after

    def op_span(self, parsed: ParsedOp) -> Span:
        """From the operation's name to the end of its statement, or to its first region."""
        segment = self._segments[0]
        piece = self._elaborated.pieces[segment.piece]
        start = self._elaborated.piece_starts[segment.piece]
        if len(piece.shape.events) == 1 and len(piece.lines) == 1:
            line = piece.lines[0]
            # An unfinished line may have results and no `=` yet.
            first = line.find("=") + 1 if parsed.result_groups else 0
            first += len(line[first:]) - len(line[first:].lstrip())
            comment = segment.holes[-1] if segment.holes and segment.holes[-1].startswith("//") else ""
            return Span(start + first, start + len(line.rstrip().removesuffix(comment.rstrip()).rstrip()))
        first = self._elaborated.span(self.place(parsed.name_token))
        last = Place(segment.piece, max(segment.base + max(parsed.end, 1) - 1, segment.base))
        return Span(first.start, max(self._elaborated.span(last).end, first.end))


def _follows_space(tokens: Sequence[Token], index: int) -> bool:
    if not 0 < index < len(tokens):
        return True
    before, token = tokens[index - 1], tokens[index]
    return before.line != token.line or before.end != token.column
