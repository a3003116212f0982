"""What a pass makes has the location that mlir-opt 22 gives it: each fixture, and an example stage by stage."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from fathom.cli import main
from tests.oracles import flags, mlir_opt
from tests.passes.goldens import fixtures, run_flags

SAXPY = Path(__file__).resolve().parents[2] / "examples" / "saxpy.mlir"
STAGES = (
    *("convert-scf-to-cf", "convert-arith-to-llvm", "convert-cf-to-llvm", "finalize-memref-to-llvm"),
    *("convert-func-to-llvm", "reconcile-unrealized-casts"),
)
SHOWN = ("--mlir-print-debuginfo", "--mlir-print-local-scope")

DIFFERENT = {
    "canonicalize/arithmetic": "MLIR's declared rules fuse the location of the operation with that of one they matched",
    "canonicalize/shape": "the same",
    "convert-func-to-llvm/bare_calls": "MLIR makes the descriptor of an indirect call's result where it is used",
    "generate-runtime-verification/shown": "MLIR shows an operation in a message as it shows all others, here with its "
    "location",
}


def check_locations(text: str, options: list[str]) -> None:
    stdout, stderr = io.StringIO(), io.StringIO()
    assert main(["opt", "-", *options, *SHOWN], io.StringIO(text), stdout, stderr) == 0, stderr.getvalue()
    assert stdout.getvalue().strip() == mlir_opt(text, *options, *SHOWN).strip()


@pytest.mark.parametrize("path", fixtures(), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_locations(path: Path) -> None:
    text, options = path.read_text(encoding="utf-8"), run_flags(path)
    if f"{path.parent.name}/{path.stem}" in DIFFERENT:
        with pytest.raises(AssertionError):
            check_locations(text, options)
    else:
        check_locations(text, options)


@pytest.mark.parametrize("count", range(1, len(STAGES) + 1))
def test_locations_of_each_stage(count: int) -> None:
    check_locations(SAXPY.read_text(encoding="utf-8"), flags(STAGES[:count]))
