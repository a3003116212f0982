"""A tool on a text, in a process that has an end: it has so much time, memory and output, and whatever it starts ends
with it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Final, Literal, TypeAlias

from fathom.records import record
from fathom.text.encodings import utf8

Stop: TypeAlias = Literal["", "timeout", "output", "interrupted", "not-started"]
FILE: Final = "fathom-source.mlir"
"""What the file is called that a tool is handed, in a folder of its own."""
MOST_SAID: Final = 1 << 20
"""So many bytes of what a tool says of mistakes are read."""
_KILLING: Final = 6.0
"""Seconds in which the launcher has to end all."""
_LAUNCHER: Final = "fathom.tools.launcher"


@record
class Limits:
    """What a tool has: seconds, bytes of address space, and bytes of output. So many bytes are read of what it says."""

    seconds: float = 10.0
    memory: int = 4 << 30
    output: int = 32 << 20
    said: int = MOST_SAID


@record
class Ended:
    """What came of a tool: its exit status, below 0 the signal that ended it; what it printed, and what it said of
    mistakes; and why it was ended, if it was. The text was in the file of this name."""

    status: int
    printed: bytes
    said: bytes
    stop: Stop
    file: str


class Running:
    """A tool that runs on a text once; another thread may interrupt it."""

    def __init__(self, command: Sequence[str], flags: Sequence[str], folder: Path | None, limits: Limits) -> None:
        """`command` is the tool with flags of its own; what names a file in it counts from the folder."""
        self._command = [*command, *flags]
        self._folder = folder
        self._limits = limits
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._stop: Stop = ""

    def run(self, text: str) -> Ended:
        """Runs it, and waits for its end."""
        with TemporaryDirectory(prefix="fathom-tool-") as made:
            file = str(Path(os.path.realpath(made)) / FILE)
            Path(file).write_bytes(utf8(text))
            reading, writing = os.pipe()
            try:
                with self._lock:
                    if self._stop:
                        return Ended(-1, b"", b"", self._stop, file)
                    self._process = self._start(file, writing)
            except (OSError, ValueError) as problem:
                os.close(reading)
                os.close(writing)
                reason = problem.strerror if isinstance(problem, OSError) else str(problem)
                return Ended(-1, b"", f"cannot start {self._command[0]}: {reason}".encode(), "not-started", file)
            os.close(writing)
            try:
                return self._wait(self._process, reading, file)
            finally:
                os.close(reading)

    def interrupt(self) -> None:
        """Ends it at once, if it has begun, and does not let it begin otherwise."""
        self._end("interrupted")

    def _start(self, file: str, status: int) -> subprocess.Popen[bytes]:
        command = [_found(self._command[0], self._folder), *self._command[1:], file]
        keeps = ()
        if sys.platform != "win32":
            limits = (status, self._limits.memory, max(1, int(self._limits.seconds) + 1))
            command = [sys.executable, "-P", "-m", _LAUNCHER, *map(str, limits), *command]
            keeps = (status,)
        paths = [str(Path(__file__).resolve().parents[2]), *filter(None, [os.environ.get("PYTHONPATH")])]
        return subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=self._folder,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
            pass_fds=keeps,
            start_new_session=True,
        )

    def _wait(self, process: subprocess.Popen[bytes], status: int, file: str) -> Ended:
        printed, said = bytearray(), bytearray()
        readers = [
            self._reader(process.stdout, printed, self._limits.output, ends=True),
            self._reader(process.stderr, said, self._limits.said, ends=False),
        ]
        try:
            process.wait(self._limits.seconds)
        except subprocess.TimeoutExpired:
            self._end("timeout")
        self._see_to_the_end(process)
        for reader in readers:
            reader.join(1.0)
        if sys.platform == "win32":
            code = process.returncode
        else:
            told = os.read(status, 64)
            code = int(told) if told else -signal.SIGKILL
        return Ended(code, bytes(printed), bytes(said), self._stop, file)

    def _reader(self, stream: IO[bytes] | None, into: bytearray, most: int, *, ends: bool) -> threading.Thread:
        """A thread that reads what the tool writes; of too much, which `ends` it or not, the beginning."""

        def read() -> None:
            while stream is not None and (some := os.read(stream.fileno(), 1 << 16)):
                if len(into) + len(some) > most and ends:
                    self._end("output")
                into.extend(some[: max(0, most - len(into))])

        thread = threading.Thread(target=read, daemon=True)
        thread.start()
        return thread

    def _end(self, why: Stop) -> None:
        with self._lock:
            if self._process is not None and self._process.poll() is not None:
                return
            self._stop = self._stop or why
            process = self._process
        if process is None or process.stdin is None:
            return
        try:
            # The launcher kills all when nobody holds this open.
            process.stdin.close()
        except OSError:
            return
        if sys.platform == "win32":
            process.kill()

    def _see_to_the_end(self, process: subprocess.Popen[bytes]) -> None:
        until = time.monotonic() + _KILLING
        while process.poll() is None and time.monotonic() < until:
            try:
                process.wait(0.05)
            except subprocess.TimeoutExpired:
                continue
        if process.poll() is None:
            if sys.platform == "win32":
                process.kill()
            else:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        if process.stdin is not None and not process.stdin.closed:
            process.stdin.close()


def _found(program: str, folder: Path | None) -> str:
    """A program by its path, from the folder, or else the one of this name that is installed. Raises OSError."""
    if "/" in program or os.sep in program:
        return str((folder or Path()) / program)
    found = shutil.which(program)
    if found is None:
        raise FileNotFoundError(2, os.strerror(2), program)
    return found


def stamp_of(program: str, folder: Path | None) -> object:
    """What is another where a program was built anew; None if there is none."""
    try:
        status = Path(_found(program, folder)).stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def text_of(printed: bytes) -> str:
    """What a tool printed, as text."""
    return printed.decode("utf-8", "replace")
