"""A deep copy uses nothing of what it is a copy of."""

from __future__ import annotations

import pytest

from fathom.elaborate import load
from fathom.ir.clone import clone
from fathom.ir.printer import print_op

LATER_IN_THE_TEXT = """\
func.func @f(%c: i1) {
  cf.br ^bb2
^bb1:
  scf.if %c {
    scf.if %c {
      "a.b"(%x, %y#1) : (i32, i32) -> ()
    }
  }
  "a.b"(%x, %y#0) : (i32, i32) -> ()
  return
^bb2:
  %x = arith.constant 1 : i32
  %y:2 = "a.b"() : () -> (i32, i32)
  cf.br ^bb1
}
"""
GRAPH = """\
module {
  %0 = "a.b"(%1) ({
    "a.b"(%1) : (i32) -> ()
  }) : (i32) -> i32
  %1 = "a.b"(%0) : (i32) -> i32
}
"""


@pytest.mark.parametrize("text", [LATER_IN_THE_TEXT, GRAPH], ids=["blocks", "graph"])
def test_uses_before_the_definition_are_those_of_the_copy(text: str) -> None:
    loaded = load(text)
    original = loaded.module
    uses = {value: len(value.uses) for op in original.walk() for value in op.results}
    copy = clone(original)
    assert print_op(copy) == print_op(original)
    own = {value for op in copy.walk() for value in op.results}
    own |= {a for op in copy.walk() for region in op.regions for block in region.blocks for a in block.arguments}
    assert all(operand in own for op in copy.walk() for operand in op.operands)
    assert {value: len(value.uses) for value in uses} == uses


def test_what_takes_the_place_of_an_operand_stays_though_it_is_copied() -> None:
    text = "func.func @f(%a: i32) {\n  %0 = arith.addi %a, %a : i32\n  return\n}\n"
    op = next(op for op in load(text).module.walk() if op.name == "arith.addi")
    copy = clone(op, {op.operands[0]: op.result})
    assert copy.operands == [op.result, op.result]
