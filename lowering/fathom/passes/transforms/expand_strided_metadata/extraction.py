"""The metadata of a memref, taken from what made the memref: part of `expand-strided-metadata`.

Source of the rules: *'memref' Dialect*, `memref.extract_strided_metadata`; the order of what is made is that of
mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.affine.composition import apply_folded
from fathom.dialects.memref.common import ranked, type_of
from fathom.ir.operation import Value, types_of
from fathom.ir.strides import is_identity, row_major_strides
from fathom.ir.types import DYNAMIC
from fathom.irdl.slices import mixed_lists
from fathom.ops import memref as ops
from fathom.passes.arithmetic import constant
from fathom.passes.buffers import extract_metadata
from fathom.passes.index_arithmetic import values_of
from fathom.passes.transforms.expand_strided_metadata.views import (
    UNKNOWN_LAYOUT,
    VIEWS,
    Metadata,
    Number,
    metadata_of_view,
    product,
    reinterpret,
)
from fathom.records import replace
from fathom.rewriting.pattern import Failure, Pattern, defined_by, named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.rewriting.rewriter import Rewriter

EXTRACT: Final = "memref.extract_strided_metadata"
NOTHING_KNOWN: Final = Failure("nothing is known of what made the memref")


def of_view(op: ops.ExtractStridedMetadataOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """That of a view follows from that of its source."""
    view = op.source.defining_op
    if not isinstance(view, VIEWS):
        return NOTHING_KNOWN
    with rewriter.standing_in(view):
        metadata = metadata_of_view(rewriter, view)
        if metadata is None:
            return UNKNOWN_LAYOUT
        numbers = values_of(rewriter, [metadata.offset, *metadata.sizes, *metadata.strides])
    rewriter.replace(op, [metadata.base, *numbers])
    return None


@named("ExtractStridedMetadataOpAllocFolder")
def of_allocation(op: ops.ExtractStridedMetadataOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """That of an allocation: an offset of zero, the sizes that it was made with, and their products."""
    allocation = defined_by(op.source, ops.AllocOp) or defined_by(op.source, ops.AllocaOp)
    if allocation is None:
        return NOTHING_KNOWN
    type = type_of(allocation.memref)
    if not is_identity(type):
        return Failure("allocations are expected to have no layout")
    dynamic = iter(allocation.dynamicSizes)
    sizes: list[Number] = [next(dynamic) if size == DYNAMIC else size for size in type.ranked_shape]
    strides: list[Number] = [1] * len(sizes)
    for index in range(len(sizes) - 2, -1, -1):
        inner = sizes[index + 1 :]
        strides[index] = apply_folded(rewriter, product(len(inner)), inner)
    base = _flat(op, rewriter) if op.base_buffer.uses else op.base_buffer
    rewriter.replace(op, [base, *values_of(rewriter, [0, *sizes, *strides])])
    return None


@named("ExtractStridedMetadataOpGetGlobalFolder")
def of_global(op: ops.ExtractStridedMetadataOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """That of a global memref is known as numbers."""
    source = defined_by(op.source, ops.GetGlobalOp)
    if source is None:
        return NOTHING_KNOWN
    type = type_of(source.result)
    if not is_identity(type):
        return Failure("globals are expected to have no layout")
    base = _flat(op, rewriter)
    numbers = [0, *type.ranked_shape, *row_major_strides(type.ranked_shape)]
    rewriter.replace(op, [base, *values_of(rewriter, numbers)])
    return None


def _flat(op: ops.ExtractStridedMetadataOp, rewriter: Rewriter) -> Value:
    """The buffer of a memref that begins at its first element."""
    source, type = op.source, op.base_buffer.type
    return source if source.type == type else reinterpret(rewriter, type, Metadata(source, 0, [], []))


@named("ExtractStridedMetadataOpReinterpretCastFolder")
def of_reinterpretation(
    op: ops.ExtractStridedMetadataOp, operands: Sequence[Value], rewriter: Rewriter
) -> Failure | None:
    """That of a reinterpretation is what it says, in the buffer of its source."""
    cast = defined_by(op.source, ops.ReinterpretCastOp)
    if cast is None:
        return NOTHING_KNOWN
    source = extract_metadata(rewriter, cast.source)
    if source is None:
        return Failure("nothing can be extracted from the source of the reinterpretation")
    offsets, sizes, strides = mixed_lists(cast)
    rewriter.replace(op, [source.results[0], *values_of(rewriter, [*offsets[:1], *sizes, *strides])])
    return None


@named("ExtractStridedMetadataOpMemorySpaceCastFolder")
def of_space_cast(op: ops.ExtractStridedMetadataOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """A cast to another memory space is one of the buffer."""
    cast = defined_by(op.source, ops.MemorySpaceCastOp)
    if cast is None:
        return NOTHING_KNOWN
    source, target = extract_metadata(rewriter, cast.source), ranked(cast.dest.type)
    if source is None or target is None:
        return Failure("nothing can be extracted from what was cast")
    base: Value = op.base_buffer
    if base.uses:
        type = replace(type_of(source.results[0]), space=target.space)
        base = rewriter.create("memref.memory_space_cast", [source.results[0]], [type]).result
    rewriter.replace(op, [base, *source.results[1:]])
    return None


@named("ExtractStridedMetadataOpAssumeAlignmentFolder")
def of_alignment(op: ops.ExtractStridedMetadataOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """What is assumed of the alignment changes nothing."""
    assumption = defined_by(op.source, ops.AssumeAlignmentOp)
    if assumption is None:
        return NOTHING_KNOWN
    rewriter.replace_with(op, EXTRACT, [assumption.memref], types_of(op.results))
    return None


@named("ExtractStridedMetadataOpExtractStridedMetadataFolder")
def of_buffer(op: ops.ExtractStridedMetadataOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """The buffer that was extracted from a memref is its own buffer, with an offset of zero."""
    source = defined_by(op.source, ops.ExtractStridedMetadataOp)
    if source is None:
        return NOTHING_KNOWN
    rewriter.replace(op, [source.base_buffer, constant(rewriter, 0)])
    return None


def pointer_of_view(
    op: ops.ExtractAlignedPointerAsIndexOp, operands: Sequence[Value], rewriter: Rewriter
) -> Failure | None:
    """The aligned pointer of a subview or a reinterpretation is that of its source."""
    view = defined_by(op.source, ops.SubviewOp) or defined_by(op.source, ops.ReinterpretCastOp)
    if view is None:
        return NOTHING_KNOWN
    rewriter.modify(op, lambda: op.set_operand(0, view.source))
    return None


_EXTRACTIONS: Final = (
    of_allocation,
    of_view,
    of_global,
    of_reinterpretation,
    of_space_cast,
    of_alignment,
    of_buffer,
)
PATTERNS: Final = (
    *(Pattern(EXTRACT, rewrite) for rewrite in _EXTRACTIONS),
    Pattern(
        "memref.extract_aligned_pointer_as_index",
        pointer_of_view,
        name="RewriteExtractAlignedPointerAsIndexOfViewLikeOp",
    ),
)
"""Also for passes that want no more than the metadata."""
