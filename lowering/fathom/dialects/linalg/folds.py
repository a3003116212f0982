"""What structured operations fold to, which look through casts of buffers, and the indices in their bodies.

Source of the rules: observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fathom.dialects.arith.elements import element_at
from fathom.dialects.arith.folds import materialize_constant
from fathom.dialects.linalg import CODE
from fathom.dialects.linalg.structured import static_ranges
from fathom.dialects.memref.common import fold_casts
from fathom.dialects.tensor.folds import reshaped
from fathom.ir.attributes import DenseElementsAttr, index_attr
from fathom.ir.operation import Operation
from fathom.ir.types import TensorType
from fathom.irdl.folding import Constants, Fold, Folded
from fathom.irdl.interfaces import Structured
from fathom.ops import linalg as ops
from fathom.rewriting.folding import constant_value


def fold_index(op: ops.IndexOp, constants: Constants) -> Folded:
    """Of a loop that runs once, the index is zero."""
    parent, dim = op.parent_op, op.dim.value
    ranges = static_ranges(parent) if parent is not None else None
    return [index_attr(0)] if ranges is not None and 0 <= dim < len(ranges) and ranges[dim] == 1 else None


def fold_transpose(op: ops.TransposeOp, constants: Constants) -> Folded:
    """A tensor whose dimensions stay in their order is what it was."""
    order = list(op.permutation.values)
    return [op.input] if isinstance(op.input.type, TensorType) and order == sorted(order) else None


def fold_relayout(op: Operation, constants: Constants) -> Folded:
    """A constant of equal elements, which padding may have too, in another shape."""
    folded, source = reshaped(constants[0], op.result.type), constants[0]
    for padding in op.all_of("padding_value") if isinstance(op, ops.PackOp) else ():
        value = constant_value(padding)
        if value is not None and (not isinstance(source, DenseElementsAttr) or value != element_at(source, 0)):
            return None
    return folded


_OTHERS: Final[Mapping[str, Fold | None]] = {
    "linalg.index": fold_index,
    "linalg.map": None,
    "linalg.reduce": None,
    "linalg.broadcast": None,
    "linalg.transpose": fold_transpose,
    "linalg.pack": fold_relayout,
    "linalg.unpack": fold_relayout,
    "linalg.softmax": fold_casts,
}
"""Of operations that do not look through casts of buffers, as structured ones do, or are not structured and do."""

_STRUCTURED: Final = [
    f"linalg.{name}"
    for name, code in CODE.operations.items()
    if any(isinstance(interface, Structured) for interface in code.interfaces)
]
FOLDS: Final[Mapping[str, Fold]] = {
    **{name: fold_casts for name in _STRUCTURED if name not in _OTHERS},
    **{name: fold for name, fold in _OTHERS.items() if fold is not None},
}
MATERIALIZE_CONSTANT: Final = materialize_constant
