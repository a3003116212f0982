"""Runs of programs, one after the other, each of which can be cancelled at any instant without harm to the others."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from fathom.cached import cached_property
from fathom.execution.outcome import Limits, RunOutcome, RunProblem, RunRequest
from fathom.records import replace

if TYPE_CHECKING:
    from fathom.execution import Worker

T = TypeVar("T")


class Runner:
    """The worker process as the event loop sees it."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()

    @cached_property
    def _worker(self) -> Worker:
        """The process, which is not needed before the first run."""
        from fathom.execution import Worker
        from fathom.execution.kept import here

        return Worker(here())

    async def run(self, request: RunRequest, limits: Limits, folder: Path | None = None) -> RunOutcome:
        """Waits for its turn and runs. The files that arguments name are looked for from the folder. When
        `CancelledError` comes out of it, the program is gone."""
        async with self._turn:
            running = _in_thread(lambda: self._run(request, limits, folder))
            try:
                return await asyncio.shield(running)
            except asyncio.CancelledError:
                # The thread may not have come to the worker yet; then there is nothing to be killed so far.
                while not running.done():
                    self._worker.kill()
                    await asyncio.sleep(0.02)
                raise

    def _run(self, request: RunRequest, limits: Limits, folder: Path | None) -> RunOutcome:
        if not any(isinstance(value, (str, list, dict)) for value in request.arguments):
            return self._worker.run(request, limits)
        from fathom.execution.files import with_files

        try:
            given = with_files(request.arguments, folder or Path())
        except RunProblem as problem:
            return RunOutcome(problem.failure)
        return self._worker.run(replace(request, arguments=given), limits)

    def close(self) -> None:
        """Ends the worker process, with whatever it runs; later runs fail."""
        self._worker.close()


def _in_thread(work: Callable[[], T]) -> asyncio.Future[T]:
    """Starts work in a thread of its own, which does not keep the process from ending."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def body() -> None:
        try:
            result = work()
        except Exception as problem:
            tell(done.set_exception, problem)
        else:
            tell(done.set_result, result)

    def tell(report: Callable[..., None], what: object) -> None:
        try:
            loop.call_soon_threadsafe(report, what)
        except RuntimeError:
            return  # the session is over

    threading.Thread(target=body, daemon=True).start()
    return done
