"""Work that takes longer than a key may: done beside the event loop, one piece at a time.

It runs in a thread that ends with the process. What it is given must not change meanwhile.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def in_thread(work: Callable[[], T]) -> asyncio.Future[T]:
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


class Aside:
    """The one thread beside the event loop."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()

    async def run(self, begin: Callable[[], Callable[[], T]]) -> T:
        """What the work gives that `begin` makes; `begin` is called on the event loop when the work's turn has come.

        If the task is cancelled, the work still goes on to its end, and the next one waits for that.
        """
        await self._turn.acquire()
        try:
            done = in_thread(begin())
        except BaseException:
            self._turn.release()
            raise
        done.add_done_callback(self._over)
        return await asyncio.shield(done)

    def _over(self, done: asyncio.Future[T]) -> None:
        self._turn.release()
        if not done.cancelled():
            done.exception()  # it may be that nobody waits for it any more
