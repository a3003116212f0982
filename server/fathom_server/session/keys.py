"""When somebody typed last: work that can wait stands back while someone types."""

from __future__ import annotations

import asyncio
from typing import Final

REST: Final = 0.2
"""Seconds without an edit before work in the process beside the server begins: longer than between two keys of one who
types."""


class Keys:
    """Knows when the last edit came, in seconds of the event loop."""

    def __init__(self) -> None:
        self.last = 0.0

    def note(self) -> None:
        """An edit comes, or has been seen to."""
        self.last = asyncio.get_running_loop().time()

    async def pause(self, rest: float = REST) -> None:
        """Waits until nobody has typed for so many seconds."""
        loop = asyncio.get_running_loop()
        while True:
            wait = rest - (loop.time() - self.last)
            if wait <= 0:
                return
            await asyncio.sleep(wait)
