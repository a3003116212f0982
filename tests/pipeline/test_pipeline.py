"""Pass pipelines: their language, mistakes worded as mlir-opt 22 words them, and what each stage of a run gives."""

from __future__ import annotations

import pytest

from fathom.context import default_context
from fathom.elaborate import load
from fathom.ir.operation import Operation
from fathom.passes.definition import Pass
from fathom.passes.leftovers import left_behind
from fathom.pipeline import parse_pipeline, run
from fathom.pipeline.instrumentation import Instrumentation
from fathom.pipeline.lowering import LOWER_TO_LLVM
from tests.oracles import PASSES, run_tool

ADD = "func.func @f(%a: i32) -> i32 {\n  %0 = arith.addi %a, %a : i32\n  return %0 : i32\n}\n"
CALL = 'func.func @f(%a: f32) -> f32 {\n  %0 = "math.sin"(%a) : (f32) -> f32\n  return %0 : f32\n}\n'

MISTAKES = [
    "foo",
    "convert-arith-to-llvm",
    "",
    "builtin.module(foo)",
    "builtin.module(,)",
    "builtin.module(convert-arith-to-llvm,)",
    "builtin.module(convert-arith-to-llvm",
    "builtin.module(convert-arith-to-llvm))",
    "builtin.module(convert-arith-to-llvm{index-bitwidth=32)",
    "builtin.module(convert-arith-to-llvm{foo=1})",
    "builtin.module(func.func(convert-func-to-llvm))",
]


def check_pipeline(source: str | list[str], expected: str) -> None:
    """`source` has no mistakes and means `expected`."""
    pipeline = parse_pipeline(source)
    assert pipeline.errors == ()
    assert str(pipeline) == expected


def check_mistake(text: str, *expected: str) -> None:
    """A pipeline's mistakes."""
    assert parse_pipeline(text).errors == expected


def module_of(text: str) -> Operation:
    loaded = load(text)
    assert not loaded.has_errors, loaded.diagnostics
    return loaded.module


def test_flags() -> None:
    check_pipeline(
        ["--convert-arith-to-llvm=index-bitwidth=32", "-convert-func-to-llvm"],
        "builtin.module(convert-arith-to-llvm{index-bitwidth=32},convert-func-to-llvm)",
    )


def test_text() -> None:
    text = "builtin.module(func.func(convert-scf-to-cf),any(convert-arith-to-llvm{index-bitwidth=32}))"
    check_pipeline(text, text)


def test_white_space_and_an_empty_pipeline() -> None:
    check_pipeline(" builtin.module( convert-scf-to-cf , convert-arith-to-llvm ) ", "builtin.module(convert-scf-to-cf,"
                   "convert-arith-to-llvm)")  # fmt: skip
    check_pipeline("builtin.module()", "builtin.module()")


def test_options_in_braces_and_flags_without_value() -> None:
    check_pipeline(
        ["--convert-func-to-llvm=use-bare-ptr-memref-call-conv index-bitwidth={64}"],
        "builtin.module(convert-func-to-llvm{index-bitwidth=64 use-bare-ptr-memref-call-conv=true})",
    )


def test_the_lowering_is_the_six_passes() -> None:
    assert tuple(use.name for use in LOWER_TO_LLVM.passes) == PASSES


@pytest.mark.parametrize("text", MISTAKES)
def test_mistakes_are_worded_as_the_oracle_words_them(text: str) -> None:
    answer = run_tool("mlir-opt", [f"--pass-pipeline={text}"], "")
    assert answer.status == 1
    assert answer.stderr.strip() == "\n".join(parse_pipeline(text).errors).strip()


def test_a_pass_that_does_not_exist() -> None:
    check_mistake(
        "builtin.module(foo)",
        "<unknown>:0: error: MLIR Textual PassPipeline Parser:1:1: error: 'foo' does not refer to a registered pass or "
        "pass pipeline\nfoo\n^\n",
    )


def test_a_value_that_does_not_fit() -> None:
    check_mistake(
        "builtin.module(convert-arith-to-llvm{index-bitwidth=abc})",
        "fathom: for the --index-bitwidth option: 'abc' value invalid for uint argument!\n<unknown>:0: error: \n"
        "failed to add `convert-arith-to-llvm` with options `index-bitwidth=abc`",
    )


def test_mistakes_become_diagnostics_of_a_run() -> None:
    result = run(parse_pipeline("builtin.module(foo)"), module_of(ADD), default_context())
    assert result.failed
    assert result.stages == []


def test_an_anchor_that_does_not_fit() -> None:
    result = run(parse_pipeline("func.func(convert-arith-to-llvm)"), module_of(ADD), default_context())
    assert [d.message for d in result.diagnostics] == ["can't run 'func.func' pass manager on 'builtin.module' op"]


def test_stages_have_texts_on_demand() -> None:
    result = run(LOWER_TO_LLVM, module_of(ADD), default_context(), texts=True)
    assert [stage.name for stage in result.stages] == list(PASSES)
    texts = {stage.name: stage.text or "" for stage in result.stages}
    assert "arith.addi" in texts["convert-scf-to-cf"]
    assert "llvm.add" in texts["convert-arith-to-llvm"]
    assert "llvm.func" in texts["convert-func-to-llvm"]
    assert run(LOWER_TO_LLVM, module_of(ADD), default_context()).stages[0].text is None


def test_a_nest_runs_on_what_it_names() -> None:
    seen: list[tuple[str, str]] = []

    class Notes(Instrumentation):
        def after_pass(self, use: Pass, op: Operation, *, failed: bool) -> None:
            seen.append((use.name, op.name))

    pipeline = parse_pipeline("builtin.module(func.func(convert-scf-to-cf),convert-arith-to-llvm)")
    module = module_of(ADD + ADD.replace("@f", "@g"))
    assert not run(pipeline, module, default_context(), instrumentation=[Notes()]).failed
    assert seen == [
        ("convert-scf-to-cf", "func.func"),
        ("convert-scf-to-cf", "func.func"),
        ("convert-arith-to-llvm", "builtin.module"),
    ]


def test_nothing_is_left_behind() -> None:
    module = module_of(ADD)
    assert not run(LOWER_TO_LLVM, module, default_context()).failed
    assert left_behind(module) == []


def test_what_is_left_behind_is_reported_where_it_stands() -> None:
    module = module_of(CALL)
    run(LOWER_TO_LLVM, module, default_context())
    (diagnostic,) = left_behind(module)
    assert diagnostic.message == "'math.sin' op was left behind by the lowering to the LLVM dialect"
    assert diagnostic.span is not None
    assert CALL[diagnostic.span.start : diagnostic.span.end].startswith('"math.sin"(%a)')
    assert "convert-math-to-llvm" in diagnostic.notes[-1].message


def test_a_pass_whose_work_another_did_is_not_missing() -> None:
    module = module_of(CALL)
    result = run(parse_pipeline(["--convert-to-llvm=filter-dialects=func"]), module, default_context())
    (diagnostic,) = left_behind(module, result.ran)
    assert diagnostic.notes[0].message == "'convert-math-to-llvm' has no rule that fits this 'math.sin'"


def test_what_a_pass_leaves_to_another_is_said_with_that_other() -> None:
    text = "func.func @f(%z: complex<f32>) -> f32 {\n  %0 = complex.angle %z : complex<f32>\n  return %0 : f32\n}\n"

    def notes(*passes: str) -> list[str]:
        module = module_of(text)
        ran = run(parse_pipeline(list(passes)), module, default_context()).ran
        return [note.message for each in left_behind(module, ran) if "angle" in each.message for note in each.notes]

    assert notes("--convert-to-llvm") == [
        "'convert-complex-to-llvm' leaves 'complex.angle' as it is",
        "run what rewrites it before: --convert-complex-to-standard",
    ]
    assert notes("--convert-arith-to-llvm") == [
        "the pipeline does not run the pass convert-complex-to-llvm",
        "add --convert-complex-to-llvm to it, and before that --convert-complex-to-standard",
    ]


def test_a_pass_that_was_not_asked_for_is_named_as_what_is_missing() -> None:
    module = module_of(ADD)
    result = run(parse_pipeline(["--convert-arith-to-llvm"]), module, default_context())
    notes = [note.message for diagnostic in left_behind(module, result.ran) for note in diagnostic.notes]
    assert notes == ["the pipeline does not run the pass convert-func-to-llvm", "add --convert-func-to-llvm to it"] * 2
