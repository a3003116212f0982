"""Lifts the regions of functions, inner ones first: what returns comes first, then cycles, then branches.

Source of the rules: `CFGToSCF.cpp` of MLIR 22, after Bahmann, Reissmann, Jahre and Meyer, *Perfect Reconstructability
of Control Flow from Demand Dependence Graphs* (2015).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.traversal import unreachable_blocks
from fathom.irdl.interfaces import Branch
from fathom.ops.func import FuncOp
from fathom.passes.conversions.lift_cf_to_scf.branches import lift_branch
from fathom.passes.conversions.lift_cf_to_scf.loops import lift_cycles
from fathom.passes.conversions.lift_cf_to_scf.refusal import Refused
from fathom.passes.conversions.lift_cf_to_scf.values import Lifted
from fathom.rewriting.effects import is_memory_effect_free

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation, Region


def lift(root: Operation, context: Context) -> list[Diagnostic]:
    """Lifts all functions; what stands in the way, and then nothing further is done."""
    try:
        for function in [op for op in root.walk_postorder() if isinstance(op, FuncOp)]:
            for op in list(function.walk_postorder()):
                for region in op.regions:
                    if region.first is not region.last:
                        _lift(region, context)
    except Refused as refused:
        return [refused.diagnostic]
    return []


def _lift(region: Region, context: Context) -> None:
    _check(region)
    lifted = Lifted(region, context)
    for block in region.blocks:
        if block.last is not None and not block.successors:
            lifted.combine_exit(block.last)
    pending = [region.entry]
    while pending:
        entry = pending.pop()
        blocks = lift_cycles(lifted, entry)
        if blocks:
            lifted.graph.forget(entry.parent)
        # The first block of a region may have gone into a loop, which a new one stands for.
        pending += blocks
        pending += lift_branch(lifted, entry)


def _check(region: Region) -> None:
    """Refuses what cannot be lifted, before anything is done."""
    # Blocks that only lead to each other stay. With those that lead to others, MLIR does not come to an end.
    unreached = unreachable_blocks(region)
    apart = set(unreached)
    for block in unreached:
        if block.first is not None and (not block.branches or not apart.issuperset(block.successors)):
            raise Refused(block.first, "transformation does not support unreachable blocks")
    for op in region.walk_postorder():
        if not op.successors:
            continue
        branch = op.interface(Branch)
        if branch is None:
            message = "transformation does not support terminators with successors not implementing BranchOpInterface"
            raise Refused(op, message)
        if not is_memory_effect_free(op):
            raise Refused(op, "transformation does not support terminators with side effects")
        if any(edge.made for edge in branch.edges(op)):
            message = "transformation does not support operations with operation-produced successor operands"
            raise Refused(op, message)
