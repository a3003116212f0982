"""Operations under a `vector.mask`: how they are found, replaced, and put there.

Source of the rules: *'vector' Dialect*, `vector.mask`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from fathom.dialects.vector.common import masking_op
from fathom.ir.operation import Block, Region
from fathom.irdl.build import segment_sizes
from fathom.ops.vector import MaskOp
from fathom.passes.arithmetic import constant
from fathom.rewriting.pattern import Failure, Operations, Pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter

MaskableRewrite: TypeAlias = "Callable[[Any, MaskOp | None, Rewriter], Value | Failure]"
"""`rewrite(op, mask, rewriter)`: what replaces `op`, which may stand under a mask."""


def mask_of(masking: MaskOp | None) -> Value | None:
    return masking.mask if masking is not None else None


def maskable(name: str, root: str, rewrite: MaskableRewrite, benefit: int = 1) -> Pattern:
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

    return Pattern(root, apply, benefit=benefit, name=name)


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


GATHER: Final = Operations("vector.gather")


def _masked_access(op: MaskOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """
        %0 = vector.mask %m { vector.transfer_read %t[%i], %p : memref<?xf32>, vector<4xf32> } : vector<4xi1> -> …
    ->
        %0 = vector.transfer_read %t[%i], %p, %m : memref<?xf32>, vector<4xf32>
    """
    block = op.maskRegion.first
    access = block.first if block is not None and len(block) > 1 else None
    groups = _ACCESSES.get(access.name) if access is not None else None
    if access is None or groups is None:
        return Failure("no access to memory stands under the mask")
    mask = op.mask
    types = [result.type for result in access.results]
    given = [value for name in groups for value in access.all_of(name)]
    properties = dict(access.properties)
    if access in GATHER:
        properties.pop("alignment", None)
        with rewriter.standing_in(access):
            given += [mask, constant(rewriter, 0, types[0])]
    elif op.passthru is not None:
        return Failure("a transfer has a scalar for what is masked out")
    else:
        given.append(mask)
        properties["operandSegmentSizes"] = segment_sizes(*(len(access.all_of(n)) for n in groups), 1)
    rewriter.replace_with(op, access.name, given, types, properties)
    return None


_ACCESSES: Final = {
    "vector.transfer_read": ("base", "indices", "padding"),
    "vector.transfer_write": ("valueToStore", "base", "indices"),
    "vector.gather": ("base", "offsets", "indices"),
}
"""The groups of operands of what reads and writes, before the mask."""

ACCESS: Final = Pattern("vector.mask", _masked_access, name="MaskOpRewritePattern")
