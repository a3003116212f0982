"""What structured operations fold to, which look through casts of buffers, and the indices in their bodies.

Source of the rules: observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.linalg.structured import static_ranges
from fathom.dialects.memref.common import fold_casts
from fathom.ir.attributes import DenseArrayAttr, IntegerAttr, index_attr
from fathom.ir.types import TensorType
from fathom.irdl.interfaces import Structured
from fathom.records import replace

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


OTHER_FOLDS: Final = {"map": None, "reduce": None, "broadcast": None, "transpose": fold_transpose}
"""Of structured operations that do not look through casts."""


def with_folds(operations: Mapping[str, OpCode]) -> dict[str, OpCode]:
    """The code of these operations; that of structured ones folds casts, but for a few."""

    def folding(name: str, code: OpCode) -> OpCode:
        if not any(isinstance(each, Structured) for each in code.interfaces):
            return code
        return replace(code, fold=OTHER_FOLDS.get(name, fold_casts))

    return {name: folding(name, code) for name, code in operations.items()}
