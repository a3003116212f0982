"""Every program in `examples/` goes through Fathom as it goes through the MLIR 22 tools: the same text after each pass
alone, after each beginning of the pipeline, as LLVM IR, and the same result when it runs."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from fathom.cli import main
from tests.examples.goldens import (
    EXAMPLES,
    LOWERED,
    STAGES,
    declared_result,
    golden_path,
    oracle_result,
    oracle_texts,
)

by_example = pytest.mark.parametrize("example", EXAMPLES, ids=[path.stem for path in EXAMPLES])
by_stage = pytest.mark.parametrize("stage", [*STAGES, "llvm-ir"])


def fathom(arguments: list[str], text: str = "") -> str:
    """What the command line prints for a text that it accepts."""
    stdout, stderr = io.StringIO(), io.StringIO()
    status = main(arguments, io.StringIO(text), stdout, stderr)
    assert status == 0, f"fathom {' '.join(arguments)}: exit status {status}\n{stderr.getvalue()}"
    return stdout.getvalue()


def check_text(actual: str, example: Path, stage: str) -> None:
    """`actual` is the golden of the stage, byte for byte."""
    assert actual.splitlines() == golden_path(example, stage).read_text(encoding="utf-8").splitlines()
    assert actual == golden_path(example, stage).read_text(encoding="utf-8")


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 14


@by_example
@by_stage
def test_text_is_that_of_mlir(example: Path, stage: str) -> None:
    if stage == "llvm-ir":
        actual = fathom(["translate"], golden_path(example, LOWERED).read_text(encoding="utf-8"))
    else:
        actual = fathom(["opt", *STAGES[stage]], example.read_text(encoding="utf-8"))
    check_text(actual, example, stage)


@by_stage
def test_goldens_are_those_of_the_oracle(stage: str) -> None:
    for example, text in zip(EXAMPLES, oracle_texts(stage), strict=True):
        check_text(text, example, stage)


@by_example
def test_run_gives_the_declared_result(example: Path) -> None:
    _, value = declared_result(example)
    assert float(fathom(["run", str(example)])) == pytest.approx(float(value), rel=1e-6)


@by_example
def test_declared_result_is_that_of_the_oracle(example: Path) -> None:
    assert oracle_result(example) == declared_result(example)[1]
