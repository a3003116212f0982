"""The metadata of a memref, taken from what made the memref: part of `expand-strided-metadata`.

Source of the rules: *'memref' Dialect*, `memref.extract_strided_metadata`; the order of what is made is that of
mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.affine.composition import apply_folded
from fathom.dialects.memref.common import ranked
from fathom.ir.operation import Value
from fathom.ir.strides import is_identity, row_major_strides
from fathom.ir.types import DYNAMIC
from fathom.irdl.index_lists import mixed
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
from fathom.rewriting.pattern import Failure, Operations, Pattern, named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Operation
    from fathom.rewriting.rewriter import Rewriter

EXTRACT: Final = "memref.extract_strided_metadata"
ALLOCATION: Final = Operations("memref.alloc", "memref.alloca")
ASSUMPTION: Final = Operations("memref.assume_alignment")
EXTRACTION: Final = Operations(EXTRACT)
GLOBAL: Final = Operations("memref.get_global")
REINTERPRETATION: Final = Operations("memref.reinterpret_cast")
SAME_POINTER: Final = Operations("memref.subview", "memref.reinterpret_cast")
SPACE_CAST: Final = Operations("memref.memory_space_cast")

NOTHING_KNOWN: Final = Failure("nothing is known of what made the memref")


def of_view(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """That of a view follows from that of its source."""
    view = VIEWS.defining(operands[0])
    if view is None:
        return NOTHING_KNOWN
    with rewriter.standing_in(view):
        found = metadata_of_view(rewriter, view)
        if found is None:
            return UNKNOWN_LAYOUT
        numbers = values_of(rewriter, [found.offset, *found.sizes, *found.strides])
    rewriter.replace(op, [found.base, *numbers])
    return None


@named("ExtractStridedMetadataOpAllocFolder")
def of_allocation(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """That of an allocation: an offset of zero, the sizes that it was made with, and their products."""
    allocation = ALLOCATION.defining(operands[0])
    if allocation is None:
        return NOTHING_KNOWN
    type = ranked(allocation.result.type)
    if type is None or not is_identity(type):
        return Failure("allocations are expected to have no layout")
    dynamic = iter(allocation.all_of("dynamicSizes"))
    sizes: list[Number] = [next(dynamic) if size == DYNAMIC else size for size in type.ranked_shape]
    strides: list[Number] = [1] * len(sizes)
    for index in range(len(sizes) - 2, -1, -1):
        inner = sizes[index + 1 :]
        strides[index] = apply_folded(rewriter, product(len(inner)), inner)
    base = _flat(op, operands[0], rewriter) if op.results[0].uses else op.results[0]
    rewriter.replace(op, [base, *values_of(rewriter, [0, *sizes, *strides])])
    return None


@named("ExtractStridedMetadataOpGetGlobalFolder")
def of_global(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """That of a global memref is known as numbers."""
    source = GLOBAL.defining(operands[0])
    if source is None:
        return NOTHING_KNOWN
    type = ranked(source.result.type)
    if type is None or not is_identity(type):
        return Failure("globals are expected to have no layout")
    base = _flat(op, operands[0], rewriter)
    numbers = [0, *type.ranked_shape, *row_major_strides(type.ranked_shape)]
    rewriter.replace(op, [base, *values_of(rewriter, numbers)])
    return None


def _flat(op: Operation, source: Value, rewriter: Rewriter) -> Value:
    """The buffer of a memref that begins at its first element."""
    type = op.results[0].type
    return source if source.type == type else reinterpret(rewriter, type, Metadata(source, 0, [], []))


@named("ExtractStridedMetadataOpReinterpretCastFolder")
def of_reinterpretation(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """That of a reinterpretation is what it says, in the buffer of its source."""
    cast = REINTERPRETATION.defining(operands[0])
    if cast is None:
        return NOTHING_KNOWN
    source = extract_metadata(rewriter, cast.operands[0])
    if source is None:
        return Failure("nothing can be extracted from the source of the reinterpretation")
    offsets, sizes, strides = (
        mixed(cast.properties.get(f"static_{name}"), cast.all_of(name)) for name in ("offsets", "sizes", "strides")
    )
    rewriter.replace(op, [source.results[0], *values_of(rewriter, [*offsets[:1], *sizes, *strides])])
    return None


@named("ExtractStridedMetadataOpMemorySpaceCastFolder")
def of_space_cast(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """A cast to another memory space is one of the buffer."""
    cast = SPACE_CAST.defining(operands[0])
    if cast is None:
        return NOTHING_KNOWN
    source = extract_metadata(rewriter, cast.operands[0])
    target = ranked(cast.result.type)
    buffer = ranked(source.results[0].type) if source is not None else None
    if source is None or target is None or buffer is None:
        return Failure("nothing can be extracted from what was cast")
    base: Value = op.results[0]
    if base.uses:
        type = replace(buffer, space=target.space)
        base = rewriter.create("memref.memory_space_cast", [source.results[0]], [type]).result
    rewriter.replace(op, [base, *source.results[1:]])
    return None


@named("ExtractStridedMetadataOpAssumeAlignmentFolder")
def of_alignment(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """What is assumed of the alignment changes nothing."""
    assumption = ASSUMPTION.defining(operands[0])
    if assumption is None:
        return NOTHING_KNOWN
    types = [result.type for result in op.results]
    rewriter.replace_with(op, EXTRACT, [assumption.operands[0]], types)
    return None


@named("ExtractStridedMetadataOpExtractStridedMetadataFolder")
def of_buffer(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """The buffer that was extracted from a memref is its own buffer, with an offset of zero."""
    source = EXTRACTION.defining(operands[0])
    if source is None:
        return NOTHING_KNOWN
    rewriter.replace(op, [source.results[0], constant(rewriter, 0)])
    return None


def pointer_of_view(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """The aligned pointer of a subview or a reinterpretation is that of its source."""
    view = SAME_POINTER.defining(operands[0])
    if view is None:
        return NOTHING_KNOWN
    rewriter.modify(op, lambda: op.set_operand(0, view.operands[0]))
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
