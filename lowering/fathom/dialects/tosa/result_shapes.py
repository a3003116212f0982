"""The sizes of the results of operations of tosa, where MLIR says them.

Source of the rules: `ReifyRankedShapedTypeOpInterface` of MLIR 22's tosa dialect.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.rewriting.result_shapes import Size, folded_dim

if TYPE_CHECKING:
    from fathom.ops import tosa as ops
    from fathom.rewriting.rewriter import Rewriter


def transpose(op: ops.TransposeOp, rewriter: Rewriter) -> list[list[Size]]:
    return [[folded_dim(rewriter, op.input1, place) for place in op.perms.values]]


RESULT_SHAPES: Final = {"tosa.transpose": transpose}
