"""`linalg-block-pack-matmul`: products of matrices on blocks.

    %0 = linalg.matmul ins(%a, %b : tensor<128x128xf32>, tensor<128x128xf32>) outs(%c : tensor<128x128xf32>) -> …
->
    %p = linalg.pack %a outer_dims_perm = [0, 1] inner_dims_pos = [0, 1] inner_tiles = [32, 64] into … :
      tensor<128x128xf32> -> tensor<4x2x32x64xf32>
    …
    %1 = linalg.generic … ins(%p, %q : tensor<4x2x32x64xf32>, tensor<8x2x16x64xf32>) outs(%r : …) …
    %0 = linalg.unpack %1 inner_dims_pos = [0, 1] inner_tiles = [32, 16] into %c : …
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.passes.options import BOOL, LONG, list_of, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class LinalgBlockPackMatmul(Pass):
    """`linalg.matmul`, `linalg.batch_matmul`, and what `linalg.generic` has of their kind, on tensors. Where blocks do
    not fit, zeros fill them up."""

    name = "linalg-block-pack-matmul"
    summary = "packs the operands of products of matrices in blocks"

    block_factors: tuple[int, ...] = option(
        (), "the sizes of blocks: rows, columns, and what is added up", list_of(LONG)
    )
    allow_padding: bool = option(True, "also where blocks do not fit", BOOL)
    mnk_padded_multiples: tuple[int, ...] = option(
        (), "the block is the whole, rounded up to a multiple of this", list_of(LONG)
    )
    mnk_order: tuple[int, ...] = option((), "the order of loops: a permutation of 0, 1 and 2", list_of(LONG))
    lhs_transpose_outer_blocks: bool = option(False, "the left has its blocks by columns", BOOL)
    lhs_transpose_inner_blocks: bool = option(False, "the left has its elements in a block by columns", BOOL)
    rhs_transpose_outer_blocks: bool = option(True, "the right has its blocks by columns", BOOL)
    rhs_transpose_inner_blocks: bool = option(True, "the right has its elements in a block by columns", BOOL)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.structured.packing import Blocks
        from fathom.rewriting.greedy_driver import apply_patterns

        blocks = Blocks(
            self.block_factors,
            self.mnk_order or (0, 1, 2),
            self.mnk_padded_multiples or (0, 0, 0),
            self.allow_padding,
            (self.lhs_transpose_outer_blocks, self.lhs_transpose_inner_blocks),
            (self.rhs_transpose_outer_blocks, self.rhs_transpose_inner_blocks),
        )
        apply_patterns(op, blocks.patterns(), context)
        return []
