"""Sizes of tensors that loops carry, and that stay the same: those of the tensor from outside.

Source of the rules: `LoopCanonicalization.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.operation import BlockArgument, OpResult
from fathom.ops.scf import ForOp
from fathom.ops.tensor import InsertSliceOp
from fathom.rewriting.pattern import Replacement, replacing

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.ops import memref, tensor
    from fathom.rewriting.rewriter import Rewriter

    Dim = tensor.DimOp | memref.DimOp


def _keeps_shape(loop: ForOp, place: int) -> bool:
    """Whether what a loop carries is of one shape in all iterations: what is yielded comes from it by insertions."""
    body = loop.region.entry
    value: Value | None = body.end.operands[place]
    while value is not None:
        if value is body.arguments[place + 1]:
            return True
        op = value.defining_op
        if isinstance(op, InsertSliceOp):
            value = op.dest
        elif isinstance(op, ForOp) and isinstance(value, OpResult) and _keeps_shape(op, value.index):
            value = op.initArgs[value.index]
        else:
            value = None
    return False


def _from_outside(op: Dim, loop: ForOp, place: int, rewriter: Rewriter) -> Replacement:
    if place < 0 or not _keeps_shape(loop, place):
        return None
    initial = loop.initArgs[place]
    rewriter.modify(op, lambda: op.set_operand(0, initial))
    return op


def of_carried(op: Dim, rewriter: Rewriter) -> Replacement:
    source = op.source
    region = source.block.parent if isinstance(source, BlockArgument) else None
    loop = region.parent if region is not None else None
    if not isinstance(loop, ForOp) or not isinstance(source, BlockArgument):
        return None
    return _from_outside(op, loop, source.index - 1, rewriter)


def of_result(op: Dim, rewriter: Rewriter) -> Replacement:
    source = op.source
    loop = source.defining_op
    if not isinstance(loop, ForOp) or not isinstance(source, OpResult):
        return None
    return _from_outside(op, loop, source.index, rewriter)


PATTERNS: Final = tuple(
    replacing(name, give, name=pattern)
    for give, pattern in ((of_carried, "DimOfIterArgFolder"), (of_result, "DimOfLoopResultFolder"))
    for name in ("tensor.dim", "memref.dim")
)
