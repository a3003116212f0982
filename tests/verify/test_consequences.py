"""A type that could not be found out is no mistake of those who meet it."""

from __future__ import annotations

import pytest

from fathom.elaborate import load
from fathom.verify import verify


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            """
func.func @f(%n: index, %x: i32) -> i32 {
  %r = scf.for %i = %n to %n step %n iter_args(%a = %x) -> (i32) {
    %y = test.unknown %a
    scf.yield %y : i32
  }
  return %r : i32
}
""",
            id="yielded",
        ),
        pytest.param(
            """
func.func @f() {
  %0 = test.unknown
  cf.br ^bb1(%0 : i32)
^bb1(%a: i32):
  return
}
""",
            id="passed to a block",
        ),
    ],
)
def test_nothing_is_said(text: str) -> None:
    assert verify(load(text).module) == []


def test_what_has_nothing_to_do_with_it_is_said() -> None:
    text = "func.func @f() -> i32 {\n  %0 = test.unknown\n  %1 = arith.constant 1.0 : f32\n  return %1 : f32\n}\n"
    (diagnostic,) = verify(load(text).module)
    assert diagnostic.message == (
        "type of return operand 0 ('f32') doesn't match function result type ('i32') in function @f"
    )


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            """
func.func @f(%n: index, %m: memref<?xf32>) {
  gpu.launch blocks(%a, %b, %c) in (%d = %n, %e = %n, %g = %n) threads(%h, %i, %j) in (%k = %n, %l = %n, %o = %n) {
    %x = memref.load %m[%h] : memref<?xf32>
  }
  return
}
""",
            id="gpu.launch",
        ),
        pytest.param(
            """
func.func @f(%n: index, %x: f32) -> f32 {
  %0 = scf.parallel (%i) = (%n) to (%n) step (%n) init (%x) -> f32 {
    scf.reduce(%x : f32) {
    ^bb0(%a: f32, %b: f32):
      %k = arith.constant 1.0 : f32
    }
  }
  return %0 : f32
}
""",
            id="scf.reduce",
        ),
    ],
)
def test_a_block_that_does_not_end_is_one_mistake(text: str) -> None:
    (diagnostic,) = verify(load(text).module)
    assert diagnostic.message.startswith("block with no terminator")
