"""What operations on AMD's GPUs fold to.

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from fathom.irdl.build import segment_sizes
from fathom.irdl.folding import Constants, Fold, Folded
from fathom.irdl.groups import SEGMENTS
from fathom.irdl.index_lists import mixed, separated
from fathom.rewriting.folding import known_number

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.ops import amdgpu as ops

_LISTS: Final = (
    ("global_dynamic_sizes", "global_static_sizes"),
    ("global_dynamic_strides", "global_static_strides"),
    ("shared_dynamic_sizes", "shared_static_sizes"),
)


def _fold_descriptor(op: ops.MakeDmaDescriptorOp | ops.MakeGatherDmaDescriptorOp, constants: Constants) -> Folded:
    """Of the first list with values that are known and greater than zero, these become part of the operation."""
    for dynamic, static in _LISTS:
        values = mixed(op.properties[static], op.all_of(dynamic))
        known = [number if (number := known_number(value)) is not None and number > 0 else value for value in values]
        if known == values:
            continue
        definition = op.definition
        assert definition is not None
        operands, op.properties[static] = separated(known)
        groups: dict[str, list[Value]] = {each.name: op.all_of(each.name) for each in definition.operands}
        groups[dynamic] = operands
        op.set_operands([value for group in groups.values() for value in group])
        op.properties[SEGMENTS["operands"]] = segment_sizes(*map(len, groups.values()))
        return []
    return None


FOLDS: Final[Mapping[str, Fold]] = {
    "amdgpu.make_dma_descriptor": _fold_descriptor,
    "amdgpu.make_gather_dma_descriptor": _fold_descriptor,
}
