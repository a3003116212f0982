"""How many zeros an integer begins with, as a function: part of `convert-math-to-funcs`.

Source of the rules: *'math' Dialect*, `math.ctlz`; the operations are those of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from fathom.ir.types import IntegerType
from fathom.passes.arithmetic import binary, compare, constant
from fathom.passes.buffers import choose, loop

if TYPE_CHECKING:
    from fathom.ir.operation import Block, Value
    from fathom.rewriting.rewriter import Rewriter


def count_leading_zeros(rewriter: Rewriter, entry: Block) -> None:
    """
    If x == 0: return width
    n = 0
    for i in range(1, width):
        if x >= 0:            # its first bit is zero
            n, x = n + 1, x << 1
    return n
    """
    (argument,) = entry.arguments
    type = argument.type
    assert isinstance(type, IntegerType), "the zeros of an integer are counted"
    width, zero = constant(rewriter, type.width, type), constant(rewriter, 0, type)

    def count() -> Sequence[Value]:
        first = constant(rewriter, 1)
        one = constant(rewriter, 1, type)
        last = constant(rewriter, type.width)
        counted = constant(rewriter, 0, type)
        return [loop(rewriter, (first, last, first), [argument, counted], step(one)).results[1]]

    def step(one: Value) -> Callable[[Value, Sequence[Value]], Sequence[Value]]:
        def shift(_: Value, carried: Sequence[Value]) -> Sequence[Value]:
            bits, counted = carried

            def further() -> Sequence[Value]:
                more = binary(rewriter, "addi", counted, one)
                return [binary(rewriter, "shli", bits, one), more]

            is_over = compare(rewriter, "slt", bits, zero)
            return choose(rewriter, is_over, [lambda: carried, further]).results

        return shift

    is_zero = compare(rewriter, "eq", argument, zero)
    results = choose(rewriter, is_zero, [lambda: [width], count]).results
    rewriter.create("func.return", results)
