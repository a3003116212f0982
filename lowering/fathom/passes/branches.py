"""Short forms for the branches that passes make; each inserts at the rewriter's insertion point."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.irdl.build import segment_sizes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Block, Operation, Value
    from fathom.rewriting.rewriter import Rewriter


def branch(rewriter: Rewriter, target: Block, operands: Sequence[Value] = ()) -> Operation:
    """`cf.br ^target(operands)`."""
    return rewriter.create("cf.br", operands, successors=[target])


def conditional_branch(
    rewriter: Rewriter,
    condition: Value,
    true: Block,
    true_operands: Sequence[Value],
    false: Block,
    false_operands: Sequence[Value] = (),
) -> Operation:
    """`cf.cond_br condition, ^true(…), ^false(…)`."""
    return rewriter.create(
        "cf.cond_br",
        [condition, *true_operands, *false_operands],
        properties={"operandSegmentSizes": segment_sizes(1, len(true_operands), len(false_operands))},
        successors=[true, false],
    )
