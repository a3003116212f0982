"""The garbage collector, and how long everything waits for it."""

from __future__ import annotations

import gc
from time import thread_time
from typing import Final

COLLECT: Final = (4_000, 5, 6)
"""The thresholds of the garbage collector. IR is many small objects in circles, of which few live long; by Python's own
thresholds it would be gone over a sixth of the time. While it goes over them everything waits, so that of the younger
ones there must not be too many."""

LONG: Final = 0.1
"""Seconds of the processor after which a look at all objects was long: it found a great many that live on."""

MANY: Final = 400_000
"""Objects made and not lost again since the last look. To look at so many takes about as long."""

USUAL: Final = 300_000
"""Objects left alone that live on in any case: what is imported, and known of dialects."""

GROWTH: Final = 1.5
"""How many times as many they must be as when they were gone over last, before they are gone over again."""

FEW: Final = 800_000
"""Objects left alone that are gone over again at any time: so many take less than half a second."""

MOST: Final = 2_000_000
"""Those that are where nobody has typed for a while: so many take a second or two."""

HEAVY: Final = 10_000_000
"""Characters of text of which few objects may be all that is left: they are gone over as if they were many."""

_began = 0.0
_known = USUAL
"""The objects left alone after the last look at all of them."""
_lost = 0
"""Characters of the texts that nobody needs any more since then."""


def configure_collector() -> None:
    """Sets when the collector of this process looks for circles, and what it leaves alone."""
    gc.set_threshold(*COLLECT)
    if _leave_alone not in gc.callbacks:
        gc.callbacks.append(_leave_alone)


def let_collect() -> None:
    """Lets the collector at its work again after work during which it was disabled. Of very many objects that work left
    nearly all live on: what is parsed of a long document, say."""
    if gc.get_count()[0] > MANY:
        gc.freeze()
    gc.enable()


def lose(characters: int) -> bool:
    """Takes note that nobody needs a text any more, which objects in circles may still hold; whether there is enough of
    that for a look in the next pause."""
    global _lost
    _lost += characters
    return _lost >= HEAVY


def look_at_all() -> None:
    """Goes over the objects that were left alone as well, in a pause, if they have become many more, or hold much
    text."""
    global _lost
    if _are_due(MOST) or (_lost >= HEAVY and gc.get_freeze_count() <= MOST):
        _lost = 0
        gc.unfreeze()
        gc.collect()


def _are_due(most: int) -> bool:
    """Whether the objects left alone are to be gone over again, unless they are more than so many."""
    return _known * GROWTH < gc.get_freeze_count() <= most


def _leave_alone(phase: str, info: dict[str, int]) -> None:
    """After a long look at all objects it is only what is made from then on that is looked at. What is known of a
    document of 10^6 lines is 10^7 objects: they would be gone over again and again, for seconds. That they are not lost
    when the document is closed is the affair of `Document.close`; what edits replace would be, so that objects left
    alone that have become many more are gone over, where they are not too many."""
    global _began, _known
    if info["generation"] < 2:
        return
    if phase == "start":
        if _are_due(FEW):
            gc.unfreeze()
        _began = thread_time()
        return
    is_of_all = not gc.get_freeze_count()
    if thread_time() - _began > LONG:
        gc.freeze()
    if is_of_all:
        _known = max(gc.get_freeze_count(), USUAL)
