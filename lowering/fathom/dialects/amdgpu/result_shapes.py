"""The sizes of the results of operations of amdgpu.

Source of the rules: `ReifyRankedShapedTypeOpInterface` of MLIR 22's amdgpu dialect.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.rewriting.result_shapes import Size, mixed_sizes

if TYPE_CHECKING:
    from fathom.ops import amdgpu as ops
    from fathom.rewriting.rewriter import Rewriter


def fat_raw_buffer_cast(op: ops.FatRawBufferCastOp, rewriter: Rewriter) -> list[list[Size]]:
    return [mixed_sizes(rewriter, op.source)]


RESULT_SHAPES: Final = {"amdgpu.fat_raw_buffer_cast": fat_raw_buffer_cast}
