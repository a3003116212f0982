"""Work that takes longer than a key may: done beside the event loop, one piece at a time.

It runs in a thread that ends with the process, and stops at its next checkpoint when it is interrupted. What it is
given must not change meanwhile.
"""

from __future__ import annotations

import asyncio
import gc
import threading
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from fathom.interruption import Interrupted, interruptible

T = TypeVar("T")

REST: Final = 0.05
"""Seconds after the last work before the garbage collector goes on. What work has left behind is taken apart by then,
or by the work that this is to do."""


def in_thread(work: Callable[[], T]) -> asyncio.Future[T]:
    """Starts work in a thread of its own, which does not keep the process from ending."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def body() -> None:
        try:
            result = work()
        except (Exception, Interrupted) as problem:
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
        self._stop = threading.Event()
        self._wanted = 0

    async def run(self, begin: Callable[[], Awaitable[Callable[[], T]]]) -> T:
        """What the work gives that `begin` makes, which is called on the event loop when the work's turn has come.

        Raises Interrupted if the work was interrupted. If the task is cancelled, the work is interrupted too, and the
        next one waits until it has stopped.
        """
        self._wanted += 1
        try:
            await self._turn.acquire()
        except BaseException:
            self._wanted -= 1
            raise
        try:
            work = await begin()
            # It makes many objects and lets go of them itself; to go over them would keep messages waiting.
            gc.disable()
            stop = self._stop = threading.Event()
            done = in_thread(lambda: _until(stop, work))
        except BaseException:
            self._free()
            raise
        done.add_done_callback(self._over)
        try:
            return await asyncio.shield(done)
        except asyncio.CancelledError:
            stop.set()
            raise

    @property
    def is_busy(self) -> bool:
        """Whether work is being done, or waits for its turn."""
        return self._wanted > 0

    def interrupt(self) -> None:
        """Ends the work that is being done, if any."""
        self._stop.set()

    def _over(self, done: asyncio.Future[T]) -> None:
        self._free()
        if not done.cancelled():
            done.exception()  # it may be that nobody waits for it any more

    def _free(self) -> None:
        self._turn.release()
        self._wanted -= 1
        if not self._wanted:
            asyncio.get_running_loop().call_later(REST, self._collect_again)

    def _collect_again(self) -> None:
        if not self._wanted:
            gc.enable()


def _until(stop: threading.Event, work: Callable[[], T]) -> T:
    with interruptible(stop):
        return work()
