"""The canonicalisation of `memref.alloca_scope`: scopes that end nothing go, and memory moves out of scopes within
scopes.

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from fathom.dialects.scf.common import inline_only_block
from fathom.ir.operation import Operation, Region, Value
from fathom.ir.traversal import ancestors
from fathom.irdl.interfaces import StackAllocation
from fathom.irdl.traits import AUTOMATIC_ALLOCATION_SCOPE, NO_TERMINATOR, RECURSIVE_MEMORY_EFFECTS
from fathom.ops.memref import AllocaScopeOp
from fathom.rewriting.effects import own_effects
from fathom.rewriting.pattern import Failure, Replacement, replacing

if TYPE_CHECKING:
    from fathom.rewriting.rewriter import Rewriter

NO_MATCH: Final = Failure("the scope is needed")


def _may_allocate(op: Operation) -> bool:
    """Whether the operation itself may take memory from the stack."""
    if op.has(RECURSIVE_MEMORY_EFFECTS):
        return False
    return op.interface(StackAllocation) is not None or own_effects(op) is None


def _in_scope(region: Region) -> Iterator[Operation]:
    """What is nested in a region, but not what is in further scopes."""
    for op in region.operations():
        yield op
        if not op.has(AUTOMATIC_ALLOCATION_SCOPE):
            for inner in op.regions:
                yield from _in_scope(inner)


def _is_last(op: Operation) -> bool:
    """Whether only the end of a region of one block follows."""
    region, block = op.parent_region, op.parent
    if region is None or block is None or not region.has_one_block or op.next is not block.last:
        return False
    return op.next is not None and (region.parent is None or not region.parent.has(NO_TERMINATOR))


def inline_scope(op: AllocaScopeOp, rewriter: Rewriter) -> Replacement:
    """A scope without memory of its own, or whose memory would end with the scope around it, is its body."""
    around = op.parent_op
    if any(_may_allocate(inner) for inner in _in_scope(op.bodyRegion)):
        if around is None or not around.has(AUTOMATIC_ALLOCATION_SCOPE) or not _is_last(op):
            return NO_MATCH
    return inline_only_block(rewriter, op, op.bodyRegion)


def hoist_allocations(op: AllocaScopeOp, rewriter: Rewriter) -> Replacement:
    """Memory of a scope that ends where the next scope around it ends is made in front of what stands between."""
    outermost = op.parent_op
    if outermost is None or outermost.has(AUTOMATIC_ALLOCATION_SCOPE):
        return NO_MATCH
    if not _is_last(op) or not _is_last(outermost):
        return NO_MATCH
    while outermost.parent_op is None or not outermost.parent_op.has(AUTOMATIC_ALLOCATION_SCOPE):
        outermost = outermost.parent_op
        if outermost is None or not _is_last(outermost):
            return NO_MATCH
    moved = [inner for inner in op.bodyRegion.walk() if _can_move(inner, outermost)]
    if not moved:
        return NO_MATCH
    rewriter.set_insertion_before(outermost)
    for allocation in moved:
        rewriter.replace(allocation, rewriter.clone(allocation, {}).results)
    return op


def _can_move(op: Operation, outermost: Operation) -> bool:
    is_on_stack = op.interface(StackAllocation) is not None
    return is_on_stack and not any(_is_inside(operand, outermost) for operand in op.operands)


def _is_inside(value: Value, op: Operation) -> bool:
    """Whether the value is defined in a region of the operation, at any depth."""
    block = value.parent_block
    owner = block.parent.parent if block is not None and block.parent is not None else None
    return owner is not None and (owner is op or op in ancestors(owner))


PATTERNS: Final = (
    replacing("memref.alloca_scope", inline_scope, name="AllocaScopeInliner"),
    replacing("memref.alloca_scope", hoist_allocations, name="AllocaScopeHoister"),
)
