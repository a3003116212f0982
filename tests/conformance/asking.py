"""One text through one command line of Fathom, in this process, and what came of it: whatever happens is an answer."""

from __future__ import annotations

import io
import re
import resource
import signal
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

SECONDS = 20
"""How long Fathom may think about one text: of the processor's time, however busy the machine is."""

BYTES = 4 * 2**30
"""How much memory a process that asks may have."""


class TookTooLongError(BaseException):
    """Raised by the alarm; no handler for ordinary exceptions holds it up."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What Fathom printed, and its exit status; or in which way it crashed."""

    stdout: str
    stderr: str
    status: int
    crash: str = ""


def ask_fathom(arguments: Sequence[str], text: str) -> Asked:
    """`fathom ARGUMENTS` with `text` as its standard input."""
    from fathom.cli import main

    stdout, stderr = io.StringIO(), io.StringIO()
    try:
        with _alarm(SECONDS):
            status = main(arguments, io.StringIO(text), stdout, stderr)
    except TookTooLongError:
        return Asked("", "", 1, f"took longer than {SECONDS} s")
    except (Exception, SystemExit) as error:
        return Asked("", "", 1, _place(error))
    return Asked(stdout.getvalue(), stderr.getvalue(), status)


def limit_memory() -> None:
    """For the process that asks, so that a text that takes all memory is a crash and not the machine's end."""
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))


@contextmanager
def _alarm(seconds: int) -> Iterator[None]:
    def ring(_number: int, _frame: FrameType | None) -> None:
        raise TookTooLongError

    signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _place(error: BaseException) -> str:
    """An exception as its kind and the innermost function of Fathom that it passed through."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "/fathom/" in frame.filename]
    inner = frames[-1] if frames else None
    where = f" in `{inner.filename.rpartition('/fathom/')[2]}`, `{inner.name}`" if inner else ""
    return f"`{type(error).__name__}`{where}"


def first_error(stderr: str) -> str:
    """The text of the first error in mlir-opt's form."""
    match = re.search(r"error: (.*)", stderr)
    return match[1] if match else (stderr.strip().split("\n")[-1] or "no message")
