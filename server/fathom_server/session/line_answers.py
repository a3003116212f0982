"""The other side of a `LineProcess` (`session/line_process.py`): the process that answers lines by lines.

It stands back behind all else, and ends when its standard input does. What is too much for it takes it down, and not
the server.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable
from typing import Final

from fathom.execution.containment.kernel import die_with_parent
from fathom.execution.containment.limits import limit

MEMORY: Final = 2 << 30
"""Bytes that the process may take."""
FEW: Final = 50
"""After so many answers the garbage collector looks for circles."""


def stand_back(nice: int) -> None:
    """Limits this process, and has it stand back so far where processors are scarce; it ends with the server."""
    die_with_parent(os.getppid())
    os.nice(nice)
    limit("AS", MEMORY)
    gc.disable()


def answer_lines(answer: Callable[[bytes], str]) -> None:
    """Writes the line that answers each line of standard input, in their order, until there are no more."""
    for number, line in enumerate(sys.stdin.buffer, 1):
        sys.stdout.write(f"{answer(line)}\n")
        sys.stdout.flush()
        if not number % FEW:
            gc.collect()
            # What is left is what is known of dialects and statements, which lives on: once gone over is enough.
            gc.freeze()
