"""`fathom.lower`: stages, diagnostics and the way back to the source, from a text or from a module."""

from __future__ import annotations

import textwrap

import pytest

import fathom
from fathom import Lowered, library
from fathom.elaborate import load
from fathom.ir.operation import Span
from fathom.ir.printer import print_module
from fathom.library import Stage
from tests.oracles import flags, mlir_opt

SOURCE = """func.func @f(%c: i1, %a: i32) -> i32 {
  %x = scf.if %c -> i32 {
    scf.yield %a : i32
  } else {
    %y = arith.addi %a, %a : i32
    scf.yield %y : i32
  }
  return %x : i32
}
"""
NEEDED = ["convert-scf-to-cf", "convert-arith-to-llvm", "convert-cf-to-llvm", "convert-func-to-llvm"]


def check_links(lowered: Lowered | Stage, *expected: tuple[str, str]) -> None:
    """Among the links are those from these pieces of the source to these of the text."""
    links = {(_piece(SOURCE, link.source), _piece(lowered.text, link.target)) for link in lowered.source_map}
    assert links >= set(expected), links


def _piece(text: str, span: Span) -> str:
    return text[span.start : span.end].partition("\n")[0]


def test_the_example_of_the_documentation_runs(capsys: pytest.CaptureFixture[str]) -> None:
    _, _, example = (library.__doc__ or "").partition("\n\n")
    exec(compile(textwrap.dedent(example), "example", "exec"), {"fathom": fathom, "text": SOURCE})
    printed = capsys.readouterr().out
    assert [line.split()[0] for line in printed.splitlines() if line.startswith("convert-")] == NEEDED


def test_a_text_is_lowered_by_the_passes_that_it_needs() -> None:
    lowered = fathom.lower(SOURCE)
    assert not lowered.failed
    assert lowered.diagnostics == ()
    assert [stage.name for stage in lowered.stages] == NEEDED
    assert lowered.text == lowered.stages[-1].text
    for count, stage in enumerate(lowered.stages, 1):
        assert stage.text == mlir_opt(SOURCE, *flags(NEEDED[:count]))


def test_each_operation_of_each_stage_knows_where_it_came_from() -> None:
    lowered = fathom.lower(SOURCE)
    for stage in lowered.stages:
        assert all(op.span is not None for op in stage.module.walk() if op is not stage.module)
    check_links(lowered.stages[0], ("scf.if %c -> i32 {", "cf.cond_br %arg0, ^bb1, ^bb2"))
    check_links(
        lowered,
        ("func.func @f(%c: i1, %a: i32) -> i32 {", "llvm.func @f(%arg0: i1, %arg1: i32) -> i32 {"),
        ("arith.addi %a, %a : i32", "%0 = llvm.add %arg1, %arg1 : i32"),
        ("return %x : i32", "llvm.return %1 : i32"),
    )


def test_a_module_is_lowered_as_a_copy() -> None:
    module = load(SOURCE).module
    before = print_module(module)
    assert fathom.lower(module, "--convert-scf-to-cf").text == mlir_opt(SOURCE, "--convert-scf-to-cf")
    assert print_module(module) == before


def test_pipelines_are_flags_or_text_and_have_options() -> None:
    loop = "func.func @f(%i: index) -> index {\n  return %i : index\n}\n"
    for pipeline in ("--lower-to-llvm=index-bitwidth=32", "builtin.module(lower-to-llvm{index-bitwidth=32})"):
        assert "llvm.func @f(%arg0: i32) -> i32" in fathom.lower(loop, pipeline).text


def check_diagnostics(lowered: Lowered, *expected: str) -> None:
    """What is wrong, by the messages."""
    assert [diagnostic.message for diagnostic in lowered.diagnostics] == list(expected)


def test_mistakes_are_diagnostics() -> None:
    broken = fathom.lower(SOURCE.replace("%a, %a", "%a, %b"))
    assert broken.failed
    assert broken.stages == ()
    check_diagnostics(broken, "use of undeclared SSA value name")
    check_diagnostics(fathom.lower(SOURCE.replace("-> i32 {\n  %x", "-> i64 {\n  %x")), *_not_valid())
    assert "no-such-pass" in fathom.lower(SOURCE, "--no-such-pass").diagnostics[0].message
    assert fathom.lower("func.func @f(").failed


def _not_valid() -> list[str]:
    return ["type of return operand 0 ('i32') doesn't match function result type ('i64') in function @f"]


def test_what_a_pipeline_to_llvm_leaves_has_a_diagnostic() -> None:
    lowered = fathom.lower(SOURCE, "--convert-arith-to-llvm --convert-func-to-llvm --reconcile-unrealized-casts")
    # A terminator goes with the operation around it.
    left = {op.name for op in lowered.module.walk() if op.dialect == "scf"} - {"scf.yield"}
    assert {diagnostic.message.split("'")[1] for diagnostic in lowered.diagnostics} >= left
    assert fathom.lower(SOURCE, "--convert-arith-to-llvm").diagnostics == ()


def test_what_a_pass_makes_is_verified() -> None:
    lowered = fathom.lower(
        'func.func private @puts()\nfunc.func @f(%c: i1) {\n  cf.assert %c, "no"\n  return\n}\n',
        "--convert-cf-to-llvm --convert-func-to-llvm",
    )
    assert lowered.failed
    assert [diagnostic.message for diagnostic in lowered.diagnostics] == ["redefinition of symbol named 'puts'"]
    assert [stage.name for stage in lowered.stages] == ["convert-cf-to-llvm"]
