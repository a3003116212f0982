"""Documents that are worked on in slices: what waits for them, in which order, and what ends early."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Awaitable, Callable

import pytest

from fathom.slices import GivenUp, checkpoint
from fathom_server.session import turns as turns_of_documents
from fathom_server.session.turns import Turns

URI = "file:///a.mlir"


def run(play: Callable[[Turns], Awaitable[None]]) -> None:
    async def within() -> None:
        freed: list[str] = []
        turns = Turns(lambda: freed.append("freed"))
        try:
            await play(turns)
        finally:
            turns.close()
            for _ in range(3):
                await asyncio.sleep(0.01)
            assert not turns.is_taken(URI)
        assert freed in ([], ["freed"]), "it is told once"

    asyncio.run(within())


@pytest.fixture(autouse=True)
def _short_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each slice ends at the first checkpoint, however busy the machine is."""
    monkeypatch.setattr(turns_of_documents, "SLICE", 0.0)


def long_work(log: list[str], steps: int = 50) -> str:
    """Works in so many slices."""
    for _ in range(steps):
        checkpoint()
    log.append("worked")
    return "result"


def noted(log: list[str], result: Callable[[], str]) -> None:
    try:
        log.append(result())
    except GivenUp:
        log.append("given up")


def test_short_work_is_done_at_once() -> None:
    async def play(turns: Turns) -> None:
        log: list[str] = []
        turns.take(URI, lambda: "short", lambda result: noted(log, result))
        assert log == ["short"]
        assert not turns.later(URI, lambda: None)
        assert turns.ask(URI, lambda: 3).result() == 3

    run(play)


def test_the_collector_waits_until_what_was_found_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns_of_documents, "UNTIL_SHOWN", 0.0)

    async def play(turns: Turns) -> None:
        collects: list[bool] = []
        turns.take(URI, lambda: "short", lambda _: collects.append(gc.isenabled()))
        await asyncio.sleep(0.01)
        collects.append(gc.isenabled())
        turns.take(URI, lambda: long_work([]), lambda _: collects.append(gc.isenabled()))
        await turns.until_free(URI)
        await asyncio.sleep(0.01)
        assert [*collects, gc.isenabled()] == [False, True, False, True]

    run(play)


def test_the_collector_waits_for_a_look_in_the_background(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns_of_documents, "UNTIL_SHOWN", 0.0)

    async def play(turns: Turns) -> None:
        turns.look(goes_on=True)
        turns.take(URI, lambda: "short", lambda _: None)
        await asyncio.sleep(0.01)
        waits = not gc.isenabled()
        turns.look(goes_on=False)
        assert (waits, gc.isenabled()) == (True, True)

    run(play)


def test_what_comes_meanwhile_waits_in_order() -> None:
    async def play(turns: Turns) -> None:
        log: list[str] = []
        turns.take(URI, lambda: long_work(log), lambda result: noted(log, result))
        assert turns.later(URI, lambda: turns.take(URI, lambda: long_work(log), lambda result: noted(log, result)))
        assert turns.later(URI, lambda: log.append("second"))
        assert turns.later(URI, lambda: log.append("third"))
        beats = 0
        while turns.is_taken(URI):
            await asyncio.sleep(0)
            beats += 1
        assert log == ["worked", "result", "worked", "result", "second", "third"]
        assert beats > 50

    run(play)


def test_an_edit_ends_what_may_end_early() -> None:
    async def play(turns: Turns) -> None:
        log: list[str] = []
        answer = turns.ask(URI, lambda: long_work(log, 5000))
        assert not answer.done()
        assert turns.later(URI, lambda: log.append("edit"), interrupts=True)
        outcomes = await asyncio.gather(answer, return_exceptions=True)
        await turns.until_free(URI)
        assert (log, type(outcomes[0]).__name__) == (["edit"], "Interrupted")

    run(play)


def test_an_edit_does_not_end_the_edit_before_it_but_the_look_after_that() -> None:
    async def play(turns: Turns) -> None:
        log: list[str] = []

        def look(result: Callable[[], str]) -> None:
            noted(log, result)
            turns.take(URI, lambda: long_work(log, 5000), lambda outcome: noted(log, outcome), may_end=True)

        turns.take(URI, lambda: long_work(log), look)
        turns.later(URI, lambda: log.append("edit"), interrupts=True)
        await turns.until_free(URI)
        while turns.is_taken(URI):
            await turns.until_free(URI)
        assert log == ["worked", "result", "given up", "edit"]

    run(play)


def test_what_is_closed_ends_in_any_case() -> None:
    async def play(turns: Turns) -> None:
        log: list[str] = []
        turns.take(URI, lambda: long_work(log, 5000), lambda result: noted(log, result))
        turns.later(URI, lambda: log.append("closed"))
        turns.give_up(URI)
        await turns.until_free(URI)
        await asyncio.sleep(0)
        assert log == ["given up", "closed"]

    run(play)


def test_a_cancelled_question_ends() -> None:
    async def play(turns: Turns) -> None:
        log: list[str] = []
        answer = turns.ask(URI, lambda: long_work(log, 5000))
        assert not answer.done()
        answer.cancel()
        await turns.until_free(URI)
        assert log == []

    run(play)
