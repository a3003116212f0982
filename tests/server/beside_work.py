"""Work for the process beside the server, as it may turn out. The process finds these functions by name."""

from __future__ import annotations

import os
import signal
import time

from fathom_server.features.preview import preview
from fathom_server.features.stages import LLVM_IR, stages
from fathom_server.model.mistakes import diagnostics
from fathom_server.model.snapshot import Snapshot


def text(snapshot: Snapshot) -> str:
    """The text that the process has."""
    return snapshot.tree.text


def messages(snapshot: Snapshot, index: int) -> list[str]:
    """What is wrong with an item."""
    return [diagnostic.message for diagnostic in diagnostics(snapshot, snapshot.tree.items[index])]


def pipeline(snapshot: Snapshot) -> str:
    return snapshot.settings.pipeline_text


def fork(_snapshot: Snapshot) -> int:
    """The process that answers."""
    return os.getpid()


def growth(snapshot: Snapshot) -> int:
    """The process that answers, which took much memory for it."""
    del snapshot
    return os.getpid() if bytes(range(256)) * (1 << 19) else 0


def shown(snapshot: Snapshot) -> tuple[object, ...]:
    """A function as LLVM IR, with its links; or why it is not shown."""
    stage = next(stage for stage in stages(snapshot) if stage.id == LLVM_IR)
    made = preview(snapshot, stage, "straight")
    return made.text, [(*source.place, *target.place) for source, target in made.links], made.problem


def endless(_snapshot: Snapshot) -> None:
    while True:
        time.sleep(0.01)


def fault(_snapshot: Snapshot) -> None:
    raise ValueError("a mistake in a pass")


def crash(_snapshot: Snapshot) -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


def crash_all(_snapshot: Snapshot) -> None:
    os.kill(os.getppid(), signal.SIGKILL)
    endless(_snapshot)


def gluttony(_snapshot: Snapshot) -> int:
    return len([bytes(1 << 26) for _ in range(1 << 20)])
