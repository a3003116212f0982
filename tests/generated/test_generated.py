"""Programs that nobody thought of: Fathom and the MLIR 22 tools agree on their text at every stage, and on results.

`python -m tests.generated.compare 5000` compares the results of many more, and `python -m tests.hunts.runner` those of
5,000 with mlir-runner's.
"""

from __future__ import annotations

import io
from random import randrange

import pytest
from hypothesis import given

from fathom.cli import main
from tests.generated import by_runner
from tests.generated.compare import Tally, compare, generated
from tests.generated.on_tensors.compare import compare as compare_on_tensors
from tests.generated.programs import programs
from tests.oracles import PASSES, flags, mlir_opt, mlir_runner, mlir_translate, require_tool
from tests.properties import examples, is_hunt, tries

COUNT = tries(10)
ON_TENSORS = tries(8)
BY_RUNNER = tries(25)


def fathom(arguments: list[str], text: str) -> str:
    stdout, stderr = io.StringIO(), io.StringIO()
    assert main(arguments, io.StringIO(text), stdout, stderr) == 0, stderr.getvalue()
    return stdout.getvalue()


def check_agreement(text: str, arguments: list[str]) -> str:
    """Fathom prints what mlir-opt prints."""
    expected = mlir_opt(text, *arguments)
    assert fathom(["opt", *arguments], text) == expected
    return expected


@examples(6)
@given(programs())
def test_each_beginning_of_the_pipeline(text: str) -> None:
    require_tool("mlir-opt")
    lowered = text
    for count in range(len(PASSES) + 1):
        lowered = check_agreement(text, flags(PASSES[:count]))
    assert fathom(["translate"], lowered) == mlir_translate(lowered)


@examples(6)
@given(programs())
def test_each_pass_alone_and_the_generic_form(text: str) -> None:
    require_tool("mlir-opt")
    check_agreement(text, ["--mlir-print-op-generic"])
    for name in PASSES:
        check_agreement(text, [f"--{name}"])


@examples(3)
@given(programs())
def test_results(text: str) -> None:
    require_tool("mlir-runner")
    expected = mlir_runner(mlir_opt(text, *flags(PASSES)), "main", "i32")
    assert int(fathom(["run", "-"], text)) == int(expected)


@pytest.mark.hunted
def test_results_of_programs_over_all_dialects() -> None:
    require_tool("mlir-opt")
    tally = Tally()
    for rich in generated(COUNT, start=randrange(10**6) if is_hunt() else 0):
        compare(rich, tally)
    assert tally.equal >= COUNT
    assert tally.differences == [], tally.differences[0].what


@pytest.mark.hunted
def test_results_of_programs_on_tensors() -> None:
    require_tool("mlir-opt")
    first = randrange(10**6) if is_hunt() else 0
    tally = compare_on_tensors(range(first, first + ON_TENSORS))
    assert tally.count == ON_TENSORS
    assert not tally.ours
    assert is_hunt() or not tally.found


@pytest.mark.hunted
def test_all_that_programs_return_beside_mlir_runner() -> None:
    require_tool("mlir-runner")
    tally = by_runner.Tally()
    for group in by_runner.generated(BY_RUNNER, start=randrange(10**6) if is_hunt() else 0):
        by_runner.compare(group, tally)
    assert tally.differences == [], tally.differences[0].what
    assert tally.equal >= BY_RUNNER
    # There is much to compare: a program gives a few dozens of numbers.
    assert tally.numbers > 30 * BY_RUNNER
