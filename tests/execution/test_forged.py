"""The answer of a program is read as what a stranger sends: whatever it holds, there is an outcome."""

from __future__ import annotations

from typing import Any

import pytest

from fathom.execution import Limits, RunRequest
from fathom.execution.process import asked
from fathom.execution.protocol import Damaged, FrameParser, frame
from fathom.execution.results import outcome_of
from fathom.execution.scalars import nest
from fathom.ir.types import F32, I32, MemRefType

REQUEST = RunRequest("", "f", (MemRefType((4,), I32),), (F32,), ([1, 2, 3, 4],))
IMAGE = asked(REQUEST, Limits())[2]
GOOD: dict[str, Any] = {
    "results": [0, 8],
    "starts": [4096, 8192, 12288],
    "views": [{"shape": [2], "data": [8, 8], "deallocated": False}],
    "callSeconds": 0.0,
    "compileSeconds": 0.0,
}
VIEW = GOOD["views"][0]


def test_an_honest_answer() -> None:
    outcome = outcome_of(REQUEST, IMAGE, GOOD, bytes(16))
    assert (outcome.failure, outcome.results) == (None, (0.0,))


@pytest.mark.parametrize(
    "forged",
    [
        {},
        {**GOOD, "views": []},
        {**GOOD, "views": 5},
        {**GOOD, "views": [{**VIEW, "shape": [-1]}]},
        {**GOOD, "views": [{**VIEW, "shape": ["a"]}]},
        {**GOOD, "views": [{**VIEW, "data": [8, 7]}]},
        {**GOOD, "views": [{**VIEW, "data": None}]},
        {**GOOD, "results": "x"},
        {**GOOD, "starts": [1]},
        {**GOOD, "starts": ["a", "b", "c"]},
        {**GOOD, "starts": None},
        {**GOOD, "callSeconds": "soon"},
        {"failure": {"kind": "nosuch", "message": "m"}},
        {"failure": {"kind": ["crash"], "message": "m"}},
        {"failure": 5},
    ],
)
def test_a_forged_answer(forged: dict[str, Any]) -> None:
    outcome = outcome_of(REQUEST, IMAGE, forged, bytes(16))
    assert outcome.failure is not None
    assert "could not be read" in outcome.failure.message


def test_shapes_without_elements_are_cut_off() -> None:
    assert nest([], [2, 0]) == [[], []]
    assert len(str(nest([], [10**9] * 60 + [0]))) < 1_000_000


def test_an_answer_that_is_too_long_is_not_waited_for() -> None:
    with pytest.raises(Damaged):
        FrameParser(100).feed(frame({"stdout": "a" * 200})[:20])
