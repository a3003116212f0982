"""All the processes of a program, and their end: nothing that a program starts outlives its run.

Where a program can start processes, it runs in a PID namespace if the kernel allows one: its first process, the
shepherd, waits for the program, and when that ends or is killed the kernel kills all others. Otherwise whoever watches
the program is the parent of its orphans, finds them, and kills until none is left.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Final

from fathom.execution.containment import kernel

_KILLING: Final = 5.0
"""Seconds for which descendants are looked for, at most."""


def become_first(close: Callable[[], None], ended: Callable[[int], None]) -> None:
    """Go on in a process that is alone in a PID namespace, but for the shepherd that started it; in this one if there
    are no such namespaces. Two processes stay behind, which `close` what only the program is to hold, and end when it
    has `ended` with the status of `os.waitpid`; the namespace ends with them."""
    alive, end = os.pipe()
    if not kernel.enter_pid_namespace():
        os.close(alive)
        os.close(end)
        return
    shepherd = os.fork()
    if shepherd:
        os.close(alive)
        close()
        _tend(shepherd, lambda _status: None)
    os.close(end)
    kernel.die_with_parent(0)
    # If the parent ended before the kernel was told, nobody holds the other end.
    poller = select.poll()
    poller.register(alive, 0)
    if poller.poll(0):
        os._exit(1)
    os.close(alive)
    program = os.fork()
    if program:
        close()
        _tend(program, ended)
    kernel.die_with_parent(1)


def _tend(child: int, ended: Callable[[int], None]) -> None:
    """Pass on the wish that the child end, and end with it. Does not return."""

    def pass_on(number: int, _frame: FrameType | None) -> None:
        os.kill(child, number)

    signal.signal(signal.SIGTERM, pass_on)
    while True:
        # The first process of a namespace is the parent of all orphans in it.
        pid, status = os.wait()
        if pid == child:
            ended(status)
            os._exit(0)


def limit_processes(most: int) -> None:
    """Let the user have so many processes and threads more than there are now. Root has no such limit."""
    if sys.platform != "linux":
        return
    import resource

    try:
        _, hard = resource.getrlimit(resource.RLIMIT_NPROC)
        wanted = _tasks_of_user() + most
        wanted = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NPROC, (wanted, wanted))
    except (OSError, ValueError):
        return


def _tasks_of_user() -> int:
    """How many threads the user's processes have."""
    user, count = os.getuid(), 0
    for folder in _processes():
        try:
            if folder.stat().st_uid == user:
                count += sum(1 for _ in (folder / "task").iterdir())
        except OSError:
            continue
    return count


def threads_of(pid: int) -> int:
    """How many threads a process has; 0 if that cannot be told."""
    fields = _stat(Path(f"/proc/{pid}"))
    return int(fields[17]) if fields else 0


def kill_descendants() -> None:
    """Kill all that descends from this process, as long as something does."""
    if sys.platform != "linux":
        return
    until = time.monotonic() + _KILLING
    while time.monotonic() < until:
        _reap()
        pids = list(_descendants(os.getpid()))
        if not pids:
            return
        for pid in pids:
            try:
                os.kill(pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                continue


def end_all(_number: int = 0, _frame: FrameType | None = None) -> None:
    """End this process at once, with all that descends from it."""
    kill_descendants()
    os._exit(0)


def _reap() -> None:
    """Forget the children that have ended."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            continue
    except ChildProcessError:
        return


def _descendants(ancestor: int) -> Iterator[int]:
    """The processes that descend from one, those that have ended left out."""
    children: dict[int, list[int]] = {}
    for folder in _processes():
        fields = _stat(folder)
        if fields and fields[0] != "Z":
            children.setdefault(int(fields[1]), []).append(int(folder.name))
    left = [ancestor]
    while left:
        below = children.get(left.pop(), [])
        yield from below
        left += below


def _processes() -> list[Path]:
    try:
        return [folder for folder in Path("/proc").iterdir() if folder.name.isdigit()]
    except OSError:
        return []


def _stat(folder: Path) -> list[str]:
    """The fields of /proc/PID/stat from the third on, the state; none if the process is gone."""
    try:
        return (folder / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    except OSError:
        return []
