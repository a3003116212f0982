"""What casts between tensors and buffers, and clones, fold to.

Source of the rules: observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from fathom.dialects.memref.common import fold_casts
from fathom.irdl.folding import Constants, Fold, Folded
from fathom.ops import bufferization as ops

if TYPE_CHECKING:
    pass


def _fold_to_tensor(op: ops.ToTensorOp, constants: Constants) -> Folded:
    """The tensor that has just become a buffer; what comes between might write the buffer."""
    buffer = op.buffer.defining_op
    if not isinstance(buffer, ops.ToBufferOp) or buffer.next is not op:
        return None
    return [buffer.operands[0]]


def _fold_to_buffer(op: ops.ToBufferOp, constants: Constants) -> Folded:
    """The buffer that the tensor is made of, if its type is the same."""
    tensor = op.tensor.defining_op
    if not isinstance(tensor, ops.ToTensorOp):
        return None
    return [tensor.operands[0]] if tensor.operands[0].type == op.result.type else None


FOLDS: Final[Mapping[str, Fold]] = {
    "bufferization.clone": fold_casts,
    "bufferization.to_buffer": _fold_to_buffer,
    "bufferization.to_tensor": _fold_to_tensor,
}
