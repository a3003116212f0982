"""Examples of the documents of three times, each read, modernised and lowered (`documents.py`)."""

from __future__ import annotations

import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from fathom.context import default_context
from fathom.elaborate import load
from tests.editions.documents import (
    EXAMPLES,
    Example,
    errors_in,
    example,
    lowered,
    lowered_path,
    lowered_text,
    modernised_text,
    substance,
)
from tests.oracles import missing

each = pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: f"{path.parent.name}/{path.stem}")
SHOWN = [path for path in EXAMPLES if example(path).shown is not None]
each_shown = pytest.mark.parametrize("path", SHOWN, ids=lambda path: f"{path.parent.name}/{path.stem}")


def parts(of: Example) -> list[str]:
    return [of.source] if of.shown is None else [of.source, of.shown]


def answer_of(tool: str, text: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """What a tool of a release of MLIR says."""
    program = shutil.which(tool)
    if program is None:
        missing(tool)
    return subprocess.run([program, *arguments], input=text, capture_output=True, text=True, check=False, timeout=20)


TODAY = {
    # What calls the interface of C is a function of this module alone.
    "std/interface-of-a-declaration": ({"llvm.func"}, {"llvm.func"}),
    "wrapped/interface-of-a-declaration": ({"llvm.func"}, {"llvm.func"}),
    # A block may be a successor twice: the translation to LLVM IR sees to it.
    "wrapped/repeated-successors": ({"llvm.cond_br"}, {"llvm.cond_br", "llvm.br"}),
}
"""The operations that are otherwise today, and those that the document shows in their place."""


def names_in(some: Counter[tuple[str, ...]]) -> set[str]:
    return {name for _, name, *_ in some}


@each
def test_it_is_read(path: Path) -> None:
    assert [errors_in(part) for part in parts(example(path))] == [[]] * len(parts(example(path)))


@each
def test_it_is_modernised(path: Path) -> None:
    assert modernised_text(example(path).text) == path.with_suffix(".out").read_text(encoding="utf-8")


@each
def test_mlir_takes_what_it_became(path: Path) -> None:
    text = path.with_suffix(".out").read_text(encoding="utf-8")
    answer = answer_of("mlir-opt-22", text, "--split-input-file", "--allow-unregistered-dialect")
    assert answer.returncode == 0, answer.stderr


@each
def test_it_is_lowered(path: Path) -> None:
    of = example(path)
    assert lowered_text(of) == lowered_path(path, of).read_text(encoding="utf-8")


@each_shown
def test_it_is_lowered_to_what_the_document_shows(path: Path) -> None:
    of = example(path)
    assert of.shown is not None
    shown = load(modernised_text(of.shown), default_context())
    today, then = substance(lowered(of)), substance(shown.module)
    differs = names_in(today - then), names_in(then - today)
    assert differs == TODAY.get(f"{path.parent.name}/{path.stem}", (set(), set()))


@each
def test_comments_and_names_stay(path: Path) -> None:
    """Whoever reads the example finds in it all that a person put there for people."""
    of = example(path)
    became = modernised_text(of.text)
    for line in of.text.splitlines():
        comment = line.partition("// ")[2]
        assert comment in became or comment.startswith("RUN:")
        assert all(word in became for word in line.split() if word.startswith("%") and word.isalnum())


# ---- the release itself

OLDER = frozenset(("std/linearization-stored", "std/loop", "std/operations"))
"""What MLIR 13 does not read any more: names that went before it."""
NOT_LOWERED = frozenset(("std/linearization", "std/ranked-caller", "std/unranked-caller", "typed/linearization"))
"""What it reads, and does not lower."""
RELEASED = {
    "std/interface-of-a-declaration": TODAY["std/interface-of-a-declaration"],
    # A descriptor that nobody uses.
    "std/interface-of-a-definition": (set[str](), {"llvm.insertvalue", "llvm.mlir.undef"}),
}
"""The operations that are otherwise today, and those that MLIR 13 makes in their place."""
of_its_time = pytest.mark.parametrize(
    "path",
    [path for path in EXAMPLES if path.parent.name != "wrapped" and f"{path.parent.name}/{path.stem}" not in OLDER],
    ids=lambda path: f"{path.parent.name}/{path.stem}",
)


@of_its_time
def test_the_release_reads_it(path: Path) -> None:
    text = example(path).text
    answer = answer_of("mlir-opt-13", text, "--split-input-file", "--allow-unregistered-dialect")
    assert answer.returncode == 0, answer.stderr


@of_its_time
def test_the_release_lowers_it_to_the_same(path: Path) -> None:
    of = example(path)
    if not of.flags or f"{path.parent.name}/{path.stem}" in NOT_LOWERED:
        return
    answer = answer_of("mlir-opt-13", of.source, "--allow-unregistered-dialect", *of.flags)
    assert answer.returncode == 0, answer.stderr
    became = load(modernised_text(answer.stdout), default_context())
    today, then = substance(lowered(of)), substance(became.module)
    expected = RELEASED.get(f"{path.parent.name}/{path.stem}", (set(), set()))
    assert (names_in(today - then), names_in(then - today)) == expected
