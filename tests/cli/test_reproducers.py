"""Reproducers are the files that mlir-opt writes, and are run as it runs them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tests.cli.running import fathom

TEXT: Final = """func.func @ok() {
  return
}
func.func @bad() {
  %c = arith.constant 1 : i32
  return
^bb1:
  return
}
"""
PIPELINE: Final = "--pass-pipeline=builtin.module(func.func(cse,lift-cf-to-scf))"
FAILED: Final = "error: Failures have been detected while processing an MLIR pass pipeline"
LOCAL: Final = """module {
  func.func @ok() {
    return
  }
  func.func @bad() {
    return
  ^bb1:  // no predecessors
    return
  }
}

{-#
  external_resources: {
    mlir_reproducer: {
      pipeline: "builtin.module(func.func(lift-cf-to-scf))",
      disable_threading: false,
      verify_each: true
    }
  }
#-}
"""


def failing(file: Path, *options: str) -> str:
    """What is said where the pipeline fails and the reproducer is written to a file."""
    status, output, errors = fathom(
        "opt", PIPELINE, f"--mlir-pass-pipeline-crash-reproducer={file}", *options, text=TEXT
    )
    assert (status, output) == (1, "")
    return errors


def test_what_is_written_where_a_pass_fails(tmp_path: Path) -> None:
    file = tmp_path / "failed.mlir"
    errors = failing(file)
    assert FAILED in errors
    assert f"[`LiftControlFlowToSCFPass` on 'func.func' operation: @bad]: reproducer generated at `{file}`" in errors
    assert 'pipeline: "builtin.module(func.func(cse,lift-cf-to-scf))"' in file.read_text()
    assert "arith.constant" in file.read_text()


def test_the_pass_that_failed_alone(tmp_path: Path) -> None:
    file = tmp_path / "failed.mlir"
    errors = failing(file, "--mlir-pass-pipeline-local-reproducer")
    assert "executing `LiftControlFlowToSCFPass` on 'func.func' operation: @bad: reproducer generated at" in errors
    assert file.read_text() == LOCAL


def test_it_runs_again(tmp_path: Path) -> None:
    file = tmp_path / "failed.mlir"
    failing(file)
    status, _, errors = fathom("opt", "--run-reproducer", str(file))
    assert status == 1
    assert "transformation does not support unreachable blocks" in errors


def test_a_file_that_cannot_be_written() -> None:
    errors = failing(Path("/nowhere/failed.mlir"))
    assert "failed to create output stream: Failed to create reproducer stream: cannot open output file" in errors


def test_one_is_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "made.mlir"
    text = "func.func @f() {\n  %c = arith.constant 1 : i32\n  return\n}\n"
    status, output, _ = fathom("opt", "--cse", "--symbol-dce", f"--mlir-generate-reproducer={file}", text=text)
    assert status == 0
    assert file.read_text().startswith(output)
    assert 'pipeline: "builtin.module(cse,symbol-dce)"' in file.read_text()
    assert fathom("opt", "--run-reproducer", str(file)) == (0, output, "")


def test_a_pipeline_that_is_wrong() -> None:
    stored = '{-# external_resources: { mlir_reproducer: { pipeline: "builtin.module(no-such)" } } #-}\n'
    status, output, errors = fathom("opt", "--run-reproducer", text=stored)
    assert (status, output) == (1, "")
    assert "no-such" in errors
