"""What a pass makes has the location that mlir-opt 22 gives it: each fixture, and an example stage by stage."""

from __future__ import annotations

import io
from functools import cache
from pathlib import Path

import pytest

from fathom.cli import main
from tests.oracles import each_by_one, flags, mlir_opt
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
    "linalg-fuse-elementwise-ops/constants": "MLIR fuses the location of the operation with those of what it reads",
    "one-shot-bufferize/conflicts": "MLIR numbers conflicts through all texts of a run",
}


def printed(text: str, *options: str) -> str:
    """What Fathom prints."""
    stdout, stderr = io.StringIO(), io.StringIO()
    assert main(["opt", "-", *options], io.StringIO(text), stdout, stderr) == 0, stderr.getvalue()
    return stdout.getvalue()


@cache
def by_options() -> dict[tuple[str, ...], list[Path]]:
    """The fixtures, together where they go through the same passes."""
    paths_by_options: dict[tuple[str, ...], list[Path]] = {}
    for path in fixtures():
        paths_by_options.setdefault(tuple(run_flags(path)), []).append(path)
    return paths_by_options


@cache
def of_both(options: tuple[str, ...]) -> dict[Path, tuple[str, str]]:
    """What Fathom and mlir-opt print for the fixtures that go through some passes."""
    paths = by_options()[options]
    texts = [path.read_text(encoding="utf-8") for path in paths]
    ours, theirs = (each_by_one(tool, texts, *options, *SHOWN) for tool in (printed, mlir_opt))
    return dict(zip(paths, zip(ours, theirs, strict=True), strict=True))


@pytest.mark.parametrize("path", fixtures(), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_locations(path: Path) -> None:
    ours, theirs = of_both(tuple(run_flags(path)))[path]
    if f"{path.parent.name}/{path.stem}" in DIFFERENT:
        assert ours != theirs
    else:
        assert ours == theirs


@pytest.mark.parametrize("count", range(1, len(STAGES) + 1))
def test_locations_of_each_stage(count: int) -> None:
    text, options = SAXPY.read_text(encoding="utf-8"), flags(STAGES[:count])
    assert printed(text, *options, *SHOWN) == mlir_opt(text, *options, *SHOWN)
