"""The worker from outside: started on first use, kept warm, killed at any instant, started again when it is gone.

A `Worker` may be used from several threads: runs take turns, and `kill` interrupts the one in progress. It blocks the
thread that calls it; a server calls it from a thread of its own. Neither LLVM nor the program is ever in this process.
"""

from __future__ import annotations

import os
import select
import signal
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from fathom.execution import containment
from fathom.execution.arguments import image_of
from fathom.execution.image import Image
from fathom.execution.kept_code import name_of_code
from fathom.execution.outcome import Failure, Limits, RunOutcome, RunProblem, RunRequest
from fathom.execution.protocol import Damaged, FrameParser, Header, frame
from fathom.execution.results import outcome_of
from fathom.execution.started import Started, refusal, spawn
from fathom.execution.trampoline import ENTRY, Trampoline, trampoline

if TYPE_CHECKING:
    from fathom.kept.folder import Kept

_START_SECONDS: Final = 60.0
"""How long a worker may take to come up, on the slowest machine."""
_PATIENCE: Final = 5.0
"""Seconds beyond the limit of a run before the worker itself counts as hung."""
_END_SECONDS: Final = 1.0
"""How long a worker may take to end all that it runs, before it is killed; the kernel then kills the program."""


class Worker:
    """A warm process that runs programs. A context manager: leaving it closes the process.

    With `kept`, what was compiled once is not compiled again. `started` is a process that comes up already; it is to
    keep what this one does.
    """

    def __init__(self, kept: Kept | None = None, started: Started | None = None) -> None:
        self._kept = kept
        self._turn = threading.Lock()
        self._lock = threading.Lock()
        self._process = started
        self._parser = FrameParser()
        self._is_ready = False
        self._running = False
        self._cancelled = False
        self._closed = False

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def run(self, request: RunRequest, limits: Limits | None = None) -> RunOutcome:
        """Compile and call a function. Whatever the program or its arguments do wrong is in `RunOutcome.failure`."""
        limits = limits or Limits()
        try:
            header, blob, image = asked(request, limits)
            name, code = self._code_for(request)
            header["keeps"] = bool(name)
            if code:
                header["code"] = [len(blob), len(code)]
            message = frame(header, blob + code)
        except RunProblem as problem:
            return RunOutcome(problem.failure)
        except (ValueError, MemoryError, OverflowError, RecursionError) as problem:
            return RunOutcome(Failure("bad-argument", f"the arguments cannot be sent to the worker: {problem}"))
        with self._turn:
            with self._lock:
                self._running, self._cancelled = True, False
            try:
                header, blob = self._exchange(message, limits)
            except RunProblem as problem:
                return RunOutcome(problem.failure)
            finally:
                with self._lock:
                    self._running = False
        offset, length = header.pop("code", (0, 0))
        if self._kept is not None and name and length:
            self._kept.put(name, blob[offset : offset + length])
        return outcome_of(request, image, header, blob, limits)

    def _code_for(self, request: RunRequest) -> tuple[str, bytes]:
        """The name under which the code of a program is kept, if it is; and the code, if it was made before."""
        if request.code or self._kept is None:
            return "", request.code
        name = name_of_program(request)
        return name, self._kept.get(name) or b""

    def begin(self) -> None:
        """Have the process come up meanwhile, if it does not run. That it cannot, a run says."""
        with suppress(RunProblem), self._turn, self._lock:
            if self._process is None and not self._closed:
                self._launch()

    def start(self) -> None:
        """Start the process now, so that the first run finds it warm. Raises RunProblem if it does not come up."""
        with self._turn:
            self._ready()

    def kill(self) -> None:
        """Stop at once whatever runs; its outcome is the failure `cancelled`. The next run starts a fresh process."""
        with self._lock:
            self._cancelled = self._running
            if self._process is not None:
                _kill(self._process)

    def close(self) -> None:
        """Kill the process for good; later runs fail."""
        with self._lock:
            self._closed = True
        self.kill()
        with self._turn:
            self._discard()

    @property
    def pid(self) -> int | None:
        """The process id of the worker, if one is up."""
        process = self._process
        return process.pid if process is not None and not process.is_over() else None

    def _exchange(self, message: bytes, limits: Limits) -> tuple[Header, bytes]:
        # A worker may die while idle. What it has not accepted it has not run: then a fresh one gets it, once.
        process = self._accepting(message, limits) or self._accepting(message, limits)
        if process is None:
            raise RunProblem("worker-unavailable", "the worker dies before it accepts the program")
        deadline = time.monotonic() + limits.seconds + _PATIENCE
        answer = self._receive(process, deadline)
        if answer is not None:
            return answer
        self._discard()
        self._check()
        if time.monotonic() < deadline:
            why = "the worker process died while it ran the program; the next run starts a fresh one"
            raise RunProblem("crash", why)
        why = f"the worker did not answer within the limit of {limits.seconds:g} s; it was killed"
        raise RunProblem("timeout", why, {"seconds": limits.seconds})

    def _accepting(self, message: bytes, limits: Limits) -> Started | None:
        """A process that has accepted the message; None if it died before it did."""
        process = self._ready()
        deadline = time.monotonic() + limits.seconds + _PATIENCE
        try:
            _send(process, message, deadline)
        except BrokenPipeError:
            accepted = None
        else:
            accepted = self._receive(process, deadline)
        if accepted is not None:
            return process
        self._discard()
        self._check()
        return None

    def _check(self) -> None:
        """Raise if there is no point in going on."""
        if self._cancelled:
            raise RunProblem("cancelled", "the run was cancelled")
        if self._closed:
            raise RunProblem("worker-unavailable", "the worker was closed")

    def _ready(self) -> Started:
        """A process that is up."""
        process = self._process
        if process is not None and process.is_over():
            self._discard()
        with self._lock:
            self._check()
            process = self._process or self._launch()
        if self._is_ready:
            return process
        answer = self._receive(process, time.monotonic() + _START_SECONDS)
        if answer is not None and "ready" in answer[0]:
            self._is_ready = True
            return process
        self._discard()
        self._check()
        why = answer[0].get("failed") if answer else "its process ended"
        raise RunProblem("worker-unavailable", f"the worker does not start: {why}")

    def _launch(self) -> Started:
        """Starts a process, which is not ready yet. Raises RunProblem where programs cannot be run."""
        if (why := refusal()) is not None:
            raise RunProblem("worker-unavailable", why)
        process = self._process = spawn(keeps=self._kept is not None)
        self._parser, self._is_ready = FrameParser(), False
        return process

    def _receive(self, process: Started, deadline: float) -> tuple[Header, bytes] | None:
        """The next frame of the process, or None if it died, was killed, or let the deadline pass."""
        descriptor, poller = process.answers, select.poll()
        poller.register(descriptor, select.POLLIN)
        data = b""
        while (left := deadline - time.monotonic()) > 0:
            try:
                answer = self._parser.feed(data)
            except Damaged:
                return None
            if answer is not None:
                return answer
            data = b""
            if poller.poll(left * 1000):
                data = os.read(descriptor, 1 << 20)
                if not data:
                    return None
        return None

    def _discard(self) -> None:
        """Kill the process, if there is one, and forget it."""
        with self._lock:
            process, self._process = self._process, None
        if process is None:
            return
        _kill(process)
        process.forget()


def name_of_program(request: RunRequest) -> str:
    """The name under which the code of a program is kept. Raises RunProblem for a signature that cannot be."""
    return name_of_code(_program(request, _planned(request)))


def _planned(request: RunRequest) -> Trampoline:
    return trampoline(request.function, request.argument_types, request.result_types, request.convention)


def _program(request: RunRequest, plan: Trampoline) -> Header:
    """What the code of a program follows from."""
    return {
        "text": request.llvm_ir,
        "entry": ENTRY,
        "function": request.function,
        "functionType": plan.function_type,
        "trampoline": plan.text,
        "optimization": request.optimization,
        "features": request.features,
        "rowsFirst": request.rows_first,
        "countsMemory": request.counts_memory,
    }


def asked(request: RunRequest, limits: Limits) -> tuple[Header, bytes, Image]:
    """Header and blob of a request, and the memory that they describe. Raises RunProblem for arguments or a signature
    that cannot be, and for a program that is not to be contained where it has to be."""
    if not limits.contained and containment.is_required():
        raise RunProblem("refused", "the program is refused: one that is not contained is not for the test of a file")
    plan = _planned(request)
    image = image_of(request, plan)
    if image.size > limits.memory:
        message = f"the arguments take {image.size} bytes, beyond the limit of {limits.memory} bytes of memory"
        raise RunProblem("memory-limit", message, {"requested": image.size})
    header: Header = {
        **_program(request, plan),
        "libraries": list(request.libraries),
        "limits": {
            "seconds": limits.seconds,
            "memory": limits.memory,
            "output": limits.output,
            "elements": limits.elements,
            "arrayBytes": limits.array_bytes,
            "contained": limits.contained,
        },
        **image.header(),
    }
    return header, bytes(image.blob), image


def _kill(process: Started) -> None:
    """Have the worker end with all that it runs; kill it if it does not do so soon."""
    if process.is_over():
        return
    process.send(signal.SIGTERM)
    late = threading.Timer(_END_SECONDS, process.send, (signal.SIGKILL,))
    late.daemon = True
    late.start()


def _send(process: Started, message: bytes, deadline: float) -> None:
    """Write a frame, as the process reads it. Raises BrokenPipeError if it stops reading."""
    descriptor, rest = process.requests, memoryview(message)
    poller = select.poll()
    poller.register(descriptor, select.POLLOUT)
    while rest:
        if time.monotonic() > deadline:
            raise BrokenPipeError
        if not poller.poll(100):
            continue
        try:
            rest = rest[os.write(descriptor, rest) :]
        except BlockingIOError:
            continue
