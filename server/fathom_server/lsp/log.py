"""The log, on standard error: the server's own faults, and never much of them."""

from __future__ import annotations

import logging
from collections import Counter
from typing import TYPE_CHECKING, Final, TextIO

from fathom.text.beginnings import LONGEST_MESSAGE, beginning

if TYPE_CHECKING:
    _Stream = logging.StreamHandler[TextIO]
else:
    _Stream = logging.StreamHandler

MOST_OF_A_KIND: Final = 10
"""So many messages are written that come from one line of code for one reason."""
MOST: Final = 1000
"""So many are written at all."""


class Bounded(_Stream):
    """Writes messages to standard error, the beginnings of long ones, and as few of them as the limits say."""

    def __init__(self) -> None:
        super().__init__()
        self.setLevel(logging.WARNING)
        self._kinds: Counter[tuple[str, int, str]] = Counter()

    def emit(self, record: logging.LogRecord) -> None:
        reason = record.exc_info[0] if record.exc_info else None
        kind = record.pathname, record.lineno, reason.__qualname__ if reason is not None else ""
        # A kind that has been written so often is not counted further: there may be any number of it.
        if self._kinds[kind] < MOST_OF_A_KIND and self._kinds.total() < MOST:
            self._kinds[kind] += 1
            super().emit(record)

    def format(self, record: logging.LogRecord) -> str:
        return beginning(super().format(record), LONGEST_MESSAGE)


def bound() -> None:
    """Has all that is logged go this way."""
    logging.getLogger().addHandler(Bounded())
    # What it cannot write, since nobody reads it, is no reason to say more.
    logging.raiseExceptions = False
