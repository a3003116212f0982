"""Work that is done by several processes at once: each is a fork of this one, which hands back what it made."""

from __future__ import annotations

import gc
import os
import pickle
import signal
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

MOST_PROCESSES: Final = 8
T = TypeVar("T")


def processes_for(size: int, least: int) -> int:
    """How many processes are worth their start for work of a size, if so much of it is worth one; 0 where this process
    cannot be forked."""
    if not hasattr(os, "fork") or not hasattr(os, "sched_getaffinity") or threading.active_count() != 1:
        return 0
    return min(len(os.sched_getaffinity(0)), MOST_PROCESSES, size // least)


def in_forks(works: Sequence[Callable[[], T | None]]) -> list[T] | None:
    """What becomes of all works, each in a fork; None if one of them has nothing to give. What they change is changed
    in the forks only; what they give is pickled."""
    gc.freeze()  # What stands is shared by all processes; to look through it would copy it.
    forks: list[tuple[int, int]] = []
    made: list[T] = []
    try:
        for work in works:
            forks.append(_forked(work))
        for _, answer in forks:
            with os.fdopen(answer, "rb", closefd=False) as stream:
                data = stream.read()
            if not data:
                return None
            made.append(pickle.loads(data))
    finally:
        for pid, answer in forks:
            os.close(answer)
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        gc.unfreeze()
    return made


def _forked(work: Callable[[], object]) -> tuple[int, int]:
    """A process that does a work, and where its answer is to be read."""
    answer, given = os.pipe()
    pid = os.fork()
    if not pid:
        try:
            os.close(answer)
            made = work()
            if made is not None:
                with os.fdopen(given, "wb") as stream:
                    pickle.dump(made, stream, pickle.HIGHEST_PROTOCOL)
        finally:
            # Whatever went wrong, the other process meets it again, and says so.
            os._exit(0)
    os.close(given)
    return pid, answer
