"""What operations on memrefs fold to; many look through casts (`fold_casts`).

Source of the rules: *'memref' Dialect*, and what mlir-opt 22 folds while it converts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fathom.dialects.memref.common import dynamic_sizes, fold_casts, ranked, said_more, type_of, uncast
from fathom.dialects.memref.views import permutation_of
from fathom.ir.attributes import AffineMapAttr, Attribute, IntegerAttr, StridedLayoutAttr, index_attr
from fathom.ir.operation import Operation, Value
from fathom.ir.strides import strides_and_offset
from fathom.ir.types import DYNAMIC, MemRefType
from fathom.irdl.build import constants_by
from fathom.irdl.folding import Constants, Fold, Folded, use_instead
from fathom.irdl.index_lists import mixed
from fathom.irdl.reassociations import groups_of
from fathom.ops import memref as ops
from fathom.records import replace
from fathom.rewriting.folding import known_number
from fathom.rewriting.pattern import defined_by


def _fold_copy(op: ops.CopyOp, constants: Constants) -> Folded:
    """Looks through casts between ranked types to those that say less, since what is stated says how to copy."""
    return use_instead(op, said_more)


def _fold_reinterpret(op: ops.ReinterpretCastOp, constants: Constants) -> Folded:
    """Only the buffer of the source matters, so another reinterpretation, a cast, or a part that starts at its first
    element gives way to what it was made of. What changes nothing is its source."""
    inner = op.source.defining_op
    if isinstance(inner, (ops.ReinterpretCastOp, ops.CastOp)) or (
        isinstance(inner, ops.SubviewOp) and _begins_at_first(inner)
    ):
        op.set_operand(0, inner.source)
        return []
    type = op.result.type
    if isinstance(type, MemRefType) and type.has_static_shape and op.source.type == type:
        return [op.source] if op.static_offsets.values[:1] == (0,) else None
    return None


def _begins_at_first(part: ops.SubviewOp) -> bool:
    """Whether a part is known to begin at the first element: by numbers, or by values that are zero."""
    return all(known_number(offset) == 0 for offset in mixed(part.static_offsets, part.offsets))


def _fold_transpose(op: ops.TransposeOp, constants: Constants) -> Folded:
    """A transposition that changes nothing is its source; two of them are one."""
    map = op.permutation.map
    if map.is_identity and op.in_.type == op.result.type:
        return [op.in_]
    inner = defined_by(op.in_, ops.TransposeOp)
    if inner is None:
        return None
    first = inner.permutation.map.results
    composed = replace(map, results=tuple(first[position] for position in permutation_of(op)))
    op.set_operand(0, inner.in_)
    op.properties["permutation"] = AffineMapAttr(composed)
    return []


def _fold_subview(op: ops.SubviewOp, constants: Constants) -> Folded:
    """A part that is all of a static memref is that; so is the same part of a part."""
    source, type = op.source, type_of(op.result)
    if source.type != type:
        return None
    layout = type.layout
    is_static = not isinstance(layout, StridedLayoutAttr) or DYNAMIC not in (layout.offset, *layout.strides)
    if type.has_static_shape and is_static:
        return [source]
    inner = defined_by(source, ops.SubviewOp)
    same = inner is not None and (op.static_sizes, op.sizes) == (inner.static_sizes, inner.sizes)
    strides = mixed(op.static_strides, op.strides)
    whole = _begins_at_first(op) and all(known_number(stride) == 1 for stride in strides)
    return [source] if same and whole else None


def _fold_view(op: ops.ViewOp, constants: Constants) -> Folded:
    """Bytes seen as the same bytes."""
    type, shift = type_of(op.result), constants[1]
    starts_there = isinstance(shift, IntegerAttr) and not shift.value
    return [op.source] if starts_there and type.has_static_shape and op.source.type == type else None


def _fold_reassociation(op: ops.ExpandShapeOp | ops.CollapseShapeOp, constants: Constants) -> Folded:
    """What changes nothing is its source. An expansion undoes a collapse, and the other way round, unless several sizes
    that are not known were joined."""
    source, type = op.src, type_of(op.result)
    if source.type == type:
        return [source]
    is_expansion = isinstance(op, ops.ExpandShapeOp)
    inner = defined_by(source, ops.CollapseShapeOp) if is_expansion else defined_by(source, ops.ExpandShapeOp)
    if inner is None or inner.src.type != type:
        return None
    if dynamic_sizes(type) > 1:
        if inner.reassociation != op.reassociation or (is_expansion and _is_open(op.reassociation, type)):
            return None
    return [inner.src]


def _is_open(reassociation: Attribute, type: MemRefType) -> bool:
    """Whether several sizes of a group are not known."""
    groups = groups_of(reassociation)
    return any([type.ranked_shape[index] for index in group].count(DYNAMIC) > 1 for group in groups)


def _fold_alignment(op: ops.AssumeAlignmentOp, constants: Constants) -> Folded:
    """What is assumed already need not be assumed again."""
    before = defined_by(op.memref, ops.AssumeAlignmentOp)
    return [op.memref] if before is not None and before.alignment == op.alignment else None


def _fold_metadata(op: ops.ExtractStridedMetadataOp, constants: Constants) -> Folded:
    """Uses of an offset, sizes and strides that the type knows become uses of constants; the operation itself stays."""
    type = type_of(op.source)
    layout = strides_and_offset(type)
    if layout is None:
        return None
    from fathom.dialects.arith import DIALECT

    definition = DIALECT.operation("arith.constant")
    changed = False
    known = (layout[1], *type.ranked_shape, *layout[0])
    if len(known) != len(op.results) - 1:
        return None  # A cast by way of an unranked memref may claim any rank.
    for result, number in zip(op.results[1:], known, strict=True):
        if number == DYNAMIC or not result.uses or op.parent is None:
            continue
        value = {"value": index_attr(number)}
        constant = Operation(definition.name, (), [result.type], value, span=op.span, definition=definition)
        constant.location = op.location
        op.parent.insert_before(constant, op)
        result.replace_all_uses_with(constant.result)
        changed = True
    folded = fold_casts(op)
    return [] if changed and folded is None else folded


def _fold_store(op: ops.StoreOp, constants: Constants) -> Folded:
    """Stores through a cast; the value that is stored, a memref or not, stays."""
    memref = op.memref
    return use_instead(op, lambda value: uncast(value) if value is memref else None)


def _fold_dim(op: ops.DimOp, constants: Constants) -> Folded:
    """A static size is a number; a dynamic one may be an operand of what made the memref."""
    index, type = constants[1], ranked(op.source.type)
    if not isinstance(index, IntegerAttr) or type is None:
        return None
    shape, position = type.ranked_shape, index.value
    if not 0 <= position < len(shape):
        return None
    if shape[position] != DYNAMIC:
        return [index_attr(shape[position])]
    size = _dynamic_size(op.source.defining_op, shape[:position].count(DYNAMIC))
    return [size] if size is not None else fold_casts(op)


def _dynamic_size(source: Operation | None, position: int) -> Value | None:
    """The operand that gives the dynamic size number `position` of what `source` makes."""
    if isinstance(source, (ops.AllocOp, ops.AllocaOp)):
        return source.dynamicSizes[position]
    if isinstance(source, ops.ViewOp):
        return source.sizes[position]
    # A subview that drops dimensions drops static ones only, so the order of the dynamic sizes stays.
    if isinstance(source, ops.SubviewOp) and dynamic_sizes(type_of(source.result)) == len(source.sizes):
        return source.sizes[position]
    return None


def _fold_rank(op: ops.RankOp, constants: Constants) -> Folded:
    type = ranked(op.memref.type)
    return [index_attr(len(type.ranked_shape))] if type is not None else None


def _fold_cast(op: ops.CastOp, constants: Constants) -> Folded:
    """A cast to its own type is its operand; a cast of a cast starts at the first."""
    return [op.source] if op.source.type == op.dest.type else fold_casts(op)


def _fold_space_cast(op: ops.MemorySpaceCastOp, constants: Constants) -> Folded:
    """A cast of a cast starts at the first."""
    if op.source.type == op.dest.type:
        return [op.source]
    inner = defined_by(op.source, ops.MemorySpaceCastOp)
    return use_instead(op, lambda _: inner.source) if inner is not None else None


FOLDS: Final[Mapping[str, Fold]] = {
    "memref.assume_alignment": _fold_alignment,
    "memref.atomic_rmw": fold_casts,
    "memref.cast": _fold_cast,
    "memref.collapse_shape": _fold_reassociation,
    "memref.copy": _fold_copy,
    "memref.dealloc": fold_casts,
    "memref.dim": _fold_dim,
    "memref.dma_start": fold_casts,
    "memref.dma_wait": fold_casts,
    "memref.expand_shape": _fold_reassociation,
    "memref.extract_strided_metadata": _fold_metadata,
    "memref.load": fold_casts,
    "memref.memory_space_cast": _fold_space_cast,
    "memref.prefetch": fold_casts,
    "memref.rank": _fold_rank,
    "memref.reinterpret_cast": _fold_reinterpret,
    "memref.store": _fold_store,
    "memref.subview": _fold_subview,
    "memref.transpose": _fold_transpose,
    "memref.view": _fold_view,
}


MATERIALIZE_CONSTANT: Final = constants_by(
    ("arith.constant", "value", lambda size, type: isinstance(size, IntegerAttr) and size.type == type)
)
