"""The command line: what it prints, where it reports mistakes, and with which status it ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fathom.cli import COMMANDS
from tests.cli.running import fathom
from tests.oracles import run_tool

ADD = "func.func @f(%a: i32) -> i32 {\n  %0 = arith.addi %a, %a : i32\n  return %0 : i32\n}\n"
MAIN = "func.func @main(%a: i32, %b: i32) -> i32 {\n  %0 = arith.muli %a, %b : i32\n  return %0 : i32\n}\n"

WRONG = {
    "undeclared": "func.func @f(%a: i32) -> i32 {\n  return %b : i32\n}\n",
    "tab": "func.func @f(%a: i32) -> i32 {\n\treturn\t%b : i32\n}\n",
    "beyond-ascii": 'func.func @f(%a: i32) -> i32 {\n  "é.x"() : () -> ()\n  return %a : i32\n}\n',
    "unregistered": 'func.func @f() {\n  "foo.bar"() : () -> ()\n  return\n}\n',
    "unregistered-attribute": "func.func private @f() attributes {a = #foo.bar<1 -> 2> : i32}\n",
    "unregistered-attribute-without-type": 'func.func private @f() attributes {a = "#x.y", b = #foo<"x">}\n',
    "unregistered-type": "func.func private @f(!foo.bar)\n",
    "unregistered-type-in-an-alias": "!a = !foo<bar>\n",
    "argument-attributes-without-arguments": "func.func private @f() attributes { arg_attrs = [{}] }\n",
    "result-attributes-without-results": "func.func private @f() attributes { res_attrs = [{}] }\n",
    "unknown-of-a-dialect": "func.func @f() {\n  arith.foo\n  return\n}\n",
}


def check_output(arguments: list[str], text: str, expected: str) -> None:
    """The command succeeds, silently but for `expected`."""
    assert fathom(*arguments, text=text) == (0, expected, "")


def check_errors(arguments: list[str], text: str, expected: str) -> None:
    """The command fails and prints nothing but `expected`, to standard error."""
    assert fathom(*arguments, text=text) == (1, "", expected)


def check_as_the_oracle(arguments: list[str], text: str) -> None:
    """`fathom opt` ends and prints as mlir-opt does."""
    answer = run_tool("mlir-opt", arguments, text)
    assert fathom("opt", *arguments, text=text) == (answer.status, answer.stdout, answer.stderr)


def test_help_names_the_commands() -> None:
    status, text, _ = fathom("--help")
    assert status == 0
    assert all(f"  {command} " in text for command in COMMANDS)
    assert fathom() == (0, text, "")


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command_shows_an_example(command: str) -> None:
    status, text, errors = fathom(command, "--help")
    assert (status, errors) == (0, "")
    assert f"example:\n  fathom {command}" in text


def test_help_is_also_a_command() -> None:
    assert fathom("help", "run") == fathom("run", "--help")
    assert fathom("help") == fathom("help", "frobnicate") == fathom("--help")


def test_an_unknown_command() -> None:
    check_errors(["frobnicate"], "", "fathom: unknown command 'frobnicate'.  Try: 'fathom --help'\n")


# ---- opt


def test_opt_prints_as_the_oracle_does() -> None:
    for flags in ([], ["--convert-arith-to-llvm"], ["-mlir-print-op-generic"], ["--mlir-print-debuginfo"]):
        check_output(["opt", *flags], ADD, run_tool("mlir-opt", flags, ADD).stdout)


def test_opt_reads_and_writes_files(tmp_path: Path) -> None:
    source, target = tmp_path / "in.mlir", tmp_path / "out.mlir"
    source.write_text(ADD, encoding="utf-8")
    check_output(["opt", str(source), "-o", str(target)], "", "")
    assert "arith.addi" in target.read_text(encoding="utf-8")


def test_opt_of_a_file_that_is_not_there() -> None:
    check_errors(["opt", "nowhere.mlir"], "", "cannot open input file 'nowhere.mlir': No such file or directory\n")


def test_opt_runs_passes_in_the_order_of_the_flags() -> None:
    flags = ["--mlir-print-ir-after-all", "--convert-func-to-llvm", "--convert-arith-to-llvm"]
    status, _, errors = fathom("opt", *flags, text=ADD)
    assert status == 0
    assert errors == run_tool("mlir-opt", flags, ADD).stderr


def test_opt_runs_a_pipeline_as_text() -> None:
    pipeline = "--pass-pipeline=builtin.module(func.func(convert-scf-to-cf),any(convert-arith-to-llvm))"
    check_output(["opt", pipeline], ADD, run_tool("mlir-opt", [pipeline], ADD).stdout)


def test_opt_takes_a_pipeline_or_flags() -> None:
    check_errors(
        ["opt", "--convert-arith-to-llvm", "--pass-pipeline=builtin.module()"],
        ADD,
        "<unknown>:0: error: '-pass-pipeline' option can't be used with individual pass options\n",
    )


def test_opt_splits_its_input() -> None:
    text = ADD + "// -----\n" + WRONG["undeclared"] + "// -----\n" + ADD
    status, output, errors = fathom("opt", "--split-input-file", text=text)
    answer = run_tool("mlir-opt", ["--split-input-file"], text)
    assert (status, output, errors) == (answer.status, answer.stdout, answer.stderr)


@pytest.mark.parametrize("name", WRONG)
def test_opt_reports_as_the_oracle_does(name: str) -> None:
    answer = run_tool("mlir-opt", [], WRONG[name])
    check_errors(["opt"], WRONG[name], answer.stderr)


def test_opt_reports_all_mistakes() -> None:
    check_errors(
        ["opt"],
        "func.func @f() {\n  return %x : i32\n}\nfunc.func @g() {\n  return %y : i32\n}\n",
        "<stdin>:2:10: error: use of undeclared SSA value name\n  return %x : i32\n         ^\n"
        "<stdin>:5:10: error: use of undeclared SSA value name\n  return %y : i32\n         ^\n",
    )


def test_opt_reports_what_the_verifier_finds_with_notes() -> None:
    text = "func.func @f() {\n  return\n}\nfunc.func @f() {\n  return\n}\n"
    for flags in ([], ["--mlir-print-op-on-diagnostic=0"]):
        check_as_the_oracle([*flags], text)


def test_opt_keeps_unregistered_dialects_when_allowed() -> None:
    text = WRONG["unregistered"]
    flag = "--allow-unregistered-dialect"
    check_output(["opt", flag], text, run_tool("mlir-opt", [flag], text).stdout)


def test_opt_does_not_know_an_option() -> None:
    check_errors(
        ["opt", "--convert-arith-to-lvm"],
        ADD,
        "fathom opt: Unknown command line argument '--convert-arith-to-lvm'.  Try: 'fathom opt --help'\n"
        "fathom opt: Did you mean '--convert-arith-to-llvm'?\n",
    )


# ---- translate


def test_translate_prints_as_the_oracle_does() -> None:
    text = "llvm.func @f(%a: i32) -> i32 {\n  %0 = llvm.add %a, %a : i32\n  llvm.return %0 : i32\n}\n"
    check_output(["translate", "--mlir-to-llvmir"], text, run_tool("mlir-translate", ["--mlir-to-llvmir"], text).stdout)


def test_translate_reports_what_it_cannot() -> None:
    status, output, errors = fathom("translate", text=ADD)
    assert (status, output) == (1, "")
    assert errors.startswith(
        "<stdin>:1:1: error: cannot be converted to LLVM IR: missing `LLVMTranslationDialectInterface` registration "
        "for dialect for op: func.func\nfunc.func @f(%a: i32) -> i32 {\n^\n<stdin>:1:1: note: "
    )


# ---- run


def test_run_prints_what_a_function_returns() -> None:
    check_output(["run", "-", "--args", "6,", "7"], MAIN, "42\n")


def test_run_calls_the_function_that_is_named() -> None:
    check_output(["run", "--entry", "f", "--args", "21"], ADD, "42\n")


def test_run_takes_negative_numbers_as_they_are_written() -> None:
    check_output(["run", "-", "--args", "-17,", "5"], MAIN, "-85\n")
    check_output(["run", "-", "--args", "-17", "-5"], MAIN, "85\n")


def test_run_shows_what_changed_in_memref_arguments() -> None:
    store = (
        "func.func @main(%m: memref<2xi32>, %v: i32) {\n  %c1 = arith.constant 1 : index\n"
        "  memref.store %v, %m[%c1] : memref<2xi32>\n  return\n}\n"
    )
    check_output(["run", "-", "--args", "[1, 2],", "7"], store, "argument #0: 1 of 2 elements changed\n  [1]: 2 -> 7\n")


def test_run_takes_a_number_below_zero_first() -> None:
    check_output(["run", "-", "--args", "-6,", "7"], MAIN, "-42\n")


def test_run_takes_a_level_of_optimisation_as_compilers_do() -> None:
    check_output(["run", "-O3", "--args", "6, 7"], MAIN, "42\n")


def test_run_prints_json() -> None:
    status, output, _ = fathom("run", "--json", "--args", "6, 7", text=MAIN)
    assert status == 0
    assert json.loads(output)["results"] == [42]


def test_run_without_a_function_to_call() -> None:
    check_errors(["run"], ADD, "<stdin>: error: no function '@main' with a body; name one with --entry: @f\n")


def test_run_reports_what_the_lowering_left_behind() -> None:
    text = "func.func @main(%t: tensor<*xf32>) -> tensor<*xf32> {\n  %0 = math.exp %t : tensor<*xf32>\n"
    text += "  return %0 : tensor<*xf32>\n}\n"
    status, output, errors = fathom("run", text=text)
    assert (status, output) == (1, "")
    assert "<stdin>:2:8: error: " in errors


def test_run_reports_arguments_that_do_not_fit() -> None:
    status, output, errors = fathom("run", "--args", "1", text=MAIN)
    assert (status, output) == (1, "")
    assert "argument" in errors


NESTED = """\
func.func @f() -> i32 {
  %0 = arith.constant 1 : i32
  return %0 : i32
}
module @inner {
  func.func @f() -> i32 {
    %0 = arith.constant 2 : i32
    return %0 : i32
  }
  func.func @g() -> i32 {
    %0 = call @f() : () -> i32
    return %0 : i32
  }
  module @"a::b" {
    func.func @"a name"() -> i32 {
      %0 = arith.constant 3 : i32
      return %0 : i32
    }
  }
}
"""


@pytest.mark.parametrize(
    ("entry", "result"),
    [
        ("f", "1"),
        ("@f", "1"),
        ("inner::f", "2"),
        ("@inner::@f", "2"),
        ("inner::g", "2"),
        ("g", "2"),
        ('inner::"a::b"::a name', "3"),
        ('@"a name"', "3"),
    ],
)
def test_run_finds_a_function_by_its_path(entry: str, result: str) -> None:
    check_output(["run", "--entry", entry], NESTED, f"{result}\n")


def test_run_does_not_look_for_a_function_elsewhere() -> None:
    for entry in ("inner::h", "f::inner", "inner::", "::f", ""):
        status, output, errors = fathom("run", f"--entry={entry}", text=NESTED)
        assert (status, output) == (1, "")
        assert "no function" in errors


ELSEWHERE = {
    "an unregistered operation": 'func.func @other() {\n  "foo.bar"() : () -> ()\n  return\n}\n',
    "an undeclared value": "func.func @other() -> i32 {\n  return %nowhere : i32\n}\n",
    "a mistake of syntax": "func.func @other( {\n  return\n}\n",
    "what is not verified": "func.func @other() -> i32 {\n  return\n}\n",
    "what nothing lowers": "func.func @other(%t: tensor<2xf32>) {\n  return\n}\n",
    "a module in it": "module @other {\n  func.func @main(%t: tensor<2xf32>) {\n    return\n  }\n}\n",
    "an operation that is none of the module's": '"foo.bar"() : () -> ()\n',
}


@pytest.mark.parametrize("what", ELSEWHERE)
def test_run_does_not_mind_what_another_function_holds(what: str) -> None:
    check_output(["run", "-", "--args", "6, 7"], MAIN + ELSEWHERE[what], "42\n")
    check_output(["run", "-", "--args", "6, 7"], ELSEWHERE[what] + MAIN, "42\n")


def test_run_minds_what_the_function_calls() -> None:
    text = "func.func @main() {\n  call @f() : () -> ()\n  return\n}\nfunc.func @f() {\n  return %x : i32\n}\n"
    status, output, errors = fathom("run", text=text)
    assert (status, output) == (1, "")
    assert errors.startswith("<stdin>:6:10: error: use of undeclared SSA value name")
