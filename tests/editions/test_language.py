"""What the language itself is in older editions: words, aliases and the generic form, as their mlir-opt prints them.

`tests/fixtures/editions/language` has a text for each edition, and beside it what mlir-opt of that edition made of it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from fathom.context import context_of
from fathom.elaborate import load
from fathom.ir.former_attributes import as_today, as_written
from fathom.ir.printer import print_module
from fathom.ir.printing_flags import PrintingFlags

FIXTURES = Path(__file__).parents[1] / "fixtures" / "editions" / "language"


def check_printed(name: str) -> None:
    """A text is printed as its edition's mlir-opt prints it."""
    context = context_of(name)
    loaded = load((FIXTURES / f"{name}.mlir").read_text(encoding="utf-8"), context)
    assert not loaded.has_errors, loaded.diagnostics
    expected = (FIXTURES / f"{name}.out").read_text(encoding="utf-8")
    assert print_module(loaded.module, PrintingFlags(language=context.language)) == expected


def first_error(name: str, text: str) -> str:
    """The text of the first error in an edition."""
    errors = [each.message for each in load(text, context_of(name)).diagnostics if each.severity == "error"]
    return errors[0] if errors else ""


@pytest.mark.parametrize("name", ["13", "14", "15"])
def test_a_text_is_printed_as_its_edition_does(name: str) -> None:
    check_printed(name)


@pytest.mark.parametrize("name", ["15", "16", "19", "22"])
def test_words_mean_nothing_more_once_they_are_gone(name: str) -> None:
    assert first_error(name, "!v = type i32\n") == "expected non-function type"
    layout = '"x.a"() : () -> memref<4xf32, offset: 2, strides: [4]>\n'
    assert first_error(name, layout) == ("" if name == "15" else "expected attribute value")


def test_names_of_today_and_of_a_text_go_both_ways() -> None:
    language = context_of("15").language
    text = '"cf.cond_br"(%c)[^a, ^b] {operand_segment_sizes = dense<[1, 0, 0]> : vector<3xi32>} : (i1) -> ()'
    block = f'"x.r"() ({{\n^e(%c: i1):\n  {text}\n^a:\n  "x.e"() : () -> ()\n^b:\n  "x.e"() : () -> ()\n}}) : () -> ()'
    loaded = load(block, context_of("15"))
    assert not loaded.has_errors, loaded.diagnostics
    branch = next(op for op in loaded.module.walk() if op.name == "cf.cond_br")
    written = as_written(language, branch.name, branch.properties)
    assert str(written["operand_segment_sizes"]) == "dense<[1, 0, 0]> : vector<3xi32>"
    assert as_today(language, branch.name, written) == branch.properties
