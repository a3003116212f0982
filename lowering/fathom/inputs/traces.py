"""What a trace, a file that `fathom opt --record` writes, is known by before it is read."""

from __future__ import annotations

from pathlib import Path
from typing import Final

_BEGINNING: Final = b'{"format": "fathom-trace"'


def is_trace(file: str | Path) -> bool:
    """Whether a file is a trace by its looks: it begins as those do that are written here."""
    try:
        with Path(file).open("rb") as opened:
            return opened.read(len(_BEGINNING)) == _BEGINNING
    except (OSError, ValueError):
        return False
