"""Runs of programs, one after the other, each of which can be cancelled at any instant without harm to the others."""

from __future__ import annotations

import asyncio
from functools import cached_property
from typing import TYPE_CHECKING

from fathom.execution.outcome import Limits, RunOutcome, RunRequest
from fathom_server.session.aside import in_thread

if TYPE_CHECKING:
    from fathom.execution import Worker


class Runner:
    """The worker process as the event loop sees it."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()

    @cached_property
    def _worker(self) -> Worker:
        """The process, which is not needed before the first run."""
        from fathom.execution import Worker

        return Worker()

    async def run(self, request: RunRequest, limits: Limits) -> RunOutcome:
        """Waits for its turn and runs. When `CancelledError` comes out of it, the program is gone."""
        async with self._turn:
            running = in_thread(lambda: self._worker.run(request, limits))
            try:
                return await asyncio.shield(running)
            except asyncio.CancelledError:
                # The thread may not have come to the worker yet; then there is nothing to be killed so far.
                while not running.done():
                    self._worker.kill()
                    await asyncio.sleep(0.02)
                raise

    def close(self) -> None:
        """Ends the worker process, with whatever it runs; later runs fail."""
        self._worker.close()
