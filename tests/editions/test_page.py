"""Measures write their figures into the part of the page that is theirs."""

from __future__ import annotations

import pytest

from tests.editions.page import PAGE, with_figures

MEASURES = ("editions", "editions-modernised", "editions-running")


def test_figures_take_the_place_of_others() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for measure in MEASURES:
        once = with_figures(page, measure, f"| {measure} |")
        assert f"<!-- figures: make {measure} -->\n\n| {measure} |\n\n<!-- end of the figures -->" in once
        assert with_figures(once, measure, "other") == with_figures(page, measure, "other")
        others = [each for each in MEASURES if each != measure]
        assert all(with_figures(once, each, "x").count(f"| {measure} |") == 1 for each in others)


def test_a_measure_without_a_part_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="has no part"):
        with_figures("nothing", "editions", "| 1 |")
