"""What a pattern can make: operations of all dialects, as a person names them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.dialect.shop import run

DESCRIPTION = """
dialect = "shop"

[op.make]
operands = ["number: AnyType", "memory: AnyMemRef"]
syntax = "$number `in` $memory attr-dict `:` type($number) `,` type($memory)"
"""
TEXT = "func.func @f(%x: i32, %m: memref<?x4xf32>) {\n  shop.make %x in %m : i32, memref<?x4xf32>\n  return\n}\n"
CODE = """
from fathom.dialect import *

@lowers("shop.make", into=("affine", "arith", "cf", "func", "linalg", "llvm", "math", "memref", "scf", "vector"))
def make(op, rewriter):
    x, m, create, constant = op.number, op.memory, rewriter.create, rewriter.constant
{body}
    rewriter.erase(op)
"""
CASES = [
    (
        "create('memref.alloc', [constant(5, 'index')], [], results='memref<?xf32>', alignment=64)",
        "%c5 = arith.constant 5 : index\n%alloc = memref.alloc(%c5) {alignment = 64 : i64} : memref<?xf32>",
    ),
    (
        "create('memref.subview', m, [], [], [], static_offsets=[0, 0], static_sizes=[2, 2], static_strides=[1, 1],\n"
        "    results='memref<2x2xf32, strided<[4, 1]>>')",
        "%subview = memref.subview %arg1[0, 0] [2, 2] [1, 1] : memref<?x4xf32> to memref<2x2xf32, strided<[4, 1]>>",
    ),
    (
        "made = create('scf.if', create('arith.cmpi', x, x, predicate='slt'), results='i32')\n"
        "with rewriter.inside(made.thenRegion):\n    create('scf.yield', x)\n"
        "with rewriter.inside(made.elseRegion):\n    create('scf.yield', constant(0, 'i32'))",
        "%0 = arith.cmpi slt, %arg0, %arg0 : i32\n%1 = scf.if %0 -> (i32) {\n  scf.yield %arg0 : i32\n} else {\n"
        "  %c0_i32 = arith.constant 0 : i32\n  scf.yield %c0_i32 : i32\n}",
    ),
    (
        "made = create('scf.while', [x], results='i32')\n"
        "with rewriter.inside(made.before, 'i32') as [a]:\n"
        "    create('scf.condition', create('arith.cmpi', a, x, predicate='slt'), [a])\n"
        "with rewriter.inside(made.after, 'i32') as [b]:\n    create('scf.yield', b)",
        "%0 = scf.while (%arg2 = %arg0) : (i32) -> i32 {\n  %1 = arith.cmpi slt, %arg2, %arg0 : i32\n"
        "  scf.condition(%1) %arg2 : i32\n} do {\n^bb0(%arg2: i32):\n  scf.yield %arg2 : i32\n}",
    ),
    (
        "made = create('scf.for', *[constant(each, 'index') for each in (0, 4, 1)])\n"
        "with rewriter.inside(made, 'index') as [i]:\n"
        "    create('affine.apply', [i], map='affine_map<(d0) -> (d0 + 1)>')",
        "%c0 = arith.constant 0 : index\n%c4 = arith.constant 4 : index\n%c1 = arith.constant 1 : index\n"
        "scf.for %arg2 = %c0 to %c4 step %c1 {\n  %0 = affine.apply #map(%arg2)\n}",
    ),
    (
        "made = create('linalg.generic', [m], [m], indexing_maps=['affine_map<(d0, d1) -> (d0, d1)>'] * 2,\n"
        "    iterator_types=['#linalg.iterator_type<parallel>'] * 2)\n"
        "with rewriter.inside(made, 'f32', 'f32') as [a, b]:\n    create('linalg.yield', create('arith.mulf', a, b))",
        'linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} '
        "ins(%arg1 : memref<?x4xf32>) outs(%arg1 : memref<?x4xf32>) {\n^bb0(%in: f32, %out: f32):\n"
        "  %0 = arith.mulf %in, %out : f32\n  linalg.yield %0 : f32\n}",
    ),
    (
        "create('arith.addi', x, x, overflowFlags='nsw')\ncreate('math.sqrt', constant(2, 'f32'))\n"
        "create('vector.print', constant([1, 2], 'vector<2xi32>'), punctuation='comma')",
        "%0 = arith.addi %arg0, %arg0 overflow<nsw> : i32\n%cst = arith.constant 2.000000e+00 : f32\n"
        "%1 = math.sqrt %cst : f32\n%cst_0 = arith.constant dense<[1, 2]> : vector<2xi32>\n"
        "vector.print %cst_0 : vector<2xi32> punctuation <comma>",
    ),
    (
        "for _ in range(2):\n    rewriter.declare('g', '(i32) -> i32')\n"
        "    create('func.call', x, callee='g', results='i32')",
        "%0 = call @g(%arg0) : (i32) -> i32\n%1 = call @g(%arg0) : (i32) -> i32",
    ),
    (
        "rewriter.declare('puts', '!llvm.func<i32 (ptr)>')\n"
        "create('llvm.call', [create('llvm.mlir.zero', results='!llvm.ptr')], [], callee='puts', results='i32')",
        "%0 = llvm.mlir.zero : !llvm.ptr\n%1 = llvm.call @puts(%0) : (!llvm.ptr) -> i32",
    ),
]


@pytest.mark.parametrize(("body", "expected"), CASES)
def test_operations_of_many_kinds(body: str, expected: str, tmp_path: Path) -> None:
    code = CODE.replace("{body}", "\n".join(f"    {line}" for line in body.splitlines()))
    status, out, error = run(tmp_path, code, TEXT, "opt", "--lower-shop", description=DESCRIPTION)
    assert (status, error) == (0, "")
    lines = out.partition("@f(")[2].partition("\n")[2].partition("    return\n")[0].splitlines()
    assert "\n".join(line.removeprefix("    ") for line in lines) == expected
    assert out.count("func private @g(i32) -> i32") == body.count("'g', '(i32)")


BRANCH = """
dialect = "shop"

[op.make]
operands = ["open: I1"]
successors = ["to", "other"]
traits = ["Terminator"]
"""
BRANCHING = """
func.func @f(%x: i1) {
  "shop.make"(%x)[^bb1, ^bb2] : (i1) -> ()
^bb1:
  return
^bb2:
  return
}
"""
LOWERS_BRANCH = """
from fathom.dialect import *

@lowers("shop.make", into="cf")
def make(op, rewriter):
    rewriter.create({given})
    rewriter.erase(op)
"""


def test_what_comes_before_groups_of_any_number_is_given_alone(tmp_path: Path) -> None:
    code = LOWERS_BRANCH.format(given="'cf.cond_br', op.open, trueDest=op.to, falseDest=op.other")
    status, out, error = run(tmp_path, code, BRANCHING, "opt", "--lower-shop", description=BRANCH)
    assert (status, error) == (0, "")
    assert "    cf.cond_br %arg0, ^bb1, ^bb2\n" in out


def test_a_successor_in_the_place_of_an_operand(tmp_path: Path) -> None:
    code = LOWERS_BRANCH.format(given="'cf.cond_br', op.open, op.to, op.other")
    error = run(tmp_path, code, BRANCHING, "opt", "--lower-shop", description=BRANCH)[2]
    said = "regions and successors of 'cf.cond_br' are given by their names: trueDest, falseDest"
    assert error.splitlines()[0] == f"shop.py:6:5: error: ValueError: {said}"
