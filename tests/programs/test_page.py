"""`docs/library.md` and the first screen of the README, run to the letter."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from tests.programs.sample import numbers

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def _at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore[reportUnusedFunction]
    monkeypatch.chdir(ROOT)
    # `help` prints, and shows no page.
    monkeypatch.setenv("PAGER", "cat")
    monkeypatch.setenv("TERM", "dumb")


def check_page(text: str, name: str, *, examples: int) -> None:
    """The examples of a page do what it says."""
    test = doctest.DocTestParser().get_doctest(text, {}, name, name, 0)
    assert len(test.examples) >= examples
    told: list[str] = []
    result = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=told.append)
    assert not result.failed, "".join(told)


def test_the_page_of_the_library_is_true() -> None:
    check_page((ROOT / "docs" / "library.md").read_text("utf-8"), "library.md", examples=20)


def test_the_readme_is_true() -> None:
    block = re.search(r"^```python\n(.*?)^```\n", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert block is not None
    check_page(block[1], "README.md", examples=4)


def test_the_sample_runs(tmp_path: Path) -> None:
    assert numbers(tmp_path / "f.mlir") == [1, 2, 2, 1, 0, 3, True, len("bad-argument")]
