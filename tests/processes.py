"""What the system says of processes, on Linux."""

from __future__ import annotations

from pathlib import Path


def descendants(pid: int) -> set[int]:
    """The children of a process that run, and theirs."""
    pids: set[int] = set()
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children = {int(child) for child in task.read_text(encoding="ascii").split() if is_running(int(child))}
        except OSError:
            continue
        pids |= children.union(*map(descendants, children))
    return pids


def is_running(pid: int) -> bool:
    """Whether a process is there, and not only waited for."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False
