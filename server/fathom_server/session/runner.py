"""Runs of programs, one after the other, each of which can be cancelled at any instant without harm to the others."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from fathom.execution.outcome import Limits, RunOutcome, RunProblem, RunRequest
from fathom.records import replace
from fathom_server.session.threads import in_thread

if TYPE_CHECKING:
    from fathom.execution import Worker


class Runner:
    """The worker process as the event loop sees it."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._lock = threading.Lock()
        self._worker: Worker | None = None
        """The process, which is not needed before the first run."""
        self._keeps = False
        self._is_closed = False

    async def run(
        self, request: RunRequest, limits: Limits, folder: Path | None = None, *, keeps: bool = True
    ) -> RunOutcome:
        """Waits for its turn and runs. The files that arguments name are looked for from the folder. With `keeps`, what
        was compiled once is not compiled again. When `CancelledError` comes out of it, the program is gone."""
        async with self._turn:
            running = in_thread(lambda: self._run(request, limits, folder, keeps))
            try:
                return await asyncio.shield(running)
            except asyncio.CancelledError:
                # The thread may not have come to the worker yet; then there is nothing to be killed so far.
                while not running.done():
                    if self._worker is not None:
                        self._worker.kill()
                    await asyncio.sleep(0.02)
                raise

    def _run(self, request: RunRequest, limits: Limits, folder: Path | None, keeps: bool) -> RunOutcome:
        worker = self._worker_that(keeps)
        if not any(isinstance(value, (str, list, dict)) for value in request.arguments):
            return worker.run(request, limits)
        from fathom.execution.files import with_files

        try:
            given = with_files(request.arguments, folder or Path())
        except RunProblem as problem:
            return RunOutcome(problem.failure)
        return worker.run(replace(request, arguments=given), limits)

    def _worker_that(self, keeps: bool) -> Worker:
        """A worker that keeps code, or does not."""
        from fathom.execution import Worker
        from fathom.kept import here

        with self._lock:
            if self._worker is None or self._keeps is not keeps:
                if self._worker is not None:
                    self._worker.close()
                self._worker, self._keeps = Worker(here() if keeps else None), keeps
                if self._is_closed:
                    self._worker.close()
            return self._worker

    def close(self) -> None:
        """Ends the worker process, with whatever it runs; later runs fail."""
        with self._lock:
            self._is_closed = True
            if self._worker is not None:
                self._worker.close()
