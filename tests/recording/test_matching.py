"""How two texts differ, operation by operation, where nobody saw how one became the other."""

from __future__ import annotations

from textwrap import dedent

from fathom.context import default_context
from fathom.recording.matching import compared
from fathom.recording.telling import told_differences


def check_matching(first: str, second: str, told: str) -> None:
    """What is told of two texts."""
    found = compared(dedent(first), dedent(second), default_context())
    assert found is not None
    assert "".join(told_differences(found.differences, found.before, found.after)) == dedent(told)


def test_folded_renamed_and_removed() -> None:
    check_matching(
        """\
        func.func @f(%arg0: i32) -> i32 {
          %c0_i32 = arith.constant 0 : i32
          %0 = arith.addi %arg0, %c0_i32 : i32
          %1 = arith.muli %0, %0 : i32
          %2 = arith.subi %1, %arg0 : i32
          return %2 : i32
        }
        """,
        """\
        func.func @f(%arg0: i32) -> i32 {
          %0 = arith.muli %arg0, %arg0 : i32
          %1 = arith.subi %0, %arg0 : i32
          return %1 : i32
        }
        """,
        """\
        renamed
          - %1 = arith.muli %0, %0 : i32
          + %0 = arith.muli %arg0, %arg0 : i32
        renamed
          - %2 = arith.subi %1, %arg0 : i32
          + %1 = arith.subi %0, %arg0 : i32
        renamed
          - return %2 : i32
          + return %1 : i32
        removed
          - %c0_i32 = arith.constant 0 : i32
        removed
          - %0 = arith.addi %arg0, %c0_i32 : i32
        """,
    )


def test_moved_out_of_a_loop() -> None:
    check_matching(
        """\
        func.func @f(%arg0: index, %arg1: index, %arg2: i32) {
          scf.for %arg3 = %arg0 to %arg1 step %arg1 {
            %0 = arith.muli %arg2, %arg2 : i32
            "use"(%0, %arg3) : (i32, index) -> ()
          }
          return
        }
        """,
        """\
        func.func @f(%arg0: index, %arg1: index, %arg2: i32) {
          %0 = arith.muli %arg2, %arg2 : i32
          scf.for %arg3 = %arg0 to %arg1 step %arg1 {
            "use"(%0, %arg3) : (i32, index) -> ()
          }
          return
        }
        """,
        """\
        moved
          + %0 = arith.muli %arg2, %arg2 : i32
        """,
    )


def test_rewritten_by_what_gives_the_same_operand_a_value() -> None:
    check_matching(
        """\
        func.func @f(%arg0: i32, %arg1: i32) -> i32 {
          %0 = arith.ceildivui %arg0, %arg1 : i32
          "use"(%0) : (i32) -> ()
          return %0 : i32
        }
        """,
        """\
        func.func @f(%arg0: i32, %arg1: i32) -> i32 {
          %c1_i32 = arith.constant 1 : i32
          %0 = arith.subi %arg0, %c1_i32 : i32
          %1 = arith.divui %0, %arg1 : i32
          "use"(%1) : (i32) -> ()
          return %1 : i32
        }
        """,
        """\
        rewritten
          - %0 = arith.ceildivui %arg0, %arg1 : i32
          + %c1_i32 = arith.constant 1 : i32
          + %0 = arith.subi %arg0, %c1_i32 : i32
          + %1 = arith.divui %0, %arg1 : i32
        renamed
          - "use"(%0) : (i32) -> ()
          + "use"(%1) : (i32) -> ()
        renamed
          - return %0 : i32
          + return %1 : i32
        """,
    )


def test_changed_and_added() -> None:
    check_matching(
        """\
        func.func @f(%arg0: i32) -> i32 {
          %0 = "other.op"(%arg0) {a} : (i32) -> i32
          return %0 : i32
        }
        """,
        """\
        func.func @f(%arg0: i32) -> i32 {
          %0 = "other.op"(%arg0) {b} : (i32) -> i32
          return %0 : i32
        }
        func.func private @g(i32)
        """,
        """\
        changed
          - %0 = "other.op"(%arg0) {a} : (i32) -> i32
          + %0 = "other.op"(%arg0) {b} : (i32) -> i32
        added
          + func.func private @g(i32)
        """,
    )


def test_what_cannot_be_read_or_takes_long_is_not_compared() -> None:
    context, good = default_context(), 'func.func @f() {\n  "a"() : () -> ()\n  return\n}\n'
    assert compared(good, "func.func @f() {", context) is None
    assert compared(good, good.replace('"a"() : () -> ()', '"a"() : () -> ()\n' * 4_001), context) is None
    alike, others = (
        good.replace('"a"() : () -> ()', text * 1_000)
        for text in ('"a"() : () -> ()\n"b"() : () -> ()\n', '"b"() : () -> ()\n"a"() : () -> ()\n"c"() : () -> ()\n')
    )
    same = compared(alike, alike, context)
    assert same is not None
    assert not same.differences
    assert compared(alike, others, context) is None
