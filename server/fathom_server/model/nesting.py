"""Where regions open and close in a statement, and where blocks begin, read off its shape."""

from __future__ import annotations

from enum import Enum, auto

from fathom.records import NamedTuple
from fathom.slices import paced
from fathom.syntax.events import BrokenEndEvent, Event, LabelEvent, OpenEvent, OpEvent, UnclosedEvent
from fathom.syntax.nodes import ParsedOp
from fathom.syntax.shapes import Shape


class Move(Enum):
    """What happens at a token."""

    OPEN = auto()
    """A region of an operation opens, the first or only one of it that is open at a time."""
    CLOSE = auto()
    LABEL = auto()


class Turn(NamedTuple):
    """What happens at the token of an index. Of a region that opens `parsed` is what is known of its operation, if
    anything is; `begins` is the token with which that begins, None where it has begun before. Of one that closes
    `ends` is the token past the last one of the operation, None where it goes on."""

    move: Move
    token: int
    parsed: ParsedOp | None = None
    begins: int | None = None
    ends: int | None = None


def turns_of(shape: Shape) -> tuple[Turn, ...]:
    """What happens in the statements of a shape, in the order of the text."""
    if not shape.pushes and not shape.pops and len(shape.events) < 2:
        return tuple(_turns(shape.events[0], len(shape.tokens))) if shape.events else ()
    turns: list[Turn] = []
    starts = [_start(event) for event in shape.events] + [len(shape.tokens)]
    for index, event in enumerate(paced(shape.events)):
        turns += _turns(event, starts[index + 1])
    turns.sort(key=lambda turn: turn.token)
    closed = sum(turn.move is Move.CLOSE for turn in turns)
    opened = sum(turn.move is Move.OPEN for turn in turns)
    # On a line that could not be read there may be braces of which no event speaks.
    more = len(shape.pushes) - shape.pops - (opened - closed)
    last = max(len(shape.tokens) - 1, 0)
    return (
        *[Turn(Move.CLOSE, 0, ends=1)] * max(-more, 0),
        *turns,
        *[Turn(Move.OPEN, last, begins=0)] * max(more, 0),
    )


def _start(event: Event) -> int:
    """The token with which the text of an event begins."""
    match event:
        case OpEvent(base=base, ends_region=True) | OpenEvent(base=base, reopens=True):
            return max(base - 1, 0)
        case OpEvent(base=base) | OpenEvent(base=base) | LabelEvent(base=base):
            return base
        case UnclosedEvent(at=at) | BrokenEndEvent(at=at):
            return at
        case _:
            return getattr(event, "start", getattr(event, "base", 0))


def _turns(event: Event, end: int) -> list[Turn]:
    """What an event says, whose text ends before the token `end`."""
    match event:
        case OpEvent(base=base, ends_region=True):
            return [Turn(Move.CLOSE, max(base - 1, 0), ends=end)]
        case OpenEvent(open, base, brace, _, reopens):
            if reopens:
                return [Turn(Move.CLOSE, max(base - 1, 0)), Turn(Move.OPEN, brace, open.parsed)]
            return [Turn(Move.OPEN, brace, open.parsed, base)]
        case LabelEvent(label, base):
            return [Turn(Move.LABEL, base + label.block)]
        case UnclosedEvent(at, count):
            return [Turn(Move.CLOSE, at, ends=at)] * count
        case BrokenEndEvent(at):
            return [Turn(Move.CLOSE, at, ends=end)]
        case _:
            return []
