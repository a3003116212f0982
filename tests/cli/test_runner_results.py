"""`fathom run --entry-point-result` prints results as mlir-runner does."""

from __future__ import annotations

import io

import pytest

from fathom.cli import main
from tests.oracles import mlir_opt, mlir_runner

FUNCTIONS = """
func.func @whole() -> i64 {
  %0 = arith.constant -25 : i64
  return %0 : i64
}
func.func @broken() -> f32 {
  %0 = arith.constant 2.5 : f32
  return %0 : f32
}
func.func @nothing() {
  return
}
"""
LOWERED = ("--convert-arith-to-llvm", "--convert-func-to-llvm")


@pytest.mark.parametrize(("entry", "result"), [("whole", "i64"), ("broken", "f32"), ("nothing", "void")])
def test_results_as_mlir_runner_prints_them(entry: str, result: str) -> None:
    stdout, stderr = io.StringIO(), io.StringIO()
    command = ["run", "-", "-e", entry, f"-entry-point-result={result}"]
    assert main(command, io.StringIO(FUNCTIONS), stdout, stderr) == 0, stderr.getvalue()
    assert stdout.getvalue() == mlir_runner(mlir_opt(FUNCTIONS, *LOWERED), entry, result)
