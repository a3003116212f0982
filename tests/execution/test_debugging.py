"""`fathom run -g`: a debugger stops at lines of the file and shows its values; and the program computes the same."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from fathom.context import default_context
from fathom.elaborate import load
from fathom.elaborate.locator import locator
from fathom.execution.variables import add_debug_information
from fathom.ir.printer import print_module
from fathom.ir.printing_flags import PrintingFlags
from tests.oracles import TIMEOUT, require_program

PROGRAM = """\
func.func @square(%x: i32) -> i32 {
  %y = arith.muli %x, %x : i32
  return %y : i32
}
func.func @sum(%n: index, %start: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %total = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %start) -> f64 {
    %k = arith.index_cast %i : index to i32
    %q = func.call @square(%k) : (i32) -> i32
    %f = arith.sitofp %q : i32 to f64
    %next = arith.addf %acc, %f : f64
    scf.yield %next : f64
  }
  return %total : f64
}
func.func @main() -> f64 {
  %n = arith.constant 4 : index
  %half = arith.constant 0.5 : f64
  %r = call @sum(%n, %half) : (index, f64) -> f64
  return %r : f64
}
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "program.mlir"
    path.write_text(PROGRAM, encoding="utf-8")
    return path


def debugged(program: Path, *commands: str) -> list[str]:
    """What gdb prints for these commands."""
    asked = ("set debuginfod enabled off", "set breakpoint pending on", "set confirm off", *commands)
    done = subprocess.run(
        [
            *(require_program("gdb"), "-nx", "-batch"),
            *(word for command in asked for word in ("-ex", command)),
            *("--args", sys.executable, "-m", "fathom.cli", "run", "-g", str(program)),
        ],
        capture_output=True,
        encoding="utf-8",
        timeout=TIMEOUT,
        check=False,
    )
    return done.stdout.splitlines()


def test_gdb_stops_at_a_line_and_shows_variables(program: Path) -> None:
    said = debugged(
        program,
        *("break program.mlir:11", "run", "info args", "continue", "continue", "print i", "print acc", "print k"),
        *("delete", "break square", "continue", "backtrace 3", "next", "print y", "continue"),
    )
    text = "\n".join(said)
    assert "11\t    %f = arith.sitofp %q : i32 to f64" in said, text
    # The third time around: 0.5 + 0 + 1, and 2 is squared.
    assert ("n = 4" in said, "start = 0.5" in said) == (True, True), text
    assert [line for line in said if line.startswith("$")] == ["$1 = 2", "$2 = 1.5", "$3 = 2", "$4 = 9"], text
    frames = [line.rpartition("/")[2].rpartition(" ")[2] for line in said if line.startswith(("#0", "#1", "#2"))]
    assert frames == ["program.mlir:2", "program.mlir:10", "program.mlir:20"], text
    assert any(line.startswith("#0  square (x=3)") for line in said), text
    assert "14.5" in said, text


def check_run(program: Path, *options: str, says: tuple[int, str, str]) -> None:
    """The program runs in the process that is asked, and limits it for good: one of its own."""
    command = [sys.executable, "-m", "fathom.cli", "run", "-g", str(program), *options]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=TIMEOUT, check=False)
    status, stdout, told = says
    assert (done.returncode, done.stdout) == (status, stdout)
    assert told in done.stderr if told else not done.stderr


@pytest.mark.parametrize("options", [(), ("-O2",), ("--check",)])
def test_the_result_is_the_same(program: Path, options: tuple[str, ...]) -> None:
    check_run(program, *options, says=(0, "14.5\n", ""))


def test_what_cannot_be_linked_is_told(tmp_path: Path) -> None:
    path = tmp_path / "lacking.mlir"
    path.write_text("func.func private @lacking()\nfunc.func @main() {\n  call @lacking() : () -> ()\n  return\n}\n")
    check_run(path, says=(1, "", "the program calls @lacking, which nothing defines"))


def test_numbers_with_names_are_variables() -> None:
    text = """\
func.func @f(%a: i1, %m: memref<2xf32>, %b: f32) {
  %0 = arith.constant 1 : i64
  %s:2 = scf.if %a -> (i32, f32) {
    %t = arith.constant 2 : i32
    scf.yield %t, %b : i32, f32
  } else {
    %t = arith.constant 3 : i32
    scf.yield %t, %b : i32, f32
  }
  return
}
"""
    module = load(text).module
    add_debug_information(module, text, locator(text, "/src/f.mlir"), default_context())
    printed = print_module(module, PrintingFlags(debug_info=True))
    variables = [line for line in printed.splitlines() if "= #llvm.di_local_variable<" in line]
    told = [line.partition("<scope = ")[2].partition(", file")[0] for line in variables]
    blocks = ('#di_lexical_block, name = "t"', '#di_lexical_block1, name = "t"')
    assert sorted(told) == sorted(
        [*blocks, *(f'#di_subprogram, name = "{name}"' for name in ("%0", "a", "b", "s", "s#1"))]
    )
