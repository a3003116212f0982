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
import signal
import sys
from collections.abc import Iterable, Mapping
from typing import Any, Final

from fathom.execution import containment
from fathom.execution.containment import kernel, processes
from fathom.execution.kept_code import Code
from fathom.execution.outcome import Failure, RunProblem
from fathom.execution.protocol import (
    Damaged,
    FrameParser,
    Header,
    frame,
    most_elements,
    read_exactly,
    read_frame,
    write_all,
)
from fathom.execution.runtime import CLOSED, STATUS_WORDS, Phase, Status
from fathom.execution.verdict import no_memory, refusals
from fathom.execution.watch import Watch, is_single
from fathom.kept import here
from fathom.kept.folder import MOST_OF_ONE, Kept

_HEADER_SIZE: Final = 1 << 22
"""No answer has more to say, in bytes, besides values."""
_OUT_OF_REACH: Final = 100
"""The lowest file descriptor for the worker's own channels, so that programs do not meet them by accident."""


def main(kept: Kept | None = None, *, is_warm: bool = True) -> int:
    """Serve requests until standard input ends. One that `is_warm` is for many."""
    requests = fcntl.fcntl(0, fcntl.F_DUPFD_CLOEXEC, _OUT_OF_REACH)
    answers = fcntl.fcntl(1, fcntl.F_DUPFD_CLOEXEC, _OUT_OF_REACH)
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(null, standard)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    kernel.adopt_orphans()
    try:
        server = _Server(requests, answers, kept, is_warm=is_warm)
    except Exception as problem:  # Whatever it is, the answer must say it: nobody sees a traceback of this process.
        write_all(answers, frame({"failed": f"{type(problem).__name__}: {problem}"}))
        return 1
    signal.signal(signal.SIGTERM, processes.end_all)
    write_all(answers, frame({"ready": os.getpid()}))
    return server.serve()


class _Server:
    def __init__(self, requests: int, answers: int, kept: Kept | None, *, is_warm: bool) -> None:
        # Loaded here, so that a failure to load is reported, and before the first fork, so that forks need not.
        from fathom.execution import program
        from fathom.execution.compiler import Compiler, runtimes_of

        self._program = program
        self._runtimes_of = runtimes_of
        self._requests = requests
        self._answers = answers
        self._compiler = Compiler(kept)
        self._page = mmap.mmap(-1, mmap.PAGESIZE)
        self._status = (ctypes.c_uint64 * STATUS_WORDS).from_buffer(self._page)
        _buffer_lines()
        containment.prepare()
        if is_warm:
            self._compiler.warm_up()
            gc.collect()
        # Objects that the collector never touches stay shared with the forks.
        gc.freeze()

    def serve(self) -> int:
        """Answer requests one by one."""
        while True:
            try:
                request = read_frame(lambda count: read_exactly(self._requests, count))
            except Damaged:
                return 1
            if request is None:
                return 0
            write_all(self._answers, frame({"accepted": True}))
            self._run(*request)

    def _run(self, header: Header, blob: bytes) -> None:
        ctypes.memset(self._status, 0, ctypes.sizeof(self._status))
        code = self._code_in(header, blob)
        self._compiler.prepare(code.runtimes if code is not None else self._runtimes_of(header["text"]))
        said = self._compiler.amount_said()
        out, err, result = os.pipe(), os.pipe(), os.pipe()
        # Between the fork and the reset of its signals, the child must not take this process's part.
        signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGTERM,))
        parent, child = os.getpid(), os.fork()
        if child == 0:
            self._become_program(header, blob, code, parent, (out[1], err[1], result[1]))
        signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGTERM,))
        for _, end in (out, err, result):
            os.close(end)
        parser = FrameParser(_largest_answer(header))
        watch = Watch(child, out[0], err[0], result[0], self._requests, header["limits"], self._status, parser)
        watch.takes_code = header["keeps"] and code is None
        watch.until_over()
        if watch.answer is None:
            watch.end()
        watch.drain()
        answer: Header = {"stdout": watch.text(out[0]), "stderr": watch.text(err[0])}
        is_compiling = self._status[Status.PHASE] <= Phase.COMPILING
        words = f"{self._compiler.said(said)}{answer['stderr']}" if is_compiling else answer["stderr"]
        failure = watch.failure(list(self._status), words)
        if failure is not None and failure.kind == "compile-error":
            # What LLVM said, and no program yet: the message has it.
            answer["stderr"] = ""
        notes, blob = refusals(list(self._status)), b""
        if failure is not None:
            answer |= {"failure": failure.to_json(), "notes": notes}
        elif watch.answer is not None:
            told, blob = watch.answer
            answer |= {**told, "notes": [*notes, *told.get("notes", [])]}
        answer["code"] = [len(blob), len(watch.code)]
        write_all(self._answers, frame(answer, blob + watch.code))
        # To take down a large process takes a while; whoever waits for the answer need not wait for that.
        watch.end()
        watch.close()

    def _code_in(self, header: Header, blob: bytes) -> Code | None:
        """The code that comes with a request, if it is for this computer."""
        if "code" not in header:
            return None
        offset, length = header["code"]
        code = Code.from_bytes(blob[offset : offset + length])
        return code if code is not None and code.target == self._compiler.target else None

    def _become_program(
        self, header: Header, blob: bytes, code: Code | None, parent: int, ends: tuple[int, int, int]
    ) -> None:
        """In the fork: run the program, send the answer, and end. Does not return."""
        try:
            channel = self._enter(header["limits"], parent, ends)

            def send_code(code: Code) -> None:
                if len(made := code.to_bytes()) <= MOST_OF_ONE:
                    write_all(channel, frame({"made": True}, made))

            made = send_code if header["keeps"] else None
            try:
                program = self._program.Program(self._compiler, header, blob, self._status, code, made)
                reply = frame(*program.run())
            except RunProblem as problem:
                reply = frame({"failure": problem.failure.to_json()})
            except MemoryError:
                reply = frame({"failure": no_memory(self._status[Status.PHASE]).to_json()})
            except Exception as problem:
                message = f"the worker failed: {type(problem).__name__}: {problem}"
                reply = frame({"failure": Failure("worker-unavailable", message).to_json()})
            write_all(channel, reply)
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
        # What is kept on disk is nothing to the program.
        self._compiler.forget_kept()
        if not is_single(limits):
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
    elements = sum(view["size"] * most_elements(view, header["limits"]) for view in header["views"])
    return header["buffers"][1]["size"] + elements + _HEADER_SIZE + (MOST_OF_ONE if header["keeps"] else 0)


def _buffer_lines() -> None:
    """Have C's stdout written out at each line, so that a program that is killed has said what it said."""
    library = ctypes.CDLL(None)
    line_buffered = 1
    symbol = "stdout" if sys.platform == "linux" else "__stdoutp"
    library.setvbuf(ctypes.c_void_p.in_dll(library, symbol), None, line_buffered, 1 << 16)


def _close(descriptors: Iterable[int]) -> None:
    for descriptor in descriptors:
        os.close(descriptor)


if __name__ == "__main__":
    sys.exit(main(here()))
