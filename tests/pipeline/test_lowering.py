"""One lowering: what is known of it is the same however far it came at once, and whoever remembered it."""

from __future__ import annotations

import pytest

from fathom.context import default_context
from fathom.elaborate import load
from fathom.ir.clone import clone
from fathom.ir.operation import Operation
from fathom.ir.printer import print_module
from fathom.pipeline.language import Pipeline, parse_pipeline
from fathom.pipeline.lowering import Lowering, run
from fathom.pipeline.segments import segment
from tests.oracles import mlir_opt, mlir_translate

LOOP = """\
func.func @f(%m: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %m[%i] : memref<8xf32>
    %w = math.sin %v : f32
    memref.store %w, %m[%i] : memref<8xf32>
  }
  return
}
"""
WHOLE = [
    "--convert-scf-to-cf",
    "--convert-math-to-llvm",
    "--convert-arith-to-llvm",
    "--convert-cf-to-llvm",
    "--finalize-memref-to-llvm",
    "--convert-func-to-llvm",
    "--reconcile-unrealized-casts",
]
WITHOUT_MATH = [flag for flag in WHOLE if flag != "--convert-math-to-llvm"]


def source() -> Operation:
    return load(LOOP, default_context()).module


def lowered(flags: list[str], *, remembers: bool = False) -> Lowering:
    return run(parse_pipeline(flags), source(), default_context(), verifying="each", remembers=remembers)


def in_steps(pipeline: Pipeline, *ends: int) -> Lowering:
    """A lowering that goes on in a copy of the module after each of some numbers of passes."""
    module = source()
    lowering = Lowering(segment(pipeline, 0, 0), module, default_context())
    for end in ends:
        lowering = lowering.continued(clone(lowering.module), pipeline, end, "made")
    return lowering


@pytest.mark.parametrize("flags", [WHOLE, WITHOUT_MATH, ["--lower-to-llvm"]])
def test_a_lowering_in_steps_is_the_whole(flags: list[str]) -> None:
    pipeline, whole = parse_pipeline(flags), lowered(flags)
    count = len(pipeline.passes)
    parts = in_steps(pipeline, 2, 3, count - 1, count)
    assert print_module(parts.module) == print_module(whole.module)
    assert [stage.name for stage in parts.stages] == [stage.name for stage in whole.stages]
    assert parts.pipeline.passes == pipeline.passes
    assert parts.verdict(source) == whole.verdict(source)


def test_who_made_what_is_found_out_again() -> None:
    remembered, forgot = lowered(WITHOUT_MATH, remembers=True), lowered(WITHOUT_MATH)
    assert remembered.history().makers
    assert not forgot.history().makers
    assert forgot.history(source).makers == remembered.history().makers


def test_the_pass_that_ran_last() -> None:
    assert lowered(WHOLE).last_pass == len(WHOLE) - 1
    assert Lowering(parse_pipeline(WHOLE), source(), default_context()).last_pass == len(WHOLE)


def test_a_change_is_advised_only_where_it_can_be_tried() -> None:
    lowering = lowered(WITHOUT_MATH)
    reason, remedy = (note.message for note in lowering.verdict(source).leftovers[0].notes)
    assert remedy == "add --convert-math-to-llvm at the beginning"
    assert [note.message for note in lowering.verdict().leftovers[0].notes] == [reason]


def test_the_same_llvm_ir_as_that_of_mlir() -> None:
    made = lowered(WHOLE).translated()
    assert made.error is None
    assert made.text == mlir_translate(mlir_opt(LOOP, *WHOLE))


def test_what_is_no_llvm_dialect_has_no_llvm_ir() -> None:
    made = lowered(WHOLE[:2]).translated()
    assert made.error is not None
    assert made.text is None


def test_a_module_is_known_to_be_valid_when_it_was_verified_behind_the_last_pass() -> None:
    pipeline, context = parse_pipeline(WHOLE), default_context()
    assert run(pipeline, source(), context).is_valid
    assert not run(pipeline, source(), context, verifying="never").is_valid
    assert not run(parse_pipeline([]), source(), context).is_valid
    broken = load('func.func @f() { "arith.addi"() : () -> () return }', context).module
    assert not run(parse_pipeline(["--convert-scf-to-cf"]), broken, context).is_valid
    # What stands in the root may stand in another table, so nothing is said of it.
    beside = load('"arith.addi"() : () -> ()\nfunc.func @f() { return }', context).module
    of_root = run(parse_pipeline(["--convert-scf-to-cf"]), beside, context)
    assert (of_root.failed, of_root.is_valid) == (False, False)
