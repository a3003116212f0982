"""A program from the outside: what it prints, when it has to end, and what it says last."""

from __future__ import annotations

import ctypes
import os
import select
import signal
import time
from collections.abc import Mapping
from typing import Any, Final

from fathom.execution import containment
from fathom.execution.containment import processes
from fathom.execution.outcome import UNREADABLE, Failure
from fathom.execution.protocol import Damaged, FrameParser, Header
from fathom.execution.runtime import Status
from fathom.execution.verdict import judge, printed_too_much, timed_out, too_many_threads
from fathom.records import field, record

_TICK: Final = 0.05
"""Seconds between looks at a program that says nothing."""
_MUCH: Final = 1 << 16
"""Bytes after which what a program prints is taken in less often."""
_REST: Final = 0.002
"""Seconds between two looks at what such a program prints: to be woken for each line takes longer than printing it."""
_GRACE: Final = 0.2
"""Seconds that a program has after its time to flush what it printed."""


def is_single(limits: Mapping[str, Any]) -> bool:
    """Whether the program can be one process only."""
    return limits["contained"] and containment.keeps_processes()


@record(frozen=False)
class Watch:
    """One program from the outside: its pipes, its time, and what it has said so far."""

    child: int
    out: int
    err: int
    result: int
    requests: int
    limits: Mapping[str, Any]
    status: ctypes.Array[ctypes.c_uint64]
    parser: FrameParser
    answer: tuple[Header, bytes] | None = None
    takes_code: bool = False
    """Whether the program's code may still come, which it does before the program is called."""
    code: bytes = b""
    _captured: dict[int, bytearray] = field(default_factory=dict[int, bytearray])
    _stopped: str = ""
    _next_look: float = 0.0
    _wait_status: int | None = None

    def until_over(self) -> None:
        """Return when the program has answered, has ended, or has passed a limit."""
        self._captured = {self.out: bytearray(), self.err: bytearray()}
        poller = select.poll()
        # Registered for nothing, a descriptor still reports that its other end was closed.
        poller.register(self.requests, 0)
        for end in (self.out, self.err, self.result):
            poller.register(end, select.POLLIN)
        deadline = time.monotonic() + self.limits["seconds"]
        while True:
            left = deadline - time.monotonic()
            if left <= 0 and self._stopped:
                return
            if left <= 0:
                self._stopped = "timeout"
                if self._wait_status is None:
                    os.kill(self.child, signal.SIGTERM)
                deadline = time.monotonic() + _GRACE
                continue
            events = poller.poll(max(1.0, min(left, _TICK) * 1000))
            if self._has_too_many_threads():
                self._stopped = "thread-limit"
                return
            if any(self._receive(end, poller) for end, _ in events):
                return
            if events:
                continue
            # Between the look at its pipes and this one at itself, it may have answered and ended.
            if self._wait_status is not None:
                return
            self._has_ended()

    def _has_too_many_threads(self) -> bool:
        """Looked at now and then."""
        now = time.monotonic()
        if not self.limits["contained"] or now < self._next_look:
            return False
        self._next_look = now + _TICK
        return processes.threads_of(self.child) > containment.MOST_THREADS

    def _receive(self, end: int, poller: select.poll) -> bool:
        """Take in what has come from a pipe; whether it is over."""
        if end == self.requests:
            # The server is gone, and nobody is left to answer.
            processes.end_all()
        try:
            data = os.read(end, 1 << 16)
        except OSError:
            data = b""
        if not data:
            poller.unregister(end)
            # It is about to end, in a way worth knowing; or it closed its descriptors and goes on.
            return end == self.result and self._ends_soon()
        if end == self.result:
            return self._receive_answer(data)
        return self._capture(end, data)

    def _receive_answer(self, data: bytes) -> bool:
        try:
            frame = self.parser.feed(data)
            if frame is not None and self.takes_code:
                self.takes_code = False
                if "made" in frame[0]:
                    self.code = frame[1]
                    frame = self.parser.feed()
        except Damaged:
            if not self._ends_soon():
                self._stopped = "unreadable"
            return True
        self.answer = frame
        return frame is not None

    def _capture(self, end: int, data: bytes) -> bool:
        room = self.limits["output"] - sum(map(len, self._captured.values()))
        self._captured[end] += data[:room]
        if len(data) <= room:
            if len(self._captured[end]) > _MUCH:
                time.sleep(_REST)
            return False
        self._stopped = "output-limit"
        return True

    def _has_ended(self) -> bool:
        if self._wait_status is None:
            pid, wait_status = os.waitpid(self.child, os.WNOHANG)
            self._wait_status = wait_status if pid else None
        return self._wait_status is not None

    def end(self) -> None:
        """Kill what is left of the program, and of all that it started."""
        try:
            # Also when the program has ended: it may have started processes of its own, in its group.
            os.killpg(self.child, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass
        if self._wait_status is None:
            os.kill(self.child, signal.SIGKILL)
            self._wait_status = os.waitpid(self.child, 0)[1]
        if not is_single(self.limits):
            processes.kill_descendants()

    def _ends_soon(self) -> bool:
        """Whether the program ends within the time that it takes to take a large process down."""
        until = time.monotonic() + 1.0
        while not self._has_ended() and time.monotonic() < until:
            time.sleep(0.001)
        return self._has_ended()

    def drain(self) -> None:
        """Take in what the pipes still hold."""
        for end in (self.out, self.err):
            os.set_blocking(end, False)
            self._drain(end)

    def close(self) -> None:
        """Close the pipes."""
        for end in (self.out, self.err, self.result):
            os.close(end)

    def _drain(self, end: int) -> None:
        while True:
            try:
                data = os.read(end, 1 << 16)
            except OSError:
                return
            if not data or self._capture(end, data):
                return

    def text(self, end: int) -> str:
        """What came from a pipe."""
        return self._captured[end].decode(errors="replace")

    def failure(self, status: list[int], stderr: str) -> Failure | None:
        """Why there is no answer, if there is none."""
        if self._stopped == "output-limit":
            return printed_too_much(dict(self.limits))
        if self._stopped == "thread-limit":
            return too_many_threads(containment.MOST_THREADS)
        if self.answer is not None:
            return None
        if self._stopped == "unreadable":
            return Failure("crash", UNREADABLE)
        wait_status = (status[Status.ENDED] or (self._wait_status or 0) + 1) - 1
        if self._stopped == "timeout" and status[Status.SIGNAL] in (0, signal.SIGTERM):
            return timed_out(dict(self.limits), status[Status.PHASE])
        return judge(status, wait_status, dict(self.limits), stderr)
