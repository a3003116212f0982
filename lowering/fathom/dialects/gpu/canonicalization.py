"""The canonicalisation of what runs on GPUs: indices of a launch that can only be zero, barriers and waits that have
nothing to wait for, copies that nobody reads.

Source of the rules: mlir-opt 22; the order of the patterns is MLIR's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import index_attr
from fathom.ir.types import DYNAMIC, INDEX, MemRefType
from fathom.irdl.interfaces import EffectKind
from fathom.rewriting.effects import own_effects
from fathom.rewriting.folding import integer_constant
from fathom.rewriting.pattern import NO_MATCH, Failure, Pattern, defined_by

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter

ALLOC: Final = "gpu.alloc"
BARRIER: Final = "gpu.barrier"
MEMCPY: Final = "gpu.memcpy"
WAIT: Final = "gpu.wait"


def only_index(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """The index along an axis with one block, or one thread, is zero."""
    body = op.regions[0].first
    if body is None:
        return NO_MATCH
    sizes = [op.one_of(f"{of}Size{axis}") for of in ("grid", "block") for axis in "XYZ"]
    pairs = zip(body.arguments, sizes, strict=False)
    known = [index for index, size in pairs if index.uses and integer_constant(size) == 1]
    if not known:
        return NO_MATCH
    rewriter.set_insertion_to_start(body)
    zero = rewriter.constant(index_attr(0), INDEX)
    for index in known:
        rewriter.replace_all_uses(index, zero)
    return None


def repeated_barrier(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """Before another barrier, one has no effect."""
    if op.next is None or op.next.name != BARRIER:
        return NO_MATCH
    rewriter.erase(op)
    return None


def unread_copy(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """What is copied to memory that is then only freed need not be copied."""
    target, tokens = op.one_of("dst"), op.all_of("asyncDependencies")
    maker = target.defining_op
    if maker is None or not _has_only_effect(maker, EffectKind.ALLOCATE, target):
        return NO_MATCH
    if not all(user is op or _has_only_effect(user, EffectKind.FREE, target) for user in target.uses):
        return NO_MATCH
    if len(tokens) != len(op.results):
        return NO_MATCH
    rewriter.replace(op, tokens)
    return None


def _has_only_effect(op: Operation, kind: EffectKind, value: Value) -> bool:
    kinds = {each.kind for each in own_effects(op) or () if each.value is value}
    return kinds == {kind}


def nothing_to_wait_for(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """A wait for nothing is over at once."""
    kept = [token for token in op.operands if (wait := defined_by(token, WAIT)) is None or wait.operands]
    if len(kept) == len(op.operands):
        return NO_MATCH
    rewriter.modify(op, lambda: op.set_operands(kept))
    return None


def needless_wait(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """A wait for one token that makes another, and one that nobody and nothing is held up by."""
    if op.results and len(op.operands) == 1:
        rewriter.replace(op, op.operands)
    elif (op.results and not op.result.uses) or not (op.results or op.operands):
        rewriter.erase(op)
    else:
        return NO_MATCH
    return None


def size_of_allocation(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """The size that was asked for."""
    alloc, index, type = defined_by(operands[0], ALLOC), integer_constant(operands[1]), operands[0].type
    if alloc is None or index is None or not isinstance(type, MemRefType):
        return NO_MATCH
    if not 0 <= index < len(type.ranked_shape) or type.ranked_shape[index] != DYNAMIC:
        return NO_MATCH
    rewriter.replace(op, [alloc.all_of("dynamicSizes")[type.ranked_shape[:index].count(DYNAMIC)]])
    return None


CANONICALIZATION: Final = (
    Pattern("memref.dim", size_of_allocation, name="SimplifyDimOfAllocOp"),
    Pattern(BARRIER, repeated_barrier, name="eraseRedundantGpuBarrierOps"),
    Pattern("gpu.launch", only_index, name="FoldLaunchArguments"),
    Pattern(MEMCPY, unread_copy, name="EraseTrivialCopyOp"),
    Pattern(WAIT, nothing_to_wait_for, name="EraseRedundantGpuWaitOpPairs"),
    Pattern(WAIT, needless_wait, name="SimplifyGpuWaitOp"),
)
