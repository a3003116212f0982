"""No work costs more calls than it did: what slips is seen, whatever the machine does besides."""

from __future__ import annotations

import pytest

from tests.counts.goldens import VERSION, counted, kept

GROWTH = 1.05


def test_nothing_costs_more_calls_than_it_did() -> None:
    known = kept().get(VERSION)
    if known is None:
        pytest.skip(f"no counts are kept for Python {VERSION}")
    now = counted()
    assert now.keys() == known.keys(), "python -m tests.update_goldens counts"
    grown = [f"{name}: {known[name]:,} -> {now[name]:,}" for name in now if now[name] > GROWTH * known[name]]
    assert not grown, f"{grown}; if it is worth it, python -m tests.update_goldens counts"
