"""Python beside a description: what it makes of programs, on the command line and in the library."""

from __future__ import annotations

from pathlib import Path

import pytest

import fathom
from tests.dialect.shop import SHOP, TOTAL, run

HEAD = "from fathom.dialect import *\n\n"
LOWERS = (
    HEAD
    + '''
@lowers("shop.total", into="arith")
def total(op, rewriter):
    """the sum of prices"""
    sum = rewriter.create("arith.addi", op.left, op.right)
    if op.times != 1:
        sum = rewriter.create("arith.muli", sum, rewriter.constant(op.times, sum.result.type))
    rewriter.replace(op, sum)


@lowers("shop.price", into="llvm")
def price(op, rewriter):
    rewriter.replace(op, rewriter.create("llvm.mlir.constant", value=op.value, results=op.out.type))


@lowers("shop.raise", into=("scf", "memref", "arith"))
def raise_prices(op, rewriter):
    zero, one = rewriter.constant(0, "index"), rewriter.constant(1, "index")
    size = rewriter.create("memref.dim", op.memory, zero)
    loop = rewriter.create("scf.for", zero, size, one)
    with rewriter.inside(loop, "index") as [i]:
        value = rewriter.create("memref.load", op.memory, [i])
        for each in op.by:
            value = rewriter.create("arith.addi", value, each)
        rewriter.create("memref.store", value=value, memref=op.memory, indices=[i])
    rewriter.erase(op)
'''
)
CONVERTS = (
    LOWERS
    + """
@converts("shop.price")
def convert(type):
    return type.parameter("of")
"""
)


def check(folder: Path, code: str, text: str, expected: str, *passes: str, description: str = SHOP) -> None:
    """What passes make of a text. Without the blanks around it."""
    status, out, error = run(folder, code, text, "opt", *passes, description=description)
    assert out.strip() == expected.strip(), error
    assert (status, error) == (0, "")


def test_operations_become_those_that_the_patterns_make(tmp_path: Path) -> None:
    expected = """
module {
  func.func @f(%arg0: i32) -> i32 {
    %0 = arith.addi %arg0, %arg0 : i32
    %c3_i32 = arith.constant 3 : i32
    %1 = arith.muli %0, %c3_i32 : i32
    return %1 : i32
  }
}
"""
    check(tmp_path, LOWERS, TOTAL, expected, "--lower-shop")
    check(tmp_path, LOWERS, TOTAL, expected, "--pass-pipeline=builtin.module(lower-shop)")


def test_types_become_others_wherever_they_stand(tmp_path: Path) -> None:
    text = """
func.func @twice(%a: !shop.price<i32>, %c: i1) -> !shop.price<i32> {
  %0 = shop.total %a, %a : !shop.price<i32>
  %m = memref.alloca() : memref<2x!shop.price<i32>>
  cf.cond_br %c, ^b(%0 : !shop.price<i32>), ^b(%a : !shop.price<i32>)
^b(%1: !shop.price<i32>):
  return %1 : !shop.price<i32>
}
func.func @g() -> !shop.price<i32> {
  %c = arith.constant true
  %0 = shop.price 7 : !shop.price<i32>
  %1 = call @twice(%0, %c) : (!shop.price<i32>, i1) -> !shop.price<i32>
  return %1 : !shop.price<i32>
}
"""
    expected = """
module {
  func.func @twice(%arg0: i32, %arg1: i1) -> i32 {
    %0 = arith.addi %arg0, %arg0 : i32
    %alloca = memref.alloca() : memref<2xi32>
    cf.cond_br %arg1, ^bb1(%0 : i32), ^bb1(%arg0 : i32)
  ^bb1(%1: i32):  // 2 preds: ^bb0, ^bb0
    return %1 : i32
  }
  func.func @g() -> i32 {
    %true = arith.constant true
    %0 = llvm.mlir.constant(7 : i32) : i32
    %1 = call @twice(%0, %true) : (i32, i1) -> i32
    return %1 : i32
  }
}
"""
    check(tmp_path, CONVERTS, text, expected, "--lower-shop")


LOOP = """
func.func @main() -> i32 {
  %m = memref.alloc() : memref<3xi32>
  %c4 = arith.constant 4 : i32
  %c2 = arith.constant 2 : index
  affine.for %i = 0 to 3 {
    affine.store %c4, %m[%i] : memref<3xi32>
  }
  shop.raise %m by %c4, %c4 : memref<3xi32>, i32, i32
  %0 = memref.load %m[%c2] : memref<3xi32>
  %1 = shop.price 30 : i32
  %2 = shop.total %0, %1 : i32
  memref.dealloc %m : memref<3xi32>
  return %2 : i32
}
"""


def test_what_they_make_is_lowered_on_and_runs(tmp_path: Path) -> None:
    status, out, error = run(tmp_path, LOWERS, LOOP, "run")
    assert (status, out, error) == (0, "42\n", "")
    status, out, error = run(tmp_path, LOWERS, LOOP, "opt", "--lower-to-llvm")
    assert "shop." not in out
    assert "memref" not in out
    assert (status, error) == (0, "")


def test_the_library_lowers_by_them(tmp_path: Path) -> None:
    run(tmp_path, LOWERS, TOTAL, "opt")
    context = fathom.with_dialects(*(str(tmp_path / name) for name in ("shop.toml", "shop.py")))
    lowered = fathom.lower(TOTAL, context=context)
    assert lowered.stages[0].name == "lower-shop"
    assert not lowered.failed
    assert "llvm.mul" in lowered.text
    assert fathom.lower(TOTAL, "--lower-shop", context).text == run(tmp_path, LOWERS, TOTAL, "opt", "--lower-shop")[1]


def test_what_is_wrong_in_files_the_library_says(tmp_path: Path) -> None:
    run(tmp_path, LOWERS.replace("shop.price", "shop.prize"), TOTAL, "opt")
    toml, code = str(tmp_path / "shop.toml"), str(tmp_path / "shop.py")
    with pytest.raises(ValueError, match=r"shop.py:13: @lowers: no operation 'shop.prize' is described"):
        fathom.with_dialects(toml, code)
    (tmp_path / "shop.toml").write_text(SHOP.replace("AnyMemRef", "AnyMemory"), encoding="utf-8")
    with pytest.raises(ValueError, match=r"shop.toml:21:22: .* unknown type constraint 'AnyMemory'"):
        fathom.with_dialects(toml)
    (tmp_path / "shop.py").write_text("1 / 0\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"shop.py:1: ZeroDivisionError: division by zero"):
        fathom.with_dialects(toml, code)
    with pytest.raises(FileNotFoundError):
        fathom.with_dialects(str(tmp_path / "cart.toml"))


def test_the_help_lists_the_pass(tmp_path: Path) -> None:
    summary = "lowers shop, by patterns of its own, to arith, llvm, memref, scf"
    assert summary in run(tmp_path, LOWERS, "", "opt", "--help")[1]
    assert summary in run(tmp_path, LOWERS, "", "opt", "--list-passes")[1]


def test_dialects_are_lowered_before_what_their_patterns_make(tmp_path: Path) -> None:
    code = (
        HEAD
        + """
@lowers("shop.total", into="bakery")
def total(op, rewriter):
    rewriter.replace(op, rewriter.create("bakery.sum", op.left, op.right, results=op.sum.type))


@lowers("bakery.sum", into="arith")
def sum(op, rewriter):
    rewriter.replace(op, rewriter.create("arith.addi", *op.operands))
"""
    )
    bakery = tmp_path / "bakery.toml"
    bakery.write_text(
        'dialect = "bakery"\n[op.sum]\noperands = ["items: Variadic<AnyType>"]\nresults = ["sum: AnyType"]\n',
        encoding="utf-8",
    )
    status, out, error = run(tmp_path, code, TOTAL, "opt", "--dialect", str(bakery), "--lower-to-llvm")
    assert "llvm.add" in out, error
    assert (status, error) == (0, "")


def test_folds_and_canonicalisation(tmp_path: Path) -> None:
    code = (
        HEAD
        + """
@folds("shop.total")
def fold(op, known):
    if known.left is not None and known.right is not None:
        return (known.left + known.right) * op.times


@canonicalizes("shop.total")
def none(op, rewriter):
    if op.times == 0:
        rewriter.replace(op, rewriter.constant(0, op.sum.type))


@canonicalizes("shop.total")
def unlabelled(op, rewriter):
    if op.label is not None:
        rewriter.set(op, "label", None)
"""
    )
    text = """
func.func @f(%a: i32) -> (i32, i32, i32) {
  %c = arith.constant 7 : i32
  %0 = shop.total %c, %c x 3 : i32
  %1 = shop.total %a, %c x 0 : i32
  %2 = shop.total %a, %c {label = "x"} : i32
  return %0, %1, %2 : i32, i32, i32
}
"""
    expected = """
module {
  func.func @f(%arg0: i32) -> (i32, i32, i32) {
    %c7_i32 = arith.constant 7 : i32
    %c42_i32 = arith.constant 42 : i32
    %c0_i32 = arith.constant 0 : i32
    %0 = shop.total %arg0, %c7_i32 : i32
    return %c42_i32, %c0_i32, %0 : i32, i32, i32
  }
}
"""
    check(tmp_path, code, text, expected, "--canonicalize")


def test_values_of_own_types_become_constants_of_the_dialect(tmp_path: Path) -> None:
    description = """
dialect = "shop"

[type.list]
parameters = ["size: int64_t"]
syntax = "`<` $size `>`"

[op.constant]
attributes = ["numbers: ElementsAttr"]
results = ["out: list"]
traits = ["ConstantLike", "Pure"]
syntax = "$numbers attr-dict `->` type($out)"

[op.add]
operands = ["left: list", "right: list"]
results = ["out: list"]
traits = ["Pure", "SameOperandsAndResultType"]
syntax = "$left `,` $right attr-dict `:` type($out)"
"""
    code = (
        HEAD
        + """
@folds("shop.constant")
def constant(op, known):
    return op.numbers


@folds("shop.add")
def add(op, known):
    if known.left is not None and known.right is not None:
        sums = [a + b for a, b in zip(elements(known.left), elements(known.right))]
        return dense(sums, f"tensor<{len(sums)}xi32>")
"""
    )
    text = """
func.func @f() -> !shop.list<2> {
  %0 = shop.constant dense<[1, 2]> : tensor<2xi32> -> !shop.list<2>
  %1 = shop.add %0, %0 : !shop.list<2>
  return %1 : !shop.list<2>
}
"""
    expected = """
module {
  func.func @f() -> !shop.list<2> {
    %0 = shop.constant dense<[2, 4]> : tensor<2xi32> -> <2>
    return %0 : !shop.list<2>
  }
}
"""
    check(tmp_path, code, text, expected, "--canonicalize", description=description)
    without = code.replace(code[code.index('@folds("shop.constant")') : code.index('@folds("shop.add")')], "")
    check(tmp_path, without, text, expected, "--canonicalize", description=description)


PLAIN = [
    ("cents: I32Attr", "2", "5", "known.left + known.right", "7"),
    ("name: StrAttr", '"a"', '"b"', "known.left + known.right", '"ab"'),
    ("members: DenseI64ArrayAttr", "[1, 2]", "[2, 3]", "sorted({*known.left, *known.right})", "[1, 2, 3]"),
    ("part: F32Attr", "2.5", "1.0", "known.left * known.right", "2.500000e+00"),
]


@pytest.mark.parametrize(("attribute", "left", "right", "of", "expected"), PLAIN, ids=[case[0] for case in PLAIN])
def test_plain_values_of_own_types_are_what_the_constant_takes(
    attribute: str, left: str, right: str, of: str, expected: str, tmp_path: Path
) -> None:
    description = f"""
dialect = "shop"
[type.money]
[op.coin]
attributes = ["{attribute}"]
results = ["out: money"]
traits = ["ConstantLike", "Pure"]
syntax = "${attribute.partition(":")[0]} attr-dict"
[op.add]
operands = ["left: money", "right: money"]
results = ["out: money"]
traits = ["Pure"]
syntax = "$left `,` $right attr-dict"
"""
    code = f"""@folds("shop.add")
def add(op, known):
    if known.left is not None and known.right is not None:
        return {of}
"""
    text = f"""
func.func @f() -> !shop.money {{
  %0 = shop.coin {left}
  %1 = shop.coin {right}
  %2 = shop.add %0, %1
  return %2 : !shop.money
}}
"""
    expected = f"""
module {{
  func.func @f() -> !shop.money {{
    %0 = shop.coin {expected}
    return %0 : !shop.money
  }}
}}
"""
    check(tmp_path, HEAD + code, text, expected, "--canonicalize", description=description)


def test_verifiers(tmp_path: Path) -> None:
    code = (
        HEAD
        + """
@verifies("shop.total")
def times(op):
    if op.times < 0:
        return f"wants a number that is not below zero, not {op.times}"


@verifies("shop.total")
def whole(op):
    if op.sealed and op.label is None:
        yield "is sealed, and has no label"
"""
    )
    assert run(tmp_path, code, TOTAL, "opt")[0] == 0
    error = run(tmp_path, code, TOTAL.replace("x 3", "x -3"), "opt")[2]
    assert "<stdin>:2:8: error: 'shop.total' op wants a number that is not below zero, not -3\n" in error
    error = run(tmp_path, code, TOTAL.replace("x 3", "x 3 {sealed}"), "opt")[2]
    assert "<stdin>:2:8: error: 'shop.total' op is sealed, and has no label\n" in error


def test_regions_move_with_their_arguments(tmp_path: Path) -> None:
    code = (
        CONVERTS
        + """
@lowers("shop.body", into="scf")
def body(op, rewriter):
    made = rewriter.create("scf.execute_region", region=op.inside)
    with rewriter.inside(made):
        pass
    rewriter.erase(op)
"""
    )
    text = """
func.func @f() {
  "shop.body"() ({
    %0 = shop.price 1 : !shop.price<i32>
    %1 = shop.total %0, %0 : !shop.price<i32>
    "test.use"(%1) : (!shop.price<i32>) -> ()
  }) : () -> ()
  return
}
"""
    status, out, error = run(tmp_path, code, text, "opt", "--lower-shop", "--allow-unregistered-dialect")
    assert (status, error) == (0, "")
    assert "    scf.execute_region {\n      %0 = llvm.mlir.constant(1 : i32) : i32\n" in out
    assert '"test.use"(%1) : (i32) -> ()' in out


def test_functions_of_a_dialect_of_ones_own_run(tmp_path: Path) -> None:
    description = """
dialect = "shop"

[op.function]
traits = ["FunctionOpInterface", "Symbol", "IsolatedFromAbove"]
attributes = ["sym_name: SymbolNameAttr", "function_type: TypeAttrOf<FunctionType>"]
regions = ["body"]

[op.call]
operands = ["arguments: Variadic<AnyType>"]
attributes = ["callee: FlatSymbolRefAttr"]
results = ["values: Variadic<AnyType>"]

[op.leave]
operands = ["values: Variadic<AnyType>"]
traits = ["Terminator"]
"""
    code = (
        HEAD
        + """
@lowers("shop.function", into="func")
def function(op, rewriter):
    rewriter.create("func.func", sym_name=op.sym_name, function_type=op.function_type, body=op.body)
    rewriter.erase(op)


@lowers("shop.call", into="func")
def call(op, rewriter):
    types = [each.type for each in op.results]
    rewriter.replace(op, rewriter.create("func.call", op.arguments, callee=op.callee, results=types))


@lowers("shop.leave", into="func")
def leave(op, rewriter):
    rewriter.create("func.return", *op.operands)
    rewriter.erase(op)
"""
    )
    text = """
"shop.function"() <{sym_name = "g", function_type = (i32) -> i32}> ({
^bb0(%a: i32):
  %0 = arith.addi %a, %a : i32
  "shop.leave"(%0) : (i32) -> ()
}) : () -> ()
"shop.function"() <{sym_name = "main", function_type = () -> i32}> ({
  %a = arith.constant 7 : i32
  %0 = "shop.call"(%a) <{callee = @g}> : (i32) -> i32
  "shop.leave"(%0) : (i32) -> ()
}) : () -> ()
"""
    assert run(tmp_path, code, text, "run", description=description) == (0, "14\n", "")
    assert run(tmp_path, code, text, "run", "--entry=g", "--args=4", description=description) == (0, "8\n", "")


def test_a_dialect_of_irdl_has_code_too(tmp_path: Path) -> None:
    description = """
irdl.dialect @shop {
  irdl.operation @total {
    %number = irdl.is i32
    irdl.operands(left: %number, right: %number)
    irdl.results(sum: %number)
  }
}
"""
    code = (
        HEAD
        + """
@lowers("shop.total", into="arith")
def total(op, rewriter):
    rewriter.replace(op, rewriter.create("arith.addi", op.left, op.right))


@folds("shop.total")
def fold(op, known):
    if known.left == 0:
        return op.right


@verifies("shop.total")
def differ(op):
    if op.left is op.right:
        return "wants two values"
"""
    )
    text = (
        "func.func @f(%a: i32, %b: i32) -> i32 {\n"
        '  %0 = "shop.total"(%a, %b) : (i32, i32) -> i32\n  return %0 : i32\n}\n'
    )
    lowered = """
module {
  func.func @f(%arg0: i32, %arg1: i32) -> i32 {
    %0 = arith.addi %arg0, %arg1 : i32
    return %0 : i32
  }
}
"""
    check(tmp_path, code, text, lowered, "--lower-shop", description=description)
    error = run(tmp_path, code, text.replace("%a, %b)", "%b, %b)"), "opt", description=description)[2]
    assert "error: 'shop.total' op wants two values\n" in error
    zero = "func.func @f(%b: i32) -> i32 {\n  %a = arith.constant 0 : i32\n" + text.partition("\n")[2]
    out = run(tmp_path, code, zero, "opt", "--canonicalize", description=description)[1]
    assert "return %arg0 : i32" in out


def test_what_is_added_to_a_dialect_of_the_library_is_lowered_alone(tmp_path: Path) -> None:
    description = """
dialect = "arith"
extends = true

[op.sum3]
operands = ["a: AnyInteger", "b: AnyInteger", "c: AnyInteger"]
results = ["out: AnyInteger"]
traits = ["Pure", "SameOperandsAndResultType"]
syntax = "$a `,` $b `,` $c attr-dict `:` type($out)"
"""
    code = (
        HEAD
        + """
@lowers("arith.sum3", into="arith")
def sum3(op, rewriter):
    sum = rewriter.create("arith.addi", op.a, op.b)
    rewriter.replace(op, rewriter.create("arith.addi", sum, op.c))
"""
    )
    text = """
func.func @main(%a: i32) -> i32 {
  %0 = arith.muli %a, %a : i32
  %1 = arith.sum3 %a, %0, %0 : i32
  return %1 : i32
}
"""
    expected = """
module {
  func.func @main(%arg0: i32) -> i32 {
    %0 = arith.muli %arg0, %arg0 : i32
    %1 = arith.addi %arg0, %0 : i32
    %2 = arith.addi %1, %0 : i32
    return %2 : i32
  }
}
"""
    check(tmp_path, code, text, expected, "--lower-arith", description=description)
    assert run(tmp_path, code, text, "run", "--args=3", description=description) == (0, "21\n", "")
    refuses = code[: code.index("    sum =")] + '    return "there is no sum"\n'
    status, _, error = run(tmp_path, refuses, text, "opt", "--lower-arith", description=description)
    assert status == 0
    assert error.startswith("<stdin>:4:8: warning: 'arith.sum3' was not lowered by --lower-arith\n")
    assert error.count("warning: ") == 1
    error = run(tmp_path, refuses, text, "run", "--args=3", description=description)[2]
    assert "note: there is no sum\n" in error
