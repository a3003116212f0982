"""Moves what only one branch uses into that branch, so that it is computed only if that is run.

    %0 = arith.addi %a, %b : i32                         scf.if %c {
    scf.if %c {                               ->           %0 = arith.addi %a, %b : i32
      use(%0)                                              use(%0)

Source of the rules: `ControlFlowSinkUtils.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.dominance import Dominance
from fathom.ops import emitc, scf
from fathom.rewriting.effects import is_memory_effect_free

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Region

BRANCHES: Final = (scf.IfOp, scf.IndexSwitchOp, emitc.IfOp, emitc.SwitchOp)
"""The operations whose regions are run once at most."""


def sink(root: Operation) -> None:
    """Goes into inner branches first."""
    order = Dominance()
    for op in list(root.walk_postorder()):
        if isinstance(op, BRANCHES):
            for region in op.regions:
                if not region.is_empty:
                    _sink_into(region, order)


def _sink_into(region: Region, order: Dominance) -> None:
    entry = region.entry
    stack = [*region.operations()]
    while stack:
        user = stack.pop()
        for value in user.operands:
            op = value.defining_op
            if op is None or op.parent_region is region:
                continue
            users = [use for result in op.results for use in result.uses]
            inside = all(user.parent is not None and order.dominates(entry, user.parent) for user in users)
            if inside and is_memory_effect_free(op):
                op.unlink()
                entry.insert_before(op, entry.first)
                stack.append(op)
