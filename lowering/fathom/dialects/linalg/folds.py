"""What structured operations fold to, which look through casts of buffers, and the indices in their bodies.

Source of the rules: observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.arith.elements import element_at
from fathom.dialects.linalg.structured import static_ranges
from fathom.dialects.memref.common import fold_casts
from fathom.dialects.tensor.folds import reshaped
from fathom.ir.attributes import DenseArrayAttr, DenseElementsAttr, IntegerAttr, index_attr
from fathom.ir.types import TensorType
from fathom.irdl.interfaces import Structured
from fathom.records import replace
from fathom.rewriting.folding import constant_value

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation, Value
    from fathom.irdl.code import OpCode


def fold_index(op: Operation, constants: Sequence[Attribute | None]) -> list[Value | Attribute] | None:
    """Of a loop that runs once, the index is zero."""
    parent, dim = op.parent_op, op.properties.get("dim")
    ranges = static_ranges(parent) if parent is not None else None
    if ranges is None or not isinstance(dim, IntegerAttr) or not 0 <= dim.value < len(ranges):
        return None
    return [index_attr(0)] if ranges[dim.value] == 1 else None


def fold_transpose(op: Operation, constants: Sequence[Attribute | None]) -> list[Value | Attribute] | None:
    """A tensor whose dimensions stay in their order is what it was."""
    permutation = op.properties.get("permutation")
    source = op.operands[0]
    if not isinstance(source.type, TensorType) or not isinstance(permutation, DenseArrayAttr):
        return None
    return [source] if list(permutation.values) == sorted(permutation.values) else None


def fold_relayout(op: Operation, constants: Sequence[Attribute | None]) -> Sequence[Value | Attribute] | None:
    """A constant of equal elements, which padding may have too, in another shape."""
    folded, source = reshaped(constants[0], op.result.type), constants[0]
    for padding in op.group("padding_value") if op.name == "linalg.pack" else ():
        value = constant_value(padding)
        if value is not None and (not isinstance(source, DenseElementsAttr) or value != element_at(source, 0)):
            return None
    return folded


OTHER_FOLDS: Final = {
    "map": None,
    "reduce": None,
    "broadcast": None,
    "transpose": fold_transpose,
    "pack": fold_relayout,
    "unpack": fold_relayout,
    "softmax": fold_casts,
}
"""Of operations that do not look through casts of buffers, as structured ones do, or are not structured and do."""


def with_folds(operations: Mapping[str, OpCode]) -> dict[str, OpCode]:
    """The code of these operations; that of structured ones folds casts, but for a few."""

    def folding(name: str, code: OpCode) -> OpCode:
        if name in OTHER_FOLDS:
            return replace(code, fold=OTHER_FOLDS[name])
        return replace(code, fold=fold_casts) if any(isinstance(each, Structured) for each in code.interfaces) else code

    return {name: folding(name, code) for name, code in operations.items()}
