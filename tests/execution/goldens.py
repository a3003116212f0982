"""The programs of the execution tests, as the real tools lower and print them; see `tests.update_goldens`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tests.oracles import flags, mlir_opt, mlir_translate, run_tool

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures" / "execution"
PROGRAMS = ("values", "memrefs", "faults", "printing")

LOWERING = (
    "convert-vector-to-scf",
    "convert-scf-to-cf",
    "convert-vector-to-llvm",
    "convert-complex-to-llvm",
    "expand-strided-metadata",
    "lower-affine",
    "convert-arith-to-llvm",
    "convert-cf-to-llvm",
    "finalize-memref-to-llvm",
    "convert-func-to-llvm",
    "reconcile-unrealized-casts",
)
SUPPORT_LIBRARIES = [f"/usr/lib/llvm-22/lib/lib{name}.so" for name in ("mlir_runner_utils", "mlir_c_runner_utils")]


def goldens() -> Iterator[tuple[Path, str]]:
    """LLVM IR of each program, and what mlir-runner prints for `printing.mlir`."""
    lowered = ""
    for program in PROGRAMS:
        lowered = mlir_opt((FIXTURES / f"{program}.mlir").read_text(encoding="utf-8"), *flags(LOWERING))
        yield FIXTURES / f"{program}.ll", mlir_translate(lowered)
    options = ["-e", "main", "-entry-point-result=void", f"-shared-libs={','.join(SUPPORT_LIBRARIES)}"]
    answer = run_tool("mlir-runner", options, lowered)
    assert answer.status == 0, answer.stderr
    yield FIXTURES / "printing.txt", without_addresses(answer.stdout)


def without_addresses(printed: str) -> str:
    """What was printed, with the addresses of memrefs left out: they change from run to run."""
    return re.sub(r"base@ = 0x[0-9a-f]+", "base@ = ADDRESS", printed)
