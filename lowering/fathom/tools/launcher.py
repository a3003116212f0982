"""The process that starts a tool, limits it, and sees to it that nothing of it is left.

python -P -m fathom.tools.launcher STATUS MEMORY SECONDS COMMAND...

The tool has no standard input. It is killed, with all that it started, when it is over, when this process's standard
input is closed, and when this process ends. How it ended is written to the descriptor STATUS, as a number: its exit
status, or below 0 the signal that ended it.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
from typing import Final, NoReturn

from fathom.execution.containment import MOST_PROCESSES, kernel, processes
from fathom.execution.containment.limits import limit

_NOT_STARTED: Final = "cannot start"
_LARGEST_FILE: Final = 1 << 30
"""Bytes that a file may have which it writes."""


def main() -> None:
    status, memory, seconds = map(int, sys.argv[1:4])
    command = sys.argv[4:]
    kernel.adopt_orphans()
    over, ends = os.pipe()
    tool = os.fork()
    if tool == 0:
        os.close(over)
        _become(command, ends, status, memory, seconds)
    os.close(ends)
    poller = select.poll()
    poller.register(0, select.POLLIN)
    poller.register(over, select.POLLIN)
    told = ""
    while not told:
        ready = dict(poller.poll())
        if over in ready:
            # Inside of a namespace the shepherd knows how it ended; outside of one, whoever waits here.
            told = os.read(over, 64).decode() or str(_waited(tool))
        elif 0 in ready and not os.read(0, 4096):
            break
    with contextlib.suppress(OSError):
        # With this one ends the namespace that the tool is in, if there is one.
        os.kill(tool, signal.SIGKILL)
    processes.kill_descendants()
    with contextlib.suppress(OSError):
        os.write(status, told.encode())
    os._exit(0)


def _waited(pid: int) -> int:
    """How a child ended."""
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def _become(command: list[str], ends: int, status: int, memory: int, seconds: int) -> NoReturn:
    """In the fork: be the tool. Nothing but the shepherd holds `ends` open then."""
    try:
        os.close(status)
        kernel.die_with_parent(os.getppid())
        _limit(memory, seconds)
        processes.become_first(lambda: None, lambda code: _tell(ends, str(os.waitstatus_to_exitcode(code))))
        os.set_inheritable(ends, False)
        null = os.open(os.devnull, os.O_RDWR)
        os.dup2(null, 0)
        os.execvp(command[0], command)
    except OSError as problem:
        os.write(2, f"{_NOT_STARTED} {command[0]}: {problem.strerror}\n".encode())
    finally:
        os._exit(127)


def _tell(descriptor: int, text: str) -> None:
    with contextlib.suppress(OSError):
        os.write(descriptor, text.encode())


def _limit(memory: int, seconds: int) -> None:
    """Limits the memory, the time of the processor and what is written, for good."""
    for what, most in (("AS", memory), ("CPU", seconds), ("CORE", 0), ("FSIZE", _LARGEST_FILE)):
        limit(what, most, for_good=True)
    processes.limit_processes(MOST_PROCESSES)


if __name__ == "__main__":
    main()
