"""Giving memory back to the system.

The message that a document came in holds its text three times over, as bytes, as a message and as a text. All of that
is let go of, but the C library keeps it at hand for the process, where a file of weights left two times its size.
"""

from __future__ import annotations

import ctypes
import sys
from typing import Final

MUCH: Final = 1_000_000
"""After a text of so many characters it is worth it."""


def give_back() -> None:
    """Has the C library give back the memory that is free. Only that of GNU can be told to."""
    if sys.platform != "linux":
        return
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
