"""Where values that the host evaluates for an `omp.target` may be used: in what the target captures, one operation in
another down to a loop nest, which decides how many teams and threads there are.

Source of the rules: *'omp' Dialect*; the texts are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from itertools import takewhile

from fathom.dialects.omp.block_arguments import arguments_by_clause
from fathom.dialects.omp.nesting_checks import WRAPPERS
from fathom.ir.operation import Block, Operation, Value
from fathom.ir.traversal import ancestors
from fathom.irdl.checking import group
from fathom.irdl.traits import TERMINATOR
from fathom.irdl.verifying import Complaint
from fathom.ops import omp as ops
from fathom.records import record


def host_values(op: Operation) -> Complaint:
    """What is wrong with a use of a value that the host evaluates."""
    values = next((arguments for clause, arguments in arguments_by_clause(op) if clause.keyword == "host_eval"), ())
    if not any(value.uses for value in values):
        return None
    innermost = _captured(op, only_once=True)
    kernel = _kernel(op, innermost)
    for value in values:
        for user in value.uses:
            if message := _misuse(value, user, innermost, kernel):
                return f"host_eval argument {message}"
    return None


def _misuse(value: Value, user: Operation, innermost: Operation | None, kernel: _Kernel) -> str:
    """Why a value may not be used there; empty where it may."""
    if isinstance(user, ops.TeamsOp):
        is_legal = _is_in(value, user, "num_teams_lower", "num_teams_upper", "thread_limit")
        return "" if is_legal else "only legal as 'num_teams' and 'thread_limit' in 'omp.teams'"
    if isinstance(user, ops.ParallelOp):
        is_around = innermost is not None and (innermost is user or user in ancestors(innermost))
        if kernel.is_spmd and is_around and _is_in(value, user, "num_threads"):
            return ""
        return "only legal as 'num_threads' in 'omp.parallel' when representing target SPMD"
    if isinstance(user, ops.LoopNestOp):
        names = ("loop_lower_bounds", "loop_upper_bounds", "loop_steps")
        if kernel.has_trip_count and user is innermost and _is_in(value, user, *names):
            return ""
        when = "when trip count must be evaluated in the host"
        return f"only legal as loop bounds and steps in 'omp.loop_nest' {when}"
    return f"illegal use in '{user.name}' operation"


def _is_in(value: Value, op: Operation, *groups: str) -> bool:
    return any(value == other for name in groups for other in group(op, name))


# ---- what is captured


def _captured(root: Operation, *, only_once: bool) -> Operation | None:
    """The innermost operation of omp in `root` that is captured: alone among such in its region, as all are that it is
    nested in; with `only_once`, where each runs once and in any case."""
    captured: Operation | None = None
    todo = [root]
    while todo:
        around = todo.pop()
        for region in around.regions:
            for op in (op for block in region.blocks for op in block if op.dialect == "omp" and op.regions):
                if only_once and not _runs_once(op.parent):
                    return captured
                beside = (inner for block in region.blocks for inner in block if inner is not op)
                if any(sibling.dialect == "omp" and not sibling.has(TERMINATOR) for sibling in beside):
                    return captured
                captured = op
                if isinstance(op, ops.LoopNestOp):
                    return captured
                todo.append(op)
    return captured


def _runs_once(block: Block | None) -> bool:
    """Whether control comes to a block on each way through its region, and not twice."""
    region = block.parent if block is not None else None
    if block is None or region is None or region.has_one_block:
        return True
    if block in _reached(block.successors, None):
        return False
    entry = region.first
    assert entry is not None, "the block is one of the region"
    beside = _reached([entry], block)
    return not any(not sibling.successors for sibling in beside)


def _reached(starts: list[Block] | tuple[Block, ...], without: Block | None) -> set[Block]:
    """The blocks to which control can come from these, if it does not go through one."""
    blocks: set[Block] = set()
    todo = list(starts)
    while todo:
        block = todo.pop()
        if block is not without and block not in blocks:
            blocks.add(block)
            todo += block.successors
    return blocks


# ---- how a target runs


@record
class _Kernel:
    """How a target runs: `is_spmd` if all threads run it from the beginning, `has_trip_count` if the host works out how
    often its loop runs."""

    is_spmd: bool = False
    has_trip_count: bool = False


def _kernel(target: Operation, innermost: Operation | None) -> _Kernel:
    if not isinstance(innermost, ops.LoopNestOp):
        return _Kernel()
    around = [above.name for above in takewhile(lambda above: above is not target, ancestors(innermost))]
    names = list(takewhile(WRAPPERS.__contains__, around))
    outer = around[len(names) :]
    if names[:1] == ["omp.simd"]:
        del names[0]
    if names == ["omp.wsloop", "omp.distribute"] and outer == ["omp.parallel", "omp.teams"]:
        return _Kernel(is_spmd=True, has_trip_count=True)
    if names == ["omp.loop"] and outer == ["omp.teams"]:
        return _Kernel(is_spmd=True, has_trip_count=True)
    if names == ["omp.distribute"] and outer == ["omp.teams"]:
        inside = _captured(innermost, only_once=False)
        while inside is not None and inside.parent_op is not innermost:
            inside = inside.parent_op
        return _Kernel(is_spmd=isinstance(inside, ops.ParallelOp), has_trip_count=True)
    return _Kernel(is_spmd=names == ["omp.wsloop"] and outer == ["omp.parallel"])
