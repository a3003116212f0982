"""`fathom run` as a shell calls it: its arguments, its answers in JSON, and its end."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from fathom.cli import main
from fathom.translation import verification
from tests.processes import descendants, is_running

ROOT = Path(__file__).resolve().parents[2]
GCD = ROOT / "examples" / "gcd.mlir"
SAXPY = ROOT / "examples" / "saxpy.mlir"
ADD = "func.func @f(%a: i32) -> i32 {\n  %0 = arith.addi %a, %a : i32\n  return %0 : i32\n}\n"
ENDLESS = "func.func @main() {\n  cf.br ^bb1\n^bb1:\n  cf.br ^bb1\n}\n"


def fathom(*arguments: str, text: str = "") -> tuple[int, str, str]:
    """Exit status, standard output and standard error."""
    stdout, stderr = io.StringIO(), io.StringIO()
    return main(["run", *arguments], io.StringIO(text), stdout, stderr), stdout.getvalue(), stderr.getvalue()


def check_run(arguments: list[str], expected: str, text: str = "") -> None:
    assert fathom(*arguments, text=text) == (0, expected, "")


def test_arguments_as_a_shell_splits_them() -> None:
    line = "--entry saxpy --args 2.0, [1, 2, 3], {shape: [3], fill: 10}".split()
    shown = fathom(str(SAXPY), *line)
    assert (shown[0], shown[2]) == (0, "")
    assert "  [2]: 10.0 -> 16.0\n" in shown[1]
    assert fathom(str(SAXPY), "--entry=saxpy", "--args", "2.0, [1, 2, 3], {shape: [3], fill: 10}") == shown
    assert fathom("--entry=saxpy", "--args", *"2.0 [1 2 3] {shape: [3] fill: 10}".split(), str(SAXPY)) == shown


def test_arguments_before_the_file() -> None:
    check_run(["--entry", "gcd", "--args", "1071", "462", str(GCD)], "21\n")
    check_run(["--entry", "gcd", "--args", "1071,", "462", str(GCD)], "21\n")
    check_run(["--entry", "f", "--args", "4", "-"], "8\n", ADD)


def test_an_entry_with_its_sign() -> None:
    check_run(["-e", "@f", "--args", "4"], "8\n", ADD)


def test_an_entry_of_another_part_of_the_file() -> None:
    def part(number: int) -> str:
        one = f"func.func @one() -> i32 {{\n  %0 = arith.constant {number} : i32\n  return %0 : i32\n}}\n"
        return one + "func.func @f() -> i32 {\n  %0 = call @one() : () -> i32\n  return %0 : i32\n}\n"

    text = f"{part(1)}// -----\n#m = affine_map<(d0) -> (d0)>\n{part(2)}// -----\nfunc.func private @f()\n{part(4)}"
    check_run(["--entry", "f"], "1\n", text)
    check_run(["--entry", "f#2"], "2\n", text)
    check_run(["--entry", "@f#4"], "4\n", text)
    status, output, errors = fathom("--entry", "f#3", text=text)
    listed = "@one, @f, @one#2, @f#2, @one#3, @f#4"
    assert (status, output) == (1, "")
    assert errors == f"<stdin>: error: no function '@f#3' with a body; name one with --entry: {listed}\n"


def test_an_entry_that_is_not_there() -> None:
    status, output, errors = fathom("--entry", "nosuch", text=ADD + ADD.replace("@f", "@g"))
    expected = "<stdin>: error: no function '@nosuch' with a body; name one with --entry: @f, @g\n"
    assert (status, output, errors) == (1, "", expected)
    many = "".join(ADD.replace("@f", f"@f{n}") for n in range(30))
    assert fathom(text=many)[2].endswith("@f18, @f19 and 10 more\n")
    assert "the input has none" in fathom(text="func.func private @f()\n")[2]
    # Nor does a mistake in another function hide what there is.
    errors = fathom("--entry", "nosuch", text=ADD + "func.func @g() {\n  x.y\n  return\n}\n")[2]
    assert "custom op 'x.y'" in errors
    assert errors.endswith("error: no function '@nosuch' with a body; name one with --entry: @f, @g\n")
    assert "no function" not in fathom(text="func.func @main( {")[2]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (
            ["--pass-pipeline=cse"],
            "<unknown>:0: error: expected pass pipeline to be wrapped with the anchor operation type, "
            "e.g. 'builtin.module(...)'\n",
        ),
        (
            ["--cse", "-p", "builtin.module(cse)"],
            "<unknown>:0: error: '-pass-pipeline' option can't be used with individual pass options\n",
        ),
    ],
)
def test_what_is_wrong_with_a_pipeline(arguments: list[str], expected: str) -> None:
    assert fathom(*arguments, text=ADD.replace("@f(%a: i32)", "@main(%a: i32)")) == (1, "", expected)


@pytest.mark.parametrize(
    ("arguments", "text", "kind", "words"),
    [
        ([], 'func.func @main() {\n  "foo.bar"() : () -> ()\n  return\n}\n', "lowering", "unregistered"),
        ([], "func.func @main(", "lowering", "expected"),
        (["-e", "g"], ADD, "lowering", "no function '@g'"),
        (["-e", "f", "--args", "1", "2"], ADD, "bad-argument", "expected 1"),
        (["-e", "f", "--args", "[[["], ADD, "bad-argument", "values separated by commas"),
        (["/nowhere.mlir"], "", "lowering", "cannot open input file"),
        (["--timeout=0.2"], ENDLESS, "timeout", "0.2 s"),
    ],
)
def test_answers_in_json(arguments: list[str], text: str, kind: str, words: str) -> None:
    status, output, errors = fathom("--json", *arguments, text=text)
    answer: Any = json.loads(output)
    assert (status, errors, answer["ok"], answer["failure"]["kind"]) == (1, "", False, kind)
    assert words in answer["failure"]["message"]


ASSEMBLY = """
func.func @main(%a: i32) -> i32 {{
  %0 = llvm.inline_asm "{}", "{}" %a : (i32) -> i32
  return %0 : i32
}}
"""


def test_inline_assembly() -> None:
    assert fathom("--args", "7", text=ASSEMBLY.format("", "=r,0")) == (0, "7\n", "")


@pytest.mark.parametrize(
    ("assembly", "constraints", "words"),
    [
        ("nop", "=zz,!!", "number of input constraints does not match number of parameters"),
        ("bogus", "=r,r", "invalid instruction mnemonic 'bogus'"),
        ("nop", "={nosuch},r", "couldn't allocate output register for constraint '{nosuch}'"),
    ],
)
def test_inline_assembly_that_llvm_refuses(assembly: str, constraints: str, words: str) -> None:
    text = ASSEMBLY.format(assembly, constraints)
    status, output, errors = fathom("--args", "7", text=text)
    first, *source = errors.splitlines()
    assert (status, output, source) == (1, "", [text.splitlines()[2], "       ^"])
    assert first == f"<stdin>:3:8: error: 'llvm.inline_asm' op is refused by LLVM: {words}"


MISMATCHED = """\
llvm.func @g(i32) -> i64
llvm.func @main() -> i32 {
  %0 = llvm.mlir.constant(7 : i32) : i32
  %1 = llvm.call musttail @g(%0) : (i32) -> i64
  %2 = llvm.trunc %1 : i64 to i32
  llvm.return %2 : i32
}
"""


@pytest.mark.parametrize("options", [[], ["--check"], ["-O0"], ["--no-cache"], ["--entry-point-result=i32"]])
def test_what_llvm_has_against_a_program_is_told_with_its_place(options: list[str]) -> None:
    why = "cannot guarantee tail call due to mismatched return types"
    shown = "  %1 = llvm.call musttail @g(%0) : (i32) -> i64\n       ^\n"
    assert fathom(*options, text=MISMATCHED) == (
        1,
        "",
        f"<stdin>:4:8: error: 'llvm.call' op is refused by LLVM: {why}\n{shown}",
    )


def test_llvm_is_asked_about_a_program_only_if_it_does_not_compile_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is loaded in the worker anyway."""
    asked: list[str] = []

    def verify(text: str) -> list[str]:
        asked.append(text)
        return ["no"]

    monkeypatch.setattr(verification, "verify_ir", verify)
    assert fathom("-e", "f", "--no-cache", "--args", "3", text=ADD) == (0, "6\n", "")
    assert not asked
    assert fathom("--no-cache", text=MISMATCHED)[0] == 1
    assert asked


@pytest.mark.parametrize("timeout", ["0", "-1", "nan", "inf", "1e300", "soon"])
def test_times_that_are_none(timeout: str) -> None:
    status, output, errors = fathom(f"--timeout={timeout}", "-e", "f", text=ADD)
    assert (status, output) == (1, "")
    assert errors.startswith("fathom run: for the --timeout option: ")


pytestmark = pytest.mark.usefixtures("interruptible")


def process(*arguments: str, text: str) -> subprocess.Popen[bytes]:
    """`fathom run` as a process of its own, which has read the text."""
    paths = [str(ROOT / "lowering"), *filter(None, [os.environ.get("PYTHONPATH")])]
    running = subprocess.Popen(
        [sys.executable, "-m", "fathom.cli", "run", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        start_new_session=True,
    )
    assert running.stdin is not None
    running.stdin.write(text.encode())
    running.stdin.close()
    running.stdin = None
    return running


@pytest.mark.skipif(sys.platform != "linux", reason="processes are followed on Linux only")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("contained", ["--contained", "--contained=false"])
def test_nothing_is_left_when_it_is_ended(number: signal.Signals, contained: str) -> None:
    running = process("--timeout=60", contained, text=ENDLESS)
    until = time.monotonic() + 300
    while len(family := descendants(running.pid)) < 2 and time.monotonic() < until:
        time.sleep(0.05)
    time.sleep(0.5)
    family = descendants(running.pid)
    assert len(family) >= 2
    running.send_signal(number)
    output, errors = running.communicate(timeout=300)
    assert (output, errors) == (b"", b"")
    assert running.returncode == (130 if number == signal.SIGINT else -number)
    until = time.monotonic() + 300
    while any(map(is_running, family)) and time.monotonic() < until:
        time.sleep(0.05)
    assert not any(map(is_running, family))


def test_program_may_print_more_where_that_is_said() -> None:
    text = """
func.func @main() {
  %c = arith.constant 7 : i32
  vector.print %c : i32
  vector.print %c : i32
  return
}
"""
    assert fathom("--output-limit=2", text=text)[0] == 1
    check_run(["--output-limit=4"], "7\n7\n", text)


def test_program_may_allocate_as_much_as_is_said() -> None:
    text = """
func.func @main() -> memref<9000000xi8> {
  %m = memref.alloc() : memref<9000000xi8>
  return %m : memref<9000000xi8>
}
"""
    status, _, errors = fathom("--memory-limit=1000000", text=text)
    assert (status, "beyond its limit of 1000000 bytes of memory" in errors) == (1, True)
    assert fathom("--memory-limit=100000000", text=text)[0] == 0


@pytest.mark.parametrize(("layout", "expected"), [("column-major", "( 2, 1, 4, 3 )"), ("row-major", "( 3, 4, 1, 2 )")])
@pytest.mark.parametrize("level", ["0", "2"])
def test_how_matrices_stand_in_vectors(layout: str, expected: str, level: str) -> None:
    text = """
llvm.func @multiply(%a: vector<4xf32>, %b: vector<4xf32>) -> vector<4xf32> {
  %0 = llvm.intr.matrix.multiply %a, %b {lhs_rows = 2 : i32, lhs_columns = 2 : i32, rhs_columns = 2 : i32}
      : (vector<4xf32>, vector<4xf32>) -> vector<4xf32>
  llvm.return %0 : vector<4xf32>
}
func.func @main() {
  %a = arith.constant dense<[0.0, 1.0, 1.0, 0.0]> : vector<4xf32>
  %b = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : vector<4xf32>
  %0 = llvm.call @multiply(%a, %b) : (vector<4xf32>, vector<4xf32>) -> vector<4xf32>
  vector.print %0 : vector<4xf32>
  return
}
"""
    check_run(["-O", level, f"--matrix-default-layout={layout}"], expected + "\n", text)


def test_constructors_come_first_and_destructors_last() -> None:
    printing = (
        "llvm.func @{0}() {{\n  %0 = llvm.mlir.constant({1} : i32) : i32\n  vector.print %0 : i32\n  llvm.return\n}}\n"
    )
    functions = "".join(printing.format(*each) for each in (("second", 2), ("first", 1), ("main", 3), ("last", 4)))
    text = f"""
llvm.mlir.global_ctors ctors = [@second, @first], priorities = [9 : i32, 1 : i32], data = [#llvm.zero, #llvm.zero]
llvm.mlir.global_dtors dtors = [@last], priorities = [0 : i32], data = [#llvm.zero]
{functions}"""
    check_run([], "1\n2\n3\n4\n", text)
