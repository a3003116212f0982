"""Long work in slices: it stands still at checkpoints, and goes on when whoever started it says so.

An event loop is to see to messages every few milliseconds. What takes longer, to read megabytes or to look at a
function of fifty thousand operations, is done in slices between them. What goes over many statements or operations
passes a `checkpoint` at each, and knows no more of this; where nobody cuts the work into slices, it does nothing.

The work has a thread of its own, because a thread can stand still in the midst of its calls. But it is only at work
while the one who started it waits, so that nothing ever runs at the same time as anything else.

What is half done and worth keeping when the work that needs it is given up is `Slices` of its own, which that work
finishes: it is left standing still, and whoever needs it next goes on with it.
"""

from __future__ import annotations

from _thread import get_ident
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING, Final, Generic, TypeVar, cast

if TYPE_CHECKING:
    from threading import Thread

T_co = TypeVar("T_co", covariant=True)
E = TypeVar("E")
K = TypeVar("K")
V = TypeVar("V")

_FEW: Final = 256


class GivenUp(BaseException):
    """The work is not wanted any more. It is no error, and passes those who catch errors."""


_AT_WORK: Final[dict[int, Slices[object]]] = {}
"""What threads work on, by their numbers. It is no context variable: what work hands to an event loop takes its context
along. Nothing here needs `threading` until there is a thread."""
_is_due = False
"""Whether work is to stand still at its next checkpoint. It is asked a great many times, so it must cost nothing."""


class Slices(Generic[T_co]):
    """Work, a call without arguments, that is done slice by slice."""

    def __init__(self, work: Callable[[], T_co]) -> None:
        self._work = work
        self._thread: Thread | None = None
        from threading import Lock

        self._may_go_on = Lock()
        self._has_stopped = Lock()
        self.is_given_up = False
        self._result: T_co | None = None
        self._fault: BaseException | None = None
        self._has_given_up = False
        self.is_over = False
        self._may_go_on.acquire()
        self._has_stopped.acquire()

    def go_on(self, seconds: float | None = None) -> bool:
        """Works until the first checkpoint after so many seconds; without a time, until the end, or for as long as the
        work in slices may that this is a part of. Whether the work is over."""
        global _is_due
        if self.is_over:
            return True
        if seconds is not None or _here() is None:
            _is_due = seconds == 0
        if self._thread is None:
            from threading import Thread

            self._thread = Thread(target=self._run, name="slices", daemon=True)
            self._thread.start()
        else:
            self._may_go_on.release()
        while not self._has_stopped.acquire(timeout=seconds or -1):
            _is_due = True
        return self.is_over

    def finish(self) -> T_co:
        """Does what is left of the work, and gives its result. Where whoever waits for it works in slices, so is this
        done, and that may be given up in between: this is not, and goes on when it is finished by somebody else."""
        if self._thread is None and _here() is None and not self.is_over:
            self._do()
        while not self.go_on():
            checkpoint()
        return self.result()

    def end(self) -> None:
        """Gives the work up, and lets it tidy up."""
        self.give_up()
        while not self.go_on(0.0):
            pass

    def give_up(self) -> None:
        """Lets the work end at the checkpoint where it stands. It may need further slices to tidy up."""
        if self._thread is None:
            self.is_over = self._has_given_up = True
        self.is_given_up = True

    def result(self) -> T_co:
        """What the work gave, when it is over; raises what it raised, and GivenUp if it was given up."""
        if self._has_given_up:
            raise GivenUp
        if self._fault is not None:
            raise self._fault
        return cast("T_co", self._result)

    def _run(self) -> None:
        here = get_ident()
        _AT_WORK[here] = cast("Slices[object]", self)
        self._do()
        del _AT_WORK[here]  # The number may be another thread's then.
        self._has_stopped.release()

    def _do(self) -> None:
        try:
            self._result = self._work()
        except GivenUp:
            # The one that was caught knows all that was at hand when the work ended.
            self._has_given_up = True
        except BaseException as fault:  # whatever it is, it is for the one who waits
            self._fault = fault
        del self._work
        self.is_over = True

    def stand_still(self) -> None:
        """Waits for the next slice."""
        self._has_stopped.release()
        self._may_go_on.acquire()


def _here() -> Slices[object] | None:
    """What this thread works on."""
    return _AT_WORK.get(get_ident())


def rest() -> None:
    """Stands still here if the work is done in slices and the present one is over."""
    if _is_due and (slices := _here()) is not None:
        slices.stand_still()


def checkpoint() -> None:
    """Rests here, and raises GivenUp if the work is not to go on."""
    if _is_due and (slices := _here()) is not None:
        slices.stand_still()
        if slices.is_given_up:
            raise GivenUp


def drained(known: dict[K, V]) -> Iterator[tuple[K, V]]:
    """The entries of a dictionary, the last first, each taken out of it, with a checkpoint now and then: a million
    objects that go at once take a long moment."""
    number = 0
    while known:
        if not number % _FEW:
            checkpoint()
        number += 1
        yield known.popitem()


def read_ahead(elements: Iterable[E]) -> Iterator[E]:
    """The same for who changes nothing meanwhile that the elements follow from: some are read ahead, at less cost."""
    return chain.from_iterable(_some(iter(elements)))


def _some(elements: Iterator[E]) -> Iterator[list[E]]:
    while some := list(islice(elements, _FEW)):
        checkpoint()
        yield some


def paced(elements: Iterable[E]) -> Iterator[E]:
    """The elements, with a checkpoint now and then: for a loop that does very little for each."""
    for number, element in enumerate(elements):
        if not number % _FEW:
            checkpoint()
        yield element
