"""Documents that are worked on in slices, and what waits for its turn.

What takes longer for a document than the messages of others may wait, to read it, to make an edit of it, to look at a
big function or to answer a question about one, is done in slices of the event loop (`fathom.slices`). Until that is
over nobody else may touch the document: messages about it wait, in the order in which they came. All else goes on.
"""

from __future__ import annotations

import asyncio
import gc
from collections import deque
from collections.abc import Callable
from typing import Final, TypeVar

from fathom.slices import GivenUp, Slices
from fathom_server.session.beside.process import Interrupted
from fathom_server.session.collector import let_collect

SLICE: Final = 0.01
"""Seconds after which work stands still, before the loop gets to see to messages. The interpreter takes up to 5 ms to
let the loop say so."""

UNTIL_SHOWN: Final = 0.02
"""Seconds after which the collector may go over what work made: what it found is shown by then."""

MANY: Final = 200_000
"""Objects made by looking at items before the garbage collector goes over them."""

T = TypeVar("T")


_Waiting = tuple[Callable[[], None], bool]
"""What is to be called, and whether work that may end early is not to go on before."""


class _Turn:
    """Work that is under way, what is done at its end, and what waits for that."""

    def __init__(self, slices: Slices[object], then: Callable[[], None], *, may_end: bool) -> None:
        self.slices = slices
        self.then = then
        self.may_end = may_end
        self.waiting: deque[_Waiting] = deque()
        self.over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.task: asyncio.Task[None] | None = None


class Turns:
    """The documents, by their URI, that are worked on in slices. `was_freed` is called when one is free again."""

    def __init__(self, was_freed: Callable[[], None]) -> None:
        self._was_freed = was_freed
        self._turns: dict[str, _Turn] = {}
        self._one_at_a_time = asyncio.Lock()
        self._is_looked_at = False
        """Whether items of a document are looked at in the background, which the collector is to wait for as well."""

    @property
    def are_taken(self) -> bool:
        """Whether any document is worked on."""
        return bool(self._turns)

    def is_taken(self, uri: str) -> bool:
        """Whether a document is worked on, so that nobody else may touch it."""
        return uri in self._turns

    def later(self, uri: str, act: Callable[[], None], *, interrupts: bool = False) -> bool:
        """Whether a document is worked on; if so, `act` is called when its turn has come. With `interrupts`, work that
        may end early does so."""
        turn = self._turns.get(uri)
        if turn is None:
            return False
        turn.waiting.append((act, interrupts))
        if interrupts and turn.may_end:
            turn.slices.give_up()
        return True

    def give_up(self, uri: str) -> None:
        """Ends the work on a document, which nobody needs any more."""
        if (turn := self._turns.get(uri)) is not None:
            turn.slices.give_up()

    async def until_free(self, uri: str) -> None:
        """Returns when nobody works on a document."""
        while (turn := self._turns.get(uri)) is not None:
            await asyncio.shield(turn.over)

    async def until_idle(self) -> None:
        """Returns when nobody works on any document."""
        while self._turns:
            await self.until_free(next(iter(self._turns)))

    def take(
        self, uri: str, work: Callable[[], T], then: Callable[[Callable[[], T]], None], *, may_end: bool = False
    ) -> None:
        """Does work on a document, at once for a slice, and if that is not enough in further ones. `then` gets what
        gives the result: the work itself may raise an error, and GivenUp where it was given up, which is taken for told
        if `then` raises it. Nobody else may work on the document."""
        assert uri not in self._turns, "one at a time works on a document"
        slices = Slices(work)
        # It may make a great many objects: the collector is not to go over them again and again.
        gc.disable()
        if slices.go_on(SLICE):
            self._end()
            then(slices.result)
            return
        turn = self._turns[uri] = _Turn(slices, lambda: then(slices.result), may_end=may_end)
        turn.task = asyncio.create_task(self._go_on(uri, turn))

    def ask(self, uri: str, work: Callable[[], T]) -> asyncio.Future[T]:
        """What work on a document gives, at once unless it takes longer than a slice. It ends early if there is an edit
        before, and raises Interrupted then."""
        answer: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self.take(uri, work, lambda result: tell(answer, result), may_end=True)
        if not answer.done():
            turn = self._turns[uri]
            answer.add_done_callback(lambda done: turn.slices.give_up() if done.cancelled() else None)
        return answer

    def close(self) -> None:
        """Gives up all work."""
        for uri in list(self._turns):
            self.give_up(uri)

    async def _go_on(self, uri: str, turn: _Turn) -> None:
        slices = turn.slices
        while not slices.is_over:
            await asyncio.sleep(0)
            async with self._one_at_a_time:
                slices.go_on(SLICE)
        del self._turns[uri]
        self._end()
        turn.over.set_result(None)
        try:
            turn.then()
        except GivenUp:
            pass
        finally:
            self._resume(uri, turn.waiting)

    def _resume(self, uri: str, waiting: deque[_Waiting]) -> None:
        """Lets those that waited have their turns; all others go on to wait once one has taken the document."""
        while waiting:
            if (turn := self._turns.get(uri)) is not None:
                turn.waiting.extendleft(reversed(waiting))
                if turn.may_end and any(interrupts for _, interrupts in waiting):
                    turn.slices.give_up()
                return
            waiting.popleft()[0]()
        if uri not in self._turns:
            self._was_freed()

    def _end(self) -> None:
        """Sees to it that the collector is at its work again soon. To go over what the work made takes an eighth as
        long as the work: whoever waits for that need not wait for this."""
        if not self._turns:
            asyncio.get_running_loop().call_later(UNTIL_SHOWN, self._let_collect)

    def look(self, *, goes_on: bool) -> None:
        """Has the collector wait while items are looked at in the background, until a great many objects were made: it
        is not to go over them again and again."""
        self._is_looked_at = goes_on and gc.get_count()[0] < MANY
        if self._is_looked_at:
            gc.disable()
        else:
            self._let_collect()

    def _let_collect(self) -> None:
        """Lets the collector at its work again, unless there is a turn again, at whose end it is, or items are looked
        at."""
        if not self._turns and not self._is_looked_at:
            let_collect()


def tell(answer: asyncio.Future[T], result: Callable[[], T]) -> None:
    """Puts a result, or what went wrong, where it is waited for."""
    if answer.done():
        return
    try:
        answer.set_result(result())
    except Exception as problem:
        answer.set_exception(problem)
    except GivenUp:
        answer.set_exception(Interrupted())
