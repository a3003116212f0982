"""What is said beside the mistake where a name is not defined."""

from __future__ import annotations

import pytest

from fathom.context import default_context
from fathom.elaborate import load
from fathom.elaborate.suggestions import FEW, with_suggestions
from fathom.spelling import nearest


def check_notes(text: str, expected: list[str]) -> None:
    """The notes about the mistakes of a text, in its order."""
    loaded = load(text)
    diagnostics = with_suggestions(
        loaded.diagnostics, loaded.elaborated, default_context(), lambda start, end: text[start:end]
    )
    assert [note.message for diagnostic in diagnostics for note in diagnostic.notes if note.hint] == expected


def body(*lines: str) -> str:
    return "\n".join(["func.func @f(%first: i32, %c: i1) {", *lines, "}", ""])


@pytest.mark.parametrize(
    ("written", "note"),
    [
        ("%frist", "'%frist' is not defined here; did you mean '%first'?"),
        ("%firstly", "'%firstly' is not defined here; did you mean '%first'?"),
        ("%pair#0", "'%pair' is not defined here"),
        ("%x", "'%x' is not defined here"),
        ("%secnd", "'%secnd' is not defined here"),
    ],
)
@pytest.mark.parametrize("count", [0, FEW])
def test_a_value_that_is_not_defined(written: str, note: str, count: int) -> None:
    """Only what is visible is suggested: `%second` is defined after it. Of many names only slips are thought of."""
    many = [f"%v{index} = arith.addi %first, %first : i32" for index in range(count)]
    use = f"%0 = arith.addi {written}, %first : i32"
    expected = note.partition(";")[0] if count and written == "%firstly" else note
    check_notes(body(*many, use, "%second = arith.addi %first, %first : i32", "return"), [expected])


def test_a_value_of_a_region_is_suggested_in_it_alone() -> None:
    loop = body(
        "scf.if %c {",
        "  %inner = arith.addi %first, %first : i32",
        "  %1 = arith.addi %innre, %frist : i32",
        "}",
        "%2 = arith.addi %innner, %first : i32",
        "return",
    )
    inner = "'%innre' is not defined here; did you mean '%inner'?"
    first = "'%frist' is not defined here; did you mean '%first'?"
    check_notes(loop, [inner, first, "'%innner' is not defined here"])


@pytest.mark.parametrize("end", [" ", "\n"])
def test_what_is_visible_on_the_line_of_a_header(end: str) -> None:
    def check(lines: str, name: str, near: str = "") -> None:
        text = f"func.func @f(%alpha: i32) -> i32 {{{lines} return %alpha : i32 }}\n".replace(" ;", end)
        check_notes(text, [f"'{name}' is not defined here" + (f"; did you mean '{near}'?" if near else "")])

    check(" ;%0 = arith.addi %alhpa, %alpha : i32 ;", "%alhpa", "%alpha")
    check(" ;%beta = arith.addi %alpha, %alpha : i32 ;%0 = arith.addi %betta, %alpha : i32 ;", "%betta", "%beta")
    check(" ;%0 = arith.addi %betta, %alpha : i32 ;%beta = arith.addi %alpha, %alpha : i32 ;", "%betta")
    check(" ;%beta = arith.addi %betta, %alpha : i32 ;", "%betta")


def test_a_block_that_is_not_defined() -> None:
    check_notes(body("cf.br ^exti", "^exit:", "return"), ["'^exti' is not defined here; did you mean '^exit'?"])
    check_notes("func.func @f() { cf.br ^exti\n^exit: return }", ["'^exti' is not defined here; did you mean '^exit'?"])


def test_an_operation_that_is_misspelt() -> None:
    check_notes(body("%0 = arith.adddi %first, %first : i32", "return"), ["did you mean 'arith.addi'?"])
    check_notes(body("retrun"), ["did you mean 'return'?"])
    check_notes(body("scf.if %c {", "return", "}", "return"), ["did you mean 'func.return'?"])
    check_notes(body("arith.qqqqqqqq", "return"), [])


def test_an_operation_of_a_misspelt_dialect() -> None:
    remedy = "a description of its dialect, which a quick fix drafts from its uses, makes it known"

    def said(dialect: str, *near: str) -> list[str]:
        return [f"no definition of dialect '{dialect}' is loaded that covers it", remedy, *near]

    check_notes(body("%0 = aith.addi %first, %first : i32", "return"), said("aith", "did you mean 'arith.addi'?"))
    check_notes(body("fnuc.call @f()", "return"), said("fnuc", "did you mean 'func.call'?"))
    check_notes(body("fnuc.own", "return"), said("fnuc"))


def test_the_likeliest_slip_comes_first() -> None:
    assert nearest("ab", ["ba", "a", "abc"]) == "ba"
    assert nearest("x", ["y"]) is None


@pytest.mark.parametrize(
    ("written", "notes"),
    [("1e10", ["a float has a point: 1.0e10"]), ("-3E5", ["a float has a point: -3.0E5"]), ("1.0e10", [])],
)
def test_a_number_without_a_point(written: str, notes: list[str]) -> None:
    check_notes(body(f"%0 = arith.constant {written} : f32", "return"), notes)
