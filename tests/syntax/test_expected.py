"""What the parser would take where a text breaks off."""

from __future__ import annotations

import pytest

from fathom.context import default_context
from fathom.elaborate.expected_in_body import expected_in_body
from fathom.elaborate.meaning import Meanings
from fathom.syntax.expected import Expected, expected_after


def expected(text: str) -> Expected:
    context = default_context()
    return expected_after(context.shapes.root, text.split("\n"), context, context.shapes.fragments)


def said(wanted: Expected) -> str:
    flags = ("new", "statement", "operation", "in_argument", "is_lost")
    words = [*wanted.words, *(f"<{kind}>" for kind in wanted.kinds), *(flag for flag in flags if getattr(wanted, flag))]
    if wanted.unfinished is not None:
        words.append(f"[{wanted.unfinished.start}]")
        body = expected_in_body(wanted.unfinished, Meanings(default_context()))
        words += [*body.words, *(f"<{kind}>" for kind in body.kinds)] if body is not None else []
    return " ".join(words)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("", "statement"),
        ("%0, ", "<value> new"),
        ("%0 = ", "operation"),
        ("%0 = arith.addi ", "<value>"),
        ("%0 = arith.addi %a, %a ", "overflow { :"),
        ("%0 = arith.addi %a, %a : ", "[type]"),
        ("%0 = arith.addi %a %a : ", "is_lost"),
        ("func.func ", "private public nested <symbol> new"),
        ("func.func @f(%a: i32, ", ") <value> new"),
        ("func.func @f(%a: i32 {", "new in_argument [attr_dict]"),
        ("func.func @f() {", "statement"),
        ("func.func @f() {\n}", "loc statement"),
        ("scf.if %c {\n} ", "else loc { statement"),
        ("cf.cond_br %c, ", "<block>"),
        ("func.func @f() {\n^bb1(", ") <value> new"),
        ("a.b(%c) {", ""),
        ("%0 = vector.contract {kind = #vector.kind<add> ", "[attribute]"),
        ("#a = #gpu.address_space<", "[attribute] global workgroup private <BARE>"),
        ("#a = #pdl<", "[attribute]"),
        ("!a = !llvm.array<2 x i32", "[type] >"),
    ],
)
def test_what_is_asked_for_where_a_text_breaks_off(text: str, answer: str) -> None:
    assert said(expected(text)) == answer
