"""Dumps in logs of MLIR's and LLVM's tools: what is listed, and the text of each, whatever stands around."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from fathom.dumps.log import MOST_DUMPS, read_log, text_of
from fathom.dumps.rows import rows_of_log, rows_of_tree
from fathom.dumps.tree import read_tree
from tests import oracles

MODULE = """\
#map = affine_map<(d0) -> (d0)>
module {
  func.func @f(%arg0: i32) -> i32 {
    return %arg0 : i32
  }
}
"""
FUNCTION = """\
func.func @f(%arg0: i32) -> i32 {
  cf.br ^bb1
^bb1:  // pred: ^bb0
  return %arg0 : i32
}
"""
LLVM = """\
define i32 @f(i32 %a) {
  br label %b
b:
  ret i32 %a
}
"""
SOURCE = """\
func.func @f(%a: i32) -> i32 {
  %c = arith.constant 1 : i32
  %d = arith.constant 1 : i32
  %0 = arith.addi %a, %c : i32
  %1 = arith.addi %0, %d : i32
  return %1 : i32
}
func.func private @"a b"(i32)
"""


def header(name: str, argument: str = "", *, when: str = "After", of: str = "") -> str:
    """A line as MLIR prints it."""
    return f"// -----// IR Dump {when} {name}{f' ({argument})' if argument else ''}{of} //----- //\n"


def check_log(log: str | bytes, *dumps: tuple[str, str, str]) -> None:
    """What a log has: of each dump the pass, what it ran on, and the text."""
    data = log.encode() if isinstance(log, str) else log
    read = read_log(data)
    assert [(each.pass_name, each.subject, text_of(data, each).text) for each in read.dumps] == [*dumps]


def test_each_dump_has_its_pass_what_it_ran_on_and_its_text() -> None:
    log = header("Canonicalizer", "canonicalize", of=" ('func.func' operation: @f)") + MODULE
    log += "\n\n" + header("CSE", "cse") + FUNCTION + "\n" + header("Old", of=" ('module' operation)") + MODULE
    check_log(log, ("canonicalize", "func.func @f", MODULE), ("cse", "", FUNCTION), ("Old", "module", MODULE))


def test_dumps_of_llvm_by_either_pass_manager() -> None:
    log = "*** IR Dump At Start ***\n; ModuleID = 'a'\n\n" + LLVM
    log += "; *** IR Dump After SROAPass on f ***\n" + LLVM + "*** IR Pass PassManager<Function> on f ignored ***\n"
    log += "*** IR Dump After EarlyCSEPass on f omitted because no change ***\n*** IR Deleted After Inliner on g ***\n"
    log += "; *** IR Dump Before 7-LoopPass<a on b> on loop %b in function f ***\n; Preheader:\n  br label %b\nb:\n"
    log += "# *** IR Dump After Finalize ISel (finalize-isel) ***:\n# Machine code for function f:\n  RET\n"
    log += "\n# End machine code for function f.\n\nld: no input files\n"
    check_log(
        log,
        ("the source", "", "; ModuleID = 'a'\n\n" + LLVM),
        ("SROAPass", "f", LLVM),
        ("EarlyCSEPass", "f", ""),
        ("Inliner", "g", ""),
        ("LoopPass<a", "b> on loop %b in function f", "; Preheader:\n  br label %b\nb:\n"),
        ("finalize-isel", "", "# Machine code for function f:\n  RET\n\n# End machine code for function f.\n"),
    )


def test_other_text_between_is_no_part_of_a_dump() -> None:
    log = "[1/2] Building\n" + header("A", "a") + MODULE + "input.mlir:3:4: error: oh\n  return\n"
    log += header("B", "b") + LLVM.replace("define", "llvm.func") + "[2/2] Linking\n}\n"
    log += header("C", "c") + "func.func private @g(i32) loc(unknown)\nclang: warning: unused\n"
    log += "; *** IR Dump After D on f ***\n" + LLVM + "warning: stack size\n" + LLVM
    check_log(
        log,
        ("a", "", MODULE),
        ("b", "", LLVM.replace("define", "llvm.func")),
        ("c", "", "func.func private @g(i32) loc(unknown)\n"),
        ("D", "f", LLVM),
    )


@pytest.mark.parametrize(
    "front",
    ["2026-01-31T10:20:{}.1234567Z ", "[job {}] ", "web_1 | ", "# | ", "  ", "\x1b[36m[{}]\x1b[0m ", "[ {:5}.25] "],
)
def test_what_a_log_puts_in_front_of_lines_is_taken_off(front: str) -> None:
    text = "begin\n" + header("A", "a") + MODULE + "\n\n" + header("B", "b") + FUNCTION + "done\n"
    lines = [front.format(number) + line for number, line in enumerate(text.splitlines(), 8)]
    if front.strip():
        lines.insert(4, "another program")
    for end in ("\n", "\r\n"):
        check_log(end.join(lines) + end, ("a", "", MODULE), ("b", "", FUNCTION))
    if front.strip():
        check_log("\n".join(line.rstrip() for line in lines), ("a", "", MODULE), ("b", "", FUNCTION))


def test_colours_and_links_of_a_terminal_are_taken_out() -> None:
    text = f"\x1b[1m{header('A', 'a').rstrip()}\x1b[0m\n" + MODULE.replace("return", "\x1b[38;5;9mreturn\x1b[m")
    check_log(text.replace("%arg0:", "\x1b]8;;http://x\x07%arg0\x1b]8;;\x07:"), ("a", "", MODULE))


def test_aliases_and_resources_behind_an_operation_are_part_of_it() -> None:
    text = MODULE + '#loc = loc("a":1:2)\n\n{-#\n  dialect_resources: {\n  }\n#-}\n'
    check_log(header("A", "a") + text + "more\n", ("a", "", text))


def test_what_only_looks_like_a_header_is_none() -> None:
    text = 'llvm.mlir.global @s("// -----// IR Dump After A (a) //----- //")\n'
    check_log(header("A", "a") + text, ("a", "", text))
    check_log("// -----// IR Dump After A\n*** IR Dump After A on f\n*** IR Dump ***\n*** IR nothing ***\n")
    check_log("x" * 5_000 + header("A", "a"))


def test_anything_can_be_read() -> None:
    check_log("")
    check_log(header("A", "a").rstrip(), ("a", "", ""))
    check_log(header("A", "a") + "func.func @f() {\n  a", ("a", "", "func.func @f() {\n  a\n"))
    check_log(header("A", "a").encode() + b"\xff\xfe\n", ("a", "", "\ufffd\ufffd\n"))
    check_log(b"\x00" * 100_000 + header("A", "a").encode())


@pytest.mark.parametrize(
    "piece",
    [
        "*** IR Dump After " + " (a) on b" * 400 + "\n",
        "// -----// IR Dump After " + " ('" * 1_000 + " //----- //\n",
        "1 " * 60 + "*** IR Dump After a on b ***\n" + "1" * 3_000 + "\n",
        "*** IR " * 500 + "\n",
        "\x1b[" * 1_500 + "// IR Dump \n",
    ],
)
def test_hostile_lines_end(piece: str) -> None:
    """What goes over a line again for each of its characters would not come to an end here."""
    data = (piece * 20_000).encode()[: 8 << 20]
    log = read_log(data)
    for dump in log.dumps[:2_000]:
        text_of(data, dump)


def test_so_many_dumps_are_listed_and_the_others_counted() -> None:
    log = read_log(b"; *** IR Dump After A on f ***\n" * (MOST_DUMPS + 7))
    assert (len(log.dumps), log.left_off) == (MOST_DUMPS, 7)


# ---- what the tools print


def test_what_mlir_opt_prints_in_a_log_and_in_a_folder(tmp_path: Path) -> None:
    file, folder = tmp_path / "a.mlir", tmp_path / "tree"
    file.write_text(SOURCE)
    flags = ["--pass-pipeline=builtin.module(func.func(canonicalize,cse),convert-arith-to-llvm)", str(file)]
    flags += ["--mlir-print-ir-after-all", "--mlir-disable-threading", "-o", "/dev/null"]
    tool = oracles.require_tool("mlir-opt")
    printed = subprocess.run([tool, *flags], capture_output=True, check=True, timeout=60).stderr
    log = read_log(printed)
    rows = [(row.dump.pass_name, row.subject, row.outcome) for row in rows_of_log(printed, log.dumps)]
    assert rows == [
        ("canonicalize", "func.func @f", ""),
        ("cse", "func.func @f", "unchanged"),
        ("canonicalize", 'func.func @"a b"', ""),
        ("cse", 'func.func @"a b"', "unchanged"),
        ("convert-arith-to-llvm", "module", ""),
    ]
    subprocess.run([tool, *flags, f"--mlir-print-ir-tree-dir={folder}"], check=True, timeout=60)
    tree = read_tree(folder)
    assert [each.dump.pass_name for each in tree] == ["canonicalize"] * 2 + ["cse"] * 2 + ["convert-arith-to-llvm"]
    in_folder = [(row.dump.pass_name, row.subject, row.outcome) for row in rows_of_tree(folder, tree)]
    assert sorted(in_folder) == sorted(rows)
