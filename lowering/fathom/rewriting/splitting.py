"""Where branches can stand: the regions of some operations have one block, and cannot be split."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.irdl.traits import SINGLE_BLOCK
from fathom.rewriting.pattern import Failure

if TYPE_CHECKING:
    from fathom.ir.operation import Operation


def cannot_split(op: Operation) -> Failure | None:
    """Why the block of `op` cannot be split, or None if it can. An unknown operation may have any number of blocks."""
    parent = op.parent_op
    if parent is None:
        return Failure("it stands in no region, so branches have no place")
    definition = parent.definition
    if definition is None:
        return None
    if definition.has(SINGLE_BLOCK) or any(region.single_block for region in definition.regions):
        return Failure(f"branches need several blocks, and a region of '{parent.name}' has one")
    return None
