"""Gives each edge between blocks that passes values a block of its own, where one terminator has several to one block.

    llvm.cond_br %c, ^bb1(%a : i32), ^bb1(%b : i32)      ->      llvm.cond_br %c, ^bb1(%a : i32), ^bb2(%b : i32)
                                                               …
                                                               ^bb2(%x: i32):
                                                                 llvm.br ^bb1(%x : i32)

Source of the rules: *LLVM IR Target*, "Repeated Successor Removal".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.irdl.traits import TERMINATOR
from fathom.rewriting.rewriter import Rewriter

if TYPE_CHECKING:
    from fathom.ir.operation import Block, Operation
    from fathom.irdl.dialect import Definitions


def make_successors_distinct(root: Operation, context: Definitions) -> None:
    """Works on all blocks in `root`."""
    rewriter = Rewriter(context)
    for op in list(root.walk_postorder()):
        for region in op.regions:
            for block in list(region.blocks):
                _make_distinct(block, rewriter)


def _make_distinct(block: Block, rewriter: Rewriter) -> None:
    terminator, region = block.last, block.parent
    if terminator is None or region is None or len(terminator.successors) < 2:
        return
    if terminator.definition is not None and not terminator.has(TERMINATOR):
        return
    places: dict[Block, list[int]] = {}
    for index, successor in enumerate(terminator.successors):
        if successor.arguments:
            places.setdefault(successor, []).append(index)
    rewriter.stand_in(terminator)
    for successor, indices in places.items():
        for index in indices[1:]:
            passing = rewriter.create_block(region, None, [argument.type for argument in successor.arguments])
            for argument, original in zip(passing.arguments, successor.arguments, strict=True):
                argument.span, argument.location = original.span, original.location
            successors = list(terminator.successors)
            successors[index] = passing
            terminator.set_successors(successors)
            rewriter.create("llvm.br", passing.arguments, successors=[successor])
