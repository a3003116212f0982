"""What stands in a text as an older release of MLIR had it: where it is, what became of it, how it is written now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from fathom.editions.renames import (
    Modern,
    alias_today,
    is_renamed,
    modernised,
    names_today,
    old_name,
    said,
    said_of_type,
    type_today,
)
from fathom.records import NamedTuple, record
from fathom.syntax.events import ErrorEvent, Event, OpenEvent, OpEvent
from fathom.syntax.lexer import Token
from fathom.syntax.pieces import Piece
from fathom.syntax.tree import Item

MOST_TOKENS: Final = 2_000
"""A statement of more is not looked at."""


@record
class Change:
    """A text for a range of an item, and what it makes of it, in a word; one that is `exact` means the same."""

    start: int
    end: int
    text: str
    title: str
    exact: bool = True


@record
class Outdated:
    """A sentence about what became of something, and how it may be written now: one of the `changes`, none where that
    cannot be told. What has one other name and nothing else to it `is_plain`."""

    said: str
    changes: tuple[Change, ...] = ()
    is_plain: bool = False


class _Statement(NamedTuple):
    """What one event says, with the tokens of its piece and their places in the item."""

    event: Event
    tokens: Sequence[Token]
    spans: Sequence[tuple[int, int]]
    text: str
    start: int

    def between(self, first: int, last: int) -> str:
        """The text from one token up to another."""
        return (
            self.text[self.spans[first][0] - self.start : self.spans[last - 1][1] - self.start] if first < last else ""
        )


def outdated_at(item: Item, offset: int) -> Iterator[Outdated]:
    """What is outdated in the statement of an item that a mistake at an offset is about."""
    statement = _statement_at(item, offset)
    if statement is None:
        return
    outdated = [one for one in (_operation(statement), _alias(statement)) if one is not None]
    yield from outdated or _types(statement, offset)


def _statement_at(item: Item, offset: int) -> _Statement | None:
    """The statement that a mistake at an offset is about; what is missing at its end shows at the one behind."""
    index = item.piece_at(offset)
    piece = item.pieces[index]
    if len(piece.shape.tokens) > MOST_TOKENS:
        return None
    event = _event_at(piece, _read(piece, item.start(index))[1], offset)
    if not isinstance(event, ErrorEvent):
        before = next((at for at in range(index - 1, -1, -1) if not item.pieces[at].shape.is_trivia), None)
        last = item.pieces[before].shape.events[-1:] if before is not None else ()
        for token in last:
            if (
                isinstance(token, ErrorEvent)
                and before is not None
                and token.at >= len(item.pieces[before].shape.tokens)
            ):
                index, piece, event = before, item.pieces[before], token
    if event is None or len(piece.shape.tokens) > MOST_TOKENS:
        return None
    start = item.start(index)
    return _Statement(event, *_read(piece, start), piece.text, start)


@lru_cache(maxsize=1)
def _read(piece: Piece, start: int) -> tuple[Sequence[Token], Sequence[tuple[int, int]]]:
    """The tokens of a statement and their places in the item, where it begins at `start`. They are remembered, since
    all mistakes of one statement ask for them in a row."""
    return piece.tokens(), [(start + first, start + last) for first, last in piece.token_spans()]


def _event_at(piece: Piece, spans: Sequence[tuple[int, int]], offset: int) -> Event | None:
    """What a piece says at an offset: the last thing that begins before."""
    met: Event | None = None
    for event in piece.shape.events:
        begin = event.start if isinstance(event, ErrorEvent) else getattr(event, "base", 0)
        if met is None or (begin < len(spans) and spans[begin][0] <= offset):
            met = event
    return met


# ---- operations


def _operation(statement: _Statement) -> Outdated | None:
    """What became of an operation, or how it is written now."""
    place = _name_token(statement.event)
    if place is None or place >= len(statement.tokens):
        return None
    token = statement.tokens[place]
    generic = token.kind == "STRING"
    written = token.text.strip('"')
    name = old_name(written)
    if name is not None and names_today(name) == [_resolved(statement.event)]:
        return None  # The dialect that may be left out here is the right one.
    if name is None or (not is_renamed(name) and not isinstance(statement.event, ErrorEvent)):
        return None
    end = _without_location(statement.tokens, place + 1, _end(statement))
    text = statement.between(place + 1, end)
    ways = list(modernised(name, text, generic))
    news = [way for way in ways if (way.name, way.text) != (name, text)]
    about = said(written, next((way for way in news if way.name and way.text != text), None))
    if not about and not news:
        return None
    changes = tuple(_change(way, statement, place, end, text, generic) for way in news)
    return Outdated(about, changes, len(news) == 1 and news[0].text == text)


def _change(new: Modern, statement: _Statement, place: int, end: int, text: str, generic: bool) -> Change:
    first, last = statement.spans[place]
    if not new.name:
        start = statement.spans[_begin(statement.event)][0]
        return Change(start, statement.spans[end - 1][1], "", f"Remove `{statement.tokens[place].text}`", new.exact)
    if new.text == text:
        return Change(first + generic, last - generic, new.name, f"Change to `{new.name}`", new.exact)
    title = f"Change to `{new.name}`, as it is written now"
    return Change(first, statement.spans[end - 1][1], new.written, title, new.exact)


def _resolved(event: Event) -> str:
    """The full name of an operation, if there is one of it."""
    match event:
        case OpEvent(parsed):
            return parsed.name
        case OpenEvent(open) if open.parsed is not None:
            return open.parsed.name
        case ErrorEvent(parsed=parsed) if parsed is not None and not parsed.unregistered:
            return parsed.name
        case _:
            return ""


def _begin(event: Event) -> int:
    return event.start if isinstance(event, ErrorEvent) else getattr(event, "base", 0)


def _name_token(event: Event) -> int | None:
    """Where the name of an operation stands among the tokens of its piece."""
    match event:
        case OpEvent(parsed, base, 0, False):
            return base + parsed.name_token
        case OpenEvent(open, base, _, 0, False) if open.parsed is not None:
            return base + open.parsed.name_token
        case ErrorEvent(parsed=parsed, base=base, closes=False) if parsed is not None:
            return base + parsed.name_token
        case _:
            return None


def _end(statement: _Statement) -> int:
    """Behind which token an operation ends, or what stands before its first region."""
    match statement.event:
        case OpEvent(parsed, base):
            return base + parsed.end
        case OpenEvent(_, _, brace):
            return brace
        case ErrorEvent(end=end):
            return end
        case _:
            return len(statement.tokens)


def _without_location(tokens: Sequence[Token], first: int, end: int) -> int:
    """Where a text ends without the location behind it."""
    for index in range(end - 1, first - 1, -1):
        if tokens[index].text == "loc" and index + 1 < end and tokens[index + 1].text == "(":
            return index if tokens[end - 1].text == ")" else end
    return end


# ---- aliases and types


def _alias(statement: _Statement) -> Outdated | None:
    """How what an alias stands for is written now."""
    event, tokens = statement.event, statement.tokens
    if not isinstance(event, ErrorEvent) or event.parsed is not None or event.end < event.start + 3:
        return None
    first, equals = tokens[event.start], tokens[event.start + 1]
    if first.kind not in ("ALIAS", "HASH", "EXCLAIM") or equals.text != "=":
        return None
    begin, end = event.start + 2, _end_of_line(tokens, event.start + 2, event.end)
    text = statement.between(begin, end)
    today = alias_today(first.text[0], text)
    if today is None:
        return None
    new, since = today
    change = Change(statement.spans[begin][0], statement.spans[end - 1][1], new, f"Change to `{new}`")
    return Outdated(f"since LLVM {since} this is written: {first.text} = {new}", (change,), True)


def _end_of_line(tokens: Sequence[Token], first: int, end: int) -> int:
    line = tokens[first].line
    return next((index for index in range(first, end) if tokens[index].line != line), end)


def _types(statement: _Statement, offset: int) -> Iterator[Outdated]:
    """How the innermost type around a mistake is written now that the table knows."""
    tokens, spans = statement.tokens, statement.spans
    for index in range(len(tokens) - 1, -1, -1):
        if spans[index][0] > offset or tokens[index].kind not in ("EXCLAIM", "BARE"):
            continue
        end = _end_of_body(tokens, index + 1)
        if offset > spans[end - 1][1]:
            continue
        name, text = tokens[index].text, statement.between(index + 1, end)
        today = type_today(name, text)
        if today is not None:
            change = Change(spans[index][0], spans[end - 1][1], today[0], f"Change to `{today[0]}`")
            yield Outdated(said_of_type(name, text), (change,), True)
            return


def _end_of_body(tokens: Sequence[Token], first: int) -> int:
    """Behind what stands in angle brackets behind a name, if it closes."""
    if first >= len(tokens) or tokens[first].text != "<":
        return first
    depth = 0
    for index in range(first, len(tokens)):
        depth += (tokens[index].text == "<") - (tokens[index].text == ">")
        if not depth:
            return index + 1
    return first
