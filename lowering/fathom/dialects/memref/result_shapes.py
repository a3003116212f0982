"""The sizes of the results of operations of memref.

Source of the rules: `ReifyRankedShapedTypeOpInterface` of MLIR 22's memref dialect.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.irdl.index_lists import mixed
from fathom.rewriting.result_shapes import Size, mixed_sizes

if TYPE_CHECKING:
    from fathom.ops import memref as ops
    from fathom.rewriting.rewriter import Rewriter


def assume_alignment(op: ops.AssumeAlignmentOp, rewriter: Rewriter) -> list[list[Size]]:
    return [mixed_sizes(rewriter, op.memref)]


def expand_shape(op: ops.ExpandShapeOp, rewriter: Rewriter) -> list[list[Size]]:
    return [mixed(op.static_output_shape, op.output_shape)]


RESULT_SHAPES: Final = {"memref.assume_alignment": assume_alignment, "memref.expand_shape": expand_shape}
