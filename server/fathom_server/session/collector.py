"""The garbage collector, and how long everything waits for it."""

from __future__ import annotations

import gc
from time import thread_time
from typing import Final

COLLECT: Final = (4_000, 5, 400)
"""The thresholds of the garbage collector. IR is many small objects in circles, of which few live long; by Python's own
thresholds it would be gone over a sixth of the time. While it goes over them everything waits, so that of the younger
ones there must not be too many."""

LONG: Final = 0.1
"""Seconds of the processor after which a look at all objects was long: it found a great many that live on."""

_began = 0.0


def configure_collector() -> None:
    """Sets when the collector of this process looks for circles, and what it leaves alone."""
    gc.set_threshold(*COLLECT)
    if _leave_alone not in gc.callbacks:
        gc.callbacks.append(_leave_alone)


def _leave_alone(phase: str, info: dict[str, int]) -> None:
    """After a long look at all objects it is only what is made from then on that is looked at. What is known of a
    document of 10^6 lines is 10^7 objects: they would be gone over again and again, for seconds. That they are not lost
    when the document is closed is the affair of `Document.close`."""
    global _began
    if phase == "start":
        _began = thread_time()
    elif info["generation"] == 2 and thread_time() - _began > LONG:
        gc.freeze()
