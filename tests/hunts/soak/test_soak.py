"""A small run of `tests/hunts/soak/run.py`, over the examples."""

from __future__ import annotations

from tests.hunts.fuzz.buffers import corpus
from tests.hunts.soak.session import Soak


def test_random_session() -> None:
    outcome = Soak(corpus(None), 1).run(250, rests=1)
    assert not outcome.failures, outcome.failures[0]
    assert outcome.compared
