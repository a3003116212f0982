"""Where buffers are allocated: in front of branches, in front of loops, or on the stack.

    scf.if %c {                                         %m = memref.alloc() : memref<4xf32>
      %m = memref.alloc() : memref<4xf32>       ->      scf.if %c {
      use(%m)                                             use(%m)

Source of the rules: *Passes*, `-buffer-hoisting`, `-buffer-loop-hoisting`, `-promote-buffers-to-stack`, and
`BufferOptimizations.cpp` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING

from fathom.bufferization.allocations import Allocation, allocated_in, allocation_of
from fathom.bufferization.regions import may_run_again
from fathom.bufferization.view_flow import ViewFlow
from fathom.ir.dominance import Dominance, ancestor_in_block
from fathom.irdl.interfaces import LoopLike, RegionBranch
from fathom.irdl.traits import AUTOMATIC_ALLOCATION_SCOPE
from fathom.ops.memref import AllocaOp
from fathom.rewriting.region_branches import is_region_terminator
from fathom.rewriting.rewriter import Rewriter

if TYPE_CHECKING:
    from fathom.ir.operation import Block, Operation, Region, Value
    from fathom.irdl.dialect import Definitions


def is_loop(op: Operation) -> bool:
    return op.interface(LoopLike) is not None or any(may_run_again(op, index) for index in range(len(op.regions)))


def _is_known(op: Operation) -> bool:
    """Whether it is known how control goes through the regions of an operation."""
    return op.interface(LoopLike) is not None or op.interface(RegionBranch) is not None


# ---- moving


def move_to_dominators(function: Operation, context: Definitions) -> None:
    """Moves allocations to the first block from which all that use them are reached, but out of no loop."""
    _Moves(function, context).run(lambda allocation: allocation.to_dominators, _to_dominator)


def move_out_of_loops(function: Operation, context: Definitions) -> None:
    """Moves allocations in front of loops whose iterations do not hand them on."""
    _Moves(function, context).run(lambda allocation: allocation.out_of_loops, _out_of_loops)


class _Moves:
    """The allocations of a function, and what is known of it: no block of it changes."""

    def __init__(self, function: Operation, context: Definitions) -> None:
        self.function = function
        self.context = context
        self.dominance = Dominance()
        self.flow = ViewFlow(function, context)

    def run(
        self,
        may_move: Callable[[Allocation], bool],
        place: Callable[[Value, Block | None, Block | None, Dominance], Block],
    ) -> None:
        buffers: list[Value] = [allocated.buffer for allocated in allocated_in(self.function)]
        buffers += [op.memref for op in self.function.walk_postorder() if isinstance(op, AllocaOp)]
        for buffer in buffers:
            op = buffer.defining_op
            known = allocation_of(op, self.context) if op is not None else None
            if op is None or op.parent is None or known is None or not may_move(known):
                continue
            common = self.dominance.nearest_common(_blocks_of(buffer, self.flow.names_of(buffer)))
            block = place(buffer, common, self._needed(op), self.dominance)
            before = ancestor_in_block(op, block) or block.last
            if before is not op:
                op.unlink()
                block.insert_before(op, before)

    def _needed(self, op: Operation) -> Block | None:
        """The last of the blocks in which the operands of an operation come to be."""
        common: Block | None = None
        for operand in op.operands:
            block = operand.parent_block
            if common is None or (block is not None and self.dominance.dominates(common, block)):
                common = block
        return common


def _blocks_of(buffer: Value, names: Collection[Value]) -> dict[Block, None]:
    """The blocks in which a buffer is made, used, and given other names."""
    blocks = [buffer.parent_block]
    for name in names:
        blocks += [*(user.parent for user in name.uses), name.parent_block]
    return {block: None for block in blocks if block is not None}


def _ways_up(block: Block, bound: Block | None, dominance: Dominance) -> Iterator[tuple[Block, Operation | None]]:
    """The blocks above one, as far as a bound: with the operation that is left, or None where it is the same region."""
    while True:
        op = block.parent.parent if block.parent is not None else None
        if op is None or op.parent is None or (bound is not None and not dominance.properly_dominates(bound, block)):
            return
        above = dominance.immediate(block)
        if above is not None and dominance.properly_dominates(op.parent, above):
            yield above, None
            block = above
        else:
            yield op.parent, op
            block = op.parent


def _to_dominator(buffer: Value, common: Block | None, needed: Block | None, dominance: Dominance) -> Block:
    assert buffer.parent_block is not None, "an operation of a function stands in a block"
    place = buffer.parent_block
    is_later = needed is not None and common is not None and dominance.properly_dominates(common, needed)
    for block, left in _ways_up(place, needed if is_later else common, dominance):
        if left is not None and (not _is_known(left) or is_loop(left)):
            break
        place = block
    return place


def _out_of_loops(buffer: Value, common: Block | None, needed: Block | None, dominance: Dominance) -> Block:
    assert buffer.parent_block is not None, "an operation of a function stands in a block"
    place = buffer.parent_block
    for block, left in _ways_up(place, needed, dominance):
        if left is None:
            continue
        is_handed_on = common is not None and dominance.dominates(common, block)
        if not _is_known(left) or not _is_sequential_loop(left) or is_handed_on:
            break
        place = block
    return place


def _is_sequential_loop(op: Operation) -> bool:
    is_parallel = op.definition is not None and "HasParallelRegion" in op.definition.trait_names
    return not is_parallel and is_loop(op)


# ---- on the stack


def promote_to_stack(function: Operation, context: Definitions, is_small: Callable[[Operation], bool]) -> None:
    """Small buffers that nothing gives back, and that do not leave what is around them, lie on the stack."""
    flow = ViewFlow(function, context)
    rewriter = Rewriter(context)
    for buffer, end in allocated_in(function):
        op = buffer.op
        known = allocation_of(op, context)
        if end is not None or known is None or known.on_stack is None or not is_small(op):
            continue
        if _has_scope(buffer, flow.names_of(buffer)):
            rewriter.set_insertion_before(op)
            rewriter.stand_in(op)
            types = [result.type for result in op.results]
            rewriter.replace_with(op, known.on_stack, op.operands, types, op.properties, op.attributes)


def _has_scope(buffer: Value, names: Collection[Value]) -> bool:
    """Whether there is something around a buffer at the end of which the stack is as before, and which no name of the
    buffer leaves. It is looked for around branches, but not around loops."""
    block = buffer.parent_block
    region = block.parent if block is not None else None
    while region is not None and (op := region.parent) is not None:
        if op.has(AUTOMATIC_ALLOCATION_SCOPE) and not _leaves(region, names):
            return True
        if is_loop(op) or not _is_known(op):
            return False
        region = op.parent_region
    return False


def _leaves(region: Region, names: Collection[Value]) -> bool:
    """Whether any of the names is handed out of a region at one of its ends."""
    return any(user.parent_region is region and is_region_terminator(user) for name in names for user in name.uses)
