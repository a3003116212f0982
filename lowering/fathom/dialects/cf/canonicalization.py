"""The canonicalisation of branches: those that lead on at once, those that are decided, those that make no difference.

Source of the rules: mlir-opt 22; the order of the patterns is MLIR's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from fathom.dialects.cf.switches import case_values, edges_of, switch_properties
from fathom.ir.attributes import IntegerAttr
from fathom.ir.types import I1, IntegerType
from fathom.irdl.build import segment_sizes
from fathom.ops.cf import AssertOp, BrOp, CondBrOp, SwitchOp
from fathom.ops.ub import UnreachableOp
from fathom.rewriting.folding import integer_constant
from fathom.rewriting.pattern import Failure, GiveFunction, Replacement, replacing

if TYPE_CHECKING:
    from collections.abc import Callable

    from fathom.ir.operation import Block, Operation, Value
    from fathom.rewriting.rewriter import Rewriter

Target = tuple["Block", "list[Value]"]
"""A successor with what it is passed."""


def targets_of(op: Operation) -> list[Target]:
    """The successors of a branch, each with what it is passed."""
    return [(edge.target, edge.passed) for edge in edges_of(op)]


def branch_to(rewriter: Rewriter, target: Target) -> Operation:
    """`cf.br ^target(…)`."""
    block, operands = target
    return rewriter.create("cf.br", operands, successors=[block])


def only_predecessor(block: Block) -> Block | None:
    """The block that alone leads here, and by one way only."""
    predecessors = block.predecessors()
    return predecessors[0] if len(predecessors) == 1 else None


def collapsed(target: Target) -> Target | None:
    """Where a branch to a block that only branches on ends up; None for other blocks, and in a cycle of such blocks.

    ^bb1(%a: i32):  cf.br ^bb2(%a, %b : i32, i32)
    """
    block, operands = target
    branch = block.last
    if not isinstance(branch, BrOp) or branch is not block.first:
        return None
    if any(user is not branch for argument in block.arguments for user in argument.uses):
        return None
    destination = branch.dest
    if destination is block:
        return None
    visited = {block, destination}
    following = destination.last
    while isinstance(following, BrOp):
        if following.dest in visited:
            return None
        visited.add(following.dest)
        following = following.dest.last
    given: dict[Value, Value] = dict(zip(block.arguments, operands, strict=True))
    return destination, [given.get(operand, operand) for operand in branch.operands]


def passing_through(create: Callable[[Rewriter, Any, list[Target]], Operation]) -> GiveFunction:
    """Goes past blocks that only branch on: `create(rewriter, op, targets)` makes the branch to others."""

    def give(op: Operation, rewriter: Rewriter) -> Replacement:
        targets = targets_of(op)
        shortened = [collapsed(target) for target in targets]
        if not any(shortened):
            return Failure("no block does nothing but branch on")
        return create(rewriter, op, [new or target for new, target in zip(shortened, targets, strict=True)])

    return give


def branch_before(op: CondBrOp | SwitchOp) -> Operation | None:
    """The branch that alone leads to the block of `op`, where the same value decides both."""
    before = only_predecessor(op.parent) if op.parent is not None else None
    branch = before.last if before is not None else None
    is_alike = branch is not None and branch.name == op.name and branch.operands[0] is op.operands[0]
    return branch if is_alike else None


# ---- cf.assert, cf.br


def drop_true_assert(op: AssertOp, rewriter: Rewriter) -> Replacement:
    """`cf.assert %true` goes."""
    if not integer_constant(op.arg):
        return Failure("the condition is not known to be true")
    return []


def merge_into_predecessor(op: BrOp, rewriter: Rewriter) -> Replacement:
    """
      …                                         …
      cf.br ^bb1(%x : i32)           ->         <the operations of ^bb1, with %x for %a>
    ^bb1(%a: i32):  // one predecessor
      …
    """
    block, destination = op.parent, op.dest
    if block is None or destination is block or len(destination.predecessors()) != 1:
        return Failure("other branches lead to the block as well")
    passed = list(op.operands)
    rewriter.erase(op)
    rewriter.inline_block_before(destination, block, None, passed)
    return op


# ---- cf.cond_br


def decided(op: CondBrOp, rewriter: Rewriter) -> Replacement:
    """`cf.cond_br %true, ^bb1, ^bb2` becomes `cf.br ^bb1`."""
    condition = integer_constant(op.condition)
    if condition is None:
        return Failure("the condition is not known")
    return branch_to(rewriter, targets_of(op)[0 if condition else 1])


def create_cond_br(rewriter: Rewriter, op: CondBrOp, targets: Sequence[Target]) -> Operation:
    """Another `cf.cond_br` on the condition of `op`."""
    (true, if_true), (false, if_false) = targets
    properties = {**op.properties, "operandSegmentSizes": segment_sizes(1, len(if_true), len(if_false))}
    operands = [op.condition, *if_true, *if_false]
    return rewriter.create("cf.cond_br", operands, (), properties, successors=[true, false])


def same_successors(op: CondBrOp, rewriter: Rewriter) -> Replacement:
    """
        cf.cond_br %c, ^bb1(%a : i32), ^bb1(%b : i32)
    becomes
        %0 = arith.select %c, %a, %b : i32
        cf.br ^bb1(%0 : i32)
    """
    (block, true), (other, false) = targets_of(op)
    if block is not other:
        return Failure("the blocks differ")
    if true != false and any(predecessor is not op.parent for predecessor in block.predecessors()):
        return Failure("other blocks lead to this one as well")
    merged: list[Value] = []
    for one, another in zip(true, false, strict=True):
        if one is not another:
            one = rewriter.create("arith.select", [op.condition, one, another], [one.type]).result
        merged.append(one)
    return branch_to(rewriter, (block, merged))


def decided_before(op: CondBrOp, rewriter: Rewriter) -> Replacement:
    """A branch on a condition that the only branch to its block has decided already."""
    branch = branch_before(op)
    if not isinstance(branch, CondBrOp):
        return Failure("no branch on the same condition alone leads here")
    return branch_to(rewriter, targets_of(op)[0 if branch.trueDest is op.parent else 1])


def condition_is_known_behind(op: CondBrOp, rewriter: Rewriter) -> Replacement:
    """In a block that only the true side of the branch leads to, the condition is true; on the other side, false."""
    condition = op.condition
    is_known_behind = False
    for block, value in zip(list(op.successors), (1, 0), strict=True):
        if only_predecessor(block) is None:
            continue
        users = [user for user in reversed(list(condition.uses)) if user.parent is block]
        if not users:
            continue
        is_known_behind = True
        known = rewriter.constant(IntegerAttr(value, I1), I1)
        for user in users:
            rewriter.use_instead(user, condition, known)
    return op if is_known_behind else Failure("nothing behind the branch asks for its condition")


def never_taken(op: CondBrOp, rewriter: Rewriter) -> Replacement:
    """A branch to a block that is `ub.unreachable` is never taken, so the other one is."""
    for target, other in zip(targets_of(op), reversed(targets_of(op)), strict=True):
        if isinstance(target[0].first, UnreachableOp):
            return branch_to(rewriter, other)
    return Failure("both blocks can be reached")


# ---- cf.switch


def create_switch(rewriter: Rewriter, op: SwitchOp, values: Sequence[int], targets: Sequence[Target]) -> Operation:
    """Another `cf.switch` on the flag of `op`; the first target is the default."""
    operands = [op.flag, *(operand for _, passed in targets for operand in passed)]
    properties = switch_properties(op.flag.type, values, [len(passed) for _, passed in targets])
    return rewriter.create("cf.switch", operands, (), properties, successors=[block for block, _ in targets])


def redirect_switch(rewriter: Rewriter, op: SwitchOp, targets: Sequence[Target]) -> Operation:
    """The same cases lead elsewhere."""
    return create_switch(rewriter, op, case_values(op), targets)


def keep_cases(rewriter: Rewriter, op: SwitchOp, keeps: Callable[[int, Target], bool]) -> Operation | None:
    """The switch without the other cases, if there are any."""
    default, *cases = targets_of(op)
    kept = [case for case in zip(case_values(op), cases, strict=True) if keeps(*case)]
    if len(kept) == len(cases):
        return None
    return create_switch(rewriter, op, [value for value, _ in kept], [default, *(target for _, target in kept)])


def fold_switch(rewriter: Rewriter, op: SwitchOp, value: int) -> Operation:
    """Goes where the flag's value leads."""
    default, *cases = targets_of(op)
    type = op.flag.type
    width = type.width if isinstance(type, IntegerType) else 64
    chosen = (target for case, target in zip(case_values(op), cases, strict=True) if (case - value) % (1 << width) == 0)
    return branch_to(rewriter, next(chosen, default))


def only_default(op: SwitchOp, rewriter: Rewriter) -> Replacement:
    """A switch without cases is a branch."""
    if len(op.successors) > 1:
        return Failure("there are cases")
    return branch_to(rewriter, targets_of(op)[0])


def cases_like_default(op: SwitchOp, rewriter: Rewriter) -> Replacement:
    """Drops the cases that go where the default goes, with the same operands."""
    default = targets_of(op)[0]
    kept = keep_cases(rewriter, op, lambda _, target: target != default)
    return kept or Failure("no case goes where the default goes")


def constant_flag(op: SwitchOp, rewriter: Rewriter) -> Replacement:
    """A switch on a constant is a branch."""
    value = integer_constant(op.flag)
    if value is None:
        return Failure("the flag is not known")
    return fold_switch(rewriter, op, value)


def switched_before(op: SwitchOp, rewriter: Rewriter) -> Replacement:
    """A switch behind a case of a switch on the same flag."""
    switch = branch_before(op)
    if not isinstance(switch, SwitchOp) or op.parent is None or switch.defaultDestination is op.parent:
        return Failure("no case of a switch on the same flag alone leads here")
    return fold_switch(rewriter, op, case_values(switch)[switch.caseDestinations.index(op.parent)])


def switched_before_by_default(op: SwitchOp, rewriter: Rewriter) -> Replacement:
    """A switch behind the default of a switch on the same flag: the cases of that one do not come here."""
    switch = branch_before(op)
    if not isinstance(switch, SwitchOp) or switch.defaultDestination is not op.parent:
        return Failure("no switch on the same flag leads here by default")
    cases = zip(case_values(switch), switch.caseDestinations, strict=True)
    impossible = {value for value, block in cases if block is not op.parent}
    return keep_cases(rewriter, op, lambda value, _: value not in impossible) or Failure("all cases are possible")


CANONICALIZATION: Final = (
    replacing("cf.assert", drop_true_assert, name="canonicalize"),
    replacing("cf.br", merge_into_predecessor, name="simplifyBrToBlockWithSinglePred"),
    replacing(
        "cf.br",
        passing_through(lambda rewriter, _, targets: branch_to(rewriter, *targets)),
        name="simplifyPassThroughBr",
    ),
    replacing("cf.cond_br", decided, name="SimplifyConstCondBranchPred"),
    replacing("cf.cond_br", passing_through(create_cond_br), name="SimplifyPassThroughCondBranch"),
    replacing("cf.cond_br", same_successors, name="SimplifyCondBranchIdenticalSuccessors"),
    replacing("cf.cond_br", decided_before, name="SimplifyCondBranchFromCondBranchOnSameCondition"),
    replacing("cf.cond_br", condition_is_known_behind, name="CondBranchTruthPropagation"),
    replacing("cf.cond_br", never_taken, name="DropUnreachableCondBranch"),
    replacing("cf.switch", only_default, name="simplifySwitchWithOnlyDefault"),
    replacing("cf.switch", cases_like_default, name="dropSwitchCasesThatMatchDefault"),
    replacing("cf.switch", constant_flag, name="simplifyConstSwitchValue"),
    replacing("cf.switch", passing_through(redirect_switch), name="simplifyPassThroughSwitch"),
    replacing("cf.switch", switched_before, name="simplifySwitchFromSwitchOnSameCondition"),
    replacing("cf.switch", switched_before_by_default, name="simplifySwitchFromDefaultSwitchOnSameCondition"),
)
