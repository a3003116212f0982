"""The worker process, `python -m fathom.execution.worker`: requests on standard input, answers on standard output.

It keeps LLVM loaded and forks for each request; the fork compiles and runs the program, and this process watches it: it
collects what the program prints, stops it at its limits, and says what became of it. Programs therefore cannot harm the
worker, and each starts from the same warm state. The worker ends when its standard input does: with the process that
started it.
"""

from __future__ import annotations

import ctypes
import fcntl
import gc
import mmap
import os
import select
import signal
import sys
import time
from collections.abc import Iterable, Mapping
from typing import Any, Final

from fathom.execution import containment
from fathom.execution.containment import kernel, processes
from fathom.execution.outcome import Failure, RunProblem
from fathom.execution.protocol import Damaged, FrameParser, Header, frame, read_frame
from fathom.execution.runtime import CLOSED, STATUS_WORDS, Status
from fathom.execution.verdict import (
    judge,
    no_memory,
    printed_too_much,
    refusals,
    timed_out,
    too_many_threads,
)
from fathom.records import field, record

_TICK: Final = 0.05
"""Seconds between looks at a program that says nothing."""
_GRACE: Final = 0.2
"""Seconds that a program has after its time to flush what it printed."""
_HEADER_SIZE: Final = 1 << 22
"""No answer has more to say, in bytes, besides values."""
_OUT_OF_REACH: Final = 100
"""The lowest file descriptor for the worker's own channels, so that programs do not meet them by accident."""


def main() -> int:
    """Serve requests until standard input ends."""
    requests = fcntl.fcntl(0, fcntl.F_DUPFD_CLOEXEC, _OUT_OF_REACH)
    answers = fcntl.fcntl(1, fcntl.F_DUPFD_CLOEXEC, _OUT_OF_REACH)
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(null, standard)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    kernel.adopt_orphans()
    try:
        server = _Server(requests, answers)
    except Exception as problem:  # Whatever it is, the answer must say it: nobody sees a traceback of this process.
        _write(answers, frame({"failed": f"{type(problem).__name__}: {problem}"}))
        return 1
    signal.signal(signal.SIGTERM, _end)
    _write(answers, frame({"ready": os.getpid()}))
    return server.serve()


def _end(_number: int, _frame: object) -> None:
    """End at once, with all that runs."""
    processes.kill_descendants()
    os._exit(0)


class _Server:
    def __init__(self, requests: int, answers: int) -> None:
        # Loaded here, so that a failure to load is reported, and before the first fork, so that forks need not.
        from fathom.execution import program
        from fathom.execution.compiler import Compiler

        self._program = program
        self._requests = requests
        self._answers = answers
        self._compiler = Compiler()
        self._page = mmap.mmap(-1, mmap.PAGESIZE)
        self._status = (ctypes.c_uint64 * STATUS_WORDS).from_buffer(self._page)
        _buffer_lines()
        containment.prepare()
        # Objects that the collector never touches stay shared with the forks.
        gc.collect()
        gc.freeze()

    def serve(self) -> int:
        """Answer requests one by one."""
        while True:
            try:
                request = read_frame(lambda count: _read(self._requests, count))
            except Damaged:
                return 1
            if request is None:
                return 0
            _write(self._answers, frame({"accepted": True}))
            self._run(*request)

    def _run(self, header: Header, blob: bytes) -> None:
        ctypes.memset(self._status, 0, ctypes.sizeof(self._status))
        out, err, result = os.pipe(), os.pipe(), os.pipe()
        # Between the fork and the reset of its signals, the child must not take this process's part.
        signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGTERM,))
        parent, child = os.getpid(), os.fork()
        if child == 0:
            self._become_program(header, blob, parent, (out[1], err[1], result[1]))
        signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGTERM,))
        for _, end in (out, err, result):
            os.close(end)
        parser = FrameParser(_largest_answer(header))
        watch = _Watch(child, out[0], err[0], result[0], self._requests, header["limits"], self._status, parser)
        watch.until_over()
        if watch.answer is None:
            watch.end()
        watch.drain()
        answer: Header = {"stdout": watch.text(out[0]), "stderr": watch.text(err[0])}
        failure = watch.failure(list(self._status), answer["stderr"])
        if failure is not None and failure.kind == "compile-error":
            # What LLVM said, and no program yet: the message has it.
            answer["stderr"] = ""
        notes = refusals(list(self._status))
        if failure is not None:
            _write(self._answers, frame({**answer, "failure": failure.to_json(), "notes": notes}))
        elif watch.answer is not None:
            said, blob = watch.answer
            _write(self._answers, frame({**answer, **said, "notes": [*notes, *said.get("notes", [])]}, blob))
        # To take down a large process takes a while; whoever waits for the answer need not wait for that.
        watch.end()
        watch.close()

    def _become_program(self, header: Header, blob: bytes, parent: int, ends: tuple[int, int, int]) -> None:
        """In the fork: run the program, send the answer, and end. Does not return."""
        try:
            channel = self._enter(header["limits"], parent, ends)
            try:
                reply = frame(*self._program.Program(self._compiler, header, blob, self._status).run())
            except RunProblem as problem:
                reply = frame({"failure": problem.failure.to_json()})
            except MemoryError:
                reply = frame({"failure": no_memory(self._status[Status.PHASE]).to_json()})
            except Exception as problem:
                message = f"the worker failed: {type(problem).__name__}: {problem}"
                reply = frame({"failure": Failure("worker-unavailable", message).to_json()})
            _write(channel, reply)
        except OSError:
            os._exit(CLOSED)
        finally:
            # Whatever happens, the fork must never go on as a second worker.
            os._exit(0)

    def _enter(self, limits: Mapping[str, Any], parent: int, ends: tuple[int, int, int]) -> int:
        """Become the process of the program, in which its limits hold; where its answer goes."""
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGTERM,))
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        os.setpgid(0, 0)
        kernel.die_with_parent(parent)
        _close((self._requests, self._answers))
        if not _is_single(limits):
            processes.limit_processes(containment.MOST_PROCESSES)
            processes.become_first(lambda: _close(ends), self._note_end)
        os.dup2(ends[0], 1)
        os.dup2(ends[1], 2)
        channel = fcntl.fcntl(ends[2], fcntl.F_DUPFD_CLOEXEC, _OUT_OF_REACH)
        _close(ends)
        self._program.limit_process(limits["seconds"])
        return channel

    def _note_end(self, status: int) -> None:
        self._status[Status.ENDED] = status + 1


def _largest_answer(header: Header) -> int:
    """How many bytes the answer to a request can have, if the program leaves it alone."""
    elements = sum(view["size"] for view in header["views"]) * header["limits"]["elements"]
    return header["buffers"][1]["size"] + elements + _HEADER_SIZE


def _is_single(limits: Mapping[str, Any]) -> bool:
    """Whether the program can be one process only."""
    return limits["contained"] and containment.keeps_processes()


@record(frozen=False)
class _Watch:
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
                os.kill(self.child, signal.SIGTERM)
                deadline = time.monotonic() + _GRACE
                continue
            events = poller.poll(max(1.0, min(left, _TICK) * 1000))
            if self._has_too_many_threads():
                self._stopped = "thread-limit"
                return
            if any(self._receive(end, poller) for end, _ in events):
                return
            if not events and self._has_ended():
                return

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
            _end(signal.SIGTERM, None)
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
            self.answer = self.parser.feed(data)
        except Damaged:
            return True
        return self.answer is not None

    def _capture(self, end: int, data: bytes) -> bool:
        room = self.limits["output"] - sum(map(len, self._captured.values()))
        self._captured[end] += data[:room]
        if len(data) <= room:
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
        if not _is_single(self.limits):
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
        wait_status = (status[Status.ENDED] or (self._wait_status or 0) + 1) - 1
        if self._stopped == "timeout" and status[Status.SIGNAL] in (0, signal.SIGTERM):
            return timed_out(dict(self.limits), status[Status.PHASE])
        return judge(status, wait_status, dict(self.limits), stderr)


def _buffer_lines() -> None:
    """Have C's stdout written out at each line, so that a program that is killed has said what it said."""
    library = ctypes.CDLL(None)
    line_buffered = 1
    symbol = "stdout" if sys.platform == "linux" else "__stdoutp"
    library.setvbuf(ctypes.c_void_p.in_dll(library, symbol), None, line_buffered, 1 << 16)


def _read(descriptor: int, count: int) -> bytes:
    """Exactly `count` bytes, or fewer at the end of the stream."""
    data = bytearray()
    while len(data) < count:
        piece = os.read(descriptor, min(count - len(data), 1 << 20))
        if not piece:
            break
        data += piece
    return bytes(data)


def _close(descriptors: Iterable[int]) -> None:
    for descriptor in descriptors:
        os.close(descriptor)


def _write(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


if __name__ == "__main__":
    sys.exit(main())
