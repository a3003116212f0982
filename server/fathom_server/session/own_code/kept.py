"""What code of a workspace is kept from, in the process that runs it."""

from __future__ import annotations

import os
import signal
from collections.abc import Generator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType
from typing import Final, NoReturn

from fathom.execution import containment
from fathom.execution.containment.limits import limit

LEEWAY: Final = 2
"""Seconds that code has to end when its time is over, until it is ended."""


def contain(memory: int | None = None) -> None:
    """Keeps this process from changing anything outside of it, for good, and from more memory than this."""
    limit("CORE", 0)
    if memory is not None:
        limit("AS", memory)
    signal.signal(signal.SIGSYS, _refuse)
    containment.contain()


def _refuse(_number: int, _frame: FrameType | None) -> NoReturn:
    raise PermissionError("code of a workspace may read files in the editor, and change nothing")


@contextmanager
def interrupted(seconds: float) -> Generator[None, None, None]:
    """Ends what Python does inside by a TimeoutError when it has been at work for so long, where the system can."""

    def end(_number: int, _frame: FrameType | None) -> NoReturn:
        raise TimeoutError(f"it was not done after {seconds:g} seconds")

    if not hasattr(signal, "setitimer") or current_thread() is not main_thread():
        yield
        return
    signal.signal(signal.SIGVTALRM, end)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


@contextmanager
def timed(seconds: float) -> Generator[None, None, None]:
    """Ends what is done inside when it has taken so much of a processor's time: by an exception where Python runs, and
    by the end of the process where that does not help."""

    def end(_number: int, _frame: FrameType | None) -> NoReturn:
        raise TimeoutError(f"it was not done after {seconds:g} seconds")

    signal.signal(signal.SIGPROF, end)
    used = os.times()
    limit("CPU", int(used.user + used.system + seconds) + LEEWAY)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
