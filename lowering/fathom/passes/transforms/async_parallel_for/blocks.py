"""The iterations of a parallel loop, counted through in one dimension and divided into blocks of the same size; and the
function that runs one block.

    func.func private @parallel_compute_fn(%block_index: index, %block_size: index, <counts>, <bounds>, <captures>) {
      <where the first and the last iteration of the block are, in each dimension>
      scf.for %i = %first0 to %end0 step %c1 {
        scf.for %j = <first1, or 0 in later rows> to <end1, or all in earlier rows> step %c1 {
          <body, with %lower0 + %i * %step0 and %lower1 + %j * %step1>
        }
      }
    }
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.operation import types_of
from fathom.ir.types import INDEX
from fathom.passes.arithmetic import binary, compare, constant, select
from fathom.passes.asynchronous.captures import captures_of
from fathom.passes.asynchronous.functions import add_function
from fathom.passes.buffers import loop
from fathom.records import record
from fathom.rewriting.folding import integer_constant

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fathom.ir.operation import Operation, Value
    from fathom.ops.scf import ParallelOp
    from fathom.rewriting.rewriter import Rewriter


@record
class Blocks:
    """The function that runs a block, and what it gets but for the number of the block."""

    function: Operation
    module: Operation
    size: Value
    rest: Sequence[Value]

    def operands(self, number: Value) -> list[Value]:
        """What it gets to run the block of a number."""
        return [number, self.size, *self.rest]


def define_blocks(
    rewriter: Rewriter, module: Operation, op: ParallelOp, counts: Sequence[Value], aligned: int
) -> tuple[Operation, list[Value]]:
    """Adds the function for a loop that iterates so often in each dimension to the module; and what it gets but for
    number and size of the block. The innermost `aligned` dimensions are gone through as a whole in each block."""
    captures = captures_of(op.region)
    rest = [*counts, *op.lowerBound, *op.upperBound, *op.step, *captures]
    name = "parallel_compute_fn_with_aligned_loops" if aligned else "parallel_compute_fn"
    with rewriter.elsewhere():
        function = add_function(rewriter, module, name, [INDEX, INDEX, *types_of(rest)])
        _Body(rewriter, op, function.regions[0].arguments, counts, captures, aligned).fill()
        rewriter.create("func.return")
    return function, rest


class _Body:
    """The body of such a function, while it is filled."""

    def __init__(
        self,
        rewriter: Rewriter,
        op: ParallelOp,
        arguments: Sequence[Value],
        counts: Sequence[Value],
        captures: Sequence[Value],
        aligned: int,
    ) -> None:
        self.rewriter, self.op, self.aligned = rewriter, op, aligned
        rank = len(counts)
        self.rank = rank
        self.number, self.size = arguments[:2]
        passed = [arguments[2 + place * rank : 2 + (place + 1) * rank] for place in range(4)]
        self.zero, self.one = constant(rewriter, 0), constant(rewriter, 1)
        self.counts = self._known(passed[0], counts)
        self.lowers = self._known(passed[1], op.lowerBound)
        self.steps = self._known(passed[3], op.step)
        self.values: dict[Value, Value] = dict(zip(captures, arguments[2 + 4 * rank :], strict=True))

    def _known(self, arguments: Sequence[Value], given: Sequence[Value]) -> list[Value]:
        """Constants in the place of arguments that are passed such."""
        numbers = [integer_constant(value) for value in given]
        return [
            argument if number is None else constant(self.rewriter, number)
            for argument, number in zip(arguments, numbers, strict=True)
        ]

    def fill(self) -> None:
        rewriter = self.rewriter
        total = product(rewriter, self.counts)
        first = binary(rewriter, "muli", self.number, self.size)
        end = binary(rewriter, "minsi", binary(rewriter, "addi", first, self.size), total)
        last = binary(rewriter, "subi", end, self.one)
        self.first, self.last = self._coordinates(first), self._coordinates(last)
        self.ends = [binary(rewriter, "addi", place, self.one) for place in self.last]
        loop(rewriter, (self.first[0], self.ends[0], self.one), (), self._level(0, None, None))

    def _coordinates(self, place: Value) -> list[Value]:
        """Where in each dimension an iteration is that is counted in one."""
        coordinates: list[Value] = []
        for count in reversed(self.counts):
            coordinates.insert(0, binary(self.rewriter, "remsi", place, count))
            place = binary(self.rewriter, "divsi", place, count)
        return coordinates

    def _level(
        self, depth: int, at_first: Value | None, at_last: Value | None
    ) -> Callable[[Value, Sequence[Value]], Sequence[Value]]:
        """What fills the loop of a dimension. It is known whether those around it are in the block's first iteration,
        or in its last."""

        def fill(place: Value, carried: Sequence[Value]) -> Sequence[Value]:
            rewriter = self.rewriter
            offset = binary(rewriter, "muli", place, self.steps[depth])
            variable = binary(rewriter, "addi", self.lowers[depth], offset)
            self.values[self.op.region.arguments[depth]] = variable
            is_first = compare(rewriter, "eq", place, self.first[depth])
            is_last = compare(rewriter, "eq", place, self.last[depth])
            if at_first is not None and at_last is not None:
                is_first = binary(rewriter, "andi", is_first, at_first)
                is_last = binary(rewriter, "andi", is_last, at_last)
            inner = depth + 1
            if inner == self.rank:
                for op in [op for op in self.op.region.entry if op.next is not None]:
                    rewriter.clone(op, self.values)
                return ()
            if inner >= self.rank - self.aligned:
                bounds = self.zero, self.counts[inner], self.one
            else:
                lower = select(rewriter, is_first, self.first[inner], self.zero)
                bounds = lower, select(rewriter, is_last, self.ends[inner], self.counts[inner]), self.one
            loop(rewriter, bounds, (), self._level(inner, is_first, is_last))
            return ()

        return fill


def product(rewriter: Rewriter, values: Sequence[Value]) -> Value:
    """All values multiplied."""
    total, *others = values
    for value in others:
        total = binary(rewriter, "muli", total, value)
    return total
