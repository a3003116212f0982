"""LLVM in a process beside, where its end costs nothing.

LLVM ends the process that it is in where it meets what it did not expect: by `report_fatal_error`, by an access of
memory that is not there. So nothing is asked of it in the process that translates. `ask` sends a question to a process
that has it, which is started when it is needed for the first time, and again when it is gone; what LLVM said when it
ended is `Died`.

A process of one thread forks for that, which takes a millisecond and the time to load LLVM. One of several threads, as
the server's, starts Python anew: a fork would have the locks that other threads hold. So does one that
is to be new: all forks find the same memory, and LLVM does in each what it did in the others.
"""

from __future__ import annotations

import atexit
import gc
import os
import select
import signal
import struct
import sys
import threading
import time
from collections.abc import Iterator
from importlib import import_module
from math import inf
from typing import TYPE_CHECKING, Final, NoReturn

from fathom.llvm import VERIFY
from fathom.llvm.printed import amount_in, scratch_file, text_in, words_of
from fathom.records import record

if TYPE_CHECKING:
    import subprocess

_HEAD: Final = struct.Struct("<BQ")
"""What a frame begins with: which question, or whether there is an answer, and the length of the text."""
_ANSWERED, _REFUSED = 0, 1
_PIECE: Final = 1 << 20
"""How much is read or written at once."""
_SECONDS: Final = 120.0
"""How long LLVM may think about one question."""
_MOST_OPEN: Final = 1 << 16
"""Beyond this number no file is open."""


class Refused(Exception):
    """LLVM has no answer, and says why."""


class Died(Exception):
    """LLVM ended its process; the text is what it printed, which may be nothing."""


@record(frozen=False)
class _Process:
    owner: int
    """The process that started it: a fork of that has another."""
    pid: int
    questions: int
    answers: int
    errors: int
    """A file that has what the process printed."""
    popen: subprocess.Popen[bytes] | None = None
    printed: int = 0
    """How much it had printed when it was asked."""


class Llvm:
    """LLVM in a process of its own, which is started when something is asked, and again when it is gone. It may think
    `seconds` about one question, and use so many bytes of `memory`, if that is said. One that `is_new` is never a fork
    of this process."""

    def __init__(self, seconds: float = _SECONDS, memory: int = 0, *, is_new: bool = False) -> None:
        self._seconds = seconds
        self._memory = memory
        self._is_new = is_new
        self._lock = threading.Lock()
        self._running: _Process | None = None
        atexit.register(self.close)

    def ask(self, kind: int, text: str) -> str:
        """The answer of LLVM to a question of this kind. Raises Refused and Died."""
        with self._lock:
            process = self._ready()
            try:
                # What it printed about others is not about this one.
                process.printed = amount_in(process.errors)
                deadline = time.monotonic() + self._seconds
                _send(process.questions, kind, text, deadline)
                status, answer = _receive(process, deadline)
            except (OSError, EOFError):
                raise Died(self._end(process)) from None
        if status == _REFUSED:
            raise Refused(answer)
        return answer

    def start(self) -> None:
        """Start a process if there is none, and do not wait for it."""
        with self._lock:
            self._ready()

    @property
    def is_up(self) -> bool:
        """Whether there is a process already, so that an answer takes no longer than LLVM does."""
        return self._running is not None and self._running.owner == os.getpid()

    def close(self) -> None:
        """End the process; the next question starts another."""
        with self._lock:
            if self._running is not None and self._running.owner == os.getpid():
                self._end(self._running)

    def interrupt(self) -> None:
        """End the process though another thread waits for its answer: LLVM died, for that one."""
        process = self._running
        if process is not None and process.owner == os.getpid():
            _kill(process)

    def _ready(self) -> _Process:
        """A process that is up."""
        if self._running is not None and self._running.owner != os.getpid():
            process, self._running = self._running, None
            for end in (process.questions, process.answers, process.errors):
                os.close(end)
        if self._running is not None:
            if _is_gone(self._running):
                self._end(self._running)
        if self._running is None:
            self._running = _start(self._memory, is_new=self._is_new)
        return self._running

    def _end(self, process: _Process) -> str:
        """Ends the process, if it has not ended; what it printed."""
        self._running = None
        os.close(process.questions)
        os.close(process.answers)
        _kill(process)
        if process.popen is not None:
            process.popen.wait()
        else:
            try:
                os.waitpid(process.pid, 0)
            except ChildProcessError:
                pass
        said = text_in(process.errors, process.printed)
        os.close(process.errors)
        return words_of(said)


_SHARED: Final = Llvm()
"""That of whoever translates."""


def ask(kind: int, text: str) -> str:
    """The answer of LLVM to a question of this kind. Raises Refused and Died."""
    return _SHARED.ask(kind, text)


def is_up() -> bool:
    """Whether there is a process already, so that an answer takes no longer than LLVM does."""
    return _SHARED.is_up


def start() -> None:
    """Have LLVM loaded beside, for who has work to do before there is something to ask. A fork is cheap as long as this
    process is small: afterwards, each page that either of the two writes to is copied."""
    _SHARED.start()


def begin() -> None:
    """Have a process up with LLVM in it."""
    try:
        ask(VERIFY, "")
    except (Refused, Died):
        return  # Whoever asks next meets it again.


def load() -> None:
    """Load LLVM into this process, and ask it nothing: its forks that start such a process have it then."""
    import_module("fathom.llvm.questions")


def close() -> None:
    """End the process; the next question starts another."""
    _SHARED.close()


def _start(memory: int, *, is_new: bool) -> _Process:
    questions, answers = os.pipe(), os.pipe()
    errors = scratch_file()
    if not is_new and threading.active_count() == 1 and hasattr(os, "fork"):
        pid, popen = os.fork(), None
        if pid == 0:
            _become(questions[0], answers[1], errors, memory)
    else:
        import subprocess
        from pathlib import Path

        paths = [str(Path(__file__).resolve().parents[2]), *filter(None, [os.environ.get("PYTHONPATH")])]
        popen = subprocess.Popen(
            # Without -P, a json.py in the folder that is being edited would be imported, that is, run.
            [sys.executable, "-P", "-c", f"from {main.__module__} import main; main({memory})"],
            stdin=questions[0],
            stdout=answers[1],
            stderr=errors,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
            start_new_session=True,
        )
        pid = popen.pid
    os.close(questions[0])
    os.close(answers[1])
    if hasattr(select, "poll"):
        os.set_blocking(questions[1], False)
    return _Process(os.getpid(), pid, questions[1], answers[0], errors, popen)


def _become(questions: int, answers: int, errors: int, memory: int) -> NoReturn:
    """In the fork: answer questions, and end with the process that asks."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        gc.disable()
        # Whatever else is open is not this process's to write, nor to hold open.
        kept = [os.dup(end) for end in (questions, answers, errors)]
        null = os.open(os.devnull, os.O_RDWR)
        for source, number in zip((null, null, kept[2], kept[0], kept[1]), range(5), strict=True):
            os.dup2(source, number)
        os.closerange(5, _MOST_OPEN)
        _serve(3, 4, memory)
    finally:
        os._exit(0)


def main(memory: int = 0) -> None:
    """Started anew: questions on standard input, answers on standard output."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answers = os.dup(1)
    os.dup2(2, 1)
    _serve(0, answers, memory)


def _serve(questions: int, answers: int, memory: int) -> None:
    from fathom.llvm.questions import QUESTIONS

    if hasattr(select, "poll"):
        threading.Thread(target=_end_with, args=(questions,), daemon=True).start()
    _limit(memory)
    while head := _read(questions, _HEAD.size):
        kind, length = _HEAD.unpack(head)
        text = str(_read(questions, length), "utf-8")
        _end_after(_SECONDS)
        try:
            status, answer = _ANSWERED, QUESTIONS[kind](text)
        except (RuntimeError, MemoryError, ValueError) as problem:
            status, answer = _REFUSED, str(problem)
        _end_after(0)
        _send(answers, status, answer)


def _end_with(questions: int) -> None:
    """End this process when nobody is left who asks, also while LLVM thinks."""
    poller = select.poll()
    poller.register(questions, 0)
    poller.poll()
    os._exit(0)


def _end_after(seconds: float) -> None:
    """End this process in so many seconds, whatever LLVM does then; with 0 it stays. Whoever asks waits no
    longer; but a process that was forked meanwhile may keep the pipe open of one that is gone."""
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _limit(memory: int) -> None:
    """Has this process leave no image of itself, and take no more than so many bytes beside those that it has, if that
    is said, where systems have such limits. A fork has all that its parent has. A limit that is lower stays."""
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if not memory:
        return
    from fathom.llvm.address_space import address_space

    memory += address_space() or 0
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = memory if hard == resource.RLIM_INFINITY else min(memory, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _is_gone(process: _Process) -> bool:
    if not hasattr(select, "poll"):
        return process.popen is not None and process.popen.poll() is not None
    poller = select.poll()
    poller.register(process.answers, 0)
    # It says nothing unasked.
    return bool(poller.poll(0))


def _receive(process: _Process, deadline: float) -> tuple[int, str]:
    """Raises EOFError if the process ended, or takes too long."""

    def read(count: int) -> bytearray:
        data = bytearray()
        while len(data) < count:
            if poller is not None and not poller.poll(max(0.0, deadline - time.monotonic()) * 1000):
                raise EOFError
            piece = os.read(process.answers, min(count - len(data), _PIECE))
            if not piece:
                raise EOFError
            data += piece
        return data

    if hasattr(select, "poll"):
        poller = select.poll()
        poller.register(process.answers, select.POLLIN)
        status, length = _HEAD.unpack(read(_HEAD.size))
        return status, read(length).decode()
    # Where a pipe cannot be waited for, what takes too long is ended, which ends the pipe.
    poller, late = None, threading.Timer(deadline - time.monotonic(), _kill, (process,))
    late.daemon = True
    late.start()
    try:
        status, length = _HEAD.unpack(read(_HEAD.size))
        return status, read(length).decode()
    finally:
        late.cancel()


def _kill(process: _Process) -> None:
    if process.popen is not None:
        process.popen.kill()
        return
    try:
        os.kill(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def _read(descriptor: int, count: int) -> bytearray:
    """So many bytes, or fewer at the end of the stream."""
    data = bytearray()
    while len(data) < count:
        piece = os.read(descriptor, min(count - len(data), _PIECE))
        if not piece:
            break
        data += piece
    return data


def _send(descriptor: int, kind: int, text: str, deadline: float = inf) -> None:
    """Writes a frame. Of a long text there is no second copy, piece by piece. Raises EOFError if it is not read within
    the time, and OSError."""
    length = len(text) if text.isascii() else sum(len(piece) for piece in _pieces(text))
    _write(descriptor, _HEAD.pack(kind, length), deadline)
    for piece in _pieces(text):
        _write(descriptor, piece, deadline)


def _pieces(text: str) -> Iterator[bytes]:
    for start in range(0, len(text), _PIECE):
        yield text[start : start + _PIECE].encode(errors="replace")


def _write(descriptor: int, data: bytes, deadline: float) -> None:
    """Waits, until the deadline, where the pipe is one that does not wait by itself."""
    rest = memoryview(data)
    while rest:
        try:
            rest = rest[os.write(descriptor, rest) :]
        except BlockingIOError:
            poller = select.poll()
            poller.register(descriptor, select.POLLOUT)
            if not poller.poll(max(0.0, deadline - time.monotonic()) * 1000):
                raise EOFError from None


if __name__ == "__main__":
    main()
