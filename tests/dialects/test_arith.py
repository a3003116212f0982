"""The checks and folds of the arith dialect; the expected values are those of mlir-opt 22."""

from __future__ import annotations

import itertools
import re

import pytest

from fathom.elaborate import load
from fathom.ir.attributes import Attribute
from fathom.ir.operation import Operation
from fathom.ir.printer import print_module
from fathom.rewriting.folding import constant_value, fold
from tests.oracles import mlir_opt
from tests.passes.running import run_pass
from tests.verify.findings import problems

ARGUMENTS = (
    "%a: i32, %b: i32, %c: i1, %f: f32, %g: f64, %x: index, %v: vector<4xi32>, %w: vector<4xi1>, %s: i8, %l: i64"
)


def last_operation(body: str) -> Operation:
    """The last operation of a function with `ARGUMENTS` and this body."""
    loaded = load(f"func.func @f({ARGUMENTS}) {{\n{body}\n  return\n}}\n")
    assert not loaded.has_errors, loaded.diagnostics
    terminator = next(op for op in loaded.module.walk() if op.name == "func.return")
    assert terminator.previous is not None
    return terminator.previous


def folded(body: str) -> str:
    """What the last operation folds to: constants as they print, values by their names, `nothing`, or `in place`."""
    op = last_operation(body)
    results = fold(op)
    if results is None:
        return "nothing"
    return ", ".join(map(spell, results)) or "in place"


def spell(result: object) -> str:
    if isinstance(result, Attribute):
        return str(result)
    constant = constant_value(result)  # type: ignore[arg-type]
    return str(constant) if constant is not None else f"%{result.name_hint}"  # type: ignore[attr-defined]


def check_fold(body: str, expected: str) -> None:
    assert folded(body) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("%0 = arith.constant 0 : i32\n%1 = arith.addi %a, %0 : i32", "%a"),
        ("%0 = arith.subi %a, %b : i32\n%1 = arith.addi %0, %b : i32", "%a"),
        ("%0 = arith.subi %v, %v : vector<4xi32>", "dense<0> : vector<4xi32>"),
        ("%0 = arith.constant 0 : i32\n%1 = arith.muli %a, %0 : i32", "0 : i32"),
        ("%0 = arith.constant 1 : index\n%1 = arith.divui %x, %0 : index", "%x"),
        ("%0 = arith.constant 1 : i32\n%1 = arith.remsi %a, %0 : i32", "0 : i32"),
        ("%0 = arith.muli %a, %b overflow<nsw> : i32\n%1 = arith.divsi %0, %b : i32", "%a"),
        ("%0 = arith.muli %a, %b : i32\n%1 = arith.divsi %0, %b : i32", "nothing"),
        ("%0 = arith.constant -1 : i32\n%1 = arith.andi %a, %0 : i32", "%a"),
        ("%0 = arith.constant -1 : i32\n%1 = arith.xori %a, %0 : i32\n%2 = arith.andi %a, %1 : i32", "0 : i32"),
        ("%0 = arith.xori %a, %b : i32\n%1 = arith.xori %0, %a : i32", "%b"),
        ("%0 = arith.maxui %a, %a : i32", "%a"),
        ("%0 = arith.cmpi sle, %a, %a : i32", "true"),
        ("%0 = arith.constant 0 : i32\n%1 = arith.cmpi slt, %0, %a : i32", "in place"),
        ("%0 = arith.constant 3 : i32\n%1 = arith.addi %0, %a : i32", "in place"),
        ("%0 = arith.extui %c : i1 to i32\n%1 = arith.constant 0 : i32\n%2 = arith.cmpi ne, %0, %1 : i32", "%c"),
        ("%0 = arith.select %c, %a, %a : i32", "%a"),
        ("%0 = arith.constant true\n%1 = arith.constant false\n%2 = arith.select %c, %0, %1 : i1", "%c"),
        ("%0 = arith.cmpi eq, %a, %b : i32\n%1 = arith.select %0, %a, %b : i32", "%b"),
        ("%0 = arith.extsi %s : i8 to i32\n%1 = arith.trunci %0 : i32 to i8", "%s"),
        ("%0 = arith.extsi %s : i8 to i32\n%1 = arith.extsi %0 : i32 to i64", "in place"),
        ("%0 = arith.extf %f : f32 to f64\n%1 = arith.truncf %0 : f64 to f32", "%f"),
        ("%0 = arith.truncf %g : f64 to f32\n%1 = arith.extf %0 : f32 to f64", "nothing"),
        ("%0 = arith.constant -0.0 : f32\n%1 = arith.addf %f, %0 : f32", "%f"),
        ("%0 = arith.constant 0.0 : f32\n%1 = arith.addf %f, %0 : f32", "nothing"),
        ("%0 = arith.constant 1.0 : f32\n%1 = arith.mulf %f, %0 : f32", "%f"),
        ("%0 = arith.negf %f : f32\n%1 = arith.negf %0 : f32", "%f"),
        ("%0 = arith.constant 0 : i32\n%1, %2 = arith.addui_extended %a, %0 : i32, i1", "%a, false"),
    ],
)
def test_identities(body: str, expected: str) -> None:
    check_fold(body, expected)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("%0 = arith.constant -128 : i8\n%1 = arith.constant -1 : i8\n%2 = arith.divsi %0, %1 : i8", "nothing"),
        ("%0 = arith.constant 7 : i8\n%1 = arith.constant 0 : i8\n%2 = arith.remui %0, %1 : i8", "nothing"),
        ("%0 = arith.constant -7 : i8\n%1 = arith.constant 2 : i8\n%2 = arith.floordivsi %0, %1 : i8", "-4 : i8"),
        ("%0 = arith.constant -7 : i8\n%1 = arith.constant 2 : i8\n%2 = arith.ceildivsi %0, %1 : i8", "-3 : i8"),
        ("%0 = arith.constant 127 : i8\n%1 = arith.addi %0, %0 : i8", "-2 : i8"),
        ("%0 = arith.constant 3 : i8\n%1 = arith.constant 9 : i8\n%2 = arith.shli %0, %1 : i8", "nothing"),
        ("%0 = arith.constant 0.1 : f32\n%1 = arith.addf %0, %0 : f32", "2.000000e-01 : f32"),
        ("%0 = arith.constant 0x7F800000 : f32\n%1 = arith.subf %0, %0 : f32", "0x7FC00000 : f32"),
        ("%0 = arith.constant 0.1 : f64\n%1 = arith.truncf %0 : f64 to f32", "nothing"),
        ("%0 = arith.constant 300.0 : f32\n%1 = arith.fptosi %0 : f32 to i8", "nothing"),
        ("%0 = arith.constant -2.9 : f32\n%1 = arith.fptosi %0 : f32 to i8", "-2 : i8"),
        ("%0 = arith.constant 16777217 : i32\n%1 = arith.sitofp %0 : i32 to f32", "0x4B800000 : f32"),
        ("%0 = arith.constant -1 : i32\n%1 = arith.index_castui %0 : i32 to index", "4294967295 : index"),
        ("%0 = arith.constant 1.0 : f32\n%1 = arith.bitcast %0 : f32 to i32", "1065353216 : i32"),
        (
            "%0 = arith.constant dense<[1, 2]> : vector<2xi8>\n%1 = arith.constant dense<3> : vector<2xi8>\n"
            "%2 = arith.muli %0, %1 : vector<2xi8>",
            "dense<[3, 6]> : vector<2xi8>",
        ),
    ],
)
def test_constants(body: str, expected: str) -> None:
    check_fold(body, expected)


@pytest.mark.parametrize(
    ("operation", "message"),
    [
        (
            "arith.extsi %a : i32 to i32",
            "'arith.extsi' op operand type 'i32' and result type 'i32' are cast incompatible",
        ),
        (
            "arith.truncf %f : f32 to f64",
            "'arith.truncf' op operand type 'f32' and result type 'f64' are cast incompatible",
        ),
        (
            "arith.bitcast %f : f32 to i64",
            "'arith.bitcast' op operand type 'f32' and result type 'i64' are cast incompatible",
        ),
        (
            "arith.index_cast %a : i32 to i64",
            "'arith.index_cast' op operand type 'i32' and result type 'i64' are cast incompatible",
        ),
        ("arith.constant 3 : si32", "'arith.constant' op integer return type must be signless"),
        ('arith.constant "a" : i32', "'arith.constant' op value must be an integer, float, or elements attribute"),
        (
            "arith.constant dense<[1, 2]> : vector<[2]xi32>",
            "'arith.constant' op intializing scalable vectors with elements attribute is not supported unless it's a "
            "vector splat",
        ),
    ],
)
def test_messages(operation: str, message: str) -> None:
    assert message in problems(f"func.func @f({ARGUMENTS}) {{\n  %0 = {operation}\n  return\n}}\n")


INTEGER_OPERATIONS = (
    "addi subi muli divui divsi ceildivui ceildivsi floordivsi remui remsi andi ori xori shli shrui shrsi "
    "maxsi maxui minsi minui"
).split()


def test_folds_agree_with_mlir_opt() -> None:
    """All integer operations on edge values, against what `--canonicalize` makes of them."""
    values = ("0", "1", "-1", "7", "127", "-128")
    bodies = [
        f"%p = arith.constant {a} : i8\n%q = arith.constant {b} : i8\n%r = arith.{name} %p, %q : i8"
        for name in INTEGER_OPERATIONS
        for a, b in itertools.product(values, values)
    ]
    source = "".join(f"func.func @f{i}() -> i8 {{\n{body}\nreturn %r : i8\n}}\n" for i, body in enumerate(bodies))
    functions = re.split(r"(?=^  func\.func)", mlir_opt(source, "--canonicalize"), flags=re.MULTILINE)[1:]
    for body, function in zip(bodies, functions, strict=True):
        match = re.fullmatch(r".*\n    %\S+ = arith\.constant (.*)\n    return %\S+ : i8\n  \}\s*\}?\s*", function)
        assert folded(body) == (match[1] if match else "nothing"), body


def test_conversion_folds_as_mlir_opt_does() -> None:
    """Identities seen through `--convert-arith-to-llvm`, which folds before it converts."""
    constants = {"%z": "0", "%o": "1", "%m": "-1"}
    lines = [
        f"%{name}_{i} = arith.{name} {a}, {b} : i32"
        for name in INTEGER_OPERATIONS
        for i, (a, b) in enumerate(itertools.product(("%a", "%b", *constants), repeat=2))
    ]
    header = "".join(f"{name} = arith.constant {value} : i32\n" for name, value in constants.items())
    uses = "".join(f'"foo.use"({line.split()[0]}) : (i32) -> ()\n' for line in lines)
    text = f"func.func @f(%a: i32, %b: i32) {{\n{header}{chr(10).join(lines)}\n{uses}return\n}}\n"
    loaded = load(text)
    run_pass("convert-arith-to-llvm", loaded.module)
    assert print_module(loaded.module) == mlir_opt(text, "--allow-unregistered-dialect", "--convert-arith-to-llvm")
