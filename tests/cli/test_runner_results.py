"""What `fathom run` does as mlir-runner does: results, refusals, and machine code in a file."""

from __future__ import annotations

import io
import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from fathom.cli import main
from tests.oracles import mlir_opt, mlir_runner, require_tool

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
    dumped = "-e", "whole", "--dump-object-file", f"--object-filename={file}"
    said = f"cannot open output file '{file}': No such file or directory\n"
    assert run(FUNCTIONS, *dumped) == (1, "", f"<stdin>: error: {said}")
    assert run(FUNCTIONS, *dumped, "--entry-point-result=i64") == (0, "-25\n", said)


def test_machine_code_for_a_debugger_is_not_optimised(tmp_path: Path) -> None:
    """Unless that is asked for: the loop stands in it."""
    text = """
func.func @main() -> i32 {
  %0 = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %1 = scf.for %i = %c0 to %c9 step %c1 iter_args(%sum = %0) -> i32 {
    %2 = arith.index_cast %i : index to i32
    %3 = arith.addi %sum, %2 : i32
    scf.yield %3 : i32
  }
  return %1 : i32
}
"""
    sizes = list[int]()
    for options in (["-g"], ["-g", "-O0"], ["-g", "-O2"]):
        file = tmp_path / "main.o"
        assert dumped_by_a_process(text, file, *options) == "36\n"
        sizes.append(file.stat().st_size)
    assert sizes[0] == sizes[1] > sizes[2]


def dumped_by_a_process(text: str, file: Path, *options: str) -> str:
    """What is printed; the program runs in the process that is called, so not in this one."""
    program = "import sys; from fathom.cli import main; sys.exit(main(sys.argv[1:], sys.stdin, sys.stdout, sys.stderr))"
    command = ["run", "-", "--dump-object-file", f"--object-filename={file}", *options]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "lowering")}
    done = subprocess.run(
        [sys.executable, "-c", program, *command],
        input=text,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


# ---- beside mlir-runner, on what it reads


def constant(type: str, value: str) -> str:
    made = f"%0 = llvm.mlir.constant({value} : {type}) : {type}"
    return f"llvm.func @main() -> {type} {{\n  {made}\n  llvm.return %0 : {type}\n}}\n"


SEVEN = constant("i32", "-7")
EXITS = """\
llvm.func @exit(i32)
llvm.func @main() {
  %0 = llvm.mlir.constant(5 : i32) : i32
  llvm.call @exit(%0) : (i32) -> ()
  llvm.return
}
"""
LINKED = """\
module {
  llvm.mlir.global internal constant @c(2 : i32) : i32
  llvm.func @kernel(i32) -> i32
  module @kernels {
    llvm.mlir.global internal constant @c(40 : i32) : i32
    llvm.func @kernel(%a: i32) -> i32 {
      %p = llvm.mlir.addressof @c : !llvm.ptr
      %v = llvm.load %p : !llvm.ptr -> i32
      %r = llvm.add %a, %v : i32
      %s = llvm.call @helper(%r) : (i32) -> i32
      %t = llvm.call @host(%s) : (i32) -> i32
      llvm.return %t : i32
    }
    llvm.func internal @helper(%a: i32) -> i32 { llvm.return %a : i32 }
    llvm.func @host(i32) -> i32
    llvm.func @given() -> i32 {
      %0 = llvm.mlir.constant(3 : i32) : i32
      llvm.return %0 : i32
    }
  }
  llvm.func internal @helper(%a: i32) -> i32 {
    %0 = llvm.mlir.constant(100 : i32) : i32
    llvm.return %0 : i32
  }
  llvm.func @host(%a: i32) -> i32 {
    %0 = llvm.call @helper(%a) : (i32) -> i32
    %1 = llvm.add %0, %a : i32
    llvm.return %1 : i32
  }
  llvm.func @main() -> i32 {
    %p = llvm.mlir.addressof @c : !llvm.ptr
    %v = llvm.load %p : !llvm.ptr -> i32
    %0 = llvm.call @kernel(%v) : (i32) -> i32
    llvm.return %0 : i32
  }
}
"""
SUPPORT = "/usr/lib/llvm-22/lib/libmlir_c_runner_utils.so"


@pytest.mark.parametrize(
    ("text", "options"),
    [
        (SEVEN, "--entry-point-result=i32"),
        (SEVEN, "--entry-point-result i32 -e main -O3"),
        (SEVEN, "--entry-point-result=i32 --O2"),
        (SEVEN, "-entry-point-result=i32 --O0"),
        (SEVEN, "--entry-point-result=void"),
        (SEVEN, "--entry-point-result=i64"),
        (SEVEN, "--entry-point-result=f32"),
        (SEVEN, "--entry-point-result=i8"),
        (SEVEN, "--entry-point-result=i32 -e nosuch"),
        (SEVEN, "--entry-point-result=i32 --mattr=+avx,-fma --mattr=sse2"),
        (SEVEN, f"--entry-point-result=i32 --shared-libs={SUPPORT},{SUPPORT} -shared-libs {SUPPORT}"),
        (SEVEN, "--entry-point-result=i32 --no-implicit-module"),
        (SEVEN, "--entry-point-result=i32 nosuch.mlir"),
        (SEVEN, "--entry-point-result=i32 -dump-object-file -object-filename=/nosuch/x.o"),
        (SEVEN, "--host-supports-jit"),
        (constant("i64", "-9223372036854775808"), "--entry-point-result=i64"),
        (constant("i1", "1"), "--entry-point-result=i32"),
        (constant("f32", "0.1"), "--entry-point-result=f32"),
        (constant("f32", "1.5e10"), "--entry-point-result=f32"),
        (constant("f32", "-0.0"), "--entry-point-result=f32"),
        (constant("f32", "0x7F800000"), "--entry-point-result=f32"),
        (constant("f32", "0xFF800000"), "--entry-point-result=f32"),
        (constant("f32", "0x7FC00000"), "--entry-point-result=f32"),
        (constant("f64", "0.1"), "--entry-point-result=f32"),
        ("llvm.func @main(%a: i32) -> i32 {\n  llvm.return %a : i32\n}\n", "--entry-point-result=i32"),
        ("llvm.func @main() -> i32\n", "--entry-point-result=i32"),
        ("", "--entry-point-result=void"),
        (f"module {{\n{SEVEN}}}\n", "--entry-point-result=i32"),
        (f"module {{\n{SEVEN}}}\n", "--entry-point-result=i32 --no-implicit-module"),
        (f"module {{\n{SEVEN}}}\nmodule {{}}\n", "--entry-point-result=i32"),
        (f"module {{\nmodule @inner {{\n{SEVEN}}}\n}}\n", "--entry-point-result=i32"),
        (EXITS, "--entry-point-result=void"),
        (LINKED, "--entry-point-result=i32 --link-nested-modules"),
        (LINKED, "--entry-point-result=i32 --link-nested-modules -e kernel -O2"),
        (LINKED, "--entry-point-result=i32 --link-nested-modules -e given"),
        (LINKED, "--entry-point-result=i32 --link-nested-modules --no-implicit-module"),
    ],
)
def test_status_output_and_words_of_mlir_runner(text: str, options: str) -> None:
    runner = require_tool("mlir-runner")
    theirs = subprocess.run([runner, *options.split()], input=text, capture_output=True, text=True, check=False)
    stdout, stderr = io.StringIO(), io.StringIO()
    status = main(["run", *options.split()], io.StringIO(text), stdout, stderr)
    assert (status, stdout.getvalue(), stderr.getvalue()) == (theirs.returncode, theirs.stdout, theirs.stderr)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (f"module {{\n{SEVEN}}}\n", "The module must contain exactly one nested module"),
        ("module {\nmodule {}\nmodule {}\n}\n", "The module must contain exactly one nested module"),
        (f"module {{\n{SEVEN}module {{\n{SEVEN}}}\n}}\n", "Linking globals named 'main': symbol multiply defined!"),
    ],
)
def test_modules_that_cannot_be_linked(text: str, why: str) -> None:
    status, out, said = run(text, "--entry-point-result=i32", "--link-nested-modules")
    assert (status, out) == (1, "")
    assert said.startswith(f"<stdin>:1:1: error: {why}\n")
    assert said.endswith("\nError: could not convert to LLVM IR\n")


def test_modules_are_linked_before_they_are_lowered() -> None:
    text = """\
module {
  memref.global "private" @n : memref<i32> = dense<5>
  func.func private @scaled(i32) -> i32
  func.func @main() -> i32 {
    %m = memref.get_global @n : memref<i32>
    %v = memref.load %m[] : memref<i32>
    %r = call @scaled(%v) : (i32) -> i32
    return %r : i32
  }
  module @kernels {
    memref.global "private" @n : memref<i32> = dense<3>
    func.func @scaled(%a: i32) -> i32 {
      %m = memref.get_global @n : memref<i32>
      %v = memref.load %m[] : memref<i32>
      %r = arith.muli %a, %v : i32
      return %r : i32
    }
  }
}
"""
    assert run(text, "--link-nested-modules") == (0, "15\n", "")


@pytest.mark.parametrize("options", ["--march=bogus", "--march=arm", "--march=x86-64"])
def test_a_machine_that_is_another(options: str) -> None:
    status, out, said = run(SEVEN, "--entry-point-result=i32", options)
    wanted = options.partition("=")[2]
    assert (status, out) == (1, "")
    assert said.startswith(
        f'Failed to create a TargetMachine for the host\nNo available targets are compatible with triple "{wanted}-'
    )
    assert run(SEVEN, "--entry-point-result=i32", f"--march={platform.machine()}") == (0, "-7\n", "")


def test_a_text_that_cannot_be_read() -> None:
    status, out, said = run("llvm.func @main( {", "--entry-point-result=i32")
    assert (status, out) == (1, "")
    assert said.endswith("\ncould not parse the input IR\n")


def test_a_feature_that_there_is_not() -> None:
    """LLVM says so, and goes on; each time, also where the code is kept."""
    status, out, said = run(SEVEN, "--entry-point-result=i32", "--mattr=+nosuch")
    assert (status, out) == (0, "-7\n")
    assert "'+nosuch' is not a recognized feature for this target (ignoring feature)" in said


def run(text: str, *options: str) -> tuple[int, str, str]:
    stdout, stderr = io.StringIO(), io.StringIO()
    status = main(["run", "-", *options], io.StringIO(text), stdout, stderr)
    return status, stdout.getvalue(), stderr.getvalue()
