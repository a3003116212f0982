"""After a mistake the rest of a text is parsed as if the mistake were not there."""

from __future__ import annotations

import pytest

from fathom.elaborate import load
from fathom.ir.operation import Operation
from fathom.ir.printer import print_op

BEFORE = "func.func @before(%a: i32) -> i32 {\n  %0 = arith.addi %a, %a : i32\n  return %0 : i32\n}\n"
AFTER = BEFORE.replace("@before", "@after")
TYPED = """\
func.func @typed(%n: index, %m: memref<?xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) {
    %x = memref.load %m[%i] : memref<?xf32>
    %next = arith.addf %acc, %x : f32
    scf.yield %next : f32
  }
  return %sum : f32
}
"""


def errors(text: str) -> list[str]:
    """`3: message` for each mistake, with its line."""
    found = load(text).diagnostics
    return [
        f"{text.count(chr(10), 0, d.span.start) + 1}: {d.message}" for d in found if d.span and d.severity == "error"
    ]


def function(text: str, name: str) -> str | None:
    """The printed text of a function of the document."""
    for op in load(text).module.walk():
        if op.name == "func.func" and _name(op) == f'"{name}"':
            return print_op(op)
    return None


def _name(op: Operation) -> str:
    return str(op.properties.get("sym_name"))


@pytest.mark.parametrize("separator", ["", "\n\n// A comment.\n"])
def test_each_state_of_typing_leaves_the_neighbours_alone(separator: str) -> None:
    before, after = function(BEFORE, "before"), function(AFTER, "after")
    for end in range(len(TYPED) + 1):
        text = BEFORE + separator + TYPED[:end] + separator + "\n" + AFTER
        assert function(text, "before") == before, TYPED[:end]
        assert function(text, "after") == after, TYPED[:end]


def test_independent_mistakes_are_all_found() -> None:
    text = """\
func.func @a(%x: i32) {
  %0 = arith.addi %x %x : i32
  return
}
func.func @b() {
  %1 = arith.constant 1 : i32 i32
  return
}
func.func @c(%x: i32) {
  arith.what %x : i32
  %2 = arith.addi %x, %y : i32
  return
}
"""
    assert [line.partition(":")[0] for line in errors(text)] == ["2", "6", "10", "11"]


def test_what_a_broken_line_defines_is_defined() -> None:
    assert errors("func.func @f(%a: i32) {\n  %x = arith.addi %a\n  foo.use %x\n  return\n}\n") == ["2: expected ','"]


def test_a_missing_brace_is_reported_where_the_function_begins() -> None:
    found = errors("func.func @f() {\n  return\n" + AFTER)
    assert found == ["1: expected '}' to close the region that begins here"]


@pytest.mark.parametrize(
    "line",
    ["%0 = ", "%0", "arith.", "arith.addi", '"', "(", "scf.if %c {", "}", "^bb1", "#x =", "func.func @g(%a: i32) {"],
)
def test_a_broken_line_spoils_no_other_function(line: str) -> None:
    text = f"{BEFORE}func.func @mid(%c: i1) {{\n  {line}\n  return\n}}\n{AFTER}"
    assert function(text, "before") == function(BEFORE, "before")
    assert function(text, "after") == function(AFTER, "after")
