"""Work in threads of its own, for which the event loop waits while it sees to other things."""

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
