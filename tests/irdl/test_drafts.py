"""A description drafted from uses accepts all of the text that it was drafted from."""

from __future__ import annotations

import random

import pytest

from fathom.context import Context, default_context
from fathom.descriptions.files import DialectFile, dialects_in
from fathom.elaborate import load
from fathom.irdl.drafts import drafted
from fathom.verify import verify

USES = """\
"shop.N"() : () -> ()
"shop.N"(%x) : (i32) -> ()
"shop.N"(%x, %y) : (i32, f32) -> ()
%r = "shop.N"(%x) : (i32) -> i32
%r:2 = "shop.N"(%x, %x) : (i32, i32) -> (i32, i32)
"shop.N"() {k = 3 : i64} : () -> ()
"shop.N"() <{k = 3 : i64}> : () -> ()
"shop.N"() <{k = "k"}> {l = @f} : () -> ()
"shop.N"() <{k, l = @f, m = [1], operand = 1 : i64, sized = 2 : i32, n.o = 1}> : () -> ()
"shop.N"(%x, %y) <{operandSegmentSizes = array<i32: 1, 1>}> : (i32, f32) -> ()
shop.N
shop.N %x : i32
shop.N %y : f32
shop.N %x, %x : i32
shop.N %x, %x, %x : i32
shop.N %x, %y : i32, f32
shop.N %x, %y : (i32, f32) -> ()
shop.N %x sized 3 : i32
shop.N %x sized 3 {k = 1} : i32
shop.N "name" %x : i32
shop.N @f(%x) : i32
shop.N [%x x %y]
%r = shop.N %x : i32
%r = shop.N %x : i32 -> f32
%r = shop.N %x, %y : i32, f32 to f32
shop.N %x : i32 { shop.N }
shop.N %x { %z = arith.addi %x, %x : i32 }
shop.N { %z = arith.addi %x, %x : i32 } else { shop.other }
"shop.N"() ({}) : () -> ()
"shop.N"() ({}, {}) : () -> ()
"shop.N"() ({ ^bb0: }) : () -> ()
"shop.N"() ({ ^bb0(%z: i32): "shop.N"(%z) : (i32) -> () }) : () -> ()
"shop.N"() ({ %z = arith.addi %x, %x : i32 }) : () -> ()
"shop.N"() ({ %z = "shop.other"(%w) : (i32) -> i32 %w = "shop.other"(%z) : (i32) -> i32 }) : () -> ()
"shop.N"() ({ "shop.other"() ({ "shop.N"(%w) : (i32) -> () }) : () -> () %w = "shop.other"() : () -> i32 }) : () -> ()
"shop.around"() ({ "shop.N"()[^bb1] : () -> () ^bb1: "shop.N"() : () -> () }) : () -> ()
"shop.around"() ({ "shop.N"()[^bb1, ^bb2] : () -> () ^bb1: "shop.N"()[^bb2] : () -> () ^bb2: shop.N }) : () -> ()
"shop.around"() ({ cf.br ^bb1 ^bb1: "shop.N"(%x) : (i32) -> () }) : () -> ()
"shop.around"() ({ cf.br ^bb1 ^bb1: shop.N ^bb1 }) : () -> ()
func.func private @g() { "shop.N"() : () -> () }
""".splitlines()
"""Statements, each a use of an operation."""


def errors(text: str, context: Context) -> list[str]:
    loaded = load(text, context)
    diagnostics = loaded.diagnostics if loaded.has_errors else verify(loaded.module, context=context)
    return [diagnostic.message for diagnostic in diagnostics if diagnostic.severity == "error"]


def draft_of(text: str) -> str:
    return drafted("shop", [op for op in load(text).module.walk() if op.dialect == "shop"])


def check_accepted(uses: list[str]) -> None:
    body = "\n".join(f'"other.place"() ({{\n  {use}\n}}) : () -> ()' for use in uses)
    text = f"func.func @f(%x: i32, %y: f32) {{\n{body}\nreturn\n}}\n"
    assert errors(text, default_context()) == []
    draft = draft_of(text)
    context = default_context()
    for dialect in dialects_in([DialectFile("shop.toml", draft)]).values():
        context = context.with_dialect(dialect)
    assert errors(text, context) == [], f"{text}\n{draft}"


@pytest.mark.parametrize("use", USES)
def test_a_draft_accepts_a_use(use: str) -> None:
    check_accepted([use.replace(".N", ".one")])


def test_a_draft_accepts_all_uses_of_an_operation() -> None:
    for seed in range(150):
        choose = random.Random(seed)
        check_accepted([use.replace(".N", f".op{choose.randrange(3)}") for use in choose.sample(USES, 6)])


def test_what_uses_have_in_common() -> None:
    text = """\
"shop.around"() ({
  "shop.br"()[^bb1] : () -> ()
^bb1:
  "shop.set"() <{to = 3 : i64, safe}> : () -> ()
  "shop.set"() <{to = 4 : i64, by = @f}> : () -> ()
  "shop.br"()[^bb1] : () -> ()
}) : () -> ()
"""
    assert draft_of(text) == (
        'dialect = "shop"\n'
        'checked = "declared"\n'
        "allow_unknown_operations = true\n"
        "\n"
        "[op.around]\n"
        'regions = ["region: AnyRegion"]\n'
        'traits = ["NoTerminator"]\n'
        "opaque = true\n"
        "\n"
        "[op.br]\n"
        'successors = ["successor: AnySuccessor"]\n'
        'traits = ["Terminator"]\n'
        "opaque = true\n"
        "\n"
        "[op.set]\n"
        'attributes = ["to: I64Attr", "safe: UnitAttr", "by: OptionalAttr<FlatSymbolRefAttr>"]\n'
        "opaque = true\n"
    )


def test_what_no_definition_fits_is_left_out() -> None:
    text = """\
"shop.around"() ({
  "shop.both"() : () -> ()
  "shop.both"()[^bb1] : () -> ()
^bb1:
  "shop.end"() : () -> ()
}) : () -> ()
"""
    assert "[op.both]" not in draft_of(text)
    assert "[op.end]" in draft_of(text)
