"""One verdict on a lowering: what the command line says of a program that is valid until it is lowered, the editor says
at the same place; nothing is shown, run or written of it; and so it is with mistakes in a text."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

import pytest

import fathom
from fathom.context import default_context
from fathom.pipeline import lowering
from fathom_server.features.edits import Refusal
from fathom_server.features.lower import lower_function
from fathom_server.features.preview import preview
from fathom_server.features.run import NotRunnable, runnable
from fathom_server.features.stages import LLVM_IR, stages
from fathom_server.session.opened import OpenDocument
from tests.conformance.asking import ask_fathom
from tests.hunts.fuzz.check import looked_at, new_document
from tests.oracles import run_tool
from tests.server.client import ROOT
from tests.server.fixture import snapshot_of
from tests.suite.agreement import Compared, compared, errors_of, pieces
from tests.suite.answers import errors_in
from tests.suite.editor import suite_texts
from tests.suite.source import NoSource

FAILURES = sorted((ROOT / "tests" / "fixtures" / "verdicts").glob("*.mlir"))
TRANSLATED = sorted((ROOT / "tests" / "fixtures" / "verdicts" / "translated").glob("*.mlir"))
"""What is valid in the LLVM dialect, and refused while it becomes LLVM IR."""
SAMPLE = 40
"""One in so many pieces of MLIR's own tests is compared."""
MISTAKES = sorted((ROOT / "examples" / "errors").glob("*.mlir"))


def first_error(text: str, *arguments: str) -> tuple[int, str]:
    """The line and the text of the first error of a command of Fathom."""
    return next(errors_in(ask_fathom(arguments, text).stderr))


def looked_at_document(text: str) -> OpenDocument:
    return looked_at(OpenDocument(new_document(text, default_context())))


@pytest.mark.parametrize("path", FAILURES, ids=lambda path: path.stem)
def test_a_failure_is_the_same_everywhere(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    line, message = told = first_error(text, "opt", "--lower-to-llvm")
    assert first_error(text, "run", "--entry", "entry") == told
    shown = [(error_message.line, error_message.text) for error_message in errors_of(looked_at_document(text))]
    assert shown == [told]
    error = next(diagnostic for diagnostic in fathom.lower(text).diagnostics if diagnostic.severity == "error")
    assert (text.count("\n", 0, error.span.start if error.span else 0) + 1, error.message) == told
    snapshot = snapshot_of(text)
    refused = lower_function(snapshot, "entry")
    assert isinstance(refused, Refusal)
    assert message in refused.reason
    assert f"(line {line})" in refused.reason
    made = preview(snapshot, next(stage for stage in stages(snapshot) if stage.id == LLVM_IR), "entry")
    assert made.text is None
    assert message in (made.problem or "")
    for checked in (False, True):
        ran = runnable(snapshot, "entry", (), checked)
        assert isinstance(ran, NotRunnable)
        assert message in ran.message


@pytest.mark.parametrize("path", TRANSLATED, ids=lambda path: path.stem)
def test_so_is_what_translation_and_llvm_refuse(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    line, message = told = first_error(text, "translate", "--mlir-to-llvmir")
    assert first_error(text, "run", "--entry", "entry") == told
    snapshot = snapshot_of(text)
    stage = next(candidate for candidate in stages(snapshot) if candidate.id == LLVM_IR)
    for function in ("entry", None):
        made = preview(snapshot, stage, function)
        (error,) = (diagnostic for diagnostic in made.diagnostics if diagnostic.severity == "error")
        assert (made.text, made.problem) == (None, f"{message} (line {line})")
        assert (snapshot.tree.line_of(error.span.start if error.span else 0)[0] + 1, error.message) == told
    ran = runnable(snapshot, "entry", (), False)
    assert isinstance(ran, NotRunnable)
    assert ran.message == f"{message} (line {line})"


def test_what_is_declared_in_a_preview_is_not_refused() -> None:
    """LLVM wants what has another name to be defined in the same module."""
    text = """\
llvm.func @own(%0: i32) -> i32 {
  llvm.return %0 : i32
}
llvm.mlir.alias external @other : !llvm.func<i32 (i32)> {
  %0 = llvm.mlir.addressof @own : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}
llvm.func @entry(%0: i32) -> i32 {
  %1 = llvm.mlir.addressof @other : !llvm.ptr
  %2 = llvm.call @own(%0) : (i32) -> i32
  %3 = llvm.call %1(%2) : !llvm.ptr, (i32) -> i32
  llvm.return %3 : i32
}
llvm.func @beside(%0: i32) -> i32 {
  %1 = llvm.call @own(%0) : (i32) -> i32
  llvm.return %1 : i32
}
"""
    snapshot = snapshot_of(text)
    stage = next(candidate for candidate in stages(snapshot) if candidate.id == LLVM_IR)
    with_both, without = preview(snapshot, stage, "entry").text, preview(snapshot, stage, "beside").text
    assert with_both is not None
    assert without is not None
    assert [line for line in with_both.splitlines() if line.startswith("define")] == [
        "define i32 @own(i32 %0) {",
        "define i32 @entry(i32 %0) {",
    ]
    assert "declare i32 @own(i32)" in without


def test_an_error_of_another_item_goes_when_it_is_mended() -> None:
    text = FAILURES[0].read_text(encoding="utf-8")
    opened = looked_at_document(text)
    mended = text.replace("!llvm.struct<(ptr, i64)>", "!llvm.ptr")
    assert len(errors_of(opened)) == 1
    assert not errors_of(looked_at_document(mended))


@pytest.mark.parametrize(
    ("name", "flags"),
    [
        ("allocator", ["--finalize-memref-to-llvm"]),
        ("release", ["--finalize-memref-to-llvm"]),
        ("named-linkage", ["--convert-func-to-llvm"]),
        ("index-cast", ["--convert-arith-to-llvm"]),
        ("exchange", ["--convert-arith-to-llvm", "--finalize-memref-to-llvm", "--convert-cf-to-llvm"]),
    ],
)
def test_mlir_opt_says_the_same(name: str, flags: list[str]) -> None:
    text = (ROOT / "tests" / "fixtures" / "verdicts" / f"{name}.mlir").read_text(encoding="utf-8")
    assert next(errors_in(run_tool("mlir-opt", flags, text).stderr)) == first_error(text, "opt", *flags)


# ---- mistakes in a text


@pytest.mark.parametrize("path", MISTAKES, ids=lambda path: path.stem)
def test_the_editor_says_what_the_command_line_says(path: Path) -> None:
    comparison = compared((path.name, path.read_text(encoding="utf-8")))
    assert comparison is None or comparison.agrees, comparison


def test_rejected_pieces_of_the_suite() -> None:
    try:
        texts = suite_texts(None)
    except NoSource as problem:
        pytest.skip(f"the source of MLIR is not here: {problem}")
    comparisons = [made for task in pieces(texts, SAMPLE) if (made := compared(task)) is not None]
    assert [comparison for comparison in comparisons if not comparison.agrees] == list[Compared]()


def test_a_fault_in_a_pass_is_told_of_each_item_and_keeps_nothing_from_being_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object) -> NoReturn:
        raise TypeError("there is no constant")

    monkeypatch.setattr(lowering, "run_pass", fail)
    functions = [f"func.func @{name}(%m: memref<4xf32>) {{\n  return\n}}\n" for name in "ab"]
    opened = looked_at_document("".join(functions))
    told = [diagnostic for _, of_item in opened.found() for diagnostic in of_item]
    assert not opened.has_work
    assert [(said.severity, said.message) for said in told] == [
        ("information", "a fault in Fathom: TypeError: there is no constant")
    ] * 2
