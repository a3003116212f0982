"""Each pass, alone and in pipelines, prints what mlir-opt 22 prints, to the byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from fathom.elaborate import load
from fathom.ir.printer import print_module
from fathom.ir.printing_flags import PrintingFlags
from fathom.passes import names
from tests.passes.goldens import expected_path, fixtures, run_flags
from tests.passes.running import run_pass


def lowered(text: str, flags: list[str]) -> str:
    """`text` after the passes among the flags, in their order; those that only concern printing are obeyed too."""
    loaded = load(text)
    assert not loaded.has_errors, loaded.diagnostics
    for flag in flags:
        name, _, given = flag.removeprefix("--").partition("=")
        if name in names():
            errors = [d for d in run_pass(name, loaded.module, given) if d.severity == "error"]
            assert errors == []
    return print_module(loaded.module, PrintingFlags(generic="--mlir-print-op-generic" in flags))


def check_fixture(path: Path) -> None:
    expected = expected_path(path).read_text(encoding="utf-8")
    # mlir-opt ends the module with an empty line of its own.
    assert lowered(path.read_text(encoding="utf-8"), run_flags(path)).strip() == expected.strip()


@pytest.mark.parametrize("path", fixtures(), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_fixture(path: Path) -> None:
    check_fixture(path)
