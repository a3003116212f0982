"""What mlir-translate makes of each file in `tests/fixtures/translation/`: the `.ll` beside it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.oracles import mlir_translate

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures" / "translation"
SOURCES = sorted(FIXTURES.glob("*.mlir"))


def golden_path(source: Path) -> Path:
    """Where the expected LLVM IR of a fixture stands."""
    return source.with_suffix(".ll")


def goldens() -> Iterator[tuple[Path, str]]:
    for source in SOURCES:
        yield golden_path(source), mlir_translate(source.read_text(encoding="utf-8"))
