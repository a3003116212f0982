"""What the patterns of `convert-scf-to-cf` build from: blocks that are split and moved; for branches, see
`fathom.passes.branches`."""

from __future__ import annotations

from fathom.ir.attributes import Attribute
from fathom.ir.operation import Block, Operation, Region
from fathom.rewriting.conversion_rewriter import ConversionRewriter


def split_here(rewriter: ConversionRewriter, op: Operation) -> tuple[Block, Block]:
    """Splits the block before `op`: what stands before it, and a block with `op` and all that follows."""
    before = op.parent
    if before is None:
        raise ValueError(f"'{op.name}' stands in no block")
    return before, rewriter.split_block(before, op)


def inline_before(rewriter: ConversionRewriter, region: Region, block: Block) -> tuple[Block, Block]:
    """Moves the blocks of `region` before `block`; returns the first and the last of them."""
    first, last = region.first, region.last
    if first is None or last is None or block.parent is None:
        raise ValueError("the region has no blocks")
    rewriter.inline_region_before(region, block.parent, block)
    return first, last


def terminator_of(block: Block) -> Operation:
    """The last operation. Raises ValueError for an empty block, which the verifier reports."""
    if block.last is None:
        raise ValueError("the block is empty")
    return block.last


def keep_llvm_attributes(source: Operation, latch: Operation) -> None:
    """The branch that closes a loop carries what the LLVM dialect said of the loop, such as `llvm.loop_annotation`."""
    latch.attributes.update({name: value for name, value in source.attributes.items() if is_of_llvm(value)})


def is_of_llvm(value: Attribute) -> bool:
    """Whether an attribute belongs to the LLVM dialect."""
    return value.full_name.startswith("llvm.")
