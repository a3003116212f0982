"""A process in which a program stays, from outside: it is started, asked and listened to, and what the program prints
in a call is taken in meanwhile."""

from __future__ import annotations

import codecs
import os
import select
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from fathom.execution.containment import MOST_THREADS
from fathom.execution.containment.processes import threads_of
from fathom.execution.outcome import UNREADABLE, RunProblem
from fathom.execution.protocol import Damaged, FrameParser, Header
from fathom.execution.verdict import closed_descriptors, printed_too_much, too_many_threads

if TYPE_CHECKING:
    from fathom.programs.arena import Arena

_TICK: Final = 0.05
"""Seconds between looks at a program that says nothing."""
_END_SECONDS: Final = 2.0
"""How long a process may take to end when it has closed what it answers by."""
_PACKAGE_ROOT: Final = Path(__file__).resolve().parents[2]


class Process:
    """The process, and the ends of its pipes."""

    def __init__(self, arena: Arena) -> None:
        requests, answers = os.pipe(), os.pipe()
        given_ends = (requests[0], answers[1], arena.descriptor)
        # The kernel takes the end of the thread that started it for that of this process.
        parent = os.getpid() if threading.current_thread() is threading.main_thread() else 0
        paths = [str(_PACKAGE_ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
        self.popen = subprocess.Popen(
            # Without -P, a json.py in the current folder would be imported, that is, run.
            [sys.executable, "-P", "-m", "fathom.execution.resident_worker", *map(str, (*given_ends, parent))],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=given_ends,
            bufsize=0,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
            start_new_session=True,
        )
        os.close(requests[0])
        os.close(answers[1])
        assert self.popen.stdout is not None
        assert self.popen.stderr is not None
        self.requests, self.answers = requests[1], answers[0]
        self.out, self.err = self.popen.stdout.fileno(), self.popen.stderr.fileno()
        os.set_blocking(self.requests, False)
        self.parser = FrameParser()

    def ends_soon(self) -> bool:
        """Whether it ends within the time that it takes to take a large process down."""
        try:
            self.popen.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            return False
        return True

    def end(self) -> int:
        """Kill it with what it started in its group, and give its wait status."""
        try:
            os.killpg(self.popen.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass
        if self.popen.poll() is None:
            self.popen.kill()
        code = self.popen.wait()
        for end in (self.requests, self.answers):
            os.close(end)
        for pipe in (self.popen.stdout, self.popen.stderr):
            if pipe is not None:
                pipe.close()
        return -code if code < 0 else code << 8


class Output:
    """What the program prints in a call, which is shown when it is over."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._size = 0
        self._printed: dict[bool, bytearray] = {}
        self.begin()

    def begin(self) -> None:
        """Forget what was printed before."""
        self._size = 0
        self._printed = {False: bytearray(), True: bytearray()}

    def take(self, data: bytes, *, is_error: bool) -> None:
        """Keep what was printed. Raises RunProblem if that is too much."""
        self._size += len(data)
        self._printed[is_error] += data
        if self._size > self._most:
            failure = printed_too_much({"output": self._most})
            raise RunProblem(failure.kind, failure.message, failure.details)

    def drain(self, process: Process) -> None:
        """Take what the pipes of a process that is over still hold."""
        for end, is_error in ((process.out, False), (process.err, True)):
            os.set_blocking(end, False)
            try:
                while data := os.read(end, 1 << 16):
                    self.take(data, is_error=is_error)
            except BlockingIOError:
                pass

    @property
    def stdout(self) -> str:
        return codecs.decode(bytes(self._printed[False]), "utf-8", "replace")

    @property
    def stderr(self) -> str:
        return codecs.decode(bytes(self._printed[True]), "utf-8", "replace")

    def show(self) -> None:
        """Print it here."""
        if self._size:
            sys.stdout.write(self.stdout)
            sys.stderr.write(self.stderr)

    def tell(self, problem: RunProblem) -> None:
        """Print it here, and put it to a failure."""
        self.show()
        problem.__dict__.update(stdout=self.stdout, stderr=self.stderr)


class Talk:
    """One request and its answer, while what the program prints is taken in."""

    def __init__(self, process: Process, output: Output, deadline: float | None) -> None:
        self._process, self._output, self._deadline = process, output, deadline
        self._poller = select.poll()
        for end in (process.answers, process.out, process.err):
            self._poller.register(end, select.POLLIN)
        self._silent: set[int] = set()
        self._is_deaf = False
        """Whether there is nothing more to hear from it."""
        self._next_look = time.monotonic() + _TICK

    def ask(self, message: bytes) -> tuple[Header, bytes] | None:
        """The answer; None if the process ended or its time is over. Raises RunProblem."""
        rest = memoryview(message)
        self._poller.register(self._process.requests, select.POLLOUT)
        while True:
            left = None if self._deadline is None else self._deadline - time.monotonic()
            if (left is not None and left <= 0) or (self._is_deaf and self._process.popen.poll() is not None):
                self._drain()
                return None
            self._look()
            for end, _ in self._poller.poll(1000 * (_TICK if left is None else min(left, _TICK))):
                if end == self._process.requests:
                    rest = self._send(rest)
                elif end == self._process.answers:
                    answer = self._hear(os.read(end, 1 << 20))
                    if answer is not None:
                        self._drain()
                        return answer
                else:
                    self._take(end)

    def _look(self) -> None:
        """See now and then how many threads there are. Raises RunProblem for too many."""
        now = time.monotonic()
        if now < self._next_look:
            return
        self._next_look = now + _TICK
        if threads_of(self._process.popen.pid) > MOST_THREADS:
            failure = too_many_threads(MOST_THREADS)
            raise RunProblem(failure.kind, failure.message)

    def _send(self, rest: memoryview) -> memoryview:
        try:
            rest = rest[os.write(self._process.requests, rest[: 1 << 16]) :]
        except BlockingIOError:
            return rest
        except BrokenPipeError:
            rest = rest[:0]
        if not rest:
            self._poller.unregister(self._process.requests)
        return rest

    def _hear(self, data: bytes) -> tuple[Header, bytes] | None:
        """The answer, if that is all of it. Where a process closed what it answers by, or wrote there what is none, it
        is seen how it ends. Raises RunProblem where it goes on, and nothing says for how long."""
        try:
            if data:
                return self._process.parser.feed(data)
        except Damaged:
            if not self._process.ends_soon():
                raise RunProblem("crash", UNREADABLE) from None
        if not self._process.ends_soon() and self._deadline is None:
            failure = closed_descriptors()
            raise RunProblem(failure.kind, failure.message)
        self._poller.unregister(self._process.answers)
        self._is_deaf = True
        return None

    def _take(self, end: int) -> None:
        """Take in what a pipe of the program has."""
        data = os.read(end, 1 << 16)
        if not data:
            self._poller.unregister(end)
            self._silent.add(end)
        self._output.take(data, is_error=end == self._process.err)

    def _drain(self) -> None:
        """Take in what was printed before the answer came."""
        while ends := self._printed():
            for end in ends:
                self._take(end)

    def _printed(self) -> list[int]:
        """The pipes of the program that have something to read."""
        poller = select.poll()
        for end in {self._process.out, self._process.err} - self._silent:
            poller.register(end, select.POLLIN)
        return [end for end, _ in poller.poll(0)]
