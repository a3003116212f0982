"""Smaller texts: what goes, what stays as it was written, and that it is the same each time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Final

import pytest

from fathom.context import default_context
from fathom.reducing import Bounds, Reduced, reduce
from fathom.reducing.outline import Outline

ROOT: Final = Path(__file__).resolve().parents[2]

LONG: Final = """\
// What the file is for.

// Doubles.
func.func @helper(%x: i32) -> i32 {
  %two = arith.constant 2 : i32
  %d = arith.muli %x, %two : i32  // twice
  return %d : i32
}

func.func @unrelated(%m: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %c16 step %c1 {
    %v = memref.load %m[%i] : memref<16xf32>
    %w = arith.addf %v, %v : f32
    memref.store %w, %m[%i] : memref<16xf32>
  }
  return
}

// The interesting one.
func.func @f(%a: i32, %b: i32, %c: i1) -> (i32, i32) {
  %h = func.call @helper(%a) : (i32) -> i32
  %zero = arith.constant 0 : index
  %ten = arith.constant 10 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %ten step %one iter_args(%acc = %h) -> (i32) {
    %k = scf.if %c -> i32 {
      // What it is about.
      %quotient = arith.divsi %acc, %b : i32  // signed
      scf.yield %quotient : i32
    } else {
      scf.yield %a : i32
    }
    %s = arith.addi %k, %acc : i32
    scf.yield %s : i32
  }
  cf.cond_br %c, ^bb1(%r : i32), ^bb2
^bb1(%x: i32):
  %y = arith.subi %x, %b : i32
  return %y, %a : i32, i32
^bb2:
  return %r, %b : i32, i32
}
"""

HIERARCHY: Final = """\
func.func private @other(f32)
func.func @loops(%m: memref<32x16xf32>) -> i64 {
  affine.for %i = 0 to 32 {
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to 16 {
      %v = affine.load %m[%i, %j] : memref<32x16xf32>
      func.call @other(%v) : (f32) -> ()
    }
  }
  %r = arith.constant 1234 : i64
  return %r : i64
}
"""


CALLED: Final = """\
func.func @pair(%x: i32, %y: i64) -> (i64, i32) {
  %z = arith.addi %y, %y : i64
  return %z, %x : i64, i32
}
func.func @f(%a: i32, %b: i64) -> i32 {
  %p:2 = func.call @pair(%a, %b) : (i32, i64) -> (i64, i32)
  %q = arith.addi %p#1, %a : i32
  return %q : i32
}
"""


def mentions(*words: str) -> Callable[[str], bool]:
    """The test that accepts texts in which all of these stand."""
    return lambda text: all(word in text for word in words)


def reduced(text: str, test: Callable[[str], bool], bounds: Bounds | None = None) -> Reduced:
    made = reduce(text, test, default_context(), bounds)
    assert made is not None
    return made


def check_reduced(text: str, test: Callable[[str], bool], expected: str) -> None:
    made = reduced(text, test)
    assert (made.text, made.stop) == (expected, "smallest")
    assert reduced(text, test) == made


def test_names_and_comments_of_what_stays_stay() -> None:
    expected = """\
// What the file is for.

// The interesting one.
func.func @f() {
  // What it is about.
  %a = arith.constant 0 : i32
  %quotient = arith.divsi %a, %a : i32  // signed
  return
}
"""
    check_reduced(LONG, mentions("%quotient = arith.divsi"), expected)


def test_blocks_become_one() -> None:
    expected = """\
// What the file is for.

// The interesting one.
func.func @f() {
  %a = arith.constant 0 : i32
  %y = arith.subi %a, %a : i32
  return
}
"""
    check_reduced(LONG, mentions("arith.subi"), expected)


def test_results_and_arguments_go_from_calls_too() -> None:
    expected = """\
func.func @pair() {
  return
}
func.func @f() {
  func.call @pair() : () -> ()
  return
}
"""
    check_reduced(CALLED, mentions("func.call @pair"), expected)


def test_shapes_and_numbers_become_smaller() -> None:
    expected = """\
func.func @loops() {
  %m = memref.alloc() : memref<1x1xf32>
  %i_1 = arith.constant 0 : index
  %v = affine.load %m[%i_1, %i_1] : memref<1x1xf32>
  return
}
"""
    check_reduced(HIERARCHY, mentions("affine.load"), expected)


def test_what_has_no_mistake_gets_none() -> None:
    text = "func.func @f(%a: i32) -> i32 {\n  %b = arith.addi %a, %a : i32\n  return %b : i32\n}\n"
    seen: list[bool] = []

    def test(smaller: str) -> bool:
        seen.append(Outline(smaller, default_context()).is_valid)
        return "return" in smaller

    check_reduced(text, test, "func.func @f() {\n  return\n}\n")
    assert all(seen)


def test_a_text_with_a_mistake_loses_statements() -> None:
    text = """\
func.func @good(%a: i32) -> i32 {
  return %a : i32
}
func.func @bad(%a: i32) {
  %b = arith.addi %a, %a : i32
  %c = arith.addi %nowhere, %a : i32
  return
}
"""
    expected = "  %c = arith.addi %nowhere, %a : i32\n"
    check_reduced(text, mentions("%c = arith.addi %nowhere"), expected)


def test_parts_of_a_text_go() -> None:
    text = f"{LONG}// -----\n{HIERARCHY}// -----\nfunc.func @last() {{\n  return\n}}\n"
    check_reduced(text, mentions("@last"), "// -----\nfunc.func @last() {\n  return\n}\n")


def test_bounds_end_the_search() -> None:
    made = reduced(LONG, mentions("arith.divsi"), Bounds(tests=5))
    assert (made.tests, made.stop) == (5, "tests")
    assert "arith.divsi" in made.text
    assert reduced(LONG, mentions("arith.divsi"), Bounds(seconds=0)).stop == "seconds"


def test_an_interrupt_leaves_the_best_so_far() -> None:
    asked = 0

    def test(text: str) -> bool:
        nonlocal asked
        asked += 1
        if asked > 8:
            raise KeyboardInterrupt
        return "arith.divsi" in text

    made = reduced(LONG, test)
    assert made.stop == "interrupted"
    assert "arith.divsi" in made.text
    assert len(made.text) < len(LONG)


def test_what_the_test_does_not_accept_is_not_reduced() -> None:
    assert reduce(LONG, mentions("no such word"), default_context()) is None


FIXTURES: Final = sorted((ROOT / "tests" / "fixtures" / "passes").glob("*/*.mlir"))
SAMPLE: Final = Random(28).sample(FIXTURES, 25)


@pytest.mark.parametrize("path", SAMPLE, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_any_operation_can_be_what_it_is_about(path: Path) -> None:
    """The first, the middle and the last operation of a real file: what is left is valid and has it, and is small."""
    context, text = default_context(), path.read_text(encoding="utf-8")
    outline = Outline(text, context)
    if not outline.is_valid:
        assert "RUN" in text  # A file of several parts, or one with mistakes on purpose.
        return
    names = [node.op.name for node in outline.nodes if not node.is_terminator and node.depth]
    for name in {names[0], names[len(names) // 2]} if names else ():

        def test(smaller: str, name: str = name) -> bool:
            return any(node.op.name == name for node in Outline(smaller, context).nodes)

        made = reduced(text, test, Bounds(tests=400))
        assert test(made.text)
        assert Outline(made.text, context).is_valid
        assert made.operations is not None
        assert made.operations <= 20
