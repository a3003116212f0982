"""The tests that count, by part, and those that pass: lists of paths below `mlir/test`, one on a line, sorted.

A test counts if MLIR's own tools pass it (`make suite-counted` finds that out). Its part says what it asks for:
*language* reads, verifies and prints; *lowering* runs the conversions to LLVM and what goes with them; *export* and
*import* translate to and from LLVM IR; *run* executes; *testing* uses passes that exist only for tests; *other* is the
rest.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

HOME = Path(__file__).parent
PASSING = HOME / "passing.txt"
PARTS = ("language", "lowering", "export", "import", "run", "testing", "other")
MISSION = PARTS[:5]
"""The parts all of whose tests are to pass."""


def read_list(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split() if path.exists() else []


def write_list(path: Path, tests: Iterable[str]) -> None:
    path.write_text("".join(f"{test}\n" for test in sorted(set(tests))), encoding="utf-8")


def part_file(part: str) -> Path:
    return HOME / "parts" / f"{part}.txt"


def parts() -> dict[str, list[str]]:
    """The tests of each part."""
    return {part: read_list(part_file(part)) for part in PARTS}


def select(wanted: str) -> list[str]:
    """The counted tests that `wanted` names: a part, `passing`, a folder or a file; all of them for an empty text.

    Several are separated by commas or spaces. Raises KeyError for a name that selects nothing.
    """
    by_part = parts()
    every = sorted(test for tests in by_part.values() for test in tests)
    names = wanted.replace(",", " ").split()
    if not names:
        return every
    chosen: set[str] = set()
    for name in names:
        folder = name.strip("/").removeprefix("mlir/test/")
        if name in by_part:
            chosen_tests = by_part[name]
        elif name == "passing":
            chosen_tests = read_list(PASSING)
        else:
            chosen_tests = [test for test in every if test == folder or test.startswith(folder + "/")]
        if not chosen_tests and name != "passing":
            raise KeyError(name)
        chosen.update(chosen_tests)
    return sorted(chosen)
