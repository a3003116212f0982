"""Operations whose text breaks off in a region, or goes wrong behind it: what stands before that has its meaning."""

from __future__ import annotations

import pytest

from fathom.context import default_context
from fathom.elaborate import load
from fathom.ir.operation import Operation
from fathom.irdl.definition import CustomSyntax, OpDefinition, RegionDefinition
from fathom.irdl.dialect import Dialect
from fathom.irdl.protocols import OpParser, OpPrinter, Resolver
from fathom.syntax.nodes import Node, ParsedOp

_ARGUMENTS = "%c: i1, %i: index, %m: memref<4xf32>, %k: vector<4xi1>, %v: vector<4xf32>, %t: tensor<i32>"

_BEGINNINGS = {
    "scf.while": ("%r = scf.while (%a = %i) : (index) -> index {", "%b = arith.addi %a, %i : index"),
    "tosa.while_loop": (
        "%r = tosa.while_loop (%a = %t) : (tensor<i32>) -> tensor<i32> {",
        "%b = tosa.greater %a, %t : (tensor<i32>, tensor<i32>) -> tensor<i1>",
    ),
    "vector.mask": ("%r = vector.mask %k {", "%b = arith.addf %v, %v : vector<4xf32>"),
    "memref.generic_atomic_rmw": (
        "%r = memref.generic_atomic_rmw %m[%i] : memref<4xf32> {",
        "^bb0(%a: f32):\n%b = arith.addf %a, %a : f32",
    ),
    "emitc.do": ("emitc.do {", "%b = arith.addi %i, %i : index"),
    "generic": ('%r = "scf.execute_region"() ({', "%b = arith.addi %i, %i : index"),
}


@pytest.mark.parametrize(("opening", "inside"), _BEGINNINGS.values(), ids=_BEGINNINGS.keys())
@pytest.mark.parametrize("behind", ["", "}\n", "} ?\n", "} do\n", "} do {\n", "} : \n"])
def test_only_the_end_is_missing(opening: str, inside: str, behind: str) -> None:
    """Nothing is wrong with what the region says, nor with what its result is used for."""
    text = f"func.func @f({_ARGUMENTS}) {{\n{opening}\n{inside}\n{behind}"
    line = text[: text.index(inside)].count("\n")
    diagnostics = load(text).diagnostics
    assert diagnostics
    for diagnostic in diagnostics:
        assert diagnostic.span is not None
        assert text[: diagnostic.span.start].count("\n") != line + inside.count("\n"), diagnostic.message


def _parse(parser: OpParser, parsed: ParsedOp) -> Node:
    parser.region(parsed)
    parser.expect(":")
    parsed.types["result"] = [parser.type()]
    return parsed.types["result"][0]


def _resolve(resolver: Resolver, parsed: ParsedOp, node: Node) -> None:
    assert node is parsed.types["result"][0]
    resolver.result_types = [resolver.type(node)]


def _print(op: Operation, p: OpPrinter) -> None:
    p.region(op.regions[0])


@pytest.mark.parametrize("behind", ["", "}", "} ?", "} : ", "} : i32 ?", "}\n}"])
def test_what_resolves_an_operation_is_given_all_of_it(behind: str) -> None:
    """The code of a definition may count on what its parser gives."""
    late = OpDefinition("late.op", regions=(RegionDefinition("body"),), custom=CustomSyntax(_parse, _print, _resolve))
    context = default_context().with_dialect(Dialect("late", (late,)))
    loaded = load(f"func.func @f() {{\n%r = late.op {{\n%x = arith.constant 1 : i32\n{behind}", context)
    assert loaded.diagnostics
