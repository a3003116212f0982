"""The page of the passes; and what mlir-opt 22 makes of each fixture in `tests/fixtures/passes/`, by the line
`// RUN: mlir-opt %s …` at its top."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

from fathom.passes.documentation import markdown
from tests.oracles import mlir_opt

TESTS = Path(__file__).resolve().parents[1]
PAGE = TESTS.parent / "docs" / "passes.md"
FIXTURES = TESTS / "fixtures" / "passes"
RUN = re.compile(r"^// RUN: mlir-opt %s (?P<flags>.+)$", re.MULTILINE)


def fixtures() -> list[Path]:
    """The inputs, in folders named after the pass that they are about."""
    return sorted(FIXTURES.glob("*/*.mlir"))


def run_flags(path: Path) -> list[str]:
    """The options of mlir-opt in the RUN line of a fixture."""
    match = RUN.search(path.read_text(encoding="utf-8"))
    assert match, f"{path.name} has no RUN line"
    return shlex.split(match["flags"])


def expected_path(path: Path) -> Path:
    return path.with_suffix(".expected")


def goldens() -> Iterator[tuple[Path, str]]:
    yield PAGE, markdown()
    for path in fixtures():
        yield expected_path(path), mlir_opt(path.read_text(encoding="utf-8"), *run_flags(path))
