"""What a tool prints after each pass in one run is what it prints when it ends there."""

from __future__ import annotations

import shlex

import pytest

from fathom.tools.dumped import FLAGS, passes_in
from fathom.tools.locations import without_locations
from fathom.tools.pipelines import steps_of
from fathom.tools.running import Limits, Running, text_of
from tests import oracles

DEBUG_INFO = "--mlir-print-debuginfo"
SOURCE = """\
#map = affine_map<(d0) -> (d0 * 2)>
module {
  func.func @f(%x: i32, %m: memref<8xi32>) -> i32 {
    %c = arith.constant 3 : i32
    %a = arith.muli %x, %c : i32
    affine.for %i = 0 to 4 {
      affine.store %a, %m[%i * 2] : memref<8xi32>
    }
    return %a : i32
  }
}
"""
TWO = SOURCE.replace("module {", "module {\n  func.func @g() {\n    return\n  }")


def ended(pipeline: str, source: str, *more: str) -> tuple[bytes, bytes, str]:
    """What mlir-opt prints and says."""
    words = (*shlex.split(pipeline), DEBUG_INFO, *more)
    made = Running([oracles.require_tool("mlir-opt")], words, None, Limits(60, said=32 << 20)).run(source)
    return made.printed, made.said, made.file


def check_same(pipeline: str, source: str = SOURCE) -> None:
    """One run tells the same texts as one run for each step."""
    steps = steps_of(pipeline)
    _, said, file = ended(pipeline, source, *FLAGS)
    passes = passes_in(said, [step.name for step in steps])
    assert passes is not None
    assert not passes.has_failed
    for step, dump in zip(steps, passes.done, strict=True):
        printed, _, alone = ended(shlex.join(step.flags), source)
        assert without_locations(dump.text, file) == without_locations(text_of(printed), alone)


@pytest.mark.parametrize(
    "pipeline",
    [
        "--canonicalize --lower-affine --convert-scf-to-cf --convert-arith-to-llvm --canonicalize",
        "builtin.module(func.func(affine-loop-unroll),lower-affine,cse)",
        "--pass-pipeline=builtin.module(convert-arith-to-llvm{index-bitwidth=32},func.func(canonicalize,cse))",
    ],
)
def test_one_run_tells_the_same(pipeline: str) -> None:
    if pipeline.startswith("builtin"):
        pipeline = f"--pass-pipeline={pipeline}"
    check_same(pipeline)


def test_a_pass_on_one_function_after_the_other_is_not_told() -> None:
    pipeline = "--pass-pipeline=builtin.module(func.func(canonicalize,cse))"
    _, said, _ = ended(pipeline, TWO, *FLAGS)
    assert passes_in(said, [step.name for step in steps_of(pipeline)]) is None


def test_a_pass_that_fails_ends_it() -> None:
    source = "func.func @f(%x: f32) -> f32 {\n  %r = math.erf %x : f32\n  return %r : f32\n}\n"
    pipeline = "--canonicalize --arith-emulate-unsupported-floats=source-types=f99 --cse"
    _, said, _ = ended(pipeline, source, *FLAGS)
    passes = passes_in(said, [step.name for step in steps_of(pipeline)])
    assert passes is not None
    assert (len(passes.done), passes.has_failed) == (1, True)


@pytest.mark.parametrize("said", [b"", b"nothing", b"// -----// IR Dump After A (a) //----- //\n", b"\x00" * 100])
def test_what_is_something_else_is_not_understood(said: bytes) -> None:
    assert passes_in(said, ["a", "b"]) is None
