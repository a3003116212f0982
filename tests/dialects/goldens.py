"""What mlir-opt 22 prints for each fixture in `tests/fixtures/dialects/`, in the custom and the generic form."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.oracles import mlir_opt

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures" / "dialects"


def fixtures() -> list[Path]:
    """The inputs, named after their dialect."""
    return sorted(FIXTURES.glob("*.mlir"))


def expected_path(path: Path, form: str) -> Path:
    return path.with_suffix(f".{form}.expected")


def goldens() -> Iterator[tuple[Path, str]]:
    for path in fixtures():
        text = path.read_text(encoding="utf-8")
        yield expected_path(path, "custom"), mlir_opt(text, "--allow-unregistered-dialect")
        yield (
            expected_path(path, "generic"),
            mlir_opt(text, "--allow-unregistered-dialect", "--mlir-print-op-generic"),
        )
