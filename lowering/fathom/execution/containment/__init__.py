"""What a program is kept from, by what the kernel offers to processes without privileges.

A *contained* program can compute, allocate, print, read files and have a few threads. It cannot write files, start
processes, open sockets, or send signals to others. On Linux a seccomp filter refuses the system calls for these, and
Landlock refuses what lies behind them once more. Where processes can be started all the same (`Limits.contained` is
false, or there is no filter for the machine), they are in a PID namespace, or else children of a subreaper, so that
all of them are killed when the run is over, whatever they did to get away.

`docs/containment.md` says what holds on which platform.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Final

# What asks the kernel is imported where that is done: who only starts a worker need not wait for it.

MOST_THREADS: Final = 64
"""How many threads a contained program may have."""
MOST_PROCESSES: Final = 64
"""How many processes and threads a program that is not contained may add to those of the user."""

_NOTHING: Final = (
    "on this platform a program is kept within its time, memory and output only: it can write files, start processes "
    "and open sockets"
)
_FILES_ONLY: Final = (
    "on this machine a program cannot write files, nor use TCP or send signals where the kernel is recent, but it can "
    "start processes and open sockets of other kinds"
)


_required = False


def keeps_processes() -> bool:
    """Whether a contained program cannot start processes on this machine."""
    from fathom.execution.containment import seccomp

    return seccomp.is_available()


def require() -> None:
    """From now on this process asks for no program that is not contained, whatever its options say."""
    global _required
    _required = True


def is_required() -> bool:
    """Whether this process may ask for contained programs only."""
    return _required


def prepare() -> None:
    """Do what can be done for all processes that will be contained, before they are forked."""
    if keeps_processes():
        from fathom.execution.containment import seccomp

        seccomp.prepared()


def contain() -> str | None:
    """Contain this process for good. What is not contained on this machine, in a sentence; None if all of it is.

    The process keeps the descriptors that it has open.
    """
    if sys.platform != "linux":
        return _NOTHING
    from fathom.execution.containment import kernel, landlock, seccomp

    kernel.give_up_privileges()
    without_files = _why_not(landlock.restrict)
    without_calls = _why_not(lambda: seccomp.install(os.getpid()))
    if without_calls is None:
        return None
    if without_files is None:
        return f"{_FILES_ONLY}, for the system has no filter of system calls: {without_calls}"
    return f"{_NOTHING}, for the system has neither a filter of system calls nor Landlock: {without_calls}"


def _why_not(restrict: Callable[[], None]) -> str | None:
    """Restrict this process; why that was not possible."""
    try:
        restrict()
    except OSError as problem:
        return problem.strerror or str(problem)
    return None
