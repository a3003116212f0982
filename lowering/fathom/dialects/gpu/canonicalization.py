"""The canonicalisation of what runs on GPUs: indices of a launch that can only be zero, barriers and waits that have
nothing to wait for, copies that nobody reads.

Source of the rules: mlir-opt 22; the order of the patterns is MLIR's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import index_attr
from fathom.ir.types import DYNAMIC, INDEX, MemRefType
from fathom.irdl.interfaces import EffectKind
from fathom.ops import gpu as ops
from fathom.ops.memref import DimOp
from fathom.rewriting.effects import has_only_effect_on
from fathom.rewriting.folding import integer_constant
from fathom.rewriting.pattern import Replacement, defined_by, replacing

if TYPE_CHECKING:
    from fathom.rewriting.rewriter import Rewriter


def only_index(op: ops.LaunchOp, rewriter: Rewriter) -> Replacement:
    """The index along an axis with one block, or one thread, is zero."""
    body = op.body.first
    if body is None:
        return None
    sizes = [op.one_of(f"{of}Size{axis}") for of in ("grid", "block") for axis in "XYZ"]
    pairs = zip(body.arguments, sizes, strict=False)
    known = [index for index, size in pairs if index.uses and integer_constant(size) == 1]
    if not known:
        return None
    rewriter.set_insertion_to_start(body)
    zero = rewriter.constant(index_attr(0), INDEX)
    for index in known:
        rewriter.replace_all_uses(index, zero)
    return op


def repeated_barrier(op: ops.BarrierOp, rewriter: Rewriter) -> Replacement:
    """Before another barrier, one has no effect."""
    if not isinstance(op.next, ops.BarrierOp):
        return None
    return []


def unread_copy(op: ops.MemcpyOp, rewriter: Rewriter) -> Replacement:
    """What is copied to memory that is then only freed need not be copied."""
    target, tokens = op.dst, op.asyncDependencies
    maker = target.defining_op
    if maker is None or not has_only_effect_on(maker, EffectKind.ALLOCATE, target):
        return None
    if not all(user is op or has_only_effect_on(user, EffectKind.FREE, target) for user in target.uses):
        return None
    if len(tokens) != len(op.results):
        return None
    return tokens


def nothing_to_wait_for(op: ops.WaitOp, rewriter: Rewriter) -> Replacement:
    """A wait for nothing is over at once."""
    kept = [token for token in op.operands if (wait := defined_by(token, ops.WaitOp)) is None or wait.operands]
    if len(kept) == len(op.operands):
        return None
    rewriter.modify(op, lambda: op.set_operands(kept))
    return op


def needless_wait(op: ops.WaitOp, rewriter: Rewriter) -> Replacement:
    """A wait for one token that makes another, and one that nobody and nothing is held up by."""
    if op.results and len(op.operands) == 1:
        return op.operands
    if (op.results and not op.result.uses) or not (op.results or op.operands):
        rewriter.erase(op)
        return op
    return None


def size_of_allocation(op: DimOp, rewriter: Rewriter) -> Replacement:
    """The size that was asked for."""
    alloc, index, type = defined_by(op.source, ops.AllocOp), integer_constant(op.index), op.source.type
    if alloc is None or index is None or not isinstance(type, MemRefType):
        return None
    if not 0 <= index < len(type.ranked_shape) or type.ranked_shape[index] != DYNAMIC:
        return None
    return alloc.dynamicSizes[type.ranked_shape[:index].count(DYNAMIC)]


CANONICALIZATION: Final = (
    replacing("memref.dim", size_of_allocation, name="SimplifyDimOfAllocOp"),
    replacing("gpu.barrier", repeated_barrier, name="eraseRedundantGpuBarrierOps"),
    replacing("gpu.launch", only_index, name="FoldLaunchArguments"),
    replacing("gpu.memcpy", unread_copy, name="EraseTrivialCopyOp"),
    replacing("gpu.wait", nothing_to_wait_for, name="EraseRedundantGpuWaitOpPairs"),
    replacing("gpu.wait", needless_wait, name="SimplifyGpuWaitOp"),
)
