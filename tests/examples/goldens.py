"""What the MLIR 22 tools make of each program in `examples/`: the expected outputs in `tests/fixtures/examples/`; and
what they and Fathom say of each mistake in `examples/errors`, beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.examples import errors
from tests.oracles import PASSES, each_by_one, flags, mlir_opt, mlir_runner, mlir_translate

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.mlir"))
FIXTURES = ROOT / "tests" / "fixtures" / "examples"
RESULT = re.compile(r"^// RESULT: @main\(\) : (?P<type>\w+) = (?P<value>.+)$", re.MULTILINE)

STAGES: dict[str, list[str]] = {
    "round-trip": [],
    "generic": ["--mlir-print-op-generic"],
    **{f"alone-{name}": [f"--{name}"] for name in PASSES},
    **{f"through-{name}": flags(PASSES[: index + 1]) for index, name in enumerate(PASSES) if index > 0},
}
"""Every way in which an example goes through the passes, by the name of its golden: no pass at all, each pass alone,
and each beginning of the pipeline (the last one is the whole)."""

LOWERED = f"through-{PASSES[-1]}"
"""The stage that is wholly in the LLVM dialect."""


def golden_path(example: Path, stage: str) -> Path:
    """Where the expected text of an example at a stage stands."""
    return FIXTURES / example.stem / f"{stage}.{'ll' if stage == 'llvm-ir' else 'mlir'}"


def declared_result(example: Path) -> tuple[str, str]:
    """The type and the value in the line `// RESULT: @main() : type = value` of an example."""
    match = RESULT.search(example.read_text(encoding="utf-8"))
    assert match, f"{example.name} does not say what @main returns"
    return match["type"], match["value"]


@cache
def oracle_texts(stage: str) -> tuple[str, ...]:
    """What mlir-opt (or mlir-translate, for `llvm-ir`) prints for each example at a stage."""
    if stage == "llvm-ir":
        return each_by_one(mlir_translate, oracle_texts(LOWERED))
    sources = [example.read_text(encoding="utf-8") for example in EXAMPLES]
    return each_by_one(mlir_opt, sources, *STAGES[stage])


def oracle_result(example: Path) -> str:
    """What mlir-runner prints for `@main` of an example."""
    return mlir_runner(oracle_texts(LOWERED)[EXAMPLES.index(example)], "main", declared_result(example)[0]).strip()


def goldens() -> Iterator[tuple[Path, str]]:
    for example in EXAMPLES:
        for stage in [*STAGES, "llvm-ir"]:
            yield golden_path(example, stage), oracle_texts(stage)[EXAMPLES.index(example)]
    for example in errors.EXAMPLES:
        yield example.with_suffix(".mlir-opt.txt"), errors.said_by_mlir(example)
        yield example.with_suffix(".fathom.txt"), errors.said_by_fathom(example)
