"""The program from the outside: what it says last is heard, whenever it ends."""

from __future__ import annotations

import ctypes
import os
import select
import time

import pytest

from fathom.execution.containment import processes
from fathom.execution.protocol import FrameParser, frame, write_all
from fathom.execution.runtime import STATUS_WORDS
from fathom.execution.watch import Watch

LIMITS = {"seconds": 300.0, "output": 1 << 20, "contained": False}


class LatePoll:
    """A poll that has nothing to report once, before the program goes on; it is over when that is told."""

    def __init__(self, child: int, go: int) -> None:
        self._poll = real_poll()
        self._child, self._go = child, go
        self.register, self.unregister = self._poll.register, self._poll.unregister

    def poll(self, timeout: float) -> list[tuple[int, int]]:
        if self._go < 0:
            return self._poll.poll(timeout)
        os.close(self._go)
        self._go = -1
        os.waitid(os.P_PID, self._child, os.WEXITED | os.WNOWAIT)
        return []


real_poll = select.poll


@pytest.fixture(autouse=True)
def _nothing_else_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever watches is the worker elsewhere; the descendants of this process are those of other tests."""
    monkeypatch.setattr(processes, "kill_descendants", lambda: None)


def test_an_answer_between_two_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program answers and ends after a look at its pipes, and before the look at whether it has ended."""
    out, err, result, requests, go = (os.pipe() for _ in range(5))
    child = os.fork()
    if child == 0:
        try:
            os.close(go[1])
            os.read(go[0], 1)
            os.write(out[1], b"said")
            write_all(result[1], frame({"is": "heard"}, b"blob"))
        finally:
            os._exit(0)
    for end in (out[1], err[1], result[1], go[0]):
        os.close(end)
    monkeypatch.setattr(select, "poll", lambda: LatePoll(child, go[1]))
    status = (ctypes.c_uint64 * STATUS_WORDS)()
    watch = Watch(child, out[0], err[0], result[0], requests[0], LIMITS, status, FrameParser())
    try:
        watch.until_over()
        watch.drain()
        assert watch.answer == ({"is": "heard"}, b"blob")
        assert watch.text(out[0]) == "said"
    finally:
        watch.end()
        watch.close()
        for end in requests:
            os.close(end)


def test_one_that_ends_while_another_holds_its_pipes() -> None:
    """A process that the program started has its pipes open; that the program has ended is seen all the same."""
    out, err, result, requests, go = (os.pipe() for _ in range(5))
    child = os.fork()
    if child == 0:
        try:
            os.setpgid(0, 0)
            if os.fork() == 0:
                os.close(go[1])
                os.read(go[0], 1)
        finally:
            os._exit(0)
    for end in (out[1], err[1], result[1]):
        os.close(end)
    status = (ctypes.c_uint64 * STATUS_WORDS)()
    watch = Watch(child, out[0], err[0], result[0], requests[0], LIMITS, status, FrameParser())
    started = time.monotonic()
    try:
        watch.until_over()
        assert watch.answer is None
        assert time.monotonic() - started < LIMITS["seconds"]
    finally:
        os.close(go[1])
        watch.end()
        watch.close()
        for end in (*requests, go[0]):
            os.close(end)
