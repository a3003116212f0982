"""What mlir-opt 22 prints for each fixture in `tests/fixtures/printer/`, in each form."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.oracles import mlir_opt

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures" / "printer"

FORMS = {
    "custom": (),
    "generic": ("--mlir-print-op-generic",),
    "locations": ("--mlir-print-debuginfo",),
    "generic-locations": ("--mlir-print-op-generic", "--mlir-print-debuginfo"),
    "local": ("--mlir-print-local-scope",),
}
"""The forms by name, with mlir-opt's options for them."""


def fixtures() -> list[Path]:
    """The inputs."""
    return sorted(FIXTURES.glob("*.mlir"))


def expected_path(path: Path, form: str) -> Path:
    return path.with_suffix(f".{form}.expected")


def goldens() -> Iterator[tuple[Path, str]]:
    for path in fixtures():
        for form, options in FORMS.items():
            text = mlir_opt(path.read_text(encoding="utf-8"), "--allow-unregistered-dialect", *options)
            yield expected_path(path, form), text
