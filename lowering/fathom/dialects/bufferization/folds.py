"""What casts between tensors and buffers, and clones, fold to.

Source of the rules: observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from fathom.dialects.memref.common import fold_casts
from fathom.irdl.folding import Constants, Fold, Folded

if TYPE_CHECKING:
    from fathom.ir.operation import Operation


def _fold_to_tensor(op: Operation, constants: Constants) -> Folded:
    """The tensor that has just become a buffer; what comes between might write the buffer."""
    buffer = op.operands[0].defining_op
    if buffer is None or buffer.name != "bufferization.to_buffer" or buffer.next is not op:
        return None
    return [buffer.operands[0]]


def _fold_to_buffer(op: Operation, constants: Constants) -> Folded:
    """The buffer that the tensor is made of, if its type is the same."""
    tensor = op.operands[0].defining_op
    if tensor is None or tensor.name != "bufferization.to_tensor":
        return None
    return [tensor.operands[0]] if tensor.operands[0].type == op.result.type else None


FOLDS: Final[Mapping[str, Fold]] = {
    "bufferization.clone": fold_casts,
    "bufferization.to_buffer": _fold_to_buffer,
    "bufferization.to_tensor": _fold_to_tensor,
}
