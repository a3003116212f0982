"""What `ownership-based-buffer-deallocation` cannot go by: in MLIR's words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.bufferization.options import NotFreed
from fathom.bufferization.origins import is_buffer
from fathom.bufferization.regions import branches_into_regions
from fathom.ir.operation import Block, Operation, Region
from fathom.irdl.interfaces import Branch, Call, EffectKind
from fathom.irdl.traits import NO_TERMINATOR, RECURSIVE_MEMORY_EFFECTS, TERMINATOR
from fathom.ops.bufferization import DeallocOp
from fathom.rewriting.effects import own_effects
from fathom.rewriting.region_branches import is_region_terminator

if TYPE_CHECKING:
    from collections.abc import Iterator

FREES: Final = frozenset((EffectKind.ALLOCATE, EffectKind.FREE))


def check_loops(function: Operation) -> None:
    """Raises Refusal where branches of the function lead back."""
    for region in _regions_in(function):
        if region.first is not region.last and _leads_back(region):
            raise NotFreed(function, "Only structured control-flow loops are supported.")


def check_operation(op: Operation) -> None:
    """Raises Refusal where an operation that has to do with buffers does so in a way of which nothing is known."""
    effects = own_effects(op)
    is_unknown = effects is None and not op.has(RECURSIVE_MEMORY_EFFECTS)
    if not is_unknown and not _has_buffers(op) and not any(effect.kind in FREES for effect in effects or ()):
        return
    if isinstance(op, DeallocOp):
        raise NotFreed(op, "No deallocation operations must be present when running this pass!")
    if is_unknown and op.interface(Call) is None:
        raise NotFreed(op, "ops with unknown memory side effects are not supported")
    if (len(op.regions) > 1 or (op.regions and op.results)) and not branches_into_regions(op):
        raise NotFreed(op, "All operations with attached regions need to implement the RegionBranchOpInterface.")
    if op.has(NO_TERMINATOR):
        raise NotFreed(op, "NoTerminator trait is not supported")
    if op.has(TERMINATOR):
        if (op.interface(Branch) is not None) == is_region_terminator(op):
            either = "Terminators must implement either BranchOpInterface or RegionBranchTerminatorOpInterface"
            raise NotFreed(op, f"{either} (but not both)!")
        if len(op.successors) > 1:
            raise NotFreed(op, "Terminators with more than one successor are not supported!")


def _has_buffers(op: Operation) -> bool:
    if any(map(is_buffer, op.operands)) or any(map(is_buffer, op.results)):
        return True
    return any(
        is_buffer(argument) for region in op.regions if region.first is not None for argument in region.first.arguments
    )


def _regions_in(op: Operation) -> Iterator[Region]:
    for inner in op.walk():
        yield from inner.regions


def _leads_back(region: Region) -> bool:
    """Whether the entry leads to a block that leads to itself."""
    entry = region.entry
    around: set[Block] = {entry}
    done: set[Block] = set()
    stack = [(entry, iter(entry.successors))]
    while stack:
        block, rest = stack[-1]
        for successor in rest:
            if successor in around:
                return True
            if successor not in done:
                around.add(successor)
                stack.append((successor, iter(successor.successors)))
                break
        else:
            stack.pop()
            around.discard(block)
            done.add(block)
    return False
