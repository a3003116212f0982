"""A client that is gone ends the server, whatever the event loop is doing.

Threads wait in the kernel until nobody can read the answers any more, nobody can ask, or the process of the client is
over. The event loop is told, and has a moment to end by itself, counted in what the process computes so that a busy
machine does not count; then the process ends as it stands. What runs beside it ends with it: the kernel sees to that
(`fathom.execution.containment.kernel.die_with_parent`).

Source of the rules: *Language Server Protocol*, `InitializeParams.processId`; the manual pages poll(2), pidfd_open(2).
"""

from __future__ import annotations

import os
import select
import threading
import time
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop

MOMENT: Final = 0.5
"""Seconds that the process still has when nobody can read its answers."""
LONGER: Final = 0.8
"""Seconds for which it may compute without taking a message, when nobody can ask any more but the answers are read."""
_PATIENCE: Final = 10
"""So many times as long it may take by the clock, on the busiest machine."""
_HIGHEST: Final = (1 << 31) - 1
"""No process has a higher number."""
_STEP: Final = 0.05
"""Seconds between two looks at the clock."""
_PAUSE: Final = 0.25
"""Seconds between two looks at an event loop that is well."""


def end_within(seconds: float, status: Callable[[], int]) -> None:
    """Ends the process after so long, from a thread of its own."""

    def wait() -> None:
        time.sleep(seconds)
        os._exit(status())

    threading.Thread(target=wait, name="end", daemon=True).start()


def end_without_progress(seconds: float, status: Callable[[], int], progress: Callable[[], int]) -> None:
    """Ends the process, from a thread of its own, when it has computed for so long since `progress` counted last."""

    def wait() -> None:
        counted, computed, began = progress(), time.process_time(), time.monotonic()
        while time.process_time() - computed < seconds and time.monotonic() - began < _PATIENCE * seconds:
            time.sleep(_STEP)
            if (now := progress()) != counted:
                counted, computed, began = now, time.process_time(), time.monotonic()
        os._exit(status())

    threading.Thread(target=wait, name="end", daemon=True).start()


def end_when_stuck(loop: AbstractEventLoop, descriptors: Callable[[], Collection[int]]) -> None:
    """Ends the process when its event loop looks at nothing while it computes, and all the clients are gone whose
    sockets have these descriptors."""

    def watch() -> None:
        while True:
            looked = threading.Event()
            try:
                loop.call_soon_threadsafe(looked.set)
            except RuntimeError:
                return  # It is over.
            computed = time.process_time()
            while not looked.wait(_STEP):
                if time.process_time() - computed > MOMENT and _are_closed(descriptors()):
                    os._exit(1)
            time.sleep(_PAUSE)

    threading.Thread(target=watch, name="clients", daemon=True).start()


def _are_closed(descriptors: Collection[int]) -> bool:
    poller = select.poll()
    for descriptor in descriptors:
        poller.register(descriptor, getattr(select, "POLLRDHUP", 0))
    return bool(descriptors) and len(poller.poll(0)) == len(descriptors)


def when_closed(descriptor: int, act: Callable[[], None], *, half: bool = False) -> None:
    """Calls `act`, in a thread of its own, when the other end of a pipe or a socket is closed, or with `half` when a
    socket says no more. Of a file it never is."""
    # What is not asked for comes all the same: that there is an error, or that the other end is closed.
    _when(descriptor, getattr(select, "POLLRDHUP", 0) if half else 0, act)


def when_process_ends(pid: int, act: Callable[[], None]) -> None:
    """Calls `act`, in a thread of its own, when a process is over, be it now."""
    if not 0 < pid <= _HIGHEST:
        return
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        act()
        return
    except (AttributeError, OSError):
        threading.Thread(target=_look_again_and_again, args=(pid, act), name="client", daemon=True).start()
        return
    _when(descriptor, select.POLLIN, act)


def _when(descriptor: int, events: int, act: Callable[[], None]) -> None:
    def wait() -> None:
        poller = select.poll()
        poller.register(descriptor, events)
        poller.poll()
        act()

    threading.Thread(target=wait, name="client", daemon=True).start()


def _look_again_and_again(pid: int, act: Callable[[], None]) -> None:
    """For systems that do not tell when a process ends."""
    while True:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            act()
            return
        except PermissionError:
            pass
        time.sleep(_STEP)
