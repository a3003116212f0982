"""Texts of older releases, as MLIR 22 writes them.

`tests/fixtures/modernising/N` has texts that mlir-opt of that release takes, and beside each what becomes of it, which
mlir-opt 22 takes.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from fathom.context import context_of, default_context
from fathom.diagnostics import NO_COUNTERPART
from fathom.modernising.engine import Modernised, modernised
from fathom.modernising.found import find_edition
from tests.oracles import missing

FIXTURES = Path(__file__).parents[1] / "fixtures" / "modernising"
TEXTS = sorted(FIXTURES.glob("*/*.mlir"))


def made_of(edition: str, text: str) -> Modernised:
    return modernised(text, context_of(edition), default_context())


def check_modernised(edition: str, text: str, expected: str) -> None:
    made = made_of(edition, text)
    assert not made.is_refused, made.diagnostics
    assert made.text == expected


def check_taken(release: str, text: str) -> None:
    """The mlir-opt of a release takes a text."""
    tool = shutil.which(f"mlir-opt-{release}")
    if tool is None:
        missing(f"mlir-opt-{release}")
    answer = subprocess.run([tool], input=text, capture_output=True, text=True, check=False, timeout=20)
    assert answer.returncode == 0, answer.stderr


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_text_of_an_older_release(path: Path) -> None:
    expected = path.with_suffix(".out").read_text(encoding="utf-8")
    check_modernised(path.parent.name, path.read_text(encoding="utf-8"), expected)


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_releases_take_what_is_said_to_be_theirs(path: Path) -> None:
    check_taken(path.parent.name, path.read_text(encoding="utf-8"))
    check_taken("22", path.with_suffix(".out").read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_what_is_modern_stays_as_it_is(path: Path) -> None:
    text = path.with_suffix(".out").read_text(encoding="utf-8")
    check_modernised("22", text, text)


def test_what_has_no_counterpart_stays_and_nothing_else_changes() -> None:
    text = (
        "func.func @f(%v: vector<4xf32>, %x: f32) -> vector<4xf32> {\n"
        "  %s = vector.splat %x : vector<4xf32>\n"
        "  return %s : vector<4xf32>\n"
        "}\n"
        "llvm.func @g(%p: !llvm.ptr<3>, %n: i32, %is: i1) {\n"
        "  nvvm.mbarrier.init.shared %p, %n, predicate = %is : !llvm.ptr<3>, i32, i1\n"
        "  llvm.return\n"
        "}\n"
    )
    made = made_of("19", text)
    assert made.text == text
    assert not made.changes
    (diagnostic,) = made.diagnostics
    assert diagnostic.code == NO_COUNTERPART
    assert diagnostic.span is not None
    assert text[diagnostic.span.start :].startswith(("nvvm.mbarrier", "  nvvm.mbarrier"))


def test_a_text_with_a_mistake_stays_as_it_is() -> None:
    text = "func.func @f() -> i32 {\n  return %x : i32\n}\n"
    made = made_of("19", text)
    assert made.text == text
    assert [diagnostic.message for diagnostic in made.diagnostics] == ["use of undeclared SSA value name"]


def test_each_part_of_a_text_stands_for_itself() -> None:
    splat = "  %s = vector.splat %x : vector<4xf32>\n"
    part = f"func.func @f(%x: f32) -> vector<4xf32> {{\n{splat}  return %s : vector<4xf32>\n}}\n"
    now = part.replace("vector.splat %x : vector<4xf32>", "vector.broadcast %x : f32 to vector<4xf32>")
    check_modernised("19", f"{part}// -----\n{part}", f"{now}// -----\n{now}")


def test_the_edition_is_the_newest_in_which_nothing_is_wrong() -> None:
    text = (FIXTURES / "19" / "vectors.mlir").read_text(encoding="utf-8")
    assert find_edition(text, context_of) == ("19", [])
    assert find_edition(text.replace("// MLIR: 19", ""), context_of) == ("19", [])
    assert find_edition("func.func @f() {\n  return\n}\n", context_of) == ("22", [])
