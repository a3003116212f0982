"""Names of values and blocks, aliases and unknown operations: a text in, its printed form out."""

from __future__ import annotations

from textwrap import dedent, indent

from fathom.elaborate import load
from fathom.ir.printer import print_module
from fathom.ir.printing_flags import PrintingFlags


def check_printed(text: str, expected: str, *, generic: bool = False) -> None:
    """Loads a text without mistakes and prints what stands in its module."""
    loaded = load(dedent(text))
    assert [d for d in loaded.diagnostics if d.severity == "error"] == []
    body = indent(dedent(expected).strip("\n"), "  ")
    head, tail = ('"builtin.module"() ({\n', "\n}) : () -> ()\n") if generic else ("module {\n", "\n}\n")
    assert print_module(loaded.module, PrintingFlags(generic=generic)).rstrip("\n") == (head + body + tail).rstrip("\n")


def test_values_are_found_before_their_definition() -> None:
    check_printed(
        """
        func.func @f(%c: i1) -> i32 {
          cf.br ^later
        ^use:
          %sum = arith.addi %late, %late : i32
          return %sum : i32
        ^later:
          %late = arith.constant 1 : i32
          cf.br ^use
        }
        """,
        """
        "func.func"() <{function_type = (i1) -> i32, sym_name = "f"}> ({
        ^bb0(%arg0: i1):
          "cf.br"()[^bb2] : () -> ()
        ^bb1:  // pred: ^bb2
          %0 = "arith.addi"(%1, %1) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
          "func.return"(%0) : (i32) -> ()
        ^bb2:  // pred: ^bb0
          %1 = "arith.constant"() <{value = 1 : i32}> : () -> i32
          "cf.br"()[^bb1] : () -> ()
        }) : () -> ()
        """,
        generic=True,
    )


def test_groups_of_results() -> None:
    check_printed(
        """
        %a:2, %b = "foo.three"() : () -> (i32, i32, f32)
        "foo.use"(%a#1, %a#0, %b, %a) : (i32, i32, f32, i32) -> ()
        """,
        """
        %0:3 = "foo.three"() : () -> (i32, i32, f32)
        "foo.use"(%0#1, %0#0, %0#2, %0#0) : (i32, i32, f32, i32) -> ()
        """,
    )


def test_names_of_a_region_end_with_it() -> None:
    check_printed(
        """
        func.func @f(%n: index, %x: i32) {
          scf.for %i = %n to %n step %n {
            %x1 = arith.addi %x, %x : i32
          }
          scf.for %i = %n to %n step %n {
            %x1 = arith.muli %x, %x : i32
          }
          return
        }
        """,
        """
        func.func @f(%arg0: index, %arg1: i32) {
          scf.for %arg2 = %arg0 to %arg0 step %arg0 {
            %0 = arith.addi %arg1, %arg1 : i32
          }
          scf.for %arg2 = %arg0 to %arg0 step %arg0 {
            %0 = arith.muli %arg1, %arg1 : i32
          }
          return
        }
        """,
    )


def test_aliases() -> None:
    loaded = load('!t = tuple<i32>\n#a = 7 : i32\n"foo.x"() {a = #a, b = !t} : () -> !t\n')
    assert not loaded.has_errors
    assert '"foo.x"() {a = 7 : i32, b = tuple<i32>} : () -> tuple<i32>' in print_module(loaded.module)


def test_names_before_a_region_of_an_unknown_operation_are_its_arguments() -> None:
    check_printed(
        """
        func.func @f(%lb: index, %ub: index) {
          foo.for %i = %lb to %ub {
            foo.use %i, %lb
          }
          return
        }
        """,
        """
        func.func @f(%arg0: index, %arg1: index) {
          foo.for %arg2 = %arg0 to %arg1 {
            foo.use %arg2, %arg0
          }
          return
        }
        """,
    )


def test_an_unknown_operation_takes_the_lines_that_begin_nothing() -> None:
    check_printed(
        """
        func.func @f(%m: memref<4xf32>) {
          %0 = foo.generic {kind = [1]}
            ins(%m : memref<4xf32>)
            outs(%m : memref<4xf32>) {
          ^bb0(%a: f32, %b: f32):
            %c = arith.addf %a, %b : f32
            foo.yield %c : f32
          } -> memref<4xf32>
          return
        }
        """,
        """
        func.func @f(%arg0: memref<4xf32>) {
          %0 = foo.generic {kind = [1]} ins(%arg0 : memref<4xf32>) outs(%arg0 : memref<4xf32>) {
          ^bb0(%arg1: f32, %arg2: f32):
            %1 = arith.addf %arg1, %arg2 : f32
            foo.yield %1 : f32
          } -> memref<4xf32>
          return
        }
        """,
    )


def test_bare_words_name_operations_inside_an_unknown_one() -> None:
    check_printed(
        """
        foo.pattern : benefit(1) {
          %t = type : i32
          %o = operand : %t
          rewrite %o {
            replace %o with(%t)
          }
        }
        """,
        """
        foo.pattern : benefit(1) {
          %0 = type : i32
          %1 = operand : %0
          rewrite %1 {
            replace %1 with(%0)
          }
        }
        """,
    )


def test_locations() -> None:
    loaded = load('"foo.x"() : () -> () loc("a.c":3:4)\n"foo.y"() : () -> () loc(#l)\n#l = loc("name")\n')
    assert not loaded.has_errors
    text = print_module(loaded.module, PrintingFlags(debug_info=True))
    assert 'loc("a.c":3:4)' in text and 'loc("name")' in text
