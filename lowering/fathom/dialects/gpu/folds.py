"""What operations on GPUs fold to.

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from fathom.dialects.memref.common import fold_casts
from fathom.ir.attributes import Attribute, IntegerAttr, UnitAttr
from fathom.irdl.folding import Constants, Fold, Folded
from fathom.rewriting.pattern import defined_by

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value


def _make_uniform(op: Operation) -> list[Value | Attribute] | None:
    """All threads of a launch run its first block, and so reduce together."""
    launch = op.parent_op
    is_in_launch = launch is not None and launch.name == "gpu.launch" and launch.regions[0].first is op.parent
    if not is_in_launch or "uniform" in op.properties:
        return None
    op.properties["uniform"] = UnitAttr()
    return []


def _fold_all_reduce(op: Operation, constants: Constants) -> Folded:
    return _make_uniform(op)


def _fold_subgroup_reduce(op: Operation, constants: Constants) -> Folded:
    """A cluster of one lane has its own value alone."""
    size = op.properties.get("cluster_size")
    if isinstance(size, IntegerAttr) and size.value == 1:
        return [op.operands[0]]
    return _make_uniform(op)


def _fold_broadcast(op: Operation, constants: Constants) -> Folded:
    """What was broadcast is the same in all lanes."""
    inner = defined_by(op.operands[0], op.name)
    return [inner.result] if inner is not None else None


FOLDS: Final[Mapping[str, Fold]] = {
    "gpu.all_reduce": _fold_all_reduce,
    "gpu.memcpy": fold_casts,
    "gpu.memset": fold_casts,
    "gpu.subgroup_broadcast": _fold_broadcast,
    "gpu.subgroup_reduce": _fold_subgroup_reduce,
}
