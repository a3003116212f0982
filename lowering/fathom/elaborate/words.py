"""The words of one operation, which may be spread over several statements: its header, and what follows each region."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fathom.elaborate.elaborated import Place, Site
from fathom.ir.operation import Span
from fathom.records import record
from fathom.syntax.lexer import Token
from fathom.syntax.nodes import ParsedOp, Ref


@record(frozen=False)
class Segment:
    """A stretch of an operation's tokens: references from `first` on are the tokens of a statement from `base` on."""

    first: int
    site: Site
    base: int
    holes: list[str]


class Words:
    """Looks up the text and the place of an operation's tokens by their references."""

    __slots__ = ("_segments",)

    def __init__(self, segment: Segment) -> None:
        self._segments = [segment]

    def add(self, segment: Segment) -> None:
        """Takes in the stretch that follows a region."""
        self._segments.append(segment)

    @property
    def sites(self) -> tuple[Site, ...]:
        """The statements in which they stand."""
        return tuple(dict.fromkeys(segment.site for segment in self._segments))

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
        shape = segment.site.piece.shape
        token = segment.base + ref - segment.first
        if token >= len(shape.hole_of):
            return ""  # after a mistake
        hole = shape.hole_of[token]
        return segment.holes[hole] if hole >= 0 else shape.tokens[token].text

    def place(self, ref: Ref) -> Place:
        segment = self._segment(ref)
        return Place(segment.site, segment.base + ref - segment.first)

    def has(self, ref: Ref) -> bool:
        """Whether the statements hold the token: after a mistake, it may stand on a line of its own instead."""
        place = self.place(ref)
        return place.token < len(place.site.piece.shape.tokens)

    def spaced(self, first: Ref, stop: Ref) -> Iterator[tuple[str, bool]]:
        """The texts of the tokens from `first` up to `stop`, and whether white space stands before each."""
        while first < stop:
            segment = self._segment(first)
            after = min([each.first for each in self._segments if each.first > first], default=stop)
            shape = segment.site.piece.shape
            token = segment.base + first - segment.first
            for ref in range(first, min(after, stop)):
                yield self.text(ref), _follows_space(shape.tokens, token)
                token += 1
            first = after

    def op_span(self, parsed: ParsedOp) -> Span:
        """From the operation's name to the end of its statement, or to its first region."""
        segment = self._segments[0]
        site = segment.site
        piece = site.piece
        if len(piece.shape.events) == 1 and len(piece.lines) == 1:
            line = piece.lines[0]
            # An unfinished line may have results and no `=` yet.
            first = line.find("=") + 1 if parsed.result_groups else 0
            first += len(line[first:]) - len(line[first:].lstrip())
            comment = segment.holes[-1] if segment.holes and segment.holes[-1].startswith("//") else ""
            return Span(first, len(line.rstrip().removesuffix(comment.rstrip()).rstrip()), site)
        name = self.place(parsed.name_token).span
        last = Place(site, max(segment.base + max(parsed.end, 1) - 1, segment.base))
        return Span(name.first, max(last.span.last, name.last), site)


def _follows_space(tokens: Sequence[Token], index: int) -> bool:
    if not 0 < index < len(tokens):
        return True
    before, token = tokens[index - 1], tokens[index]
    return before.line != token.line or before.end != token.column
