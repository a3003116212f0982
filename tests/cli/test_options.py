"""Options of `fathom opt` against mlir-opt's: what is printed to both streams, and the exit status."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fathom.cli.input_options import SPLIT
from fathom.cli.opt import COMMAND
from tests.cli.test_cli import check_as_the_oracle, check_errors, check_output, fathom
from tests.oracles import run_tool

LOOP = """\
func.func @f(%a: i32, %m: memref<2xi32>) -> i32 {
  %0 = arith.addi %a, %a : i32
  %1:2 = scf.while (%x = %0, %y = %a) : (i32, i32) -> (i32, i32) {
    %c = arith.constant true
    scf.condition(%c) %x, %y : i32, i32
  } do {
  ^bb0(%x: i32, %y: i32):
    scf.yield %x, %x : i32, i32
  }
  return %0 : i32 loc("inner"("f.mlir":7:8))
}
"""

ELEMENTS = """\
module attributes {
  a.few = dense<[1, 2, 3]> : tensor<3xi32>, a.splat = dense<1> : tensor<200xi32>,
  a.text = dense<["a", "b", "c"]> : tensor<3x!llvm.ptr>, a.big = dense_resource<big> : tensor<2xi32>,
  a.sparse = sparse<[[0], [1], [2]], [1, 2, 3]> : tensor<9xi32>
} {}
{-# dialect_resources: { builtin: { big: "0x0400000001000000020000000300000004000000" } } #-}
"""

NAMED = """\
func.func @f(%a: i32 loc("left"), %b: i32) -> i32 {
  %0 = arith.addi %a, %b : i32 loc("sum")
  %1 = arith.addi %0, %b : i32 loc("sum"("x.py":1:2))
  return %1 : i32
}
"""

PRINTING = (
    "--mlir-print-op-generic",
    "--mlir-print-debuginfo",
    "--mlir-print-local-scope",
    "--mlir-print-skip-regions",
    "--mlir-print-value-users",
    "--mlir-print-unique-ssa-ids",
    "--mlir-print-assume-verified",
    "--mlir-print-debuginfo --mlir-pretty-debuginfo",
    "--mlir-print-debuginfo --mlir-print-local-scope",
    "--mlir-print-op-generic --mlir-print-skip-regions",
    "--mlir-print-op-generic --mlir-print-value-users",
)


@pytest.mark.parametrize("options", PRINTING)
def test_ways_to_print(options: str) -> None:
    check_as_the_oracle(options.split(), LOOP)


@pytest.mark.parametrize("limit", [0, 2, 3, 200])
def test_long_elements_are_left_out(limit: int) -> None:
    check_as_the_oracle([f"--mlir-elide-elementsattrs-if-larger={limit}"], ELEMENTS)


@pytest.mark.parametrize("limit", [-1, 0, 2, 3])
def test_long_elements_are_hexadecimal(limit: int) -> None:
    check_as_the_oracle([f"--mlir-print-elementsattrs-with-hex-if-larger={limit}"], ELEMENTS)


@pytest.mark.parametrize("limit", [0, 20, 40, 50])
def test_long_resources_are_left_out(limit: int) -> None:
    check_as_the_oracle([f"--mlir-elide-resource-strings-if-larger={limit}"], ELEMENTS)


def test_values_are_named_after_their_locations() -> None:
    check_as_the_oracle(["--mlir-use-nameloc-as-prefix"], NAMED)


@pytest.mark.parametrize(
    "options",
    [
        "--mlir-print-ir-before-all",
        "--mlir-print-ir-after-all",
        "--mlir-print-ir-after-all --mlir-print-ir-after-change",
        "--mlir-print-ir-before=convert-arith-to-llvm --mlir-print-ir-after=convert-func-to-llvm",
        "--mlir-print-ir-after-all --mlir-print-ir-module-scope",
        "--mlir-print-ir-after-all --mlir-print-local-scope",
        "--mlir-print-ir-after-failure",
        "--dump-pass-pipeline",
    ],
)
def test_looking_on(options: str) -> None:
    pipeline = "builtin.module(func.func(convert-scf-to-cf,convert-arith-to-llvm),convert-func-to-llvm)"
    check_as_the_oracle(["--mlir-disable-threading", *options.split(), f"--pass-pipeline={pipeline}"], LOOP)


def test_the_ir_goes_to_a_tree_of_files(tmp_path: Path) -> None:
    def tree(folder: Path) -> dict[str, str]:
        return {str(p.relative_to(folder)): p.read_text("utf-8") for p in folder.rglob("*") if p.is_file()}

    pipeline = "--pass-pipeline=builtin.module(func.func(convert-scf-to-cf,convert-arith-to-llvm),convert-func-to-llvm)"
    flags = ["--mlir-disable-threading", "--mlir-print-ir-after-all", pipeline]
    run_tool("mlir-opt", [*flags, f"--mlir-print-ir-tree-dir={tmp_path / 'theirs'}"], LOOP)
    assert fathom("opt", *flags, f"--mlir-print-ir-tree-dir={tmp_path / 'ours'}", text=LOOP)[0] == 0
    assert tree(tmp_path / "ours") == tree(tmp_path / "theirs") != {}


def test_the_input_may_be_one_operation() -> None:
    check_as_the_oracle(["--no-implicit-module"], LOOP)
    check_as_the_oracle(["--no-implicit-module"], LOOP + LOOP.replace("@f", "@g"))


def test_a_round_trip_is_verified() -> None:
    for text in (LOOP, NAMED):
        check_as_the_oracle(["--verify-roundtrip"], text)


def test_a_near_miss_of_the_split_marker() -> None:
    one = "func.func @f() {\n  return\n}\n"
    for text in (f"{one}// ---\n{one}", f"{one}// -----\n{one}// ----- \n{one}", f"{one}// -----", ""):
        check_as_the_oracle(["--split-input-file", "--mlir-print-op-on-diagnostic=false"], text)
    check_as_the_oracle(["--split-input-file=// ====", "--output-split-marker=// +"], f"{one}// ====\n{one}")


@pytest.mark.parametrize("dash", ["-", "--"])
def test_an_option_takes_one_dash_or_two(dash: str) -> None:
    check_output(["opt", f"{dash}split-input-file"], "", "")


@pytest.mark.parametrize(
    "arguments",
    [
        ["--frobnicate"],
        ["-verify-diagnostics=foo"],
        ["--verify-each=7"],
        ["--mlir-elide-elementsattrs-if-larger=abc"],
        ["--mlir-print-ir-before=foo"],
        ["-o"],
        ["a", "b"],
    ],
    ids=" ".join,
)
def test_mistakes_on_the_command_line(arguments: list[str]) -> None:
    answer = run_tool("mlir-opt", arguments, "")
    status, output, errors = fathom("opt", *arguments)
    assert (status, output) == (answer.status, answer.stdout) == (1, "")
    assert without_guesses(errors) == without_guesses(re.sub(r"[\w/.-]*mlir-opt[\w-]*", "fathom opt", answer.stderr))


def without_guesses(text: str) -> list[str]:
    """The lines but for those that guess what was meant."""
    return [line for line in text.splitlines() if "Did you mean" not in line]


def test_notes_are_left_out() -> None:
    text = "func.func @f()\nfunc.func @f() {\n  return\n}\n"
    expected = "<stdin>:2:1: error: redefinition of symbol named 'f'\nfunc.func @f() {\n^\n"
    check_errors(
        ["opt", "--mlir-disable-diagnostic-notes"],
        text.replace("func.func @f()\n", "func.func private @f()\n"),
        expected,
    )


def test_what_is_not_supported_is_refused() -> None:
    check_errors(
        ["opt", "--load-pass-plugin=x"],
        "",
        "fathom opt: for the --load-pass-plugin option: not supported: libraries of C++ cannot be loaded here\n",
    )


def test_the_times_are_told() -> None:
    for form, word in (
        ((), "Parser"),
        (["--mlir-timing-display=list"], "root"),
        (["--mlir-output-format=json"], '"Rest"'),
        (["--mlir-output-format=json", "--mlir-timing-display=list"], '"root"},'),
    ):
        status, output, errors = fathom("opt", "--mlir-timing", *form, "--convert-arith-to-llvm", text=LOOP)
        assert (status, output[:6]) == (0, "module")
        assert word in errors and "ArithToLLVMConversionPass" in errors and "Total" in errors


def test_the_time_of_a_translation_is_told() -> None:
    program = "llvm.func @f() {\n  llvm.return\n}\n"
    status, output, errors = fathom("translate", "--mlir-timing", text=program)
    assert (status, errors.count("Translate MLIR to LLVMIR"), "Total" in errors) == (0, 1, True)
    status, _, errors = fathom("translate", "--import-llvm", "--mlir-timing", text=output)
    assert (status, "Translate LLVMIR to MLIR" in errors) == (0, True)


def test_a_table_of_options_has_each_name_once() -> None:
    names = [option.name for group in COMMAND.groups for option in group.options]
    assert len(names) == len(set(names))
    assert SPLIT.name in names


def test_dialects_are_listed() -> None:
    status, output, _ = fathom("opt", "--show-dialects")
    assert status == 0
    assert output.startswith("Available Dialects: acc,affine,amdgpu,amx,arith,")


def test_what_passes_count_is_told() -> None:
    text = "func.func @f() {\n  %a = arith.constant 1 : i32\n  return\n}\n"
    nested = "--pass-pipeline=builtin.module(func.func(cse,mem2reg),symbol-dce)"
    rule = "===" + "-" * 73 + "==="
    head = f"{rule}\n{' ' * 25}... Pass statistics report ...\n{rule}\n"
    counted = "(S) 0 num-cse'd - Number of operations CSE'd", "(S) 1 num-dce'd - Number of operations DCE'd"
    args = "new block args - Total amount of new block argument inserted in blocks"
    slots = "promoted slots - Total amount of memory slot promoted"
    status, _, errors = fathom("opt", nested, "--mlir-pass-statistics", text=text)
    lines = ("'func.func' Pipeline", "  CSE", *(f"    {count}" for count in counted))
    lines = (*lines, "  Mem2Reg", f"    (S) 0 {args}", f"    (S) 0 {slots}", "SymbolDCE")
    assert (status, errors) == (0, head + "\n".join(lines) + "\n\n")
    _, _, errors = fathom("opt", nested, "--mlir-pass-statistics", "--mlir-pass-statistics-display=list", text=text)
    lines = ("  CSE", *(f"    {count}" for count in counted), "  Mem2Reg", f"    (S) 0 {args}", f"    (S) 0 {slots}")
    assert errors == head + "\n".join(lines) + "\n\n"
