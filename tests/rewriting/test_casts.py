"""Casts that undo each other, as text in and out."""

from __future__ import annotations

from fathom.elaborate import load
from fathom.ir.printer import print_module
from fathom.rewriting.casts import reconcile
from fathom.rewriting.type_converter import CAST


def check_reconciled(text: str, expected: str) -> None:
    # At the top of a module the prefix goes without saying when it is printed.
    module = load(text.replace("unrealized", "builtin.unrealized")).module
    reconcile([op for op in module.walk() if op.name == CAST])
    lines = print_module(module).strip().splitlines()[1:-1]
    assert "\n".join(line.removeprefix("  ") for line in lines) == expected.strip("\n")


def test_there_and_back_is_nothing() -> None:
    check_reconciled(
        """
%0 = "t.x"() : () -> i32
%1 = unrealized_conversion_cast %0 : i32 to i64
%2 = unrealized_conversion_cast %1 : i64 to i32
"t.use"(%2) : (i32) -> ()
""",
        """
%0 = "t.x"() : () -> i32
"t.use"(%0) : (i32) -> ()
""",
    )


def test_a_cast_that_is_needed_stays() -> None:
    text = """
%0 = "t.x"() : () -> i32
%1 = unrealized_conversion_cast %0 : i32 to i64
"t.use"(%1) : (i64) -> ()
"""
    check_reconciled(text, text)


def test_a_cast_that_nothing_uses_goes() -> None:
    check_reconciled(
        """
%0 = "t.x"() : () -> i32
%1 = unrealized_conversion_cast %0 : i32 to i64
%2 = unrealized_conversion_cast %1 : i64 to f32
""",
        '%0 = "t.x"() : () -> i32',
    )


def test_several_values_must_come_back_in_order() -> None:
    check_reconciled(
        """
%0 = "t.x"() : () -> i64
%1:2 = unrealized_conversion_cast %0 : i64 to i32, i32
%2 = unrealized_conversion_cast %1#0, %1#1 : i32, i32 to i64
%3 = unrealized_conversion_cast %1#1, %1#0 : i32, i32 to i64
"t.use"(%2, %3) : (i64, i64) -> ()
""",
        """
%0 = "t.x"() : () -> i64
%1:2 = unrealized_conversion_cast %0 : i64 to i32, i32
%2 = unrealized_conversion_cast %1#1, %1#0 : i32, i32 to i64
"t.use"(%0, %2) : (i64, i64) -> ()
""",
    )
