"""The page of speed says what was measured."""

from __future__ import annotations

import json

from benchmarks.speed import rows
from benchmarks.speed_page import HISTORY, PAGE, page

START = {"name": "start", "ours": 140.2, "peer": 20.0, "ratio": 7.0, "milliseconds": 150, "times": None}
PASSES = {"name": "passes", "ours": 4000.4, "peer": 400.0, "ratio": 10.0, "milliseconds": None, "times": 8}


def said(*figures: dict[str, object], day: str = "2026-01-02") -> dict[str, object]:
    return {"date": day, "machine": "2 × this", "rounds": 3, "figures": list(figures)}


def test_the_page_shows_the_newest_version_and_each_before() -> None:
    text = page({"1": said(START), "2": said({**START, "ours": 160.0}, PASSES, day="2026-02-03")})
    assert "Version 2, 2026-02-03, 3 rounds, on 2 × this." in text
    assert "| start | 20 ms | 160 ms | 7.0× | **150 ms** |" in text
    assert "| passes | 400 ms | 4,000 ms | 10.0× | **8×** |" in text
    assert "| start | 140 ms | 160 ms |\n| passes | – | 10.0× |" in text


def test_the_page_is_of_the_figures_that_are_kept() -> None:
    history = json.loads(HISTORY.read_text(encoding="utf-8"))
    assert PAGE.read_text(encoding="utf-8") == page(history)
    *_, newest = history.values()
    assert {figure["name"] for figure in newest["figures"]} <= {row.name for row in rows()}
