"""Loops and branches without a body, and nests of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fathom.ir.operation import Block, Region, types_of
from fathom.ir.types import INDEX
from fathom.irdl.build import segment_sizes

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.ir.types import Type
    from fathom.rewriting.rewriter import Rewriter

    Bounds = Sequence[Sequence[Value]]


def block_of(rewriter: Rewriter, types: Sequence[Type]) -> Block:
    """A block that is in no loop yet; its arguments come from where what is made does."""
    block = Block(types)
    for argument in block.arguments:
        argument.span, argument.location = rewriter.span, rewriter.location
    return block


def parallel(
    rewriter: Rewriter, bounds: Bounds, initial: Sequence[Value] = (), body: Region | None = None
) -> Operation:
    """`scf.parallel` from lower to upper bounds by steps. Without a body it gets one that only ends."""
    lower, upper, steps = bounds
    properties = {"operandSegmentSizes": segment_sizes(len(lower), len(upper), len(steps), len(initial))}
    region = body or Region([block_of(rewriter, [INDEX] * len(lower))])
    operands = [*lower, *upper, *steps, *initial]
    made = rewriter.create("scf.parallel", operands, types_of(initial), properties, regions=[region])
    if body is None and not initial:
        end(rewriter, region.entry, "scf.reduce")
    return made


def end(rewriter: Rewriter, block: Block, name: str) -> None:
    """Ends a block that yields nothing."""
    with rewriter.elsewhere():
        rewriter.set_insertion_to_end(block)
        rewriter.create(name)


def nest(rewriter: Rewriter, bounds: Bounds) -> list[Block]:
    """`scf.for` in `scf.for`; the bodies of all, which only end."""
    blocks: list[Block] = []
    with rewriter.elsewhere():
        for bound in zip(*bounds, strict=True):
            block = block_of(rewriter, [INDEX])
            rewriter.create("scf.for", bound, regions=[Region([block])])
            end(rewriter, block, "scf.yield")
            rewriter.set_insertion_to_start(block)
            blocks.append(block)
    return blocks


def branch(rewriter: Rewriter, condition: Value, *, has_else: bool) -> list[Block]:
    """`scf.if` without results; its blocks, which only end."""
    blocks = [Block(), Block()] if has_else else [Block()]
    regions = [Region([block]) for block in blocks]
    rewriter.create("scf.if", [condition], (), regions=regions if has_else else [*regions, Region()])
    for block in blocks:
        end(rewriter, block, "scf.yield")
    return blocks
