"""Who looks on while patterns are tried: what the drivers tell, in which order, and that it is what mlir-opt does."""

from __future__ import annotations

import pytest

from tests.rewriting.watching import events, tried, tried_by_mlir

SUM = """\
func.func @f(%a: i32, %c: i1) -> i32 {
  %one = arith.constant 1 : i32
  %x = arith.addi %a, %one : i32
  %unused = arith.muli %x, %x : i32
  %y = arith.addi %x, %one : i32
  %r = scf.if %c -> i32 {
    scf.yield %y : i32
  } else {
    scf.yield %a : i32
  }
  return %r : i32
}
"""
