"""Which affine accesses depend on which, as `-test-memref-dependence-check` of mlir-opt says; hard questions end."""

from __future__ import annotations

import pytest

from fathom.budget import Allowance, allowing
from fathom.diagnostics import Diagnostic
from fathom.elaborate import load
from fathom.ops.affine import ForOp
from fathom.passes.affine.accesses import Access, Outcome, accesses_in, all_distances, dependence, distances
from fathom.passes.affine.domains import common_loops
from fathom.passes.affine.effort import TooHard, within_limits
from fathom.passes.affine.elimination import is_empty, project_out
from fathom.passes.affine.parallelism import is_parallel
from fathom.passes.affine.system import System


def told(first: Access, second: Access, depth: int) -> str:
    """`false`, or how far apart the iterations are."""
    dependent = dependence(first, second, depth)
    if dependent.outcome is not Outcome.SOME:
        return "false" if dependent.outcome is Outcome.NONE else "unknown"
    apart = "".join(f"[{distance.least}, {distance.greatest}]" for distance in distances(first, second, dependent))
    return apart if depth <= common_loops(first.op, second.op) else "true"


def check_dependences(body: str, expected: str) -> None:
    """`body` is of a function; `expected` has a line for each pair and depth at which one depends on the other."""
    loaded = load(
        f"func.func @f(%m: memref<100xf32>, %q: memref<8x8xf32>, %v: f32, %n: index) {{\n{body}\n  return\n}}"
    )
    assert not loaded.has_errors, loaded.diagnostics
    accesses = accesses_in(loaded.module.walk_postorder())
    lines: list[str] = []
    for one, first in enumerate(accesses):
        for other, second in enumerate(accesses):
            for depth in range(1, common_loops(first.op, second.op) + 2):
                said = told(first, second, depth)
                lines += [f"{one} {other} at {depth}: {said}"] if said != "false" else []
    assert "\n".join(lines) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            "affine.for %i = 0 to 10 { affine.store %v, %m[%i + 1] : memref<100xf32>\n"
            "%x = affine.load %m[%i] : memref<100xf32> }",
            "0 1 at 1: [1, 1]",
        ),
        (
            "affine.for %i = 0 to 10 step 2 { affine.store %v, %m[%i] : memref<100xf32>\n"
            "%x = affine.load %m[%i + 1] : memref<100xf32> }",
            "",
        ),
        (
            "affine.for %i = 0 to 16 { affine.store %v, %m[%i mod 4] : memref<100xf32> }",
            "0 0 at 1: [4, 15]",
        ),
        (
            "affine.for %i = 0 to %n { affine.store %v, %m[symbol(%n)] : memref<100xf32> }\n"
            "%x = affine.load %m[symbol(%n)] : memref<100xf32>",
            "0 0 at 1: [1, None]\n0 1 at 1: true",
        ),
        (
            "affine.for %i = 0 to 8 { affine.for %j = 0 to 8 { affine.store %v, %q[%i, %j] : memref<8x8xf32>\n"
            "%x = affine.load %q[%j, %i] : memref<8x8xf32> } }",
            "0 1 at 1: [1, 7][-7, -1]\n0 1 at 3: true\n1 0 at 1: [1, 7][-7, -1]",
        ),
    ],
    ids=["next", "between", "remainder", "symbol", "transposed"],
)
def test_dependences(body: str, expected: str) -> None:
    check_dependences(body, expected)


def test_a_loop_is_parallel_if_no_iteration_needs_another() -> None:
    text = """
      affine.for %i = 0 to 9 {
        %a = memref.alloc() : memref<4xf32>
        affine.store %v, %a[0] : memref<4xf32>
        affine.store %v, %m[%i] : memref<10xf32>
        affine.for %j = 0 to 9 { affine.store %v, %m[%i] : memref<10xf32> }
      }"""
    loaded = load(f"func.func @f(%m: memref<10xf32>, %v: f32) {{ {text}\n return }}")
    loops = [op for op in loaded.module.walk() if isinstance(op, ForOp)]
    assert [is_parallel(loop) for loop in loops] == [True, False]


def test_what_takes_too_long_is_given_up() -> None:
    system = System([None] * 30)
    for one in range(30):
        for other in range(30):
            row = [(one * other) % 7 - 3 for _ in range(31)]
            row[one], row[other] = one - 15, other + 1
            system.add_inequality(row)
    with allowing(Allowance(1000)), pytest.raises(TooHard):
        project_out(system, 0, 29)


def test_long_coefficients_are_given_up() -> None:
    system = System([None])
    system.add_inequality([1 << 5000, 1])
    with pytest.raises(TooHard):
        is_empty(system)


def test_a_pass_says_that_it_gives_up() -> None:
    loops = "affine.for %i = 0 to 4 { affine.for %j = 0 to 4 { affine.store %v, %m[%i + %j] : memref<9xf32> } }\n"
    loaded = load(f"func.func @f(%m: memref<9xf32>, %v: f32) {{ {loops * 9} return }}")
    (function,) = [op for op in loaded.module.walk() if op.name == "func.func"]

    def work() -> list[Diagnostic]:
        all_distances([*function.walk()], 2)
        return []

    with allowing(Allowance(8)):
        (diagnostic,) = within_limits(function, work)
    assert diagnostic.message.startswith(
        "'func.func' op is not analysed: its affine constraints and dependences take too"
    )
