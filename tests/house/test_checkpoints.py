"""Work that stands still at checkpoints."""

from __future__ import annotations

import threading
import time

import pytest

from fathom.slices import GivenUp, Slices, checkpoint


def steps(done: list[int], count: int) -> str:
    for number in range(count):
        done.append(number)
        time.sleep(0.001)
        checkpoint()
    return "all"


def test_work_goes_on_slice_by_slice() -> None:
    done: list[int] = []
    work = Slices(lambda: steps(done, 30))
    seen: list[int] = []
    while not work.go_on(0.0):
        seen.append(len(done))
        time.sleep(0.002)
        assert seen[-1] == len(done), "it works while nobody waits for it"
    assert seen == sorted(set(seen)), "a slice got nothing done"
    assert len(seen) > 2
    assert (work.result(), len(done)) == ("all", 30)


def test_work_that_is_short_is_over_at_once() -> None:
    work = Slices(lambda: 7)
    assert work.go_on(1.0)
    assert work.result() == 7


def test_nested_calls_stand_still() -> None:
    def deep(left: int) -> int:
        checkpoint()
        return 1 + deep(left - 1) if left else 0

    work = Slices(lambda: deep(200))
    while not work.go_on(0.0):
        pass
    assert work.result() == 200


def test_an_error_comes_with_the_result() -> None:
    def fail() -> None:
        checkpoint()
        raise ValueError("no")

    work = Slices(fail)
    while not work.go_on(0.0):
        pass
    with pytest.raises(ValueError, match="no"):
        work.result()


@pytest.mark.parametrize("begun", [False, True])
def test_work_is_given_up(begun: bool) -> None:
    done: list[int] = []
    tidied: list[bool] = []

    def work() -> None:
        try:
            steps(done, 1000)
        except Exception:
            raise AssertionError("to give up is no error") from None
        finally:
            tidied.append(True)
            checkpoint()

    slices = Slices(work)
    if begun:
        slices.go_on(0.0)
    slices.give_up()
    while not slices.go_on(0.0):
        pass
    with pytest.raises(GivenUp):
        slices.result()
    assert (len(done), tidied) == ((1, [True]) if begun else (0, []))
    assert slices.go_on(1.0)


def test_without_slices_a_checkpoint_does_nothing() -> None:
    checkpoint()
    assert not [thread for thread in threading.enumerate() if thread.name == "slices"]
