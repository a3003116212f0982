"""Runs of programs, one after the other, each of which can be cancelled at any instant without harm to the others."""

from __future__ import annotations

import asyncio

from fathom.execution import RunRequest, Worker
from fathom.execution.outcome import Limits, RunOutcome
from fathom_server.session.aside import in_thread


class Runner:
    """The worker process as the event loop sees it."""

    def __init__(self) -> None:
        self._worker = Worker()
        self._turn = asyncio.Lock()

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
