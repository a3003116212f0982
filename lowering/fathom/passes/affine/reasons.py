"""Why passes leave affine loops, said to whoever looks on; made for nobody else, and after what they decide.

Each follows the question that a pass asks (`parallelism.py`, `vectorizable.py`, `invariants.py`), and says where the
answer was no.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.operation import BlockArgument
from fathom.ir.types import MemRefType
from fathom.irdl.interfaces import Call
from fathom.ops.affine import ForOp, IfOp, LoadOp, StoreOp, YieldOp
from fathom.passes.affine.accesses import ACCESSES, Access, Outcome, dependence
from fathom.passes.affine.domains import nesting_depth, variable
from fathom.passes.affine.parallelism import accesses_outside, reductions
from fathom.passes.affine.trip_counts import always_runs
from fathom.passes.affine.vectorizable import is_vectorizable, moves_of
from fathom.rewriting.effects import is_memory_effect_free
from fathom.rewriting.reasons import called, called_op, effect

if TYPE_CHECKING:
    from collections.abc import Container

    from fathom.ir.operation import Operation


def why_not_parallel(loop: ForOp, *, but_reductions: bool) -> str:
    """Why the iterations of a loop may not run in any order; empty where they may."""
    if loop.inits and not but_reductions:
        carried = _listed(loop.region.entry.arguments[1:])
        return f"it carries {carried} from one iteration to the next, and reductions are not asked for"
    if loop.inits and len(reductions(loop)) != len(loop.inits):
        known = {reduction.place for reduction in reductions(loop)}
        carried = [value for place, value in enumerate(loop.region.entry.arguments[1:]) if place not in known]
        return f"{_listed(carried)}, which it carries from one iteration to the next, is no reduction by one operation"
    made = next((result for result in loop.results if isinstance(result.type, MemRefType)), None)
    if made is not None:
        return f"it yields a memref, {called(made)}"
    return _why_accesses_depend(loop)


def _why_accesses_depend(loop: ForOp) -> str:
    accesses, other = accesses_outside(loop)
    if other is not None:
        return f"the {called_op(other)} in it is no affine access: {effect(other)}"
    depth = nesting_depth(loop) + 1
    for first in accesses:
        for second in accesses:
            found = dependence(first, second, depth)
            if found.may_be:
                return _dependence(first, second, is_sure=found.outcome is Outcome.SOME)
    return ""


def _dependence(first: Access, second: Access, *, is_sure: bool) -> str:
    memref = called(first.memref)
    unsure = "" if is_sure else "it is not known that it is not so: "
    if first.op is second.op:
        return f"{unsure}the {called_op(first.op)} comes to the same element of {memref} in several iterations"
    ways = ["writes" if access.is_write else "reads" for access in (first, second)]
    one, other = called_op(first.op), called_op(second.op)
    return f"{unsure}the {one} {ways[0]} an element of {memref} that the {other} {ways[1]} in a later iteration"


def _listed(values: list[BlockArgument]) -> str:
    return ", ".join(map(called, values))


# ---- vectors


def why_no_vectors(loop: ForOp, *, but_reductions: bool) -> str:
    """Why a loop is no dimension of vectors; empty where it may be one."""
    if reason := why_not_parallel(loop, but_reductions=but_reductions):
        return f"its iterations may not run in any order: {reason}"
    for op in loop.walk():
        if not is_vectorizable(op):
            return _why_not_vectorizable(op)
    dimension: int | None = None
    for op in loop.walk_postorder():
        if not isinstance(op, (LoadOp, StoreOp)):
            continue
        moves = moves_of(op, variable(loop))
        index, memref = called(variable(loop)), called(op.memref)
        if moves is None and isinstance(op.memref.type, MemRefType) and op.memref.type.layout is not None:
            return f"{memref}, which the {called_op(op)} accesses, has a layout"
        if moves is None:
            return f"the {called_op(op)} has {index} in several subscripts of {memref}"
        if moves.dimension is not None and dimension not in (None, moves.dimension):
            return f"the {called_op(op)} moves along another dimension than the accesses before it"
        dimension = moves.dimension if moves.dimension is not None else dimension
    return ""


def _why_not_vectorizable(op: Operation) -> str:
    if op.regions or isinstance(op, IfOp):
        return f"there is a {called_op(op)} in it"
    types = dict.fromkeys(str(each.type) for each in (*op.results, *op.operands))
    return f"the {called_op(op)} is on {', '.join(types)}; all elements must be scalars"


# ---- what stays in a loop


def why_it_stays(op: Operation, loop: ForOp, interferes: Operation | None, left: Container[Operation | None]) -> str:
    """Why an operation directly in a loop is not moved in front of it; `left` are those that are not either."""
    if interferes is not None:
        memref = f" {called(op.memref)}" if isinstance(op, ACCESSES) else " the same memref"
        if interferes.interface(Call) is not None:
            return f"the {called_op(interferes)} in the loop may access{memref} too"
        return f"the {called_op(interferes)} in the loop accesses{memref} too"
    for inner in op.walk():
        if not isinstance(inner, (IfOp, ForOp, YieldOp, *ACCESSES)) and not is_memory_effect_free(inner):
            return effect(inner) if inner is op else f"the {called_op(inner)} in it: {effect(inner)}"
    for inner in op.walk():
        user = "it" if inner is op else f"the {called_op(inner)} in it"
        for operand in inner.operands:
            if operand in loop.region.entry.arguments:
                return f"{user} uses {called(operand)}, which the loop defines"
            if operand.defining_op in left:
                return f"{user} uses {called(operand)}, which stays in the loop"
    if not always_runs(loop) and any(isinstance(inner, ACCESSES) for inner in op.walk()):
        return "it is not known that the loop runs at all, and what accesses memory must not be done then"
    return "an access in it may be to what another in the loop accesses" if op.regions else ""
