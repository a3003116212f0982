"""Operations under a `vector.mask`: how they are found, replaced, and put there.

Source of the rules: *'vector' Dialect*, `vector.mask`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from fathom.ir.operation import Block, Region
from fathom.rewriting.pattern import Failure, Pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter

MaskableRewrite: TypeAlias = "Callable[[Operation, Operation | None, Rewriter], Value | Failure]"
"""`rewrite(op, mask, rewriter)`: what replaces `op`, which may stand under a mask."""


def masking_op(op: Operation) -> Operation | None:
    """The `vector.mask` around an operation."""
    around = op.parent_op
    return around if around is not None and around.name == "vector.mask" else None


def mask_of(masking: Operation | None) -> Value | None:
    return masking.operand("mask") if masking is not None else None


def maskable(root: str, rewrite: MaskableRewrite, benefit: int = 1) -> Pattern:
    """The pattern that replaces an operation, together with the `vector.mask` around it."""

    def apply(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
        masking = masking_op(op)
        if masking is not None:
            rewriter.set_insertion_before(masking)
        made = rewrite(op, masking, rewriter)
        if isinstance(made, Failure):
            return made
        rewriter.replace(masking or op, [made])
        return None

    return Pattern(root, apply, benefit=benefit)


def under_mask(rewriter: Rewriter, op: Operation, mask: Value | None) -> Value:
    """The result of an operation that was just made, under a mask if one is given."""
    if mask is None:
        return op.result
    region = Region()
    body = region.insert_before(Block(), None)
    rewriter.move_before(op, body, None)
    with rewriter.elsewhere():
        rewriter.set_insertion_to_end(body)
        rewriter.create("vector.yield", op.results)
    return rewriter.create("vector.mask", [mask], [op.result.type], regions=[region]).result
