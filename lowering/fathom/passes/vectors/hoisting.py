"""Transfers between vectors and memory that are of the same place in each iteration: once, in front of the loop and
behind it.

    scf.for … {
      %0 = vector.transfer_read %m[%i], %p : memref<?xf32>, vector<4xf32>
      %1 = … %0 …
      vector.transfer_write %1, %m[%i] : vector<4xf32>, memref<?xf32>
    }
->
    %0 = vector.transfer_read %m[%i], %p
    %1 = scf.for … iter_args(%a = %0) { %2 = … %a … scf.yield %2 }
    vector.transfer_write %1, %m[%i]

Source of the rules: `hoistRedundantVectorTransfers` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.bufferization.subsets import are_apart, slice_of
from fathom.ir.operation import Region
from fathom.ir.traversal import ancestors
from fathom.ir.types import MemRefType
from fathom.ops.scf import ForOp
from fathom.ops.vector import TransferReadOp, TransferWriteOp
from fathom.rewriting.effects import is_memory_effect_free
from fathom.rewriting.loop_invariants import is_inside, move_loop_invariants

if TYPE_CHECKING:
    from fathom.ir.operation import Block, Operation, Value
    from fathom.rewriting.rewriter import Rewriter


def hoist_transfers(root: Operation, rewriter: Rewriter) -> None:
    """What is the same in each iteration leaves its loop, then transfers do, one after the other."""
    while True:
        move_loop_invariants(root)
        reads = [op for op in root.walk_postorder() if isinstance(op, TransferReadOp)]
        if not any(_hoist(op, rewriter) for op in reads):
            return


def _hoist(op: TransferReadOp, rewriter: Rewriter) -> bool:
    """Takes a read out of its loop; whether a write went with it, and the loop is another one."""
    loop = op.parent_op
    if not isinstance(op.base.type, MemRefType) or not isinstance(loop, ForOp):
        return False
    if any(is_inside(operand, loop) for operand in op.operands):
        return False
    write = _write_behind(op)
    if write is None:
        if _is_unwritten(op, loop):
            rewriter.move_before(op, *_before(loop))
        return False
    is_same = list(op.indices) == list(write.indices) and op.permutation_map == write.permutation_map
    if not is_same or op.vector.type != write.valueToStore.type or write.parent is not op.parent:
        return False
    if _is_view(op.base.defining_op) or any(map(_is_view, op.base.uses)) or not _is_alone(op, write, loop):
        return False
    rewriter.move_before(op, *_before(loop))
    assert loop.parent is not None, "it stands in a block"
    rewriter.move_before(write, loop.parent, loop.next)
    _carry(loop, op, write, rewriter)
    return True


def _before(op: Operation) -> tuple[Block, Operation]:
    assert op.parent is not None, "it stands in a block"
    return op.parent, op


def _write_behind(op: TransferReadOp) -> TransferWriteOp | None:
    """The first write to where a read reads of what follows from that."""
    seen: dict[Operation, None] = {}
    pending: list[Operation] = [op]
    while pending:
        for result in pending.pop().results:
            for user in result.uses:
                if user not in seen:
                    seen[user] = None
                    pending.append(user)
    writes = [each for each in seen if isinstance(each, TransferWriteOp) and each.base is op.base]
    return writes[0] if writes else None


def _is_view(op: Operation | None) -> bool:
    return (
        op is not None
        and op.definition is not None
        and any(t.name == "ViewLikeOpInterface" for t in op.definition.traits)
    )


def _is_unwritten(op: TransferReadOp, loop: Operation) -> bool:
    """Whether nothing in the loop writes to the memory that is read."""
    source: Value = op.base
    while (maker := source.defining_op) is not None and _is_view(maker):
        source = maker.operands[0]
    pending, seen = list(source.uses), set[object]()
    while pending:
        user = pending.pop()
        if user in seen:
            continue
        seen.add(user)
        if _is_view(user):
            pending += [each for result in user.results for each in result.uses]
        elif not is_memory_effect_free(user) and not isinstance(user, TransferReadOp) and _is_in(user, loop):
            return False
    return True


def _is_in(op: Operation, loop: Operation) -> bool:
    return any(each is loop for each in ancestors(op))


def _is_alone(op: TransferReadOp, write: TransferWriteOp, loop: Operation) -> bool:
    """Whether all else in the loop that reads or writes the memory does so elsewhere."""
    if not op.is_before_in_block(write):
        return False
    own = slice_of(write)
    for user in op.base.uses:
        if user is op or user is write or not _is_in(user, loop):
            continue
        other = slice_of(user) if isinstance(user, (TransferReadOp, TransferWriteOp)) else None
        if own is None or other is None or not are_apart(own, other):
            return False
    return True


def _carry(loop: ForOp, op: TransferReadOp, write: TransferWriteOp, rewriter: Rewriter) -> None:
    """The loop carries what was read, and gives what is written."""
    body, value = loop.region.entry, write.valueToStore
    carried = body.add_argument(op.vector.type, loop.span)
    carried.location = loop.location
    for user in list(op.vector.uses):
        if _is_in(user, loop):
            rewriter.use_instead(user, op.vector, carried)
    body.end.set_operands([*body.end.operands, carried if value is op.vector else value])
    rewriter.set_insertion_before(loop)
    rewriter.stand_in(loop)
    types = [*(result.type for result in loop.results), op.vector.type]
    made = rewriter.create(loop.name, [*loop.operands, op.vector], types, loop.properties, loop.attributes)
    made.add_region(Region()).take_blocks(loop.region)
    rewriter.replace(loop, made.results[:-1])
    write.set_operand(0, made.results[-1])
