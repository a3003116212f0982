"""Whether the rows of a vector lie in what is viewed as they lie in the view: part of `fold-memref-alias-ops`.

A vector of several dimensions takes steps in the last dimensions of a memref. In what is viewed those may be others, or
further apart; MLIR 22 does not ask, and accesses other elements then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.dialects.memref.common import rank_of
from fathom.dialects.memref.views import dropped_dimensions
from fathom.dialects.vector.transfer_maps import in_bounds
from fathom.ir.types import VectorType
from fathom.ops.memref import ExpandShapeOp, SubviewOp
from fathom.ops.vector import TransferReadOp, TransferWriteOp
from fathom.rewriting.reshapes import groups_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Operation
    from fathom.ops.memref import CollapseShapeOp


def rows_stay(op: Operation, view: SubviewOp | ExpandShapeOp | CollapseShapeOp) -> bool:
    """Whether the elements that an access of a vector comes to are those around the same element of what is viewed."""
    sizes = _sizes(op)
    if isinstance(view, SubviewOp):
        return len(sizes) < 2 or isinstance(op, (TransferReadOp, TransferWriteOp)) or _is_a_part(view, len(sizes))
    lengths = [len(group) for group in groups_in(view)]
    if not isinstance(view, ExpandShapeOp):
        return len(sizes) < 2 or all(length == 1 for length in lengths[-len(sizes) :])
    if isinstance(op, TransferReadOp) and sizes:
        # Out of bounds of the view there may be something in what is viewed.
        within = in_bounds(op)[-len(sizes) :]
        kept = len(lengths) >= len(sizes) and all(
            length == 1 or is_in for length, is_in in zip(lengths[-len(sizes) :], within, strict=True)
        )
        if not kept:
            return False
    return len(sizes) < 2 or all(length == 1 for length in lengths[1 - len(sizes) :])


def _sizes(op: Operation) -> Sequence[int]:
    """The dimensions of the vector that is read or written, from the first one on in which there are several."""
    types = [value.type for value in (*op.results, *op.operands) if isinstance(value.type, VectorType)]
    sizes = types[0].ranked_shape if types else ()
    first = next((place for place, size in enumerate(sizes) if size != 1), len(sizes))
    return sizes[first:]


def _is_a_part(view: SubviewOp, rank: int) -> bool:
    """Whether the last dimensions of a subview are those of its source, one element after the other."""
    last = range(rank_of(view.source) - rank, rank_of(view.source))
    dropped, strides = dropped_dimensions(view), view.static_strides.values
    return last.start >= 0 and all(dim not in dropped and strides[dim] == 1 for dim in last)
