"""What mlir-translate makes of each file in `tests/fixtures/importing/`, with the options in its first line: the module
in the file beside it, and behind that what it said."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.oracles import run_tool

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures" / "importing"
SOURCES = sorted(FIXTURES.glob("*.ll"))


def golden_path(source: Path) -> Path:
    """Where the expected module of a fixture stands."""
    return source.with_suffix(".mlir")


def options(text: str) -> list[str]:
    """The options in the first line of a fixture."""
    line = text.partition("\n")[0]
    return [word for word in line.partition("mlir-translate")[2].split() if word != "%s"]


def golden(module: str, said: str) -> str:
    """A module and what was said of it, as one text."""
    return module + "".join(f"\n// {line}" for line in said.splitlines() if line) + "\n"


def goldens() -> Iterator[tuple[Path, str]]:
    for source in SOURCES:
        text = source.read_text(encoding="utf-8")
        ran = run_tool("mlir-translate", options(text), text)
        yield golden_path(source), golden(ran.stdout, ran.stderr)
