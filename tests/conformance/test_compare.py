"""The figures in `docs/conformance.md` group like with like."""

from __future__ import annotations

import pytest

from tests.conformance.asking import first_error
from tests.conformance.compare import difference, normalise
from tests.conformance.corpus import split


def test_pieces_are_cut_at_separators() -> None:
    pieces = split("a.mlir", "module {}\n// -----\n\n// ----- again\nfunc.func private @f()\n")
    assert [(piece.name, piece.text) for piece in pieces] == [
        ("a.mlir#0", "module {}\n"),
        ("a.mlir#2", "func.func private @f()\n"),
    ]


@pytest.mark.parametrize(
    ("message", "group"),
    [
        ("use of undeclared SSA value name", "use of undeclared SSA value name"),
        ("'arith.addi' op operand #0 must be integer", "`arith.addi` op operand N must be integer"),
        ("use of value '%a' expects 'i32' vs 'f32'", "use of value '…' expects '…' vs '…'"),
    ],
)
def test_messages_are_grouped(message: str, group: str) -> None:
    assert normalise(message) == group


def test_first_error_is_found() -> None:
    assert first_error("<stdin>:1:2: error: expected ')'\nx\n ^\n<stdin>:3:1: error: other\n") == "expected ')'"


@pytest.mark.parametrize(
    ("actual", "expected", "group"),
    [
        ("  %0 = arith.addi %a, %b : i32", "  %1 = arith.addi %a, %b : i32", "`arith.addi`: names of values"),
        (
            "  %0 = arith.addi %a, %b : i32",
            "  %0 = arith.muli %a, %b : i32",
            "`arith.muli` expected, `arith.addi` printed",
        ),
        ("  func.func @f() {", "  func.func @f() attributes {a} {", "`func.func`: text"),
        ('  "a.b"() {x} : () -> ()', '  "a.b"() {y} : () -> ()', "`a.b`: attributes"),
    ],
)
def test_differences_are_grouped(actual: str, expected: str, group: str) -> None:
    assert difference(actual, expected) == group


def test_a_difference_of_what_is_not_defined_is_the_dialects() -> None:
    def check(actual: str, expected: str, group: str) -> None:
        assert difference(actual, expected, ["pdl.operand"]) == group

    blamed = "operation of a dialect that is not defined: pdl"
    check("  %0 = pdl.operand", "  %0 = operand", blamed)
    check("module {", "#map = affine_map<(d0) -> (d0)>", blamed)
    check("  %0 = arith.addi %a, %a : i32", "  %1 = arith.addi %a, %a : i32", "`arith.addi`: names of values")
