"""Properties are tried with the same inputs wherever and after whatever they are tried."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.elaborate.edits import lines_after
from tests.properties import examples, is_hunt


def drawn() -> list[tuple[int, str]]:
    """What a property is tried with."""
    lines: list[tuple[int, str]] = []

    @examples(200)
    @given(st.integers(), st.text(max_size=8))
    def take(number: int, text: str) -> None:
        lines.append((number, text))

    take()
    return lines


@pytest.mark.skipif(is_hunt(), reason="a hunt draws others each time")
def test_what_is_drawn_does_not_depend_on_the_modules_that_are_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = drawn()
    path = tmp_path / "constants.py"
    path.write_text(f"NUMBERS = {list(range(1000, 1300))}\nWORDS = {[f'word{n}' for n in range(300)]}\n")
    spec = importlib.util.spec_from_file_location("constants", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "constants", module)
    spec.loader.exec_module(module)
    assert drawn() == before


@pytest.mark.parametrize("lines", [[], ["one\n"]])
@pytest.mark.parametrize("kind", ["word", "delete", "repeat", "swap", "cut", "cut out", "put around", "paste"])
def test_an_edit_of_next_to_nothing_puts_something_in(kind: str, lines: list[str]) -> None:
    assert len(lines_after((kind, 5, 0, 3), lines, [])) == len(lines) + 1
