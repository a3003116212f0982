"""What is put in the place of something else: bodies of functions by `inline`, regions by a pattern."""

from __future__ import annotations

from pathlib import Path

from tests.dialect.shop import run

DESCRIPTION = """
dialect = "shop"

[type.basket]
parameters = ["of: Type"]
syntax = "`<` $of `>`"

[op.twice]
operands = ["x: AnyInteger"]
results = ["out: AnyInteger"]
traits = ["SameOperandsAndResultType"]
syntax = "$x attr-dict `:` type($out)"

[op.each]
operands = ["basket: basket"]
regions = ["body: SizedRegion<1>"]
syntax = "$basket $body attr-dict `:` type($basket)"

[op.keep]
operands = ["value: AnyType"]
traits = ["Terminator"]
syntax = "$value attr-dict `:` type($value)"
"""
TEXT = """
func.func private @twice(%x: i32) -> i32 {
  %0 = shop.twice %x : i32
  return %0 : i32
}
func.func @all(%b: !shop.basket<i32>) {
  shop.each %b {
  ^bb0(%x: i32):
    %0 = func.call @twice(%x) : (i32) -> i32
    shop.keep %0 : i32
  } : !shop.basket<i32>
  return
}
"""
INLINES = """
from fathom.dialect import *

@inlines("shop.twice")
def along(op, around):
    return around.name == "shop.each"

@inlines_into("shop.each")
def into(op):
    return True
"""
LOWERS = """
from fathom.dialect import *

@converts("shop.basket")
def basket(type):
    return f"memref<?x{type.parameter('of')}>"

@lowers("shop.twice", into="arith")
def twice(op, rewriter):
    rewriter.replace(op, rewriter.create("arith.addi", op.x, op.x))

@lowers("shop.each", into=("arith", "memref", "scf"))
def each(op, rewriter):
    zero, one = rewriter.constant(0, "index"), rewriter.constant(1, "index")
    size = rewriter.create("memref.dim", op.basket, zero)
    with rewriter.inside(rewriter.create("scf.for", zero, size, one), "index") as [i]:
        value = rewriter.create("memref.load", op.basket, [i])
        kept = rewriter.inline(op.body, value)
        rewriter.create("memref.store", *kept, op.basket, [i])
    rewriter.erase(op)
"""
EACH = """
func.func @all(%b: !shop.basket<i32>) {
  shop.each %b {
  ^bb0(%x: i32):
    %0 = shop.twice %x : i32
    shop.keep %0 : i32
  } : !shop.basket<i32>
  return
}
"""


def first_error(folder: Path, code: str, text: str, flag: str) -> str:
    return run(folder, code, text, "opt", flag, description=DESCRIPTION)[2].partition("\n")[0]


def test_functions_are_inlined_where_both_say_so(tmp_path: Path) -> None:
    expected = EACH.replace("%b", "%arg0").replace("%x", "%arg1")
    status, out, error = run(tmp_path, INLINES, TEXT, "opt", "--inline", description=DESCRIPTION)
    assert (status, error) == (0, "")
    lines = [line.strip() for line in out.strip().replace(": <i32>", ": !shop.basket<i32>").splitlines()]
    assert lines == ["module {", *(line.strip() for line in expected.strip().splitlines()), "}"]
    for wrong in (INLINES.replace("return True", "return False"), INLINES.replace('"shop.each"\n', '"func.func"\n')):
        out = run(tmp_path, wrong, TEXT, "opt", "--inline", description=DESCRIPTION)[1]
        assert "func.call @twice" in out


CALLS = """
dialect = "shop"

[op.call]
operands = ["given: Variadic<AnyType>"]
results = ["taken: Variadic<AnyType>"]
attributes = ["callee: FlatSymbolRefAttr"]
traits = ["CallOpInterface"]
syntax = "$callee `(` $given `)` attr-dict `:` functional-type($given, $taken)"

[op.func]
attributes = [
  "sym_name: SymbolNameAttr",
  "function_type: TypeAttrOf<FunctionType>",
  "sym_visibility: OptionalAttr<StrAttr>",
]
regions = ["body: AnyRegion"]
traits = ["FunctionOpInterface", "Symbol", "IsolatedFromAbove"]

[op.give]
operands = ["values: Variadic<AnyType>"]
traits = ["Terminator", "ReturnLike"]
syntax = "($values^ `:` type($values))? attr-dict"
"""
CALLING = """
"shop.func"() <{sym_name = "half", sym_visibility = "private", function_type = (i32) -> i32}> ({
^bb0(%x: i32):
  %0 = arith.shrui %x, %x : i32
  shop.give %0 : i32
}) : () -> ()
func.func private @twice(%x: i32) -> i32 {
  %0 = arith.addi %x, %x : i32
  return %0 : i32
}
func.func @f(%x: i32) -> i32 {
  %0 = shop.call @twice(%x) : (i32) -> i32
  %1 = shop.call @half(%0) : (i32) -> i32
  return %1 : i32
}
"""


def test_calls_of_ones_own_are_calls(tmp_path: Path) -> None:
    code = """
from fathom.dialect import *

@inlines("shop.call")
def call(op, around):
    return around.name == "func.func"

@inlines("shop.give")
def give(op, around):
    return True
"""
    status, out, error = run(tmp_path, code, CALLING, "opt", "--inline", description=CALLS)
    assert (status, error) == (0, "")
    lines = [line.strip() for line in out.split("\n")]
    assert lines[1:5] == [
        "func.func @f(%arg0: i32) -> i32 {",
        "%0 = arith.addi %arg0, %arg0 : i32",
        "%1 = arith.shrui %0, %0 : i32",
        "return %1 : i32",
    ]
    silent = code.replace("return around", "return not around")
    assert "shop.call @twice" in run(tmp_path, silent, CALLING, "opt", "--inline", description=CALLS)[1]


def test_mistakes_in_what_is_said_of_inlining(tmp_path: Path) -> None:
    error = first_error(tmp_path, INLINES.replace("return True", "return op.name"), TEXT, "--inline")
    assert error == "shop.py:8:1: error: 'into' returned 'shop.each': True or False is wanted"
    error = first_error(tmp_path, INLINES.replace("return True", "return op.bodies"), TEXT, "--inline")
    assert error == "shop.py:10:12: error: AttributeError: 'shop.each' has no 'bodies'; it has basket, body"


def test_a_region_comes_into_a_loop(tmp_path: Path) -> None:
    status, out, error = run(tmp_path, LOWERS, EACH, "opt", "--lower-shop", description=DESCRIPTION)
    assert (status, error) == (0, "")
    assert (
        "      %0 = memref.load %arg0[%arg1] : memref<?xi32>\n"
        "      %1 = arith.addi %0, %0 : i32\n"
        "      memref.store %1, %arg0[%arg1] : memref<?xi32>\n" in out
    )


def test_a_region_comes_where_it_was_in_canonicalize(tmp_path: Path) -> None:
    code = """
from fathom.dialect import *

@canonicalizes("shop.each")
def each(op, rewriter):
    rewriter.inline(op.body, rewriter.constant(7, "i32"))
    rewriter.erase(op)
"""
    status, out, error = run(tmp_path, code, EACH, "opt", "--canonicalize", description=DESCRIPTION)
    assert (status, error) == (0, "")
    assert "    %c7_i32 = arith.constant 7 : i32\n    %0 = shop.twice %c7_i32 : i32\n    return\n" in out


def test_mistakes_in_moving_a_region(tmp_path: Path) -> None:
    error = first_error(tmp_path, LOWERS.replace("op.body, value", "op.body"), EACH, "--lower-shop")
    assert error == "shop.py:18:16: error: ValueError: the block has 1 argument, and is given 0 values"
    error = first_error(tmp_path, LOWERS.replace("op.body, value", "op.body, i"), EACH, "--lower-shop")
    said = "a value of type 'index' is given for an argument that is 'i32'"
    assert error == f"shop.py:18:16: error: ValueError: {said}"
    error = first_error(tmp_path, LOWERS.replace("op.body, value", "op, value"), EACH, "--lower-shop")
    said = "a region, or a block, is moved to where others stand, not <shop.each>"
    assert error == f"shop.py:18:16: error: ValueError: {said}"
