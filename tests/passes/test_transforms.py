"""What `transform-interpreter` says of schedules that do not apply, and what it takes from files."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from fathom.context import Context, default_context
from fathom.elaborate import load
from fathom.ir.printer import print_module
from fathom.pipeline.language import parse_pipeline
from fathom.pipeline.lowering import MOST_NESTED_RUNS, run
from tests.passes.running import run_pass

PROGRAM: Final = """
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
    }
  }
  return
}
"""


def check_said(schedule: str, *expected: str) -> None:
    """The messages about the program, each with its notes behind bars."""
    text = f"""{PROGRAM}
module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @__transform_main(%root: !transform.any_op) {{
    {schedule}
    transform.yield
  }}
}}"""
    loaded = load(text)
    assert not loaded.has_errors, loaded.diagnostics
    found = run(parse_pipeline(["transform-interpreter"]), loaded.module, default_context()).diagnostics
    assert [" | ".join([each.message, *(note.message for note in each.notes)]) for each in found] == list(expected)


LOOPS: Final = (
    '%loops = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op'
)


FUNCTION: Final = (
    '%f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op'
)

REFUSED: Final[list[tuple[str, ...]]] = [
    (
        f"""{LOOPS}
        %one = transform.split_handle %loops : (!transform.any_op) -> !transform.any_op""",
        '%0 = "transform.structured.match"(%arg0) <{ops = ["scf.for"]}> : (!transform.any_op) -> !transform.any_op '
        "expected to contain 1 payloads but it contains 2 payloads",
    ),
    (
        f"""{LOOPS}
        %f = transform.get_parent_op %loops {{op_name = "scf.if"}} : (!transform.any_op) -> !transform.any_op""",
        "could not find a parent op that matches all requirements | target op",
    ),
    (
        f"""{LOOPS}
        %tiled, %l = transform.structured.tile_using_for %loops tile_sizes [4]
          : (!transform.any_op) -> (!transform.any_op, !transform.any_op)""",
        "only ops implementing TilingInterface are supported | target op",
    ),
    (
        f"""{LOOPS}
        %one, %two = transform.split_handle %loops : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
        transform.apply_registered_pass "nothing" to %two : (!transform.any_op) -> !transform.any_op""",
        "unknown pass or pass pipeline: nothing",
    ),
    (
        f"""{FUNCTION}
        %g = transform.apply_registered_pass "convert-cf-to-llvm" to %f : (!transform.any_op) -> !transform.any_op""",
        "'func.func' op trying to schedule pass 'ConvertControlFlowToLLVMPass' on an unsupported operation",
        "pass pipeline failed | target op",
    ),
    (
        f"""{FUNCTION}
        %g = transform.apply_registered_pass "tosa-to-linalg-pipeline" to %f
          : (!transform.any_op) -> !transform.any_op""",
        "'func.func' op trying to schedule pass 'TosaValidation' on an unsupported operation",
        "pass pipeline failed | target op",
    ),
    (
        f"""{FUNCTION}
        %g = transform.apply_registered_pass "cse" with options = {{"fast" = true}} to %f
          : (!transform.any_op) -> !transform.any_op""",
        "<Pass-Options-Parser>: no such option fast",
        "failed to add pass or pass pipeline to pipeline: cse",
    ),
    (
        f"""{LOOPS}
        %one, %two = transform.split_handle %loops : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
        %same = transform.apply_registered_pass "cse" to %two : (!transform.any_op) -> !transform.any_op""",
        "'scf.for' op trying to schedule a pass on an operation not marked as 'IsolatedFromAbove'",
        "pass pipeline failed | target op",
    ),
    (
        f"""{FUNCTION}
        %a = transform.dlti.query ["lanes"] at %f : (!transform.any_op) -> !transform.any_param""",
        "target op of failed DLTI query | no DLTI-queryable attrs on target op or any of its ancestors",
        "'transform.dlti.query' op failed to apply",
    ),
    (
        "transform.apply_cse to %root : !transform.any_op",
        "cannot apply transform to itself (or one of its ancestors) | target payload op",
    ),
    (
        f"""{LOOPS}
        %same = transform.merge_handles %loops, %loops : !transform.any_op
        %a = transform.apply_registered_pass "cse" to %same : (!transform.any_op) -> !transform.any_op""",
        "a handle passed as operand #0 and consumed by this operation points to a payload entity more than once"
        " | repeated target op",
    ),
]
"""Schedules, each with what is said of it."""


@pytest.mark.parametrize("said", REFUSED)
def test_what_does_not_apply_is_said(said: tuple[str, ...]) -> None:
    schedule, *expected = said
    check_said(schedule, *expected)


def test_what_is_known_is_said() -> None:
    check_said(
        f"""{LOOPS}
        transform.debug.emit_remark_at %loops, "a loop" : !transform.any_op
        %count = transform.num_associations %loops : (!transform.any_op) -> !transform.param<i64>
        transform.debug.emit_param_as_remark %count, "loops:" : !transform.param<i64>""",
        "a loop",
        "a loop",
        "loops: 2 : i64",
    )


def test_passes_run_inside_of_passes_so_deep(tmp_path: Path) -> None:
    """A schedule that applies the pass which applies it would never end."""
    library = tmp_path / "library.mlir"
    library.write_text("""
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %again = transform.apply_registered_pass "transform-interpreter" to %root : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}""")
    loaded = load(PROGRAM)
    pipeline = parse_pipeline([f"transform-preload-library=transform-library-paths={library}", "transform-interpreter"])
    found = run(pipeline, loaded.module, Context()).diagnostics
    assert found[0].message == f"passes run inside of passes, {MOST_NESTED_RUNS} deep"
    assert {each.message for each in found[1:]} == {"pass pipeline failed"}


def test_a_handle_that_was_consumed_means_nothing() -> None:
    check_said(
        """%f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
        %loops = transform.structured.match ops{["scf.for"]} in %f : (!transform.any_op) -> !transform.any_op
        %g = transform.apply_registered_pass "cse" to %f : (!transform.any_op) -> !transform.any_op
        transform.apply_licm to %loops : !transform.any_op""",
        "op uses a handle invalidated by a previously executed transform op | handle to invalidated ops | invalidated"
        " by this transform op that consumes its operand #0 and invalidates all handles to payload IR entities"
        " associated with this operand and entities nested in them | ancestor payload op | nested payload op",
    )


def test_a_sequence_comes_from_a_file(tmp_path: Path) -> None:
    """The definition takes the place of the declaration, behind all else."""
    library = tmp_path / "library.mlir"
    library.write_text("""
module attributes {transform.with_named_sequence} {
  transform.named_sequence @mark(%op: !transform.any_op {transform.readonly}) {
    transform.annotate %op "marked" : !transform.any_op
    transform.yield
  }
}""")
    loaded = load(f"""{PROGRAM}
module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence private @mark(%op: !transform.any_op {{transform.readonly}})
  transform.named_sequence @__transform_main(%root: !transform.any_op) {{
    %f = transform.structured.match ops{{["func.func"]}} in %root : (!transform.any_op) -> !transform.any_op
    transform.include @mark failures(propagate) (%f) : (!transform.any_op) -> ()
    transform.yield
  }}
}}""")
    context = Context()
    assert run_pass("transform-preload-library", loaded.module, f"transform-library-paths={library}", context) == []
    assert run_pass("transform-interpreter", loaded.module, context=context) == []
    assert "func.func @f(%arg0: index) attributes {marked} {" in print_module(loaded.module)
    (said,) = run_pass("transform-preload-library", loaded.module, "transform-library-paths=nowhere", context)
    assert said.message == "'nowhere' is neither a file nor a directory"


def test_a_handle_that_stands_for_more_than_anybody_can_hold() -> None:
    schedule, handle = [LOOPS], "%loops"
    for number in range(60):
        schedule.append(f"%m{number} = transform.merge_handles {handle}, {handle} : !transform.any_op")
        handle = f"%m{number}"
    check_said("\n".join(schedule), "a handle stands for too many payload entities; the limit is 131,072")
