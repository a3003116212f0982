"""What the passes on affine loops do where mlir-opt does another thing: it would compute something else, or come to no
end. All else is held against its text in `test_fixtures.py`."""

from __future__ import annotations

from textwrap import dedent

import pytest

from fathom.context import default_context
from fathom.elaborate import load
from fathom.ir.printer import print_module
from fathom.ops.affine import ForOp
from fathom.passes.affine.jamming import unroll_and_jam
from fathom.pipeline.language import parse_pipeline
from fathom.pipeline.lowering import run
from fathom.rewriting.rewriter import Rewriter


def check_made(use: str, before: str, after: str) -> None:
    """What the pass makes of the body of a function, without the first and the last line."""
    loaded = load(dedent(before))
    assert not loaded.has_errors, loaded.diagnostics
    result = run(parse_pipeline(f"builtin.module(func.func({use}))"), loaded.module, default_context())
    assert not result.diagnostics
    printed = print_module(loaded.module).split("\n")
    start = next(index for index, line in enumerate(printed) if "func.func" in line)
    assert dedent("\n".join(printed[start + 1 : printed.index("  }")])) == dedent(after).strip("\n")


def check_stays(use: str, body: str, *messages: str) -> None:
    """The pass changes nothing, and says these things."""
    loaded = load(f"func.func @f(%n: index, %m: memref<?xindex>) {{\n{dedent(body)}\nreturn\n}}\n")
    assert not loaded.has_errors, loaded.diagnostics
    before = print_module(loaded.module)
    result = run(parse_pipeline(f"builtin.module(func.func({use}))"), loaded.module, default_context())
    assert [diagnostic.message for diagnostic in result.diagnostics] == list(messages)
    assert print_module(loaded.module) == before


STORE = "affine.store %i, %m[symbol(%n)] : memref<?xindex>"


def test_iterations_yield_what_the_loop_yielded() -> None:
    check_made(
        "affine-loop-unroll{unroll-factor=-1}",
        """
        func.func @f(%a: f32, %b: f32) -> (f32, f32, index) {
          %i0 = arith.constant 7 : index
          %0:3 = affine.for %i = 0 to 3 iter_args(%x = %a, %y = %b, %z = %i0) -> (f32, f32, index) {
            %1 = arith.addf %x, %y : f32
            affine.yield %y, %1, %i : f32, f32, index
          }
          return %0#0, %0#1, %0#2 : f32, f32, index
        }
        """,
        """
        %c0 = arith.constant 0 : index
        %c7 = arith.constant 7 : index
        %0 = arith.addf %arg0, %arg1 : f32
        %1 = affine.apply #map(%c0)
        %2 = arith.addf %arg1, %0 : f32
        %3 = affine.apply #map1(%c0)
        %4 = arith.addf %0, %2 : f32
        return %2, %4, %3 : f32, f32, index
        """,
    )


def test_the_last_iterations_begin_with_what_the_others_yield() -> None:
    check_made(
        "affine-loop-unroll{unroll-factor=2}",
        """
        func.func @f(%a: f32) -> (f32, f32) {
          %0:2 = affine.for %i = 0 to 5 iter_args(%x = %a, %y = %a) -> (f32, f32) {
            %1 = arith.addf %x, %a : f32
            %2 = arith.mulf %y, %a : f32
            affine.yield %1, %2 : f32, f32
          }
          return %0#0, %0#1 : f32, f32
        }
        """,
        """
        %0:2 = affine.for %arg1 = 0 to 4 step 2 iter_args(%arg2 = %arg0, %arg3 = %arg0) -> (f32, f32) {
          %3 = arith.addf %arg2, %arg0 : f32
          %4 = arith.mulf %arg3, %arg0 : f32
          %5 = arith.addf %3, %arg0 : f32
          %6 = arith.mulf %4, %arg0 : f32
          affine.yield %5, %6 : f32, f32
        }
        %1 = arith.addf %0#0, %arg0 : f32
        %2 = arith.mulf %0#1, %arg0 : f32
        return %1, %2 : f32, f32
        """,
    )


@pytest.mark.parametrize(
    ("use", "bounds"),
    [
        ("affine-loop-unroll{unroll-factor=-1}", "0 to 4611686018427387904"),
        ("affine-loop-unroll{unroll-factor=4611686018427387904}", "0 to %n"),
        ("affine-loop-unroll-jam{unroll-jam-factor=4294967295}", "0 to %n"),
    ],
)
def test_loops_are_not_unrolled_into_what_nobody_could_hold(use: str, bounds: str) -> None:
    count = "8,589,934,590" if "jam" in use else "9.2·10¹⁸"
    said = f"some {count} operations would be made for its elements; the limit is 131,072"
    check_stays(use, f"affine.for %i = {bounds} {{\n{STORE}\n}}", f"'affine.for' op is not lowered: {said}")


@pytest.mark.parametrize(
    ("use", "bounds"),
    [
        ("affine-loop-unroll{unroll-factor=3}", "0 to %n step 4611686018427387904"),
        ("affine-loop-unroll{unroll-factor=1 unroll-num-reps=4294967295}", "0 to %n"),
    ],
)
def test_loops_that_cannot_be_unrolled_stay(use: str, bounds: str) -> None:
    check_stays(use, f"affine.for %i = {bounds} {{\n{STORE}\n}}")


@pytest.mark.parametrize(
    "body",
    [
        """
        %c0 = arith.constant 0 : index
        affine.for %i = 0 to %n {
          %0 = affine.for %j = 0 to 10 iter_args(%x = %c0) -> (index) {
            %1 = arith.addi %x, %j : index
            affine.store %1, %m[symbol(%n)] : memref<?xindex>
            affine.yield %1 : index
          }
        }
        """,
        """
        affine.for %i = 0 to %n {
          affine.store %i, %m[symbol(%n)] : memref<?xindex>
          affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
            affine.for %k = 0 to 10 {
              affine.store %k, %m[symbol(%n)] : memref<?xindex>
            }
          }
        }
        """,
    ],
    ids=["carried", "no symbol"],
)
def test_loops_that_cannot_become_one_stay(body: str) -> None:
    check_stays("affine-loop-coalescing", body)


def test_a_loop_that_carries_no_reduction_is_not_jammed() -> None:
    body = """
    %0 = affine.for %i = 0 to 10 iter_args(%x = %n) -> (index) {
      %1 = arith.subi %x, %i : index
      affine.store %1, %m[symbol(%n)] : memref<?xindex>
      affine.yield %1 : index
    }
    """
    check_stays("affine-loop-unroll-jam", body)


@pytest.mark.parametrize(
    ("use", "bounds"),
    [
        ("affine-loop-tile", "max affine_map<(d0) -> (d0 floordiv 2, 0)>(%i) to 10"),
        ("affine-loop-tile{tile-sizes=4,0}", "0 to 10"),
        ("affine-loop-tile{tile-size=4294967295}", "0 to 10 step 4611686018427387904"),
    ],
)
def test_loops_that_cannot_be_tiled_stay(use: str, bounds: str) -> None:
    body = f"""
    affine.for %i = 0 to 10 {{
      affine.for %j = {bounds} {{
        "a.b"(%j) : (index) -> ()
      }}
    }}
    """
    check_stays(use, body)


@pytest.mark.parametrize(
    ("initial", "messages"),
    [
        ("0", []),
        ("7", ["'affine.for' op begins each of 4 copies with its initial value, which is joined as often"]),
    ],
)
def test_an_initial_value_that_is_joined_several_times_is_said(initial: str, messages: list[str]) -> None:
    text = f"""
    func.func @f(%m: memref<8xi32>) -> i32 {{
      %c = arith.constant {initial} : i32
      %0 = affine.for %i = 0 to 8 iter_args(%x = %c) -> (i32) {{
        %1 = affine.load %m[%i] : memref<8xi32>
        %2 = arith.addi %x, %1 : i32
        affine.yield %2 : i32
      }}
      return %0 : i32
    }}
    """
    loop = next(op for op in load(text).module.walk() if isinstance(op, ForOp))
    said = unroll_and_jam(loop, 4, Rewriter(default_context()))
    assert [diagnostic.message for diagnostic in said] == messages
    assert all(diagnostic.severity == "warning" for diagnostic in said)
