"""Work that can be given up: whoever starts it holds a flag, and what goes over many operations asks for it at each.

Work beside an event loop is to end soon when what it works on has changed. A checkpoint is all that the loops over
operations know of this; where nobody may interrupt, it does nothing.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Event
from time import sleep
from typing import Final

MAKE_WAY: Final = 0.03
"""Seconds for which interrupted work holds still before it takes apart what it has made: somebody waits for an answer,
and what runs in one thread slows the others."""


class Interrupted(BaseException):
    """The work is not wanted any more, and what it has made so far is good for nothing. It is no error, and passes
    those who catch errors."""


_STOP: Final[ContextVar[Event | None]] = ContextVar("stop", default=None)


@contextmanager
def interruptible(stop: Event) -> Generator[None, None, None]:
    """Lets the work inside be interrupted by setting `stop`."""
    token = _STOP.set(stop)
    try:
        yield
    finally:
        _STOP.reset(token)


def checkpoint() -> None:
    """Raises Interrupted if this thread's work is to end, when it has made way for what interrupted it."""
    stop = _STOP.get()
    if stop is not None and stop.is_set():
        sleep(MAKE_WAY)
        raise Interrupted
