"""Whether a server goes on answering: hovers on a quiet file while something else happens, and its memory."""

from __future__ import annotations

import asyncio
import os
import statistics
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.server.client import Session

QUIET = "func.func @quiet(%a: i32) -> i32 {\n  %0 = arith.addi %a, %a : i32\n  return %0 : i32\n}\n"
MEDIAN, WORST = 0.1, 0.5
"""Seconds that a server computes before it has answered a hover: what else the machine does, does not count."""
MEMORY = 2 << 30
"""Bytes that the server and all that it started may have, together, at any time."""


def memory_of(pid: int) -> int:
    """The resident memory of a process and its descendants, in bytes; what they share counts once for each."""
    total, left = 0, [pid]
    while left:
        current = left.pop()
        try:
            pages = int(Path(f"/proc/{current}/statm").read_text(encoding="ascii").split()[1])
            total += pages * 4096
            for task in Path(f"/proc/{current}/task").iterdir():
                left += map(int, (task / "children").read_text(encoding="ascii").split())
        except OSError:
            continue
    return total


def computed_by(pid: int) -> float:
    """Seconds for which a process has computed, to a hundredth."""
    # The name, which may hold anything, ends with the last parenthesis.
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@asynccontextmanager
async def attentive(session: Session, pid: int) -> AsyncIterator[None]:
    """Checks, while the block runs and for at least ten hovers, that they are answered soon, and the memory."""
    quiet = session.open(QUIET)
    await quiet.diagnostics()
    place = quiet.at("%0 =", 1)
    await quiet.hover(place)
    times: list[float] = []
    most = 0
    over = asyncio.Event()

    async def watch() -> None:
        nonlocal most
        while not over.is_set() or len(times) < 10:
            before = computed_by(pid)
            assert "arith.addi" in await quiet.hover(place)
            times.append(computed_by(pid) - before)
            most = max(most, memory_of(pid))
            await asyncio.sleep(0.02)

    watching = asyncio.create_task(watch())
    try:
        yield
    finally:
        over.set()
        await watching
    assert statistics.median(times) < MEDIAN, times
    assert max(times) < WORST, times
    assert most < MEMORY
