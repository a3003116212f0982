"""What mlir-opt 22 says about each text of `tests/fixtures/verify/` and `tests/fixtures/elaborate/`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.verify.findings import SEPARATOR, oracle_findings, pieces

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"
AREAS = ("verify", "elaborate")


def fixtures(area: str) -> list[Path]:
    return sorted((FIXTURES / area).glob("*.mlir"))


def expected_path(path: Path) -> Path:
    return path.with_suffix(".expected")


def goldens() -> Iterator[tuple[Path, str]]:
    for area in AREAS:
        for path in fixtures(area):
            findings = oracle_findings(pieces(path.read_text(encoding="utf-8")))
            yield expected_path(path), SEPARATOR.join("".join(f"{line}\n" for line in lines) for lines in findings)
