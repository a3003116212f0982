"""Access patterns: the elements that iterations touch, held against loops in Python; and what hostile loops cost."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

from fathom.context import default_context
from fathom.graphs.graph import Limits
from fathom.graphs.making import of_function
from fathom.graphs.patterns import Pattern
from fathom.graphs.printed import Printed
from fathom.inputs.loading import Loading
from fathom.inputs.splitting import Chunk
from fathom.programs.functions import find_function


def drawn(body: str, arguments: str = "") -> list[Any]:
    """The nodes of the accesses in a function."""
    text = f"func.func @f({arguments}) {{\n{body}\nreturn\n}}\n"
    loaded, problems = Loading(allow_unregistered=True).told(Chunk(text, 0))
    function = find_function(loaded.module, "f")
    assert function is not None, problems
    graph = of_function("access", function, Printed.of(loaded.module), "f", Limits(), default_context())
    return [node for node in graph.nodes if node.kind == "access"]


def check_pattern(body: str, arguments: str, touches: Iterable[tuple[int, ...] | None]) -> None:
    """The pattern of the only access is what the touches of a program in Python are, in the order of iterations; None
    is a place outside of the array."""
    (node,) = drawn(body, arguments)
    pattern: Pattern = node.pattern
    first: dict[tuple[int, ...], int] = {}
    times: dict[tuple[int, ...], int] = {}
    for number, element in enumerate(touches):
        if element is not None:
            first.setdefault(element, number)
            times[element] = times.get(element, 0) + 1
    cells = [(*row, pattern.column + column) for row in pattern.rows for column in range(pattern.columns)]
    assert set(first) <= set(cells)
    assert list(pattern.first) == [first.get(cell, -1) for cell in cells]
    assert list(pattern.times) == [times.get(cell, 0) for cell in cells]


def test_random_nests_touch_what_loops_in_python_do() -> None:
    chance = random.Random(11)
    for _ in range(40):
        lows, sizes, steps = ([chance.randrange(*between) for _ in range(2)] for between in ((0, 3), (1, 7), (1, 4)))
        factors = [[chance.randrange(-2, 4) for _ in range(2)] for _ in range(2)]
        plus = [chance.randrange(4) for _ in range(2)]
        modulus = chance.randrange(2, 6)
        exprs = [f"%i * {a} + %j * {b} + {c}" for (a, b), c in zip(factors, plus, strict=True)]
        body = f"""affine.for %i = {lows[0]} to {lows[0] + sizes[0]} step {steps[0]} {{
          affine.for %j = {lows[1]} to {lows[1] + sizes[1]} step {steps[1]} {{
            %x = affine.load %m[({exprs[0]}) mod {modulus}, {exprs[1]}] : memref<6x9xf32>
          }}
        }}"""
        touches: list[tuple[int, int] | None] = []
        for i in range(lows[0], lows[0] + sizes[0], steps[0]):
            for j in range(lows[1], lows[1] + sizes[1], steps[1]):
                row, column = (a * i + b * j + c for (a, b), c in zip(factors, plus, strict=True))
                touches.append((row % modulus, column) if 0 <= column < 9 else None)
        if any(touches):
            check_pattern(body, "%m: memref<6x9xf32>", touches)


def test_bounds_may_be_of_loops_around() -> None:
    body = """affine.for %i = 0 to 5 {
      affine.for %j = max affine_map<(d0) -> (d0, 2)>(%i) to min affine_map<(d0) -> (d0 + 3, 6)>(%i) {
        affine.store %v, %m[%j, %i] : memref<6x5xf32>
      }
    }"""
    touches = ((j, i) for i in range(5) for j in range(max(i, 2), min(i + 3, 6)))
    check_pattern(body, "%m: memref<6x5xf32>, %v: f32", touches)


def test_parallel_loops_go_in_the_order_of_their_indices() -> None:
    for loop in (
        "affine.parallel (%i, %j) = (0, 1) to (3, 4) step (1, 2) {",
        "scf.parallel (%i, %j) = (%c0, %c1) to (%c3, %c4) step (%c1, %c2) {",
    ):
        constants = "".join(f"%c{number} = arith.constant {number} : index\n" for number in range(5))
        body = f"{constants}{loop}\n memref.store %v, %m[%i, %j] : memref<3x4xf32>\n}}"
        check_pattern(body, "%m: memref<3x4xf32>, %v: f32", [(i, j) for i in range(3) for j in (1, 3)])


def test_what_a_convolution_reads() -> None:
    body = """linalg.conv_1d ins(%a, %k : memref<9xf32>, memref<3xf32>) outs(%o : memref<7xf32>)"""
    read, window, written = drawn(body, "%a: memref<9xf32>, %k: memref<3xf32>, %o: memref<7xf32>")
    assert read.lines[0] == "reads %a[d0 + d1]"
    assert list(read.pattern.times) == [1, 2, 3, 3, 3, 3, 3, 2, 1]
    assert list(window.pattern.times) == [7, 7, 7]
    assert written.lines[:2] == ("reads and writes %o[d0]", "strides: d0: 1, d1: none (elements)")


def test_a_large_space_is_a_window() -> None:
    load = "%x = affine.load %m[%i, %j] : memref<?x?xf32>"
    body = f"affine.for %i = 0 to 1000000 {{\naffine.for %j = 0 to 1000000 {{\n{load}\n}}\n}}"
    (node,) = drawn(body, "%m: memref<?x?xf32>")
    assert (len(node.pattern.rows), node.pattern.columns) == (32, 32)
    assert "in a window of 4,096 iterations 4,096 elements, once each" in node.lines


def test_hostile_nests_end() -> None:
    """Loops around one that never runs, an index that doubles with each operation, and very many accesses."""
    empty = "affine.for %i = 0 to 1000000000 {\naffine.for %j = 5 to 5 {\n%x = affine.load %m[%i] : memref<?xf32>\n}\n}"
    (node,) = drawn(empty, "%m: memref<?xf32>")
    assert node.pattern is None
    applied = "\n".join(
        f"%a{n + 1} = affine.apply affine_map<(d0) -> (d0 mod 7 + d0 floordiv 3)>(%a{n})" for n in range(45)
    )
    doubling = f"affine.for %a0 = 0 to 9 {{\n{applied}\n%x = affine.load %m[%a45] : memref<?xf32>\n}}"
    (node,) = drawn(doubling, "%m: memref<?xf32>")
    assert node.lines == ("reads %m, at places that are not affine in the loops",)
    loads = "".join(f"%x{number} = affine.load %m[%i] : memref<?xf32>\n" for number in range(1_500))
    nodes = drawn(f"affine.for %i = 0 to 4000 {{\n{loads}}}", "%m: memref<?xf32>")
    assert sum(node.pattern is not None for node in nodes) == 48


def test_numbers_at_the_ends_of_their_range() -> None:
    body = """affine.for %i = 9223372036854775806 to 9223372036854775807 {
      %x = affine.load %m[%i * 9223372036854775807] : memref<?xf32>
    }"""
    (node,) = drawn(body, "%m: memref<?xf32>")
    assert node.pattern.columns == 1
