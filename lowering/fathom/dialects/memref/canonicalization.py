"""The canonicalisation of memory: sizes that are known become part of the type, memory that is only written goes.

Source of the rules: mlir-opt 22; the order of the patterns is MLIR's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.memref import reshape_patterns, scope_patterns, view_patterns
from fathom.dialects.memref.common import type_of
from fathom.ir.traversal import ancestors
from fathom.ir.types import DYNAMIC, MemRefType
from fathom.irdl.build import segment_sizes
from fathom.ops import memref as ops
from fathom.records import replace
from fathom.rewriting.folding import integer_constant
from fathom.rewriting.pattern import Failure, Replacement, defined_by, replacing

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter


def known_sizes(op: ops.AllocOp | ops.AllocaOp, rewriter: Rewriter) -> Replacement:
    """
        %m = memref.alloc(%c4, %n) : memref<?x?xf32>
    becomes
        %0 = memref.alloc(%n) : memref<4x?xf32>
        %m = memref.cast %0 : memref<4x?xf32> to memref<?x?xf32>
    """
    type, sizes = type_of(op.memref), iter(op.dynamicSizes)
    shape: list[int] = []
    rest: list[Value] = []
    for extent in type.ranked_shape:
        if extent == DYNAMIC:
            size = next(sizes)
            number = integer_constant(size)
            if number is not None and number >= 0:
                extent = number
            else:
                rest.append(size)
        shape.append(extent)
    if tuple(shape) == type.shape:
        return Failure("no size is known")
    properties = {**op.properties, "operandSegmentSizes": segment_sizes(len(rest), len(op.symbolOperands))}
    made = rewriter.create(op.name, [*rest, *op.symbolOperands], [replace(type, shape=tuple(shape))], properties)
    return rewriter.create("memref.cast", made.results, [type])


def only_written(op: ops.AllocOp | ops.AllocaOp | ops.ReallocOp, rewriter: Rewriter) -> Replacement:
    """Memory that is written and given back, but never read, goes with all that is done to it."""
    memory = op.result
    for user in memory.uses:
        is_written = isinstance(user, ops.StoreOp) and user.value is not memory
        if not is_written and not isinstance(user, ops.DeallocOp):
            return Failure("the memory is used")
    for user in reversed(list(memory.uses)):
        rewriter.erase(user)
    rewriter.erase(op)
    return op


def copy_to_itself(op: ops.CopyOp, rewriter: Rewriter) -> Replacement:
    """`memref.copy %m, %m` does nothing."""
    if op.source is not op.target:
        return Failure("the memrefs differ")
    return []


def copy_of_nothing(op: ops.CopyOp, rewriter: Rewriter) -> Replacement:
    """A copy of a memref without elements does nothing."""
    if not any(isinstance(operand.type, MemRefType) and 0 in (operand.type.shape or ()) for operand in op.operands):
        return Failure("there may be elements")
    return []


def size_of_reshape(op: ops.DimOp, rewriter: Rewriter) -> Replacement:
    """A size of a reshaped memref is an element of its shape, loaded where the memref is reshaped."""
    index, reshape = op.index, defined_by(op.source, ops.ReshapeOp)
    if reshape is None or reshape.parent is None:
        return Failure("the memref is not reshaped")
    if not _is_known_at(index, reshape, op):
        return Failure("the dimension is not known where the memref is reshaped")
    shape = reshape.shape
    rewriter.set_insertion_behind(reshape)
    size = rewriter.create("memref.load", [shape, index], [type_of(shape).element]).result
    if size.type != op.result.type:
        size = rewriter.create("arith.index_cast", [size], [op.result.type]).result
    return size


def _is_known_at(value: Value, reshape: Operation, user: Operation) -> bool:
    """Whether a value is defined before `reshape`, as far as their blocks tell."""
    block = value.parent_block
    if block is reshape.parent:
        op = value.defining_op
        return op is None or not reshape.is_before_in_block(op)
    if user.parent is reshape.parent:
        return True
    region = block.parent if block is not None else None
    return region is not None and any(ancestor.parent_region is region for ancestor in ancestors(reshape))


CANONICALIZATION: Final = (
    replacing("memref.alloc", known_sizes, name="SimplifyAllocConst"),
    replacing("memref.alloc", only_written, name="SimplifyDeadAlloc"),
    replacing("memref.alloca", known_sizes, name="SimplifyAllocConst"),
    replacing("memref.alloca", only_written, name="SimplifyDeadAlloc"),
    replacing("memref.dim", size_of_reshape, name="DimOfMemRefReshape"),
    replacing("memref.realloc", only_written, name="SimplifyDeadAlloc"),
    *scope_patterns.PATTERNS,
    replacing("memref.copy", copy_of_nothing, name="FoldEmptyCopy"),
    replacing("memref.copy", copy_to_itself, name="FoldSelfCopy"),
    *reshape_patterns.PATTERNS,
    *view_patterns.PATTERNS,
)
