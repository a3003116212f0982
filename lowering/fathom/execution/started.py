"""The worker process as it is started: on an interpreter of its own, or as a fork of this process.

A fork takes a tenth of the time, and nothing that was imported has to be again. It is for a process of one thread: of
several, it would have the locks that the others hold.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
from typing import TYPE_CHECKING, Final, NoReturn

from fathom.kept.places import SWITCH
from fathom.text.files import names_in

if TYPE_CHECKING:
    import subprocess

_MOST_OPEN: Final = 1 << 16
"""Beyond this number no file is open."""


class Started:
    """A process that was started: `requests` is what it reads, `answers` what it writes."""

    def __init__(self, pid: int, requests: int, answers: int, popen: subprocess.Popen[bytes] | None = None) -> None:
        self.pid = pid
        self.requests = requests
        self.answers = answers
        self._popen = popen
        self._is_over = False
        os.set_blocking(requests, False)

    def is_over(self) -> bool:
        """Whether it has ended."""
        if self._popen is not None:
            return self._popen.poll() is not None
        if not self._is_over:
            self._is_over = os.waitpid(self.pid, os.WNOHANG)[0] != 0
        return self._is_over

    def send(self, number: int) -> None:
        """Send it a signal, if it has not ended."""
        if self._popen is not None:
            self._popen.send_signal(number)
        elif not self.is_over():
            os.kill(self.pid, number)

    def forget(self) -> None:
        """Wait for its end, and close what leads to it."""
        if self._popen is not None:
            self._popen.wait()
            for pipe in (self._popen.stdin, self._popen.stdout):
                if pipe is not None:
                    pipe.close()
            return
        if not self._is_over:
            os.waitpid(self.pid, 0)
            self._is_over = True
        os.close(self.requests)
        os.close(self.answers)


def refusal() -> str | None:
    """Why no program can be run on this system; None if it can."""
    lacking = [name for module, name in ((os, "fork"), (select, "poll")) if not hasattr(module, name)]
    if not lacking:
        return None
    return f"programs cannot be run on this system, which has no {' and no '.join(lacking)}: the worker needs both"


def spawn(*, keeps: bool) -> Started:
    """Start the worker on this interpreter and this very package. It compiles its runtime once, if it `keeps` it."""
    import subprocess
    from pathlib import Path

    paths = [str(Path(__file__).resolve().parents[2]), *filter(None, [os.environ.get("PYTHONPATH")])]
    process = subprocess.Popen(
        # Without -P, a json.py in the folder that is being edited would be imported, that is, run.
        [sys.executable, "-P", "-m", "fathom.execution.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        bufsize=0,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), **({} if keeps else {SWITCH: "off"})},
        start_new_session=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    return Started(process.pid, process.stdin.fileno(), process.stdout.fileno(), process)


def can_fork() -> bool:
    """Whether this process can start a worker as its fork."""
    if sys.platform != "linux" or not hasattr(os, "fork") or threading.active_count() != 1:
        return False
    try:
        # Threads that libraries started are not among those that Python knows.
        return len(names_in("/proc/self/task")) == 1
    except OSError:
        return False


def fork(*, keeps: bool) -> Started:
    """Start the worker as a fork of this process, which `can_fork`. It is for one run."""
    requests, answers = os.pipe(), os.pipe()
    pid = os.fork()
    if pid == 0:
        _become(requests[0], answers[1], keeps=keeps)
    os.close(requests[0])
    os.close(answers[1])
    return Started(pid, requests[1], answers[0])


def _become(requests: int, answers: int, *, keeps: bool) -> NoReturn:
    """In the fork: be the worker."""
    try:
        os.setsid()
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        # Whatever else is open is not this process's to write, nor to hold open.
        ends = os.dup(requests), os.dup(answers)
        for end, number in zip(ends, (0, 1), strict=True):
            os.dup2(end, number)
        os.closerange(3, _MOST_OPEN)
        from fathom.execution import worker
        from fathom.kept import here

        worker.main(here() if keeps else None, is_warm=False)
    finally:
        os._exit(0)
