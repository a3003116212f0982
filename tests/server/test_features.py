"""Hover, navigation, the outline, lowering and previews, on marked text."""

from __future__ import annotations

import re

import pytest

from fathom_server.features.edits import Refusal
from fathom_server.features.functions import example_of, signature_of
from fathom_server.features.hover import hover
from fathom_server.features.lower import lower_function, lowerable_at
from fathom_server.features.navigation import definition, references
from fathom_server.features.preview import preview, stages
from fathom_server.features.run import NotRunnable, Runnable, runnable
from fathom_server.features.symbols import OutlineEntry, outline
from fathom_server.model.elaboration import diagnostics
from fathom_server.model.lowering import stalled
from fathom_server.model.snapshot import Snapshot
from tests.server.fixture import document_of, marked_snapshot, snapshot_of


def check_hover(marked: str, *expected: str) -> None:
    snapshot, (offset,) = marked_snapshot(marked)
    found = hover(snapshot, offset)
    assert found is not None, "nothing to say"
    for text in expected:
        assert text in found.markdown, found.markdown


def check_definition(marked: str) -> None:
    """The last mark is the cursor, those before it bound the definition's name."""
    snapshot, (first, last, cursor) = sorted_marks(marked)
    assert [(s.start, s.end) for s in definition(snapshot, cursor)] == [(first, last)]


def sorted_marks(marked: str) -> tuple[Snapshot, list[int]]:
    return marked_snapshot(marked)


def check_references(marked: str, count: int) -> None:
    snapshot, (offset,) = marked_snapshot(marked)
    found = references(snapshot, offset, True)
    texts = {snapshot.tree.text[s.start : s.end] for s in found}
    assert (len(found), len(texts)) == (count, 1)


def check_outline(text: str, expected: str) -> None:
    def show(entries: list[OutlineEntry], depth: int) -> list[str]:
        return [
            line
            for entry in entries
            for line in (f"{'  ' * depth}@{entry.symbol.name}: {entry.detail}", *show(entry.children, depth + 1))
        ]

    assert show(outline(snapshot_of(text)), 0) == expected.splitlines()


def diagnostics_of(text: str) -> list[str]:
    snapshot = snapshot_of(text)
    return [
        f"{snapshot.tree.line_of(start + (d.span.start if d.span else 0))[0] + 1}: {d.message}"
        for item, start in zip(snapshot.tree.items, snapshot.tree.start_offsets, strict=False)
        for d in (*diagnostics(snapshot, item), *stalled(snapshot, item))
        if d.follows_from is None
    ]


MEMREF = "func.func @f(%m: memref<4x?xf32>, %i: index) -> f32 {{\n  {}\n}}\n"
LOAD = "%x = memref.load %m[%i, %i] : memref<4x?xf32>\n  return %x : f32"


def test_hover_on_a_value_tells_its_type_and_what_it_becomes() -> None:
    check_hover(
        MEMREF.format(LOAD.replace("load %m", "load %<|>m")),
        "%m : memref<4x?xf32>",
        "argument #0 of `func.func`",
        "!llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>",
        "allocated pointer",
        "strides[1]",
    )


def test_hover_on_a_type_names_the_fields_and_the_arguments() -> None:
    check_hover(
        "func.func private @g(mem<|>ref<?xi8>)",
        "| 0 | allocated pointer | `!llvm.ptr` |",
        "In a signature: `!llvm.ptr` allocated pointer, `!llvm.ptr` aligned pointer, `i64` offset",
    )


def test_hover_on_an_op_shows_its_lowering() -> None:
    check_hover(
        MEMREF.format(LOAD.replace("memref.load", "memref.lo<|>ad")),
        "memref.load : (memref<4x?xf32>, index, index) -> (f32)",
        "llvm.getelementptr",
        "llvm.load",
    )


def test_hover_on_a_function_shows_its_lowered_signature() -> None:
    check_hover("fun<|>c.func private @f(memref<?xi32>) -> i32", "!llvm.func<i32 (ptr, ptr, i64, i64, i64)>")
    check_hover(
        "func.func private @g() -> index\nfunc.func @f() {\n  %0 = call @<|>g() : () -> index\n  return\n}",
        "func.func private @g() -> index",
        "!llvm.func<i64 ()>",
    )


def test_hover_has_nothing_to_say_about_white_space_and_comments() -> None:
    for marked in ("<|>\n\n", "// a com<|>ment\n", "func.func private @f()  <|>  \n"):
        snapshot, (offset,) = marked_snapshot(marked)
        assert hover(snapshot, offset) is None


@pytest.mark.parametrize(
    "marked",
    [
        "func.func @f(<|>%a<|>: i32) -> i32 {\n  return %<|>a : i32\n}",
        "func.func @f(%a: i32) {\n  <|>%x<|> = arith.addi %a, %a : i32\n  %y = arith.muli %a, %<|>x : i32\n  return\n}",
        "func.func @f() {\n  cf.br ^bb1\n<|>^bb1<|>:\n  cf.br ^b<|>b1\n}",
        "func.func private <|>@g<|>()\nfunc.func @f() {\n  call @<|>g() : () -> ()\n  return\n}",
        "<|>!t<|> = i32\nfunc.func private @f(!<|>t)",
    ],
)
def test_definition(marked: str) -> None:
    check_definition(marked)


def test_references() -> None:
    check_references("func.func @f(%<|>a: i32) {\n  %x = arith.addi %a, %a : i32\n  return\n}", 3)
    check_references("func.func @f() {\n  cf.br ^bb1\n^b<|>b1:\n  cf.br ^bb1\n}", 3)
    check_references(
        "func.func private @g()\nfunc.func @f() {\n  call @<|>g() : () -> ()\n  call @g() : () -> ()\n  return\n}", 3
    )


def test_the_same_name_in_another_function_is_another_value() -> None:
    check_references("func.func @f(%a: i32) {\n  return\n}\nfunc.func @g(%<|>a: i32) -> i32 {\n  return %a : i32\n}", 2)


def test_the_outline_nests_modules_and_survives_errors() -> None:
    check_outline(
        "module @m {\n  func.func @f(%a: i32) {\n    oops\n    return\n  }\n  func.func private @g()\n}\n"
        "func.func @h( {\n",
        "@m: builtin.module\n  @f: func.func (%a: i32)\n  @g: func.func ()\n@h: func.func (",
    )


def test_a_function_in_generic_form_is_in_the_outline() -> None:
    check_outline(
        '"func.func"() <{function_type = () -> (), sym_name = "f"}> ({\n  "func.return"() : () -> ()\n}) : () -> ()\n',
        "@f: func.func",
    )
    check_definition(
        '"func.func"() <{function_type = () -> (), sym_name = <|>"g"<|>, sym_visibility = "private"}> ({\n'
        "}) : () -> ()\n"
        "func.func @f() {\n  call @<|>g() : () -> ()\n  return\n}\n"
    )


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
    after = SAMPLE[: outcome.start] + outcome.text + SAMPLE[outcome.end :]
    start = SAMPLE.index("func.func @f")
    assert after.startswith(SAMPLE[:start])
    assert after.endswith("} // after\n// the end\n")
    assert outcome.text.startswith("llvm.func @f(%arg0: i32, %arg1: !llvm.ptr")
    assert "func.func" not in outcome.text
    assert not diagnostics_of(after)


def test_lowering_adds_only_declarations_that_are_missing() -> None:
    text = "func.func @f() {\n  %m = memref.alloc() : memref<4xi8>\n  return\n}\n"
    declared = text + "llvm.func @malloc(i64) -> !llvm.ptr\n"
    for source, count in ((text, 1), (declared, 0)):
        outcome = lower_function(snapshot_of(source), "f")
        assert not isinstance(outcome, Refusal)
        assert outcome.text.count("llvm.func @malloc") == count


def test_lowering_keeps_the_indentation_of_the_function() -> None:
    text = "module {\n    func.func @f() {\n        return\n    }\n}\n"
    outcome = lower_function(snapshot_of(text), "f")
    assert not isinstance(outcome, Refusal)
    after = text[: outcome.start] + outcome.text + text[outcome.end :]
    assert after == "module {\n    llvm.func @f() {\n      llvm.return\n    }\n}\n"


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


def test_the_action_is_offered_inside_functions_with_a_body() -> None:
    snapshot, offsets = marked_snapshot("<|>// c\nfunc.func private @g()<|>\nfunc.func @f() {\n  ret<|>urn\n}\n")
    offered = [[symbol.name for symbol in lowerable_at(snapshot, o, o)] for o in offsets]
    assert offered == [[], [], ["f"]]


def test_an_op_that_would_be_left_behind_is_reported_on_its_own_line() -> None:
    found = diagnostics_of(
        "func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {\n  %0 = arith.addf %t, %t : tensor<4xf32>\n"
        "  return %0 : tensor<4xf32>\n}\n"
    )
    assert any(line.startswith("2: ") and "arith.addf" in line for line in found), found


def test_three_independent_errors_are_three_diagnostics() -> None:
    functions = [
        f"func.func @f{i}(%a: i32) -> i32 {{\n  %0 = arith.addi %a, %a : i32\n  return %0 : i32\n}}\n" for i in range(5)
    ]
    text = "".join(functions)
    text = text.replace("@f0(%a: i32)", "@f0(%a: )").replace(
        "func.func @f2(%a: i32) -> i32 {\n  %0 = arith.addi %a, %a",
        "func.func @f2(%a: i32) -> i32 {\n  %0 = arith.addi %a %a",
    )
    head, _, tail = text.rpartition("return %0 : i32")
    found = diagnostics_of(head + "return %0 i32" + tail)
    errors = [line for line in found if re.match(r"\d+: expected", line)]
    assert len(errors) == 3, found


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
    names = [entry.symbol.name for entry in outline(snapshot)]
    assert "first" in names, typed
    assert "last" in names, typed
    for name, value in (("first", "%x"), ("last", "%y")):
        start = text.index(f"@{name}(")
        use = text.index(f"return {value}", start) + len("return %")
        found = hover(snapshot, use)
        assert found is not None, typed
        assert f"{value} : i32" in found.markdown, typed
        (where,) = definition(snapshot, use)
        assert where.start == text.index(f"{value} =", start), typed


def test_previews_of_every_stage_link_both_ways() -> None:
    snapshot = snapshot_of(SAMPLE)
    assert [stage.id for stage in stages(snapshot)] == [
        "source",
        "convert-scf-to-cf",
        "convert-arith-to-llvm",
        "convert-cf-to-llvm",
        "finalize-memref-to-llvm",
        "convert-func-to-llvm",
        "llvm-dialect",
        "llvm-ir",
    ]
    wanted = {"source": "arith.addi", "llvm-dialect": "llvm.add", "llvm-ir": "add i32"}
    for stage in stages(snapshot):
        made = preview(snapshot, stage, "f")
        assert made.text is not None, (stage.id, made.problem)
        if stage.id not in wanted:
            continue
        at = SAMPLE.index("arith.addi")
        targets = [made.text[k.target.start : k.target.end] for k in made.links if k.source.start <= at < k.source.end]
        assert any(wanted[stage.id] in target for target in targets), targets


def test_a_preview_of_a_broken_function_says_why_and_others_stay_fresh() -> None:
    snapshot = snapshot_of(WHOLE_FIRST + WHOLE_LAST.replace("arith.addi %a,", "arith.addi %a"))
    stage = stages(snapshot)[-1]
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
    prepared = runnable(snapshot_of(text), "f", [4])
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
    prepared = runnable(snapshot_of(WHOLE_FIRST + "func.func private @declared()\n"), name, arguments)
    assert isinstance(prepared, NotRunnable)
    assert prepared.kind == kind
    assert message in prepared.message


def test_examples_of_arguments_can_be_given_back() -> None:
    signature = signature_of(snapshot_of("func.func private @f(i1, index, f32, memref<2x3xf32>, memref<4xi8>)"), "f")
    assert signature is not None
    assert [example_of(type) for type in signature.inputs] == [
        "true",
        "4",
        "1.0",
        '{"shape": [2, 3], "fill": 1.0}',
        "[1, 2, 3, 4]",
    ]
