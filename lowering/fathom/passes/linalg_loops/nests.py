"""Nests of loops of the three kinds that structured operations on buffers become, and how each accesses memory.

What stands in a loop is made before the loop itself where MLIR makes it so, since what is visited again after a change
depends on it. Source of the rules: *'linalg' Dialect*, and the order of what mlir-opt 22 makes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.ir.affine import AffineConstant, AffineDim, AffineMap, identity_map
from fathom.ir.attributes import AffineMapAttr, IntegerAttr, index_attr
from fathom.ir.operation import Block, Region, Value
from fathom.ir.types import INDEX, MemRefType
from fathom.irdl.build import segment_sizes
from fathom.passes.arithmetic import constant
from fathom.records import record
from fathom.rewriting.folding import constant_value

if TYPE_CHECKING:
    from fathom.rewriting.rewriter import Rewriter

Body: TypeAlias = "Callable[[Sequence[Value]], None]"
"""Inserts what the innermost loop does, which gets the variables of all loops, from outside in."""


@record
class Bounds:
    """Where each loop ends, and of which kind it is: `p` where its iterations may run in any order, `r` where they
    reduce. All begin at zero and go by one."""

    sizes: Sequence[Value | int]
    kinds: str


@record
class Loops:
    """A kind of loops: how a nest of them is made, and what reads and writes memory in it. `has_maps` says that
    accesses apply an affine map."""

    nest: Callable[[Rewriter, Bounds, Body], None]
    load_op: str
    store_op: str
    has_maps: bool = False

    def load(self, rewriter: Rewriter, memref: Value, indices: Sequence[Value]) -> Value:
        type = memref.type
        assert isinstance(type, MemRefType), "what is loaded from is a memref"
        return rewriter.create(self.load_op, [memref, *indices], [type.element], self._properties(indices)).result

    def store(self, rewriter: Rewriter, value: Value, memref: Value, indices: Sequence[Value]) -> None:
        rewriter.create(self.store_op, [value, memref, *indices], (), self._properties(indices))

    def _properties(self, indices: Sequence[Value]) -> dict[str, AffineMapAttr] | None:
        if not self.has_maps:
            return None
        rank = len(indices)
        return {"map": AffineMapAttr(identity_map(rank))}


def _bounds(rewriter: Rewriter, bounds: Bounds) -> list[tuple[Value, Value, Value]]:
    """The lower bound, the upper bound and the step of each loop."""

    def triple(size: Value | int) -> tuple[Value, Value, Value]:
        lower = constant(rewriter, 0)
        upper = constant(rewriter, size) if isinstance(size, int) else size
        return lower, upper, constant(rewriter, 1)

    return [triple(size) for size in bounds.sizes]


def _block(rewriter: Rewriter, arguments: int) -> Block:
    """A body that no loop has yet, whose arguments are indices; the insertion point moves into it."""
    block = Block([INDEX] * arguments)
    for argument in block.arguments:
        argument.span, argument.location = rewriter.span, rewriter.location
    rewriter.set_insertion_to_end(block)
    return block


# ---- scf.for


def _sequential(rewriter: Rewriter, bounds: Bounds, body: Body) -> None:
    _nest_sequential(rewriter, _bounds(rewriter, bounds), body)


def _nest_sequential(rewriter: Rewriter, bounds: Sequence[tuple[Value, Value, Value]], body: Body) -> None:
    """Loops from outside in; then their ends, that of the innermost behind its body."""
    blocks: list[Block] = []
    with rewriter.elsewhere():
        for bound in bounds:
            with rewriter.elsewhere():
                block = _block(rewriter, 1)
            rewriter.create("scf.for", bound, regions=[Region([block])])
            rewriter.set_insertion_to_end(block)
            blocks.append(block)
        for block in blocks[:-1]:
            rewriter.set_insertion_to_end(block)
            rewriter.create("scf.yield")
        if blocks:
            rewriter.set_insertion_to_end(blocks[-1])
        body([block.arguments[0] for block in blocks])
        if blocks:
            rewriter.create("scf.yield")


# ---- scf.parallel


def _parallel(rewriter: Rewriter, bounds: Bounds, body: Body) -> None:
    _nest_parallel(rewriter, _bounds(rewriter, bounds), bounds.kinds, body, ())


def _nest_parallel(
    rewriter: Rewriter,
    bounds: Sequence[tuple[Value, Value, Value]],
    kinds: str,
    body: Body,
    outer: Sequence[Value],
) -> None:
    """Neighbouring loops that may run in any order are one loop; any other is a loop of its own."""
    if not kinds:
        body(outer)
        return
    count = len(kinds) - len(kinds.lstrip("p"))
    if not count:

        def rest(variables: Sequence[Value]) -> None:
            _nest_parallel(rewriter, bounds[1:], kinds[1:], body, [*outer, *variables])

        _nest_sequential(rewriter, bounds[:1], rest)
        return
    with rewriter.elsewhere():
        block = _block(rewriter, count)
        _nest_parallel(rewriter, bounds[count:], kinds[count:], body, [*outer, *block.arguments])
        rewriter.create("scf.reduce")
    operands = [value for group in zip(*bounds[:count], strict=True) for value in group]
    sizes = segment_sizes(count, count, count, 0)
    rewriter.create("scf.parallel", operands, (), {"operandSegmentSizes": sizes}, regions=[Region([block])])


# ---- affine.for


def _affine(rewriter: Rewriter, bounds: Bounds, body: Body) -> None:
    """Bounds that are numbers stand in the loop."""
    ranges = _bounds(rewriter, bounds)
    if not ranges:
        body(())
        return
    variables: list[Value] = []
    with rewriter.elsewhere():
        for number, (lower, upper, _) in enumerate(ranges, 1):
            with rewriter.elsewhere():
                block = _block(rewriter, 1)
                variables += block.arguments
                if number == len(ranges):
                    body(variables)
                rewriter.create("affine.yield")
            _affine_for(rewriter, lower, upper, block)
            rewriter.set_insertion_to_start(block)


def _affine_for(rewriter: Rewriter, lower: Value, upper: Value, block: Block) -> None:
    numbers = [constant_value(lower), constant_value(upper)]
    values = [] if all(number is not None for number in numbers) else [lower, upper]
    maps = (
        [AffineMap(1, 0, (AffineDim(0),))] * 2
        if values
        else [AffineMap(0, 0, (AffineConstant(number.value),)) for number in numbers if isinstance(number, IntegerAttr)]
    )
    count = len(values) // 2
    properties = {
        "lowerBoundMap": AffineMapAttr(maps[0]),
        "upperBoundMap": AffineMapAttr(maps[1]),
        "step": index_attr(1),
        "operandSegmentSizes": segment_sizes(count, count, 0),
    }
    rewriter.create("affine.for", values, (), properties, regions=[Region([block])])


SEQUENTIAL: Final = Loops(_sequential, "memref.load", "memref.store")
PARALLEL: Final = Loops(_parallel, "memref.load", "memref.store")
AFFINE: Final = Loops(_affine, "affine.load", "affine.store", has_maps=True)
