"""What passes write while they run, for whoever shows it (`fathom.pipeline.showing`)."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import Final

_WRITE: Final[ContextVar[Callable[[str], object] | None]] = ContextVar("write", default=None)


def show(text: str) -> None:
    """Writes a text, if anybody wants to see it."""
    write = _WRITE.get()
    if write is not None:
        write(text)


def begin_showing(write: Callable[[str], object]) -> None:
    """From now on what is shown goes here."""
    _WRITE.set(write)


def end_showing() -> None:
    """Nobody looks any more."""
    _WRITE.set(None)
