"""What operations on GPUs fold to.

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from fathom.dialects.memref.common import fold_casts
from fathom.ir.attributes import Attribute, UnitAttr
from fathom.irdl.folding import Constants, Fold, Folded
from fathom.ops import gpu as ops
from fathom.rewriting.pattern import defined_by

if TYPE_CHECKING:
    from fathom.ir.operation import Value


def _make_uniform(op: ops.AllReduceOp | ops.SubgroupReduceOp) -> list[Value | Attribute] | None:
    """All threads of a launch run its first block, and so reduce together."""
    launch = op.parent_op
    if not isinstance(launch, ops.LaunchOp) or launch.body.first is not op.parent or op.uniform is not None:
        return None
    op.properties["uniform"] = UnitAttr()
    return []


def _fold_all_reduce(op: ops.AllReduceOp, constants: Constants) -> Folded:
    return _make_uniform(op)


def _fold_subgroup_reduce(op: ops.SubgroupReduceOp, constants: Constants) -> Folded:
    """A cluster of one lane has its own value alone."""
    return [op.value] if op.cluster_size is not None and op.cluster_size.value == 1 else _make_uniform(op)


def _fold_broadcast(op: ops.SubgroupBroadcastOp, constants: Constants) -> Folded:
    """What was broadcast is the same in all lanes."""
    inner = defined_by(op.src, ops.SubgroupBroadcastOp)
    return [inner.result] if inner is not None else None


FOLDS: Final[Mapping[str, Fold]] = {
    "gpu.all_reduce": _fold_all_reduce,
    "gpu.memcpy": fold_casts,
    "gpu.memset": fold_casts,
    "gpu.subgroup_broadcast": _fold_broadcast,
    "gpu.subgroup_reduce": _fold_subgroup_reduce,
}
