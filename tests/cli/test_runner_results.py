"""What `fathom run` does as mlir-runner does: results, refusals, and machine code in a file."""

from __future__ import annotations

import io
from pathlib import Path

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


@pytest.mark.parametrize(
    ("entry", "result", "message"),
    [
        ("none", "void", "entry point not found"),
        ("declared", "void", "entry point not found"),
        ("takes", "void", "JIT can't invoke a main function expecting arguments"),
        ("whole", "void", "expected void function"),
        ("whole", "i32", "only single i32 function result supported"),
        ("broken", "i64", "only single i64 function result supported"),
        ("nothing", "f32", "only single f32 function result supported"),
    ],
)
def test_what_mlir_runner_does_not_call(entry: str, result: str, message: str) -> None:
    text = f"{FUNCTIONS}func.func private @declared()\nfunc.func @takes(%a: i32) {{\n  return\n}}\n"
    assert run(text, "-e", entry, f"--entry-point-result={result}") == (1, "", f"Error: {message}\n")


def test_a_text_that_has_its_module_itself() -> None:
    function = "func.func @main() {\n  return\n}\n"
    assert run(f"module {{\n{function}}}\n", "--no-implicit-module") == (0, "", "")
    no_table = "Error: top-level op must be a symbol table.\ncould not parse the input IR\n"
    assert run(function, "--no-implicit-module") == (1, "", no_table)
    several = "error: source must contain a single top-level operation, found: 2\ncould not parse the input IR\n"
    assert run(FUNCTIONS[FUNCTIONS.index("func.func @broken") :], "--no-implicit-module") == (1, "", several)


def test_machine_code_is_written(tmp_path: Path) -> None:
    for name, options in (("a.o", ("-O0",)), ("b.o", ())):
        file = tmp_path / name
        assert run(FUNCTIONS, "-e", "whole", "--dump-object-file", f"--object-filename={file}", *options)[0] == 0
        assert file.read_bytes().startswith(b"\x7fELF")
    file = tmp_path / "missing" / "a.o"
    status, _, said = run(FUNCTIONS, "-e", "whole", "--dump-object-file", f"--object-filename={file}")
    assert status == 1
    assert "the object file cannot be written" in said


def run(text: str, *options: str) -> tuple[int, str, str]:
    stdout, stderr = io.StringIO(), io.StringIO()
    status = main(["run", "-", *options], io.StringIO(text), stdout, stderr)
    return status, stdout.getvalue(), stderr.getvalue()
