"""Tests that are run: the steps of a command one after the other, each in a process of its own, within limits.

Nothing runs unless a person asks. A step gets what the one before it printed, as long as that is not too much.
"""

from __future__ import annotations

import asyncio
import errno
import os
import re
import shutil
import signal
import stat
import sys
import tempfile
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import Final, Literal

from fathom.execution.libraries import RUNTIME
from fathom.execution.outcome import Limits
from fathom.kept.places import SWITCH
from fathom.records import record
from fathom_server.features.tests import Step, Surroundings, Test, Unsupported, steps
from fathom_server.model.snapshot import Snapshot
from fathom_server.session import children

Status = Literal["passed", "failed", "unsupported", "timeout", "stopped"]

_TOOL: Final = "fathom_server.session.tool"
_LLVM: Final = Path("/usr/lib")
"""Where distributions keep LLVM, a folder for each version."""
MEMORY: Final = 2 << 30
"""Bytes of address space that a step has besides what the settings give a program."""
MOST_PIPED: Final = 64 << 20
"""So many bytes are passed from one step to the next."""
_PLACE: Final = r"^{file}:(\d+):(?:\d+:)? error: (.*)"


@record
class Outcome:
    """What became of a test; `message` is one line, `line` that of the document which it is about, if it is about one.
    `output` is what its steps printed as mistakes, and the last one at all."""

    status: Status
    message: str
    output: str = ""
    line: int | None = None
    seconds: float = 0.0


class Testing:
    """The tests of a session, which take turns, and what became of each last, by its document and its text."""

    def __init__(self) -> None:
        self.turn = asyncio.Lock()
        self._outcomes: dict[str, dict[str, tuple[int, Outcome]]] = {}

    def outcome(self, snapshot: Snapshot, command: str) -> tuple[bool, Outcome] | None:
        """What became of a test when it was run last, and whether that is about this version of the document."""
        known = self._outcomes.get(snapshot.uri, {}).get(command)
        return (known[0] == snapshot.version, known[1]) if known is not None else None

    def forget(self, uri: str) -> None:
        """The document is closed."""
        self._outcomes.pop(uri, None)

    async def run(self, snapshot: Snapshot, test: Test, path: Path | None, limits: Limits) -> Outcome:
        """Waits for its turn and runs. `path` is the file of the document, if it has one. When `CancelledError` comes
        out of it, nothing runs any more."""
        async with self.turn:
            begun = perf_counter()
            with tempfile.TemporaryDirectory(prefix="fathom-test-", dir=_scratch()) as folder:
                made = await _run(snapshot, test, path, folder, limits)
            outcome = Outcome(made.status, made.message, made.output, made.line, perf_counter() - begun)
        self._outcomes.setdefault(snapshot.uri, {})[test.command] = (snapshot.version, outcome)
        return outcome


async def _run(snapshot: Snapshot, test: Test, path: Path | None, folder: str, limits: Limits) -> Outcome:
    name = re.sub(r"[^\w.+-]", "_", path.name if path is not None else "buffer.mlir") or "buffer.mlir"
    file = f"{folder}/{name}"
    await asyncio.to_thread(Path(file).write_bytes, snapshot.tree.text.encode("utf-8", "surrogateescape"))
    around = Surroundings(file, str(path.parent) if path is not None else folder, folder, _libraries())
    planned = steps(snapshot, test, around)
    if isinstance(planned, Unsupported):
        return Outcome("unsupported", planned.reason)
    said = b""
    piped = b""
    deadline = asyncio.get_running_loop().time() + limits.seconds
    for number, step in enumerate(planned):
        command = _command(step, folder, limits)
        if isinstance(command, str):
            return Outcome("unsupported", command)
        try:
            given = piped if step.is_piped else _content(step.reads) if step.reads else None
        except OSError as problem:
            return Outcome("failed", f"{step.reads}: {problem.strerror}")
        left = deadline - asyncio.get_running_loop().time()
        keeps = snapshot.settings.keeps_code
        ended = await _ended(command, given, folder, step.joined, left, keeps=keeps)
        if ended is None:
            return Outcome("timeout", f"it was not over after {limits.seconds:g} s", _shown(said, limits, file, path))
        status, printed, wrong = ended
        piped = b"" if step.writes else printed
        said += b"" if step.errors else wrong
        await asyncio.to_thread(_write, {step.writes: printed, step.errors: wrong})
        has_failed = (status != 0) is not step.negated
        if has_failed or number + 1 == len(planned):
            said += piped
        if has_failed:
            message, line = _told(said, file, step, status)
            return Outcome("failed", message, _shown(said, limits, file, path), line)
        if len(printed) > MOST_PIPED:
            return Outcome("failed", f"{step.name} printed more than {MOST_PIPED >> 20} MiB")
    return Outcome("passed", "passed", _shown(said, limits, file, path))


async def asked(
    snapshot: Snapshot, command: str, words: Sequence[str], limits: Limits, place: Path | None
) -> tuple[int, bytes, bytes] | None:
    """The status of a command of Fathom on a document, in a process of its own in the folder `place`, from which it
    looks for files, with what it printed and said; None if it took too long."""
    text, keeps = snapshot.tree.text, snapshot.settings.keeps_code
    with tempfile.TemporaryDirectory(prefix="fathom-asked-", dir=_scratch()) as folder:
        file = f"{folder}/buffer.mlir"
        await asyncio.to_thread(Path(file).write_bytes, text.encode("utf-8", "surrogateescape"))
        line = _command(Step(command, (file, *words), own=True), folder, limits)
        assert not isinstance(line, str), "a command of Fathom is there"
        is_there = place is not None and await asyncio.to_thread(place.is_dir)
        inside = str(place) if is_there else folder
        return await _ended(line, None, inside, False, limits.seconds, keeps=keeps)


def first_mistake(status: int, said: bytes) -> str:
    """The first thing that a command said was wrong, in one line."""
    text = said.decode("utf-8", "replace").strip()
    first = text.partition("error: ")[2].partition("\n")[0] or text.partition("\n")[0]
    return first.removeprefix("fathom run: ") or f"it ended with status {status}"


@cache
def _scratch() -> str:
    """Where folders for tests are made, by a path without links."""
    return os.path.realpath(tempfile.gettempdir())


def _content(file: str) -> bytes:
    """The content of a file. Raises OSError if it is none, or too large."""
    path = Path(file)
    status = path.stat()
    if not stat.S_ISREG(status.st_mode) or status.st_size > MOST_PIPED:
        raise OSError(errno.EFBIG, "it is no file, or too large")
    return path.read_bytes()


def _write(files: Mapping[str, bytes]) -> None:
    for name, content in files.items():
        if name:
            Path(name).write_bytes(content)


def _told(said: bytes, file: str, step: Step, status: int) -> tuple[str, int | None]:
    """The first mistake that was said of the file, in one line, and its line there."""
    text = said.decode("utf-8", "replace")
    match = re.search(_PLACE.format(file=re.escape(file)), text, re.MULTILINE)
    if match is not None:
        return match[2], int(match[1]) - 1
    first = next((line.strip() for line in text.splitlines() if line.strip()), "")
    if step.negated:
        return f"{step.name} succeeded, and should have failed", None
    died = f"{step.name} was ended by {signal.Signals(-status).name}" if status < 0 else f"{step.name} failed"
    return f"{died}: {first}" if first else died, None


def _shown(said: bytes, limits: Limits, file: str, path: Path | None) -> str:
    """What was printed, with the name of the document in the place of the file that stood for it."""
    text = said[: limits.output].decode("utf-8", "replace")
    return text.replace(file, path.name if path is not None else "buffer.mlir")


def _command(step: Step, folder: str, limits: Limits) -> list[str] | str:
    """The command line of a step, or why there is none."""
    if step.own:
        limited = (folder, str(limits.memory + MEMORY), str(int(min(limits.seconds, 1e6)) + 2))
        return [sys.executable, "-P", "-m", _TOOL, *limited, step.name, *step.arguments]
    program = _program(step.name)
    return [program, *step.arguments] if program is not None else f"{step.name} is not installed"


@cache
def _program(name: str) -> str | None:
    """A program of LLVM, the one of the newest version."""
    versions = sorted(_folders(), reverse=True)
    numbered = (shutil.which(f"{name}-{version}") for version, _ in versions)
    beside = (shutil.which(name, path=str(folder / "bin")) for _, folder in versions)
    return next(filter(None, (shutil.which(name), *numbered, *beside)), None)


def _folders() -> list[tuple[int, Path]]:
    return [(int(path.name[5:]), path) for path in _LLVM.glob("llvm-*") if path.name[5:].isdecimal()]


@cache
def _libraries() -> Mapping[str, str]:
    """The libraries of MLIR for programs that are here, by their names."""
    folders = [folder for _, folder in sorted(_folders())]
    libraries = {name: folder / "lib" / f"lib{name}.so" for folder in folders for name, _ in RUNTIME}
    return {name: str(path) for name, path in libraries.items() if path.exists()}


async def _ended(
    command: Sequence[str], given: bytes | None, folder: str, joined: bool, seconds: float, *, keeps: bool
) -> tuple[int, bytes, bytes] | None:
    """The status of a program, and what it printed and said; None if it took too long. It uses and `keeps` code, or
    does not."""
    try:
        process = await children.begun(
            asyncio.create_subprocess_exec(
                *command,
                stdin=PIPE if given is not None else DEVNULL,
                stdout=PIPE,
                stderr=asyncio.subprocess.STDOUT if joined else PIPE,
                cwd=folder,
                env=children.environment(**({} if keeps else {SWITCH: "off"})),
                start_new_session=True,
            )
        )
    except (OSError, ValueError) as problem:
        return 1, b"", f"{command[0]}: {problem}\n".encode()
    try:
        return await asyncio.wait_for(_communicated(process, given), max(seconds, 0.0))
    except TimeoutError:
        return None
    finally:
        _kill(process)
        await process.wait()


async def _communicated(process: asyncio.subprocess.Process, given: bytes | None) -> tuple[int, bytes, bytes]:
    """What `Process.communicate` gives, and the status; a program that prints too much is ended."""

    async def feed() -> None:
        if process.stdin is not None:
            with suppress(BrokenPipeError, ConnectionResetError):
                process.stdin.write(given or b"")
                await process.stdin.drain()
            process.stdin.close()

    async def read(stream: asyncio.StreamReader | None) -> bytes:
        output = bytearray()
        while stream is not None and (some := await stream.read(1 << 16)):
            output += some
            if len(output) > MOST_PIPED:
                _kill(process)
                break
        return bytes(output)

    _, printed, wrong = await asyncio.gather(feed(), read(process.stdout), read(process.stderr))
    return await process.wait(), printed, wrong


def _kill(process: asyncio.subprocess.Process) -> None:
    """Ends a program with all that it started."""
    if process.returncode is not None:
        return
    with suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
