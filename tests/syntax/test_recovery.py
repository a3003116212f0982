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
    diagnostics = load(text).diagnostics
    return [
        f"{text.count(chr(10), 0, d.span.start) + 1}: {d.message}"
        for d in diagnostics
        if d.span and d.severity == "error"
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
    messages = errors("func.func @f() {\n  return\n" + AFTER)
    assert messages == ["1: expected '}' to close the region that begins here"]


@pytest.mark.parametrize(
    "line",
    ["%0 = ", "%0", "arith.", "arith.addi", '"', "(", "scf.if %c {", "}", "^bb1", "#x =", "func.func @g(%a: i32) {"],
)
def test_a_broken_line_spoils_no_other_function(line: str) -> None:
    text = f"{BEFORE}func.func @mid(%c: i1) {{\n  {line}\n  return\n}}\n{AFTER}"
    assert function(text, "before") == function(BEFORE, "before")
    assert function(text, "after") == function(AFTER, "after")


def one_error(text: str) -> str:
    """The one mistake that is shown of a text, with its line: what follows from another one is left out."""
    diagnostics = [d for d in load(text).diagnostics if d.severity == "error" and d.follows_from is None]
    assert len(diagnostics) == 1, diagnostics
    assert diagnostics[0].span is not None
    return f"{text.count(chr(10), 0, diagnostics[0].span.start) + 1}: {diagnostics[0].message}"


@pytest.mark.parametrize(
    ("alias", "message"),
    [
        ("!broken = tensor<4x4xf32", "expected '>' in tensor type"),
        ("!broken = type tensor<4x4xf32>", "expected non-function type"),
        ("!broken = memref<4xf32, strided<[1>", "expected ']'"),
        ("#broken = {x = 1", "expected '}' in attribute dictionary"),
        ("#broken = {x = 1, y = [1, 2}", "expected ',' or ']'"),
        ('#broken = loc("a":1:1', "expected ')' in location"),
        ('#broken = "open', "expected '\"' in string literal"),
        ("#broken = dense<[1, 2] : tensor<2xi32>", "expected '>'"),
        ("#broken =", "expected attribute value"),
    ],
)
def test_a_broken_alias_is_told_once(alias: str, message: str) -> None:
    """It hides no function behind it, and who uses it has no mistake of his own."""
    uses = "!broken" if alias.startswith("!") else "i32"
    user = (
        f"func.func private @user({uses})\n"
        if alias.startswith("!")
        else 'func.func @user() { "x.y"() {a = #broken} : () -> ()\n return }\n'
    )
    text = f"{BEFORE}{alias}\n{AFTER}{user}"
    assert one_error(text).endswith(message)
    assert function(text, "before") == function(BEFORE, "before")
    assert function(text, "after") == function(AFTER, "after")


def test_a_mistake_in_an_alias_is_told_at_the_alias() -> None:
    """Also where others are made of it."""
    text = """\
#a = #llvm.di_derived_type<tag = DW_TAG_member, nothing = 1>
#b = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #a>
#c = #llvm.di_subroutine_type<types = #b>
llvm.func @f() {
  llvm.return loc(fused<#c>["a":1:1])
}
"""
    assert one_error(text) == "1: duplicate or unknown struct parameter name: nothing"


def test_aliases_that_stand_for_each_other_are_told_at_all() -> None:
    assert errors("#a = [#b]\n#b = [#a]\nfunc.func private @f()\n")


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ('"x.y"() {a = 1, b = 2 : () -> ()', "expected '}' in attribute dictionary"),
        ('"x.y"() {a = array<i64: 0>, b = array<i64: 1> : () -> ()', "expected '}' in attribute dictionary"),
        ('"x.y"() <{a = 1> : () -> ()', "expected '}' in attribute dictionary"),
        ('"x.y"() {flag, b = 2 : () -> ()', "expected '}' in attribute dictionary"),
        ('"x.y"() {a = 1,\n    b = 2 : () -> ()', "expected '}' in attribute dictionary"),
        ('"x.y"() {a = 1,\n    b = ?\n  } : () -> ()', "expected attribute value"),
        ('"x.y"() {a = "open} : () -> ()', "expected '\"' in string literal"),
        ("%x = arith.addi %a, %a {a = 1 : i32", "expected '}' in attribute dictionary"),
    ],
)
def test_a_dictionary_that_is_open_is_no_region(statement: str, message: str) -> None:
    text = f"{BEFORE}func.func @mid(%a: i32) {{\n  {statement}\n  return\n}}\n{AFTER}"
    assert message in one_error(text)
    assert function(text, "before") == function(BEFORE, "before")
    assert function(text, "after") == function(AFTER, "after")


def test_the_body_of_a_function_by_its_old_name_is_that_of_a_function() -> None:
    text = f"func @old(%a: i32) -> i32 {{\n  return %a : i32\n}}\n{AFTER}"
    assert one_error(text) == "1: custom op 'func' is unknown (tried 'builtin.func' as well)"
    assert function(text, "after") == function(AFTER, "after")


def test_what_was_an_operation_once_is_a_statement_of_its_own() -> None:
    text = "func.func @f(%a: f32) {\n  %m = alloc() : memref<4xf32>\n  br ^next\n^next:\n  return\n}\n"
    assert [error.partition(" is unknown")[0] for error in errors(text)] == [
        "2: custom op 'alloc'",
        "3: custom op 'br'",
    ]
