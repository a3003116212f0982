"""`scf.parallel` in tiles: a loop over tiles, and one in it over what is in a tile.

Source of the rules: `ParallelLoopTiling.cpp` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.ir.affine import AffineDim, AffineMap, add, negate
from fathom.ir.attributes import AffineMapAttr
from fathom.ir.operation import Region
from fathom.ir.types import I1, INDEX
from fathom.ops.scf import ParallelOp
from fathom.passes.arithmetic import binary, compare, constant
from fathom.passes.loops.making import branch, parallel
from fathom.rewriting.folding import integer_constant
from fathom.rewriting.rewriter import Rewriter

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.ir.operation import Block, Operation, Value

REST: Final = AffineMap(3, 0, (AffineDim(0), add(AffineDim(1), negate(AffineDim(2)))))
"""How long a tile is: as long as they are, or what is left."""


def tile_innermost(root: Operation, context: Context, sizes: Sequence[int], *, checks: bool) -> None:
    """Tiles the loops that hold no other; those that reduce stay."""
    rewriter = Rewriter(context)
    for op in [*_innermost(root)]:
        if not op.initVals:
            rewriter.set_insertion_before(op)
            rewriter.stand_in(op)
            _Tiling(op, sizes, rewriter).make(checks=checks)


def _innermost(root: Operation) -> list[ParallelOp]:
    loops = [op for op in root.walk_postorder() if isinstance(op, ParallelOp) and op is not root]
    around = {id(above) for op in loops for above in _above(op)}
    return [op for op in loops if id(op) not in around]


def _above(op: Operation) -> list[Operation]:
    around: list[Operation] = []
    while (above := op.parent_op) is not None:
        around.append(above)
        op = above
    return around


class _Tiling:
    def __init__(self, op: ParallelOp, sizes: Sequence[int], rewriter: Rewriter) -> None:
        self.op = op
        self.rewriter = rewriter
        rank = len(op.step)
        self.sizes = [*sizes[:rank], *[1] * (rank - len(sizes))]

    def make(self, *, checks: bool) -> None:
        """The two loops. With `checks`, tiles are of one length, and each iteration looks whether it is inside."""
        op, rewriter = self.op, self.rewriter
        lower, upper, step = op.lowerBound, op.upperBound, op.step
        zero = constant(rewriter, 0)
        sizes = [constant(rewriter, size) for size in self.sizes]
        steps = [binary(rewriter, "muli", *pair) for pair in zip(step, sizes, strict=True)]
        outer = parallel(rewriter, (lower, upper, steps)).regions[0].entry
        rewriter.set_insertion_to_start(outer)
        lengths = [self._length(place, steps[place], outer.arguments[place], checks) for place in range(len(step))]
        is_whole = all(map(self._divides, range(len(step))))
        bounds = [zero] * len(lengths), lengths, step
        if checks and not is_whole:
            self._check(outer, parallel(rewriter, bounds).regions[0].entry, upper)
        else:
            region = Region()
            region.take_blocks(op.region)
            inner = parallel(rewriter, bounds, body=region).regions[0].entry
            rewriter.set_insertion_to_start(inner)
            for index, start in zip(inner.arguments, outer.arguments, strict=True):
                uses = list(index.uses)
                place = binary(rewriter, "addi", index, start)
                for user in uses:
                    user.set_operands([place if operand is index else operand for operand in user.operands])
        op.erase()

    def _divides(self, place: int) -> bool:
        """Whether all tiles of a loop are known to be whole."""
        op = self.op
        numbers = [integer_constant(bounds[place]) for bounds in (op.lowerBound, op.upperBound, op.step)]
        lower, upper, step = numbers
        if lower is None or upper is None or step is None:
            return False
        return -((lower - upper) // step) % self.sizes[place] == 0

    def _length(self, place: int, step: Value, start: Value, checks: bool) -> Value:
        if checks or self._divides(place):
            return step
        operands = [step, self.op.upperBound[place], start]
        return self.rewriter.create("affine.min", operands, [INDEX], {"map": AffineMapAttr(REST)}).result

    def _check(self, outer: Block, inner: Block, upper: Sequence[Value]) -> None:
        """The body runs where the index is less than the upper bound.

        MLIR 22 multiplies the index in the tile, which has gone by the step already, by the step, and compares without
        a sign. That is done here only where step and lower bound are not known.
        """
        rewriter, body = self.rewriter, self.op.region.entry
        rewriter.set_insertion_before(inner.end)
        inside = constant(rewriter, 1, I1)
        loops = zip(inner.arguments, outer.arguments, upper, self.op.lowerBound, self.op.step, strict=True)
        for index, start, bound, lower, step in loops:
            if integer_constant(step) in (None, 1):
                index = binary(rewriter, "muli", index, step)
            place = binary(rewriter, "addi", index, start)
            predicate = "slt" if (integer_constant(lower) or 0) < 0 else "ult"
            inside = binary(rewriter, "andi", inside, compare(rewriter, predicate, place, bound))
        (block,) = branch(rewriter, inside, has_else=False)
        rewriter.set_insertion_to_start(inner)
        places = [binary(rewriter, "addi", *pair) for pair in zip(inner.arguments, outer.arguments, strict=True)]
        end = body.end
        block.end.span, block.end.location = end.span, end.location
        end.erase()
        rewriter.inline_block_before(body, block, block.last, places)
