"""What operations of ptr fold to.

Source of the rules: *'ptr' Dialect*, and mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.arith.elements import integer_value
from fathom.ir.types import MemRefType
from fathom.irdl.folding import Constants, Fold, Folded
from fathom.ops import ptr as ops
from fathom.rewriting.pattern import defined_by

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fathom.ir.operation import Value


def _fold_from(op: ops.FromPtrOp, constants: Constants) -> Folded:
    """What was made a pointer and comes back as what it was, also by way of several such steps."""
    pointer: Value | None = None
    back: ops.FromPtrOp | None = op
    while back is not None:
        there = defined_by(back.ptr, ops.ToPtrOp)
        if there is None or there.ptr.type != back.result.type:
            break
        metadata = defined_by(back.metadata, ops.GetMetadataOp) if back.metadata is not None else None
        if isinstance(there.ptr.type, MemRefType) and (metadata is None or metadata.ptr is not there.ptr):
            break
        pointer = there.ptr
        back = defined_by(pointer, ops.FromPtrOp)
    return [pointer] if pointer is not None else None


def _fold_to(op: ops.ToPtrOp, constants: Constants) -> Folded:
    """The pointer that something was made of."""
    pointer: Value | None = None
    there: ops.ToPtrOp | None = op
    while there is not None and (back := defined_by(there.ptr, ops.FromPtrOp)) is not None:
        pointer = back.ptr
        there = defined_by(pointer, ops.ToPtrOp)
    return [pointer] if pointer is not None else None


def _fold_sum(op: ops.PtrAddOp, constants: Constants) -> Folded:
    """Nothing is added."""
    return [op.base] if integer_value(constants[1]) == 0 else None


FOLDS: Final[Mapping[str, Fold]] = {
    "ptr.constant": lambda op, _: [op.value],
    "ptr.from_ptr": _fold_from,
    "ptr.ptr_add": _fold_sum,
    "ptr.to_ptr": _fold_to,
}
