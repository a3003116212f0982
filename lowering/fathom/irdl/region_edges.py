"""How control goes into the regions of an operation, and out, where it does so in the plain way: what dialects share
that say so of their operations (`fathom.irdl.interfaces.RegionBranch`)."""

from __future__ import annotations

from fathom.ir.operation import Operation
from fathom.irdl.folding import Constants
from fathom.irdl.interfaces import RegionEdge


def out(op: Operation, end: Operation, constants: Constants) -> list[RegionEdge]:
    """What the region ends with are the results."""
    return [RegionEdge(None, end.operands)]


def into_body(op: Operation, constants: Constants) -> list[RegionEdge]:
    """The only region runs once."""
    return [RegionEdge(op.regions[0])]


def into_either(op: Operation, choice: bool | None) -> list[RegionEdge]:
    """The first region, the second, or both if the choice is not known; a region that is empty is passed by."""
    regions = [region for index, region in enumerate(op.regions) if choice is None or choice == (index == 0)]
    return [RegionEdge(None if region.is_empty else region) for region in regions]
