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
"""Characters of the texts that nobody needs any more since that look."""
_left = _counted = 0
"""The objects left alone, if none of them was lost since they were counted last, and how many there were then."""
_uncounted = 0
"""Characters of the texts that nobody needs any more since they were counted."""


def configure_collector() -> None:
    """Sets when the collector of this process looks for circles, and what it leaves alone."""
    gc.set_threshold(*COLLECT)
    if _watch not in gc.callbacks:
        gc.callbacks.append(_watch)


def let_collect() -> None:
    """Lets the collector at its work again after work during which it was disabled. Of very many objects that work left
    nearly all live on: what is parsed of a long document, say."""
    if gc.get_count()[0] > MANY:
        leave_alone()
    gc.enable()


def leave_alone() -> None:
    """From now on only what is made then is gone over: nearly all that there is lives long."""
    global _left
    _left += sum(len(gc.get_objects(generation)) for generation in range(3))
    gc.freeze()


def leave_nothing_alone() -> None:
    """All is gone over again."""
    global _left, _counted
    _left = _counted = 0
    gc.unfreeze()


def forget_text(characters: int) -> bool:
    """Takes note that nobody needs a text any more, which objects in circles may still hold; whether there is enough of
    that for a look in the next pause."""
    global _lost, _uncounted
    _lost += characters
    _uncounted += characters
    return _lost >= HEAVY


def look_at_all() -> None:
    """Goes over the objects that were left alone as well, in a pause, if they have become many more, or hold much
    text."""
    global _lost
    if _are_due(MOST) or (_lost >= HEAVY and _left_alone() <= MOST):
        _lost = 0
        leave_nothing_alone()
        gc.collect()


def _are_due(most: int) -> bool:
    """Whether the objects left alone are to be gone over again, unless they are more than so many."""
    return _known * GROWTH < _left_alone() <= most


def _left_alone() -> int:
    """How many objects are left alone, or were when they were counted last. To count ten million takes a second, so
    that they are counted where they may have become many more, or many fewer."""
    global _left, _counted, _uncounted
    if _left > _counted * GROWTH or _uncounted >= HEAVY:
        _left = _counted = gc.get_freeze_count()
        _uncounted = 0
    return _left


def _watch(phase: str, info: dict[str, int]) -> None:
    """After a long look at all objects it is only what is made from then on that is looked at. What is known of a
    document of 10^6 lines is 10^7 objects: they would be gone over again and again, for seconds. That they are not lost
    when the document is closed is the affair of `Document.close`; what edits replace would be, so that objects left
    alone that have become many more are gone over, where they are not too many."""
    global _began, _known
    if info["generation"] < 2:
        return
    if phase == "start":
        if _are_due(FEW):
            leave_nothing_alone()
        _began = thread_time()
        return
    is_of_all = not _left
    if thread_time() - _began > LONG:
        leave_alone()
    if is_of_all:
        _known = max(_left, USUAL)
