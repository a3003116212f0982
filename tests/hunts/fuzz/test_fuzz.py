"""A small run of `tests/hunts/fuzz/run.py`, over the examples."""

from __future__ import annotations

import pytest

from fathom.context import Context
from tests.hunts.fuzz.buffers import corpus
from tests.hunts.fuzz.check import Report, check_buffer

CONTEXT = Context()


@pytest.mark.parametrize("first", range(0, 15, 5))
def test_mutated_buffers(first: int) -> None:
    texts = corpus(None)
    for seed in range(first, first + 5):
        check_buffer(texts, seed, CONTEXT, Report())
