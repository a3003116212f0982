"""Masks of accesses under a `vector.mask`, put together before a module is lowered to be run: an access that has a mask
of its own reads or writes where both hold. `lower-vector-mask` keeps the outer one only, as mlir-opt 22 does.

    vector.mask %out { vector.transfer_write %v, %m[%i], %in : vector<4xi32>, memref<4xi32> } : vector<4xi1>
->
    %0 = arith.andi %out, %in : vector<4xi1>
    vector.transfer_write %v, %m[%i], %0 : vector<4xi32>, memref<4xi32>

Source of the rules: *'vector' Dialect*, `vector.mask`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.diagnostics import RUN, Diagnostic
from fathom.dialects.vector.memory_folds import is_all
from fathom.ir.operation import types_of
from fathom.ir.types import ShapedType
from fathom.irdl.checking import group
from fathom.ops.vector import MaskOp
from fathom.rewriting.rewriter import Rewriter

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.ir.operation import Operation
    from fathom.ir.types import Type


def combine_masks(module: Operation, context: Context) -> tuple[Diagnostic, ...]:
    """Takes accesses with a mask of their own out of the masks around them, and says of each that it did."""
    rewriter = Rewriter(context)
    combined: list[Diagnostic] = []
    for masking in [op for op in module.walk() if isinstance(op, MaskOp)]:
        access = next((op for op in masking.maskRegion.operations() if group(op, "mask")), None)
        if access is not None and _combine(masking, access, rewriter):
            message = (
                f"'{access.name}' op has a mask of its own under a 'vector.mask'; this run goes by both, "
                "the passes of mlir-opt 22 by the outer one alone"
            )
            combined.append(Diagnostic(message, access.span, "warning", RUN))
    return tuple(combined)


def _combine(masking: MaskOp, access: Operation, rewriter: Rewriter) -> bool:
    """Whether that had to be done, and could be."""
    (own,), outer = group(access, "mask"), masking.mask
    passthru = [masking.passthru] if masking.passthru is not None else []
    if is_all(own) or own.type != outer.type or any(_shape(value.type) != _shape(outer.type) for value in passthru):
        return False
    with rewriter.standing_in(access):
        rewriter.set_insertion_before(masking)
        both = rewriter.create("arith.andi", [outer, own], [own.type]).result
        operands = [both if operand is own else operand for operand in access.operands]
        types = types_of(access.results)
        made = rewriter.create(access.name, operands, types, access.properties, access.attributes).results
        chosen = [
            rewriter.create("arith.select", [outer, result, other], [result.type]).result
            for result, other in zip(made, passthru, strict=False)
        ]
    rewriter.replace(masking, chosen or made)
    return True


def _shape(type: Type) -> tuple[int, ...] | None:
    return type.shape if isinstance(type, ShapedType) else None
