"""`--verify-diagnostics`: which expectations are met, and the exact words where one is not.

The fixtures are in `tests/fixtures/expected_diagnostics`; mlir-opt is held against the same files.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from fathom.ir.locations import FileLineColLoc
from fathom.messages.expected_diagnostics import mismatches
from fathom.messages.message import UNKNOWN, Message
from fathom.messages.source import Source
from tests.cli.test_cli import check_as_the_oracle, fathom
from tests.oracles import run_tool

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures" / "expected_diagnostics"


def check_mismatches(text: str, messages: list[Message], *expected: str, only_expected: bool = False) -> None:
    """What is amiss between a text and messages, each as `line: text`, or the text alone without a place."""
    complaints = mismatches(Source("a.mlir", text), messages, only_expected=only_expected)
    shown = [
        f"{message.location.line}: {message.text}" if isinstance(message.location, FileLineColLoc) else message.text
        for message in complaints
    ]
    assert shown == list(expected)


def error(line: int, text: str, *notes: Message) -> Message:
    return Message("error", text, FileLineColLoc("a.mlir", line, 1), notes)


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("*.mlir")), ids=lambda path: path.stem)
@pytest.mark.parametrize("level", ["", "=all", "=only-expected"])
def test_fixture(path: Path, level: str) -> None:
    check_as_the_oracle(["--split-input-file", f"--verify-diagnostics{level}"], path.read_text(encoding="utf-8"))


def test_errors_that_stop_no_pass_are_there_beside_what_is_said_of_leftovers() -> None:
    text = """\
// expected-error@+1 {{Contains llvm.linkage attribute not of type LLVM::LinkageAttr}}
func.func private @f(i32) attributes {llvm.linkage = 3 : i64}
"""
    check_as_the_oracle(["--convert-func-to-llvm", "--reconcile-unrealized-casts", "--verify-diagnostics"], text)


def test_of_a_conversion_the_first_error_is_held_against_the_text() -> None:
    text = """\
func.func @left(%a: i128) {
  // expected-error@-1 {{failed to legalize operation 'func.func'}}
  %0 = arith.addi %a, %a : i128
  return
}
// -----
func.func @used(%a: i64) -> i64 {
  // expected-error@-1 {{from ('vector<2xi32>') to ('i64') that remained live after conversion}}
  // expected-note@+1 {{see existing live user here: cf.br ^bb1(%0 : i64)}}
  cf.br ^bb1(%a : i64)
^bb1(%b: i64):
  cf.br ^bb1(%b : i64)
}
"""
    check_as_the_oracle(["--arith-emulate-wide-int", "--split-input-file", "--verify-diagnostics"], text)


def test_translate_takes_each_part_as_a_source() -> None:
    text = "// -----\nllvm.func @f() {\n  llvm.unreachable\n}\n// -----\nllvm.func @f() { llvm.return %a : i32 }\n"
    for flags in (["--split-input-file"], ["--split-input-file", "--verify-diagnostics"]):
        answer = run_tool("mlir-translate", ["--mlir-to-llvmir", *flags], text.removeprefix("// -----\n"))
        outcome = fathom("translate", "--mlir-to-llvmir", *flags, text=text.removeprefix("// -----\n"))
        assert (outcome[0], outcome[2]) == (answer.status, answer.stderr)


def test_each_expectation_is_for_any_number_of_messages() -> None:
    text = "x // expected-error {{wrong}}\n"
    check_mismatches(text, [error(1, "this is wrong"), error(1, "that is wrong")])
    check_mismatches(text, [], '1: expected error "wrong" was not produced')


def test_an_unexpected_message() -> None:
    check_mismatches("x\n", [error(1, "wrong")], "1: unexpected error: wrong")
    check_mismatches("x\n", [error(1, "wrong")], only_expected=True)
    note = Message("note", "here", FileLineColLoc("a.mlir", 2, 1))
    check_mismatches("x // expected-error {{wrong}}\n\n", [error(1, "wrong", note)], "2: unexpected note: here")


def test_the_severity_counts() -> None:
    check_mismatches(
        "x // expected-warning {{wrong}}\n",
        [error(1, "wrong")],
        "1: 'error' diagnostic emitted when expecting a 'warning'",
        '1: expected warning "wrong" was not produced',
    )


def test_places_are_relative_to_lines_and_to_other_expectations() -> None:
    text = (
        "// expected-error @below {{a}}\n// expected-note @+2 {{b}}\n\nx\n"
        "// expected-error @above {{c}}\n// expected-error @-2 {{d}}\n"
    )
    note = Message("note", "b", FileLineColLoc("a.mlir", 4, 1))
    check_mismatches(text, [error(3, "a", note), error(4, "c"), error(4, "d")])


def test_a_message_without_a_place() -> None:
    text = "// expected-error @unknown {{lost}}\n"
    check_mismatches(text, [Message("error", "lost and found", UNKNOWN)])
    check_mismatches(text, [], 'expected error "lost" was not produced')


def test_an_expression_matches_across_lines_and_plain_text_does_not() -> None:
    check_mismatches("x // expected-error-re {{a.{{.*}}z}}\n", [error(1, "a.b\nz")])
    check_mismatches(
        "x // expected-error {{a{{.*}}z}}\n",
        [error(1, "abz")],
        "1: unexpected error: abz",
        '1: expected error "a{{.*}}z" was not produced',
    )
