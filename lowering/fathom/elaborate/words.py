"""The words of one operation, which may be spread over several statements: its header, and what follows each region."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter
from typing import Final

from fathom.elaborate.sites import Place, Site
from fathom.ir.operation import Span, Value
from fathom.syntax.carried import short, whole
from fathom.syntax.events import OpenEvent, OpEvent
from fathom.syntax.lexer import SPACE, Token
from fathom.syntax.nodes import ParsedOp, Ref
from fathom.syntax.pieces import Piece

_new_place: Final[Callable[[type[Place], tuple[Site, int]], Place]] = tuple[object, ...].__new__
"""Takes half the time of the constructor that a named tuple has."""


class Segment:
    """A stretch of an operation's tokens: references from `first` on are the tokens of a statement from `base` on."""

    __slots__ = ("base", "first", "holes", "shape", "shift", "site")

    def __init__(self, first: Ref, site: Site, base: int, holes: list[str]) -> None:
        self.first = first
        self.site = site
        self.shape = site.piece.shape
        self.base = base
        self.shift = base - first
        """What is added to a reference for the index of its token in the statement."""
        self.holes = holes


_first: Final = attrgetter("first")


class Words:
    """Looks up the text and the place of an operation's tokens by their references."""

    __slots__ = ("_is_spread", "_segments")

    def __init__(self, segment: Segment) -> None:
        self._segments = [segment]
        self._is_spread = False

    def add(self, segment: Segment) -> None:
        """Takes in the stretch that follows a region."""
        self._segments.append(segment)
        self._is_spread = True

    @property
    def sites(self) -> tuple[Site, ...]:
        """The statements in which they stand."""
        return tuple(dict.fromkeys([segment.site for segment in self._segments]))

    @property
    def holes(self) -> list[str]:
        """The texts of the holes of all statements, one after the other."""
        segments = self._segments
        return segments[0].holes if len(segments) == 1 else [hole for segment in segments for hole in segment.holes]

    def hole(self, ref: Ref) -> int | None:
        """Which of the holes a token is; -1 for one that belongs to the shape, and None for one that is not there."""
        before = 0
        segment = self._segment(ref)
        for part in self._segments:
            if part is segment:
                break
            before += len(part.holes)
        shape = segment.site.piece.shape
        token = segment.base + ref - segment.first
        if not 0 <= token < len(shape.hole_of):
            return None
        hole = shape.hole_of[token]
        return before + hole if hole >= 0 else -1

    def _segment(self, ref: Ref) -> Segment:
        return self._segments[max(bisect_right(self._segments, ref, key=_first) - 1, 0)]

    def text(self, ref: Ref) -> str:
        """The text of a token; of a long literal what stands for it (`Carried`)."""
        segment = self._segment(ref) if self._is_spread else self._segments[0]
        shape = segment.shape
        token = ref + segment.shift
        if not 0 <= token < len(shape.hole_of):
            return ""  # after a mistake
        hole = shape.hole_of[token]
        return segment.holes[hole] if hole >= 0 else shape.tokens[token].text

    def place(self, ref: Ref) -> Place:
        segment = self._segment(ref) if self._is_spread else self._segments[0]
        return _new_place(Place, (segment.site, ref + segment.shift))

    def mark_uses(self, refs: Sequence[Ref], values: Sequence[Value]) -> None:
        """Notes that the names at these references are those of values."""
        for ref, value in zip(refs, values, strict=True):
            segment = self._segment(ref) if self._is_spread else self._segments[0]
            segment.site.mark_use(ref + segment.shift, value)

    def has(self, ref: Ref) -> bool:
        """Whether the statements hold the token: after a mistake, it may stand on a line of its own instead."""
        segment = self._segment(ref)
        return 0 <= ref + segment.shift < len(segment.shape.tokens)

    def spaced(self, first: Ref, stop: Ref) -> Iterator[tuple[str, bool]]:
        """The texts of the tokens from `first` up to `stop`, and whether white space stands before each."""
        while first < stop:
            segment = self._segment(first)
            following = bisect_right(self._segments, first, key=_first)
            after = self._segments[following].first if following < len(self._segments) else stop
            tokens, shift = segment.shape.tokens, segment.shift
            # A region that is not closed has nothing behind it.
            for ref in range(first, min(after, stop, len(tokens) - shift)):
                yield whole(self.text(ref)), _follows_space(tokens, ref + shift)
            first = after

    def op_span(self, parsed: ParsedOp) -> Span:
        """From the operation's name to the end of its statement, or to its first region."""
        segment = self._segments[0]
        site = segment.site
        piece = site.piece
        if len(piece.shape.events) == 1 and len(piece.lines) == 1:
            return StatementSpan(site)
        name = self.place(parsed.name_token)
        last = max(segment.base + max(parsed.end, 1) - 1, segment.base)
        if name.site is site:
            return HeaderSpan(site, name.token, last)
        return Span(name.span.first, max(site.span(last).last, name.span.last), site)


class StatementSpan(Span):
    """The span of an operation whose text, up to its first region, is a line of its own; where it begins and ends is
    found out when it is asked for."""

    __slots__ = ()

    origin: Site

    def __init__(self, site: Site) -> None:
        self.origin = site

    def __getattr__(self, name: str) -> int:
        if name not in ("first", "last"):
            raise AttributeError(name)
        piece = self.origin.piece
        event = piece.shape.events[0]
        opened = event.open.parsed if isinstance(event, OpenEvent) else None
        parsed = event.parsed if isinstance(event, OpEvent) else opened
        self.first, self.last = _extent(piece, parsed is not None and bool(parsed.result_groups))
        return self.first if name == "first" else self.last


class HeaderSpan(Span):
    """The span of an operation from the token of its name to another one; where these stand is found out when it is
    asked for."""

    __slots__ = ("_last_token", "_name_token")

    def __init__(self, site: Site, name: int, last: int) -> None:
        self.origin = site
        self._name_token = name
        self._last_token = last

    def __getattr__(self, name: str) -> int:
        if name not in ("first", "last"):
            raise AttributeError(name)
        named, last = self.origin.span(self._name_token), self.origin.span(self._last_token)
        self.first, self.last = named.first, max(last.last, named.last)
        return self.first if name == "first" else self.last


def _extent(piece: Piece, has_results: bool) -> tuple[int, int]:
    """Where the operation of a line begins and ends, without its results and a comment."""
    line = short(piece.lines[0])
    # An unfinished line may have results and no `=` yet.
    first = line.find("=") + 1 if has_results else 0
    return len(line) - len(line[first:].lstrip(SPACE)), piece.end


def _follows_space(tokens: Sequence[Token], index: int) -> bool:
    if not 0 < index < len(tokens):
        return True
    before, token = tokens[index - 1], tokens[index]
    return before.line != token.line or before.end != token.column
