"""What the passes on async object to; what they make is held against mlir-opt in `test_fixtures.py`."""

from __future__ import annotations

from tests.passes.test_reports import check_report

COUNTING = "async-runtime-ref-counting"


def test_references_are_counted_when_the_runtime_is_called() -> None:
    for name in (COUNTING, "async-runtime-policy-based-ref-counting"):
        check_report(
            "func.func @f(%t: !async.token) {\n  <|>async.await %t : !async.token<|>\n  return\n}\n",
            name,
            "async operations must be lowered to async runtime operations",
        )


def test_a_branch_passes_no_reference_on() -> None:
    check_report(
        "func.func @f(%t: !async.token) {\n  <|>cf.br ^bb1(%t : !async.token)<|>\n"
        "^bb1(%u: !async.token):\n  async.runtime.await %u : !async.token\n  return\n}\n",
        COUNTING,
        "async reference counting can't handle terminators that are not ReturnLike",
    )


def test_a_block_with_arguments_where_ways_part() -> None:
    check_report(
        "func.func @f(%t: !async.token, %c: i1, %i: i32) {\n  <|>cf.cond_br %c, ^bb1, ^bb2(%i : i32)<|>\n"
        "^bb1:\n  async.runtime.await %t : !async.token\n  cf.br ^bb2(%i : i32)\n"
        "^bb2(%j: i32):\n  return\n}\n",
        COUNTING,
        "'cf.cond_br' op successor have different `liveIn` property of the reference counted value",
    )
