"""A small run of `tests/hunts/soak/run.py`, over the examples."""

from __future__ import annotations

import pytest

from tests.hunts.fuzz.buffers import corpus
from tests.hunts.soak.session import Soak


@pytest.mark.parametrize("seed", [1, 2])
def test_random_session(seed: int) -> None:
    outcome = Soak(corpus(None), seed).run(400, rests=2)
    assert not outcome.failures, outcome.failures[0]
    assert outcome.compared
