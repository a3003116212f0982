"""Loads and stores that look through views: part of `fold-memref-alias-ops`.

Source of the rules: mlir-opt 22, also for the properties that an access loses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.memref.common import rank_of
from fathom.dialects.memref.views import dropped_dimensions
from fathom.dialects.vector.transfer_maps import Transfer, in_bounds, map_of
from fathom.ir.affine import AffineDim, AffineMap, substitute
from fathom.ir.attributes import AffineMapAttr
from fathom.ir.operation import types_of
from fathom.ir.types import VectorType
from fathom.irdl.build import segment_sizes
from fathom.ops.memref import CollapseShapeOp, ExpandShapeOp, SubviewOp
from fathom.ops.vector import TransferReadOp, TransferWriteOp
from fathom.passes.transforms.fold_memref_alias_ops.indices import (
    has_unit_strides,
    through_collapse,
    through_expansion,
    through_subview,
)
from fathom.passes.transforms.fold_memref_alias_ops.rows import rows_stay
from fathom.rewriting.pattern import Failure, Operations, Pattern

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter

ELEMENTS: Final = Operations("memref.load", "memref.store")
VECTORS: Final = Operations("vector.load", "vector.store", "vector.maskedload", "vector.maskedstore")
TRANSFERS: Final = (TransferReadOp, TransferWriteOp)
FRAGMENTS: Final = ("nvgpu.ldmatrix", "gpu.subgroup_mma_load_matrix", "gpu.subgroup_mma_store_matrix")

GROUPS: Final = ("memref", "base", "srcMemref", "dstMemref")
"""What the operand is called that is accessed."""

NO_VIEW: Final = Failure("what is accessed is no view that is looked through")


def fold_view(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """An access to an element of a view is one to an element of its source."""
    base = next(group for group in GROUPS if group in _groups(op))
    view = op.one_of(base).defining_op
    if not isinstance(view, (SubviewOp, ExpandShapeOp, CollapseShapeOp)):
        return NO_VIEW
    if (op in VECTORS or isinstance(op, TRANSFERS)) and not rows_stay(op, view):
        return Failure("the rows of the vector lie otherwise in what is viewed")
    properties = {name: value for name, value in op.properties.items() if name != "alignment"}
    indices: list[Value] | None = None
    is_plain = op in ELEMENTS or op in VECTORS
    if isinstance(view, SubviewOp):
        if isinstance(op, TRANSFERS) and not (all(in_bounds(op)) and has_unit_strides(view)):
            return Failure("a transfer out of bounds, or one whose view has strides, is not folded")
        if op in VECTORS:
            properties.pop("nontemporal", None)
        if isinstance(op, TRANSFERS):
            properties["permutation_map"] = _with_dropped_dims(op, view)
        indices = through_subview(rewriter, view, op.all_of("indices"))
    elif isinstance(view, ExpandShapeOp) and (is_plain or isinstance(op, TransferReadOp)):
        if isinstance(op, TransferReadOp):
            map = _minor_identity(op, view)
            if map is None:
                return Failure("only a transfer of the last dimensions is folded")
            properties["permutation_map"] = map
        indices = through_expansion(rewriter, view, op.all_of("indices"), in_bounds=op in ELEMENTS)
    elif isinstance(view, CollapseShapeOp) and is_plain:
        indices = through_collapse(rewriter, view, op.all_of("indices"))
    if indices is None:
        return NO_VIEW
    replace_operands(
        op, {base: [view.source if isinstance(view, SubviewOp) else view.src], "indices": indices}, properties, rewriter
    )
    return None


def replace_operands(
    op: Operation, replaced: Mapping[str, Sequence[Value]], properties: Mapping[str, Attribute], rewriter: Rewriter
) -> None:
    """Replaces an operation by one with other operands in some groups, and these properties."""
    groups = {**_groups(op), **replaced}
    if "operandSegmentSizes" in properties:
        properties = {**properties, "operandSegmentSizes": segment_sizes(*map(len, groups.values()))}
    operands = [value for group in groups.values() for value in group]
    rewriter.replace_with(op, op.name, operands, types_of(op.results), properties)


def _groups(op: Operation) -> Mapping[str, Sequence[Value]]:
    assert op.definition is not None, "patterns are for operations that are defined"
    return op.definition.operand_groups(op)


def _with_dropped_dims(op: Transfer, view: SubviewOp) -> AffineMapAttr:
    """The map of a transfer, of the dimensions that the source has."""
    map = map_of(op)
    rank, dropped = rank_of(view.source), dropped_dimensions(view)
    kept = [AffineDim(dim) for dim in range(rank) if dim not in dropped]
    return AffineMapAttr(AffineMap(rank, 0, tuple(substitute(result, kept, ()) for result in map.results)))


def _minor_identity(op: TransferReadOp, view: ExpandShapeOp) -> AffineMapAttr | None:
    """The map of a transfer of the last dimensions, of those that the source has; None for any other."""
    map, vector = map_of(op), op.result.type
    if not isinstance(vector, VectorType) or map != _last(map.dims, len(map.results)):
        return None
    rank, count = rank_of(view.src), len(vector.ranked_shape)
    return AffineMapAttr(_last(rank, count)) if rank >= count else None


def _last(rank: int, count: int) -> AffineMap:
    """The map to the last dimensions."""
    return AffineMap(rank, 0, tuple(map(AffineDim, range(rank - count, rank))))


PATTERNS: Final = tuple(
    Pattern(name, fold_view)
    for name in (*ELEMENTS.names, *VECTORS.names, *(class_.name for class_ in TRANSFERS), *FRAGMENTS)
)
