"""Mistakes in Python beside a description: each is said at its line, and none ends in a traceback."""

from __future__ import annotations

from pathlib import Path

import pytest

from fathom import lower as fathom_lower
from fathom import with_dialects
from tests.cli.running import fathom
from tests.dialect.shop import SHOP, TOTAL, run

HEAD = "from fathom.dialect import *\n"
RULE = '@lowers("shop.total", into="arith")\ndef f(op, rewriter):\n    '
HAS = "it has left, right, sum, times, label, sealed"

MODULES = [
    ("def f(: pass", "shop.py:2: SyntaxError: invalid syntax"),
    ("x = 1 / 0", "shop.py:2: ZeroDivisionError: division by zero"),
    ("raise SystemExit(3)", "shop.py:2: SystemExit: 3"),
    (
        "",
        "shop.py:1: nothing in it is declared by `fathom.dialect`, and there is no `CODE`: "
        "a dictionary of `DialectCode` by the names of dialects",
    ),
    (
        RULE.replace("shop.total", "shop.totl") + "pass",
        "shop.py:2: @lowers: no operation 'shop.totl' is described; did you mean 'shop.total'?",
    ),
    (
        RULE.replace("arith", "aritt") + "pass",
        "shop.py:2: @lowers: `into` names the dialect 'aritt', which nobody knows; did you mean 'arith'?",
    ),
    (
        RULE.replace("shop.total", "shop") + "pass",
        "shop.py:2: ValueError: @lowers is for a full name, such as 'shop.total', not 'shop'",
    ),
    (
        2 * (RULE.replace("shop.total", "cart.total") + "pass\n"),
        "shop.py:2: @lowers: the dialect 'cart' is not described: its description has to be named besides",
    ),
    (
        RULE.replace("shop.total", "arith.addi") + "pass",
        "shop.py:2: @lowers: the dialect 'arith' is the library's own: its description has to be named besides",
    ),
    (
        '@converts("shop.prize")\ndef f(type): pass',
        "shop.py:2: @converts: no type 'shop.prize' is described; did you mean 'shop.price'?",
    ),
]


UNDER = "\ndef f(op, rewriter): pass"
DECORATORS = [
    ("@folds" + UNDER, "@folds is written with what it is for, such as @folds('shop.total')"),
    ("@lowers" + UNDER, "@lowers is written with what it is for, such as @lowers('shop.total', into='arith')"),
    ("@folds(3)" + UNDER, "@folds is for a full name, such as 'shop.total', not 3"),
    ("@converts('!shop.price')" + UNDER, "@converts is for a full name, such as 'shop.total', not '!shop.price'"),
    *(
        (
            f"@lowers('shop.total'{given})" + UNDER,
            "@lowers has `into`, the dialect that it makes operations of, or several: into=('arith', 'scf')",
        )
        for given in ("", ", into=3", ", into=[3]", ", into=()")
    ),
    ("@lowers('shop.total', into='arith')\ndef f(op): pass", "under @lowers stands a function of (op, rewriter)"),
    ("@effects('shop.total')" + UNDER, "under @effects stands a function of (op)"),
    ("@amends('shop.hot')" + UNDER, "under @amends stands a function of (op, value, amended)"),
    ("@folds('shop.total')\ndef f(op, known, *, more): pass", "under @folds stands a function of (op, known)"),
    ("verifies('shop.total')(3)", "@verifies stands above a function, not 3"),
]


@pytest.mark.parametrize(("code", "message"), DECORATORS)
def test_in_a_decorator(code: str, message: str, tmp_path: Path) -> None:
    error = run(tmp_path, HEAD + code + "\n", TOTAL, "opt")[2]
    assert error == f"shop.py:2: ValueError: {message}\n"


@pytest.mark.parametrize("parameters", ["op, *more", "*all", "op, known=None", "op, known, more=3"])
def test_functions_that_can_be_called(parameters: str, tmp_path: Path) -> None:
    code = f"@folds('shop.total')\ndef f({parameters}): pass\n"
    assert run(tmp_path, HEAD + code, TOTAL, "opt", "--canonicalize")[0] == 0


@pytest.mark.parametrize(("code", "message"), MODULES)
def test_in_a_module(code: str, message: str, tmp_path: Path) -> None:
    status, out, error = run(tmp_path, HEAD + code + "\n", TOTAL, "opt")
    assert (status, out, error) == (1, "", message + "\n")


PATTERNS = [
    ("op.lft", f"4:5: error: AttributeError: 'shop.total' has no 'lft'; {HAS}"),
    ("return 3", "2:1: error: 'f' returned 3: a pattern returns nothing, or says in a text why it does not apply"),
    ("1 / 0", "4:5: error: ZeroDivisionError: division by zero"),
    ("raise SystemExit(3)", "4:5: error: SystemExit: 3"),
    ("f(op, rewriter)", "4:5: error: RecursionError: maximum recursion depth exceeded"),
    (
        "rewriter.create('arith.addi', op.left, op.right)",
        "2:1: error: 'f' returned, and it neither replaced nor erased the operation",
    ),
    ("rewriter.create('arith.addi', op.left)", "4:5: error: ValueError: 'arith.addi' takes 2 operands, not 1"),
    (
        "rewriter.create('arith.addj', op.left)",
        "4:5: error: ValueError: nothing describes 'arith.addj'; did you mean 'arith.addf'?",
    ),
    (
        "rewriter.create('arith.addi', op.left, 3)",
        "4:5: error: ValueError: 3 is no value: an operand is a value, or an operation that has one result",
    ),
    (
        "rewriter.create('arith.addi', op.left, op.right, foo=1)",
        "4:5: error: ValueError: 'arith.addi' has no 'foo'; it has lhs, rhs, result, overflowFlags",
    ),
    (
        "rewriter.create('scf.yield')",
        "4:5: error: ValueError: 'scf.yield' is of the dialect 'scf', which `into` does not name",
    ),
    (
        "rewriter.replace(op, rewriter.constant(1, 'f32'))",
        "4:5: error: ValueError: a value of type 'f32' is given for a result of 'shop.total' that is 'i32'",
    ),
    (
        "rewriter.replace(op, [op.left, op.right])",
        "4:5: error: ValueError: 'shop.total' has 1 result, and is to be replaced by 2 values",
    ),
    ("rewriter.type('i3x')", "4:5: error: ValueError: 'i3x' is no type: expected non-function type"),
    ("rewriter.constant('x', 'i32')", "4:5: error: ValueError: 'x' is no constant of type 'i32'"),
]


@pytest.mark.parametrize(("line", "message"), PATTERNS)
def test_in_a_pattern(line: str, message: str, tmp_path: Path) -> None:
    shown = "while 'shop.total' was lowered"
    expected = f"shop.py:{message}\n<stdin>:2:8: note: {shown}\n  %0 = shop.total %a, %a x 3 : i32\n       ^\n"
    for flag in ("--lower-shop", "--lower-to-llvm"):
        status, out, error = run(tmp_path, HEAD + RULE + line + "\n", TOTAL, "opt", flag)
        assert (status, out, error) == (1, "", expected)
    assert run(tmp_path, HEAD + RULE + line + "\n", TOTAL, "run", "--entry=f", "--args=1") == (1, "", expected)


def test_in_other_functions(tmp_path: Path) -> None:
    verifier = '@verifies("shop.total")\ndef f(op):\n    return op.times / 0\n'
    error = run(tmp_path, HEAD + verifier, TOTAL, "opt")[2]
    assert error.startswith(
        "shop.py:4:12: error: ZeroDivisionError: division by zero\n<stdin>:2:8: note: while 'shop.total' was verified\n"
    )
    wrong = verifier.replace("op.times / 0", "7")
    assert (
        "shop.py:2:1: error: 'f' returned 7: a verifier returns nothing, or says in a text what is wrong\n"
        in run(tmp_path, HEAD + wrong, TOTAL, "opt")[2]
    )
    fold = '@folds("shop.total")\ndef f(op, known):\n    return "x"\n'
    assert run(tmp_path, HEAD + fold, TOTAL, "opt", "--canonicalize")[2].startswith(
        "shop.py:2:1: error: 'f' returned 'x': a fold returns nothing, or for each result a value or a constant of "
        "its type; 'x' is no constant of type 'i32'\n<stdin>:2:8: note: while 'shop.total' was folded\n"
    )
    conversion = '@converts("shop.price")\ndef f(type):\n    return "i3x"\n'
    assert run(tmp_path, HEAD + conversion, TOTAL.replace("i32", "!shop.price<i32>"), "opt", "--lower-shop")[2] == (
        "shop.py:2:1: error: 'f' returned 'i3x': a conversion returns a type, as it is written or as an object; "
        "'i3x' is no type: expected non-function type\nshop.py:2:1: note: while the type '!shop.price' was converted\n"
    )


def test_what_a_pattern_makes_is_verified(tmp_path: Path) -> None:
    rule = RULE + "rewriter.replace(op, rewriter.create('arith.constant', value=1.5, results='i32'))\n"
    status, _, error = run(tmp_path, HEAD + rule, TOTAL, "opt", "--lower-shop")
    assert status == 1
    assert error.startswith("<stdin>:2:8: error: 'arith.constant' op failed to verify that all of")
    assert error.count("error: ") == 1
    assert error.replace(f"{tmp_path}/", "").endswith("note: the pattern for 'shop.total' made it, shop.py:2\n")


def test_a_type_without_a_summary_is_called_by_its_name(tmp_path: Path) -> None:
    description = SHOP.replace("left: AnyType", "left: price").replace("right: AnyType", "right: price")
    text = 'func.func @f(%a: i32) {\n  %0 = "shop.total"(%a, %a) : (i32, i32) -> i32\n  return\n}\n'
    error = run(tmp_path, HEAD + RULE + "pass\n", text, "opt", description=description)[2]
    assert error.startswith("<stdin>:2:8: error: 'shop.total' op operand #0 must be '!shop.price', but got 'i32'\n")


ERASES = HEAD + RULE + "rewriter.erase(op)\n"


@pytest.mark.parametrize("of", ["i32", "!shop.price<i32>"])
def test_what_is_used_is_not_erased(of: str, tmp_path: Path) -> None:
    code = ERASES + '@converts("shop.price")\ndef price(type):\n    return type.parameter("of")\n'
    expected = (
        "shop.py:4:5: error: 'shop.total' is to be erased, and 'func.return' uses its result: replace it\n"
        "<stdin>:2:8: note: while 'shop.total' was lowered\n"
    )
    for flag in ("--lower-shop", "--lower-to-llvm"):
        status, out, error = run(tmp_path, code, TOTAL.replace("i32", of), "opt", flag)
        assert (status, out) == (1, "")
        assert error.startswith(expected)
    simplifies = ERASES.replace('@lowers("shop.total", into="arith")', '@canonicalizes("shop.total")')
    error = run(tmp_path, simplifies, TOTAL, "opt", "--canonicalize")[2]
    assert error.startswith(
        "shop.py:4:5: error: ValueError: 'shop.total' is to be erased, and 'func.return' uses its result: replace it\n"
    )


def test_what_is_erased_may_be_used_by_what_goes_too(tmp_path: Path) -> None:
    code = ERASES + '@lowers("shop.raise", into="arith")\ndef g(op, rewriter):\n    rewriter.erase(op)\n'
    text = """func.func @f(%a: i32, %m: memref<?xi32>) {
  %0 = shop.total %a, %a : i32
  shop.raise %m by %0 : memref<?xi32>, i32
  return
}
"""
    status, out, error = run(tmp_path, code, text, "opt", "--lower-shop")
    assert (status, error) == (0, "")
    assert "shop." not in out


def test_a_pattern_that_does_not_apply_says_why(tmp_path: Path) -> None:
    rule = RULE + "return 'there is no price for it'\n"
    status, out, error = run(tmp_path, HEAD + rule, TOTAL, "opt", "--lower-shop")
    assert status == 0
    assert "shop.total" in out
    assert error.startswith("<stdin>:2:8: warning: 'shop.total' was not lowered by --lower-shop\n")
    assert "note: there is no price for it\n" in error
    status, _, error = run(tmp_path, HEAD + rule, TOTAL, "run", "--entry=f", "--args=1")
    assert status == 1
    assert "error: 'shop.total' op was left behind by the lowering to the LLVM dialect\n" in error
    assert "note: no pattern of --lower-shop applies to it\n" in error
    assert "note: there is no price for it\n" in error


def test_a_pass_of_another_name(tmp_path: Path) -> None:
    status, _, error = run(tmp_path, HEAD + RULE + "pass\n", TOTAL, "opt", "--lower-shp")
    assert status == 1
    assert error == (
        "fathom opt: Unknown command line argument '--lower-shp'.  Try: 'fathom opt --help'\n"
        "fathom opt: Did you mean '--lower-shop'?\n"
    )


def test_a_description_and_its_code_are_checked_together(tmp_path: Path) -> None:
    run(tmp_path, HEAD + RULE + "pass\n", TOTAL, "opt")
    files = [str(tmp_path / name) for name in ("shop.toml", "shop.py")]
    assert fathom("dialect", "check", *files) == (0, "shop: checked: 4 operations, 1 type\n", "")
    run(tmp_path, HEAD + RULE.replace("total", "totl") + "pass\n", TOTAL, "opt")
    status, out, error = fathom("dialect", "check", *files)
    assert (status, out) == (1, "")
    assert error.endswith("shop.py:2: @lowers: no operation 'shop.totl' is described; did you mean 'shop.total'?\n")


def test_several_modules_speak_of_one_dialect(tmp_path: Path) -> None:
    more = tmp_path / "more.py"
    more.write_text(HEAD + '@verifies("shop.total")\ndef f(op):\n    return "is wrong"\n', encoding="utf-8")
    rule = RULE + "rewriter.replace(op, op.left)\n"
    assert run(tmp_path, HEAD + rule, TOTAL, "opt", "--lower-shop")[0] == 0
    error = run(tmp_path, HEAD + rule, TOTAL, "opt", "--lower-shop", "--dialect", str(more))[2]
    assert "error: 'shop.total' op is wrong\n" in error


def test_the_pass_that_is_missing_is_named(tmp_path: Path) -> None:
    passes = ("--convert-arith-to-llvm", "--convert-func-to-llvm", "--reconcile-unrealized-casts")
    rule = RULE + "rewriter.replace(op, op.left)\n"
    status, _, error = run(tmp_path, HEAD + rule, TOTAL, "opt", *passes)
    assert status == 0
    assert "warning: 'shop.total' op was left behind by the lowering to the LLVM dialect\n" in error
    assert "note: the pipeline does not run the pass lower-shop\n" in error
    assert "note: add --lower-shop at the beginning\n" in error


def test_a_type_that_becomes_itself_for_ever(tmp_path: Path) -> None:
    code = HEAD + '@converts("shop.price")\ndef f(type):\n    return f"memref<2x{type}>"\n' + RULE + "return 'no'\n"
    text = TOTAL.replace("i32", "!shop.price<i32>")
    status, _, error = run(tmp_path, code, text, "opt", "--lower-shop")
    assert status == 0
    assert "unable to convert type for operand #0, type was '!shop.price<i32>'" in error


@pytest.mark.parametrize("given", ["[None]", "object()", "op.left.type", "{1: 2}"])
def test_what_is_no_constant_of_a_type_of_ones_own(given: str, tmp_path: Path) -> None:
    code = f"{HEAD}@folds('shop.total')\ndef f(op, known):\n    return {given}\n"
    error = run(tmp_path, code, TOTAL.replace("i32", "!shop.price<i32>"), "opt", "--canonicalize")[2]
    assert ": a fold returns nothing, or for each result a value or a constant of its type; " in error


def test_a_fault_leaves_the_program_as_it_was(tmp_path: Path) -> None:
    rule = RULE + "rewriter.replace(op, op.left if op.operation.parent_op.next else op.lft)\n"
    text = TOTAL + TOTAL.replace("@f", "@g")
    run(tmp_path, HEAD + rule, text, "opt")
    lowered = fathom_lower(
        text, "--lower-shop", with_dialects(*(str(tmp_path / name) for name in ("shop.toml", "shop.py")))
    )
    assert [diagnostic.message for diagnostic in lowered.diagnostics] == [
        f"AttributeError: 'shop.total' has no 'lft'; {HAS}"
    ]
    assert lowered.text.count("shop.total") == 2
