"""Promises of features that a golden cannot hold: what stays whole while one types, what is refused, what is run."""

from __future__ import annotations

from pathlib import Path

import pytest

from fathom_server.features.actions import actions_at
from fathom_server.features.edits import Refusal, edited
from fathom_server.features.functions import functions
from fathom_server.features.hover import hover
from fathom_server.features.lower import lower_function
from fathom_server.features.navigation import definition
from fathom_server.features.preview import preview
from fathom_server.features.run import NotRunnable, Runnable, runnable
from fathom_server.features.stages import LLVM_IR, stage_called
from fathom_server.features.symbols import outline
from fathom_server.model.lowered import stalled
from fathom_server.model.mistakes import diagnostics
from fathom_server.model.snapshot import Snapshot
from tests.oracles import run_tool
from tests.server.client import ROOT
from tests.server.fixture import document_of, snapshot_of
from tests.server.hostile import DOCUMENTS


def diagnostics_of(text: str) -> list[str]:
    snapshot = snapshot_of(text)
    return [
        f"{snapshot.tree.line_of(start + (d.span.start if d.span else 0))[0] + 1}: {d.message}"
        for item, start in snapshot.tree.items.with_offsets()
        for d in (*diagnostics(snapshot, item), *stalled(snapshot, item))
        if d.follows_from is None
    ]


SAMPLE = """\
// before
func.func private @other(%x: i32) -> i32 {
  // stays
  return %x : i32
}

// above @f
func.func @f(%a: i32, %m: memref<?xi32>, %i: index) -> i32 {
  %0 = memref.load %m[%i] : memref<?xi32> // goes
  %1 = arith.addi %a, %0 : i32
  return %1 : i32
} // after
// the end
"""


def test_lowering_a_function_leaves_everything_else_as_it_was() -> None:
    snapshot = snapshot_of(SAMPLE)
    outcome = lower_function(snapshot, "f")
    assert not isinstance(outcome, Refusal)
    (made,) = outcome
    after = edited(SAMPLE, outcome)
    start = SAMPLE.index("func.func @f")
    assert after.startswith(SAMPLE[:start])
    assert after.endswith("} // after\n// the end\n")
    assert made.text.startswith("llvm.func @f(%arg0: i32, %arg1: !llvm.ptr")
    assert "func.func" not in made.text
    assert not diagnostics_of(after)


@pytest.mark.parametrize(
    ("text", "name", "reason"),
    [
        ("", "f", "there is no function @f"),
        ("llvm.func @f() {\n  llvm.return\n}", "f", "in the LLVM dialect already"),
        ("func.func @f() {\n  oops\n}", "f", "custom op 'oops' is unknown"),
    ],
)
def test_what_cannot_be_lowered_is_refused_with_the_reason(text: str, name: str, reason: str) -> None:
    outcome = lower_function(snapshot_of(text), name)
    assert isinstance(outcome, Refusal)
    assert reason in outcome.reason


WHOLE_FIRST = "func.func @first(%a: i32) -> i32 {\n  %x = arith.addi %a, %a : i32\n  return %x : i32\n}\n"
WHOLE_LAST = WHOLE_FIRST.replace("@first", "@last").replace("%x", "%y")
TYPED = """\
func.func @new(%m: memref<?xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  // a comment { with brackets ( in it
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) {
    %v = memref.load %m[%i] : memref<?xf32>
    %next = arith.addf %acc, %v fastmath<fast> : f32
    scf.yield %next : f32
  } {note = "a \\"string\\""}
  return %sum : f32
}
"""


def test_in_every_state_of_typing_a_function_its_neighbours_are_whole() -> None:
    document = document_of(WHOLE_FIRST + "\n" + WHOLE_LAST)
    line, column = 4, 0
    for count, character in enumerate(TYPED, 1):
        document.edit((line, column), (line, column), character)
        line, column = (line + 1, 0) if character == "\n" else (line, column + 1)
        snapshot = snapshot_of(document.tree.text) if count % 40 == 0 else None
        for state in [s for s in (snapshot, document.snapshot()) if s is not None]:
            check_neighbours(state, TYPED[:count])


def check_neighbours(snapshot: Snapshot, typed: str) -> None:
    text = snapshot.tree.text
    names = [entry.symbol.name for entry in outline(snapshot) if entry.symbol]
    assert "first" in names, typed
    assert "last" in names, typed
    for name, value in (("first", "%x"), ("last", "%y")):
        start = text.index(f"@{name}(")
        use = text.index(f"return {value}", start) + len("return %")
        shown = hover(snapshot, use)
        assert shown is not None, typed
        assert f"{value} : i32" in shown.markdown, typed
        (where,) = definition(snapshot, use)
        assert where.start == text.index(f"{value} =", start), typed


def test_a_preview_of_a_broken_function_says_why_and_others_stay_fresh() -> None:
    snapshot = snapshot_of(WHOLE_FIRST + WHOLE_LAST.replace("arith.addi %a,", "arith.addi %a"))
    stage = stage_called(snapshot, LLVM_IR)
    assert preview(snapshot, stage, "first").text is not None
    broken = preview(snapshot, stage, "last")
    assert broken.text is None
    assert broken.problem == "expected ',' (line 6)"
    assert preview(snapshot, stage, None).problem == "expected ',' (line 6)"


def test_a_function_is_run_with_all_that_it_calls() -> None:
    text = (
        "func.func @f(%a: i32) -> i32 {\n  %0 = call @g(%a) : (i32) -> i32\n  return %0 : i32\n}\n"
        + WHOLE_FIRST.replace("@first", "@g")
    )
    prepared = runnable(snapshot_of(text), "f", [4], checked=False)
    assert isinstance(prepared, Runnable)
    assert "define i32 @g" in prepared.request.llvm_ir
    assert prepared.argument_names == ("%a",)


@pytest.mark.parametrize(
    ("name", "arguments", "kind", "message"),
    [
        ("nowhere", [], "lowering", "does not exist"),
        ("declared", [], "lowering", "only declared"),
        ("first", [], "arguments", "@first takes 1 argument, and 0 were given"),
    ],
)
def test_what_cannot_be_run(name: str, arguments: list[int], kind: str, message: str) -> None:
    prepared = runnable(snapshot_of(WHOLE_FIRST + "func.func private @declared()\n"), name, arguments, checked=False)
    assert isinstance(prepared, NotRunnable)
    assert prepared.kind == kind
    assert message in prepared.message


# ---- lowering with all that must be lowered with it


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.mlir")), ids=lambda path: path.stem)
def test_a_lowered_function_leaves_a_file_that_verifies(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    snapshot = snapshot_of(text)
    for function in functions(snapshot):
        outcome = lower_function(snapshot, function.name)
        if isinstance(outcome, Refusal):
            assert not function.symbol.has_body or "does not lower" in outcome.reason, outcome.reason
            continue
        after = edited(text, outcome)
        answer = run_tool("mlir-opt", [], after)
        assert answer.stderr == "", after


CHAIN = (
    "".join(f"func.func @f{n}() {{\n  call @f{n + 1}() : () -> ()\n  return\n}}\n" for n in range(4))
    + "func.func private @f4()\nfunc.func @f5() {\n  return\n}\n"
)


@pytest.mark.parametrize("name", ["f0", "f2", "f3"])
def test_all_that_is_connected_is_lowered_together(name: str) -> None:
    snapshot = snapshot_of(CHAIN)
    place = CHAIN.index(f"func.func @{name}()")
    action, *_ = actions_at(snapshot, place, place, ("refactor.rewrite",))
    assert action.title.startswith(f"Lower `@{name}`, `@f")
    assert action.title.endswith(" and 2 more to the LLVM dialect")
    outcome = lower_function(snapshot, name)
    assert not isinstance(outcome, Refusal)
    after = edited(CHAIN, outcome)
    assert after.count("llvm.func") == 5
    assert after.count("func.func") == 1
    assert diagnostics_of(after) == []


def test_what_names_a_symbol_of_another_table_is_not_lowered_with_one_beside_it() -> None:
    a = "func.func @a(%x: i32) -> i32 {\n  return %x : i32\n}\n"
    b = 'func.func @b(%x: i32) -> i32 {\n  %0 = "x.call"(%x) {callee = @in::@a} : (i32) -> i32\n  return %0 : i32\n}\n'
    outcome = lower_function(snapshot_of(f"module @in {{\n{a}}}\n{b}{a}"), "a")
    assert not isinstance(outcome, Refusal)
    assert [replacement.text for replacement in outcome] == [
        "llvm.func @a(%arg0: i32) -> i32 {\n  llvm.return %arg0 : i32\n}"
    ]


def test_what_would_harm_others_is_refused() -> None:
    user = "  func.func @g() {\n    func.call @f() : () -> ()\n    func.return\n  }\n"
    text = f"func.func @f() {{\n  return\n}}\nfoo.table {{\n{user}}}\n"
    outcome = lower_function(snapshot_of(text), "f")
    assert isinstance(outcome, Refusal)
    assert outcome.reason == (
        "@f cannot be lowered without harm to others: 'func.call' op 'f' does not reference a valid function (line 6)"
    )


def test_a_name_with_a_wrong_escape_leads_nowhere() -> None:
    text = 'func.func @f() {\n  func.call @"\\q"() : () -> ()\n  return\n}\n'
    snapshot, place = snapshot_of(text), text.index('"\\q') + 1
    hover(snapshot, place)
    assert definition(snapshot, place) == []


@pytest.mark.parametrize("name", [name for name in DOCUMENTS if "doubled" in name])
def test_an_example_of_what_is_said_over_and_over_is_not_long(name: str) -> None:
    function = functions(snapshot_of(DOCUMENTS[name](40)))[0]
    assert [argument.example for argument in function.arguments] == [None]


def test_an_example_of_structs_and_arrays() -> None:
    text = "llvm.func @f(%a: !llvm.struct<(i32, array<3 x f32>, struct<(i1)>)>, %b: !llvm.array<65 x i8>)\n"
    function = functions(snapshot_of(text))[0]
    assert [argument.example for argument in function.arguments] == ["[4, [1.0, 1.0, 1.0], [true]]", None]
