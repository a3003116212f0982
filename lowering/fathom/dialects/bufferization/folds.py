"""What casts between tensors and buffers, and clones, fold to.

Source of the rules: observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fathom.dialects.memref.common import fold_casts
from fathom.irdl.folding import Constants, Fold, Folded
from fathom.ops import bufferization as ops
from fathom.rewriting.pattern import defined_by


def _fold_to_tensor(op: ops.ToTensorOp, constants: Constants) -> Folded:
    """The tensor that has just become a buffer; what comes between might write the buffer."""
    buffer = defined_by(op.buffer, ops.ToBufferOp)
    return [buffer.tensor] if buffer is not None and buffer.next is op else None


def _fold_to_buffer(op: ops.ToBufferOp, constants: Constants) -> Folded:
    """The buffer that the tensor is made of, if its type is the same."""
    tensor = defined_by(op.tensor, ops.ToTensorOp)
    return [tensor.buffer] if tensor is not None and tensor.buffer.type == op.result.type else None


FOLDS: Final[Mapping[str, Fold]] = {
    "bufferization.clone": fold_casts,
    "bufferization.to_buffer": _fold_to_buffer,
    "bufferization.to_tensor": _fold_to_tensor,
}
