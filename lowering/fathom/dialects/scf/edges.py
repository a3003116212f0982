"""How control goes into the regions of structured control flow, from one to the next, and out.

Source of the rules: *'scf' Dialect*, "Operations", and what mlir-opt 22 takes to be possible.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from fathom.ir.attributes import Attribute, IntegerAttr
from fathom.ir.operation import Operation
from fathom.irdl.folding import Constants
from fathom.irdl.interfaces import RegionBranch, RegionEdge
from fathom.irdl.region_edges import into_body, into_either, out
from fathom.ops.scf import ConditionOp, IndexSwitchOp, ParallelOp, WhileOp


def _truth(constant: Attribute | None) -> bool | None:
    """Whether a condition that is known holds."""
    return bool(constant.value) if isinstance(constant, IntegerAttr) else None


def loop(initial: str, runs: Callable[[Any], int | None] = lambda op: None) -> RegionBranch:
    """A loop over one region, whose first argument is the index and whose others are carried. `initial` is the group of
    values that they begin with, the last one, `runs(op)` how often the body is known to run."""

    def enter(op: Operation, constants: Constants) -> list[RegionEdge]:
        count, values = runs(op), op.all_of(initial)
        start = len(op.operands) - len(values)
        edges = [RegionEdge(op.regions[0], values, 1, start), RegionEdge(None, values, 0, start)]
        return edges if count is None else edges[:1] if count > 0 else edges[1:]

    def leave(op: Operation, end: Operation, constants: Constants) -> list[RegionEdge]:
        count = runs(op)
        edges = [RegionEdge(op.regions[0], end.operands, 1), RegionEdge(None, end.operands)]
        return edges if count is None or count > 1 else edges[1:] if count == 1 else []

    return RegionBranch(enter, leave)


def _into_case(op: IndexSwitchOp, constants: Constants) -> list[RegionEdge]:
    """The default comes first among the regions."""
    value, cases, regions = constants[0], op.cases.values, op.regions
    if isinstance(value, IntegerAttr):
        chosen = cases.index(value.value) + 1 if value.value in cases else 0
        regions = regions[chosen : chosen + 1]
    return [RegionEdge(region) for region in regions]


def _leave_while(op: WhileOp, end: Operation, constants: Constants) -> list[RegionEdge]:
    if end.parent_region is op.after:
        return [RegionEdge(op.before, end.operands)]
    if not isinstance(end, ConditionOp):
        return []
    goes_on = _truth(constants[0])
    edges = [RegionEdge(op.after, end.args, 0, 1), RegionEdge(None, end.args, 0, 1)]
    return edges if goes_on is None else edges[:1] if goes_on else edges[1:]


def _around_parallel(op: ParallelOp) -> list[RegionEdge]:
    """What is reduced is passed on by no edge."""
    return [RegionEdge(op.region), RegionEdge(None)]


FOR: Final = loop("initArgs")
WHILE: Final = RegionBranch(lambda op, _: [RegionEdge(op.before, op.operands)], _leave_while)
IF: Final = RegionBranch(lambda op, constants: into_either(op, _truth(constants[0])), out)
SWITCH: Final = RegionBranch(_into_case, out)
ONCE: Final = RegionBranch(into_body, out)
PARALLEL: Final = RegionBranch(lambda op, _: _around_parallel(op), lambda op, _end, _: _around_parallel(op))
FORALL: Final = RegionBranch(into_body, lambda _op, _end, _: [])
