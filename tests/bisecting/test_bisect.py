"""Mistakes in passes are found: the pass, the pattern, and a small text that still shows it."""

from __future__ import annotations

from random import Random
from typing import Any, Final

import pytest

from fathom.bisecting import Found, Question, bisect
from fathom.context import default_context
from fathom.execution import Failure, Json, RunOutcome
from fathom.messages.source import Source
from fathom.pipeline.defaults import pipeline_of
from fathom.programs.behaviour import Behaviour, are_equal
from fathom.programs.preparing import Unprepared
from fathom.reducing import Bounds
from tests.bisecting.mutants import MUTANTS, SCALARS, Mutant, wrong_function, wrong_pattern
from tests.bisecting.programs import CONTROL, MEMORY
from tests.bisecting.programs import SCALARS as INTEGERS

SAMPLE: Final = Random(28).sample(MUTANTS, 8)
SMALL: Final = 10
"""Most of what is left has no more operations than this."""


def found_in(
    text: str,
    entry: str,
    arguments: Any,
    pipeline: str,
    *,
    expected: tuple[Json, ...] | None = None,
    tolerance: float = 0.0,
    bounds: Bounds | None = None,
) -> Found:
    question = Question(entry, arguments, pipeline_of(pipeline), expected, tolerance, bounds=bounds)
    found = bisect(Source("program.mlir", text), question, default_context())
    assert not isinstance(found, Unprepared)
    return found


def check_found(mutant: Mutant, *, reduces: bool) -> int:
    """The pass and the pattern are named; how many operations are left of the text."""
    pipeline = mutant.pipeline.removeprefix("--pass-pipeline=")
    bounds = Bounds(tests=300) if reduces else None
    with mutant.breaks():
        found = found_in(mutant.text, mutant.entry, mutant.arguments, pipeline, tolerance=1e-5, bounds=bounds)
    assert found.guilty is not None
    assert found.guilty.stage.name == mutant.guilty
    if mutant.pattern:
        assert found.step is not None
        assert (found.step.kind, found.step.pattern) == ("pattern", mutant.pattern)
    elif mutant.folds:
        assert found.step is not None
        assert (found.step.kind, found.step.op) == ("fold", mutant.folds)
    else:
        assert found.step is None
    if not reduces:
        return 0
    assert found.reduced is not None
    assert found.reduced.operations is not None
    return found.reduced.operations


@pytest.mark.parametrize("mutant", SAMPLE, ids=lambda mutant: mutant.name)
def test_a_mistake_is_found(mutant: Mutant) -> None:
    assert check_found(mutant, reduces=True) <= SMALL


@pytest.mark.parametrize("mutant", SAMPLE, ids=lambda mutant: mutant.name)
def test_no_pass_is_blamed_where_none_is_wrong(mutant: Mutant) -> None:
    pipeline = mutant.pipeline.removeprefix("--pass-pipeline=")
    found = found_in(mutant.text, mutant.entry, mutant.arguments, pipeline, tolerance=1e-5)
    assert found.guilty is None
    assert all(behaviour.is_known for _, behaviour in found.after)


def test_the_smallest_text_keeps_its_names() -> None:
    broken = wrong_pattern("MaxMinIOpConverter", "arith.cmpi", swapped=True)
    with broken:
        found = found_in(INTEGERS, "scalars", [37, 5], SCALARS, bounds=Bounds(tests=300))
    assert found.reduced is not None
    assert (
        found.reduced.text
        == """\
// A bit of everything that is computed with integers.
func.func @scalars(%a: i32, %b: i32) -> i32 {
  %least = arith.minsi %b, %a : i32
  return %least : i32
}
"""
    )


def test_a_pass_that_does_not_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fathom.bisecting.stages.MOST_SECONDS", 0.5)

    def endless(_: Any) -> Any:
        def run(*_: Any, **__: Any) -> Any:
            while True:
                pass

        return run

    with wrong_function("fathom.rewriting.common_subexpressions", "eliminate_common_subexpressions", endless):
        found = found_in(CONTROL, "control", [5, 3], "--canonicalize --cse --lower-to-llvm")
    assert found.guilty is not None
    assert (found.guilty.stage.name, found.guilty.trouble) == ("cse", "endless")


def test_what_is_right_can_be_given() -> None:
    right = found_in(INTEGERS, "scalars", [37, 5], SCALARS)
    (value,) = right.reference.outcome.results
    assert found_in(INTEGERS, "scalars", [37, 5], SCALARS, expected=(value,)).guilty is None
    assert isinstance(value, int)
    wrong = found_in(INTEGERS, "scalars", [37, 5], SCALARS, expected=(value + 1,))
    assert wrong.guilty is not None
    assert wrong.guilty.stage.number == 1


FUSED: Final = """\
func.func @f(%m: memref<8xi32>) {
  %t = memref.alloc() : memref<8xi32>
  affine.for %i = 0 to 8 {
    %x = affine.load %m[%i] : memref<8xi32>
    affine.store %x, %t[%i] : memref<8xi32>
  }
  affine.for %i = 0 to 8 {
    %x = affine.load %t[7 - %i] : memref<8xi32>
    affine.store %x, %m[%i] : memref<8xi32>
  }
  memref.dealloc %t : memref<8xi32>
  return
}
"""


def test_a_mistake_that_mlir_has_too() -> None:
    """What is read for the first loop is computed again in the second, where it has been overwritten: MLIR 22 fuses
    these loops, and so does the pass that follows it."""
    found = found_in(FUSED, "f", [[1, 2, 3, 4, 5, 6, 7, 8]], "--canonicalize --affine-loop-fusion")
    assert found.guilty is not None
    assert found.guilty.stage.name == "affine-loop-fusion"


def test_a_function_that_cannot_be_called() -> None:
    question = Question("f", [], None)
    found = bisect(Source("x.mlir", MEMORY), question, default_context())
    assert isinstance(found, Unprepared)
    assert found.absent is not None


def behaviour(*results: Any, failure: str = "") -> Behaviour:
    why = Failure("crash", failure) if failure else None
    return Behaviour(RunOutcome(why, results))


def test_what_counts_as_the_same() -> None:
    assert behaviour(1, [1.0, 2.0]).agrees_with(behaviour(1, [1.0, 2.0]), 0)
    assert not behaviour(1).agrees_with(behaviour(2), 1.0)
    assert not behaviour(1.0).agrees_with(behaviour(1.0000001), 0)
    assert behaviour(1.0).agrees_with(behaviour(1.0000001), 1e-6)
    assert behaviour(1e6).agrees_with(behaviour(1e6 + 0.5), 1e-6)
    assert behaviour("nan").agrees_with(behaviour("nan"), 0)
    assert not behaviour("nan").agrees_with(behaviour(1.0), 1.0)
    assert not behaviour(1).agrees_with(behaviour(failure="x"), 0)
    assert behaviour(failure="at 1").agrees_with(behaviour(failure="at 2"), 0)
    assert are_equal({"type": "memref<2xi8>", "data": [1]}, {"type": "tensor<2xi8>", "data": [1]}, 0)
