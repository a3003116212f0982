"""The canonicalisation of branches: those that lead on at once, those that are decided, those that make no difference.

Source of the rules: mlir-opt 22; the order of the patterns is MLIR's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.cf.switches import case_values, successor_operands, switch_properties
from fathom.ir.attributes import IntegerAttr
from fathom.ir.types import I1, IntegerType
from fathom.irdl.build import segment_sizes
from fathom.rewriting.folding import integer_constant
from fathom.rewriting.pattern import Failure, Operations, Pattern

if TYPE_CHECKING:
    from collections.abc import Callable

    from fathom.ir.operation import Block, Operation, Value
    from fathom.rewriting.rewriter import Rewriter

Target = tuple["Block", "list[Value]"]
"""A successor with what it is passed."""


def targets_of(op: Operation) -> list[Target]:
    """The successors of a branch, each with what it is passed."""
    return list(zip(op.successors, successor_operands(op), strict=True))


def replace_by_branch(rewriter: Rewriter, op: Operation, target: Target) -> None:
    """`op` becomes `cf.br ^target(…)`."""
    block, operands = target
    rewriter.replace_with(op, "cf.br", operands, successors=[block])


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
    if branch is None or branch is not block.first or branch.name != "cf.br":
        return None
    if any(user is not branch for argument in block.arguments for user in argument.uses):
        return None
    destination = branch.successors[0]
    if destination is block:
        return None
    visited = {block, destination}
    following = destination.last
    while following is not None and following.name == "cf.br":
        if following.successors[0] in visited:
            return None
        visited.add(following.successors[0])
        following = following.successors[0].last
    given: dict[Value, Value] = dict(zip(block.arguments, operands, strict=True))
    return destination, [given.get(operand, operand) for operand in branch.operands]


# ---- cf.assert, cf.br


def drop_true_assert(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """`cf.assert %true` goes."""
    if not integer_constant(op.operands[0]):
        return Failure("the condition is not known to be true")
    rewriter.erase(op)
    return None


def merge_into_predecessor(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """
      …                                         …
      cf.br ^bb1(%x : i32)           ->         <the operations of ^bb1, with %x for %a>
    ^bb1(%a: i32):  // one predecessor
      …
    """
    block, destination = op.parent, op.successors[0]
    if block is None or destination is block or len(destination.predecessors()) != 1:
        return Failure("other branches lead to the block as well")
    passed = list(op.operands)
    rewriter.erase(op)
    rewriter.inline_block_before(destination, block, None, passed)
    return None


def pass_through(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """`cf.br ^bb1` becomes `cf.br ^bb2` where all that `^bb1` does is `cf.br ^bb2`."""
    (target,) = targets_of(op)
    found = collapsed(target) if target[0] is not op.parent else None
    if found is None:
        return Failure("the block does more than branch on")
    replace_by_branch(rewriter, op, found)
    return None


# ---- cf.cond_br


def decided(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """`cf.cond_br %true, ^bb1, ^bb2` becomes `cf.br ^bb1`."""
    condition = integer_constant(op.operands[0])
    if condition is None:
        return Failure("the condition is not known")
    replace_by_branch(rewriter, op, targets_of(op)[0 if condition else 1])
    return None


def create_cond_br(rewriter: Rewriter, op: Operation, true: Target, false: Target) -> None:
    """Another `cf.cond_br` on the condition of `op`, in its place."""
    properties = {"operandSegmentSizes": segment_sizes(1, len(true[1]), len(false[1]))}
    if "branch_weights" in op.properties:
        properties["branch_weights"] = op.properties["branch_weights"]
    values = [op.operands[0], *true[1], *false[1]]
    rewriter.replace_with(op, "cf.cond_br", values, (), properties, successors=[true[0], false[0]])


def pass_through_either(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """`cf.cond_br %c, ^bb1, ^bb2` where one of these only branches on."""
    targets = targets_of(op)
    found = [collapsed(target) for target in targets]
    if found == [None, None]:
        return Failure("both blocks do more than branch on")
    create_cond_br(rewriter, op, found[0] or targets[0], found[1] or targets[1])
    return None


def same_successors(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
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
            one = rewriter.create("arith.select", [op.operands[0], one, another], [one.type]).result
        merged.append(one)
    replace_by_branch(rewriter, op, (block, merged))
    return None


def decided_before(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """A branch on a condition that the only branch to its block has decided already."""
    before = only_predecessor(op.parent) if op.parent is not None else None
    branch = before.last if before is not None else None
    if branch is None or branch.name != "cf.cond_br" or branch.operands[0] is not op.operands[0]:
        return Failure("no branch on the same condition alone leads here")
    replace_by_branch(rewriter, op, targets_of(op)[0 if branch.successors[0] is op.parent else 1])
    return None


def condition_is_known_behind(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """In a block that only the true side of the branch leads to, the condition is true; on the other side, false."""
    condition = op.operands[0]
    found = False
    for block, value in zip(list(op.successors), (1, 0), strict=True):
        if only_predecessor(block) is None:
            continue
        users = [user for user in reversed(list(condition.uses)) if user.parent is block]
        if not users:
            continue
        found = True
        known = rewriter.create("arith.constant", (), [I1], {"value": IntegerAttr(value, I1)}).result
        for user in users:
            rewriter.modify(user, _replacing(user, condition, known))
    return None if found else Failure("nothing behind the branch asks for its condition")


def _replacing(user: Operation, old: Value, new: Value) -> Callable[[], None]:
    def change() -> None:
        for index in old.places_in(user):
            user.set_operand(index, new)

    return change


_UNREACHABLE: Final = Operations("ub.unreachable")


def never_taken(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """A branch to a block that is `ub.unreachable` is never taken, so the other one is."""
    for target, other in zip(targets_of(op), reversed(targets_of(op)), strict=True):
        block = target[0]
        if block.last is not None and block.last is block.first and block.last in _UNREACHABLE:
            replace_by_branch(rewriter, op, other)
            return None
    return Failure("both blocks can be reached")


# ---- cf.switch


def create_switch(rewriter: Rewriter, op: Operation, values: Sequence[int], targets: Sequence[Target]) -> None:
    """Another `cf.switch` on the flag of `op`, in its place; the first target is the default."""
    flag = op.operands[0]
    operands = [flag, *(operand for _, passed in targets for operand in passed)]
    properties = switch_properties(flag.type, values, [len(passed) for _, passed in targets])
    rewriter.replace_with(op, "cf.switch", operands, (), properties, successors=[block for block, _ in targets])


def fold_switch(rewriter: Rewriter, op: Operation, value: int) -> None:
    """Goes where the flag's value leads."""
    default, *cases = targets_of(op)
    type = op.operands[0].type
    width = type.width if isinstance(type, IntegerType) else 64
    chosen = (target for case, target in zip(case_values(op), cases, strict=True) if (case - value) % (1 << width) == 0)
    replace_by_branch(rewriter, op, next(chosen, default))


def only_default(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """A switch without cases is a branch."""
    if len(op.successors) > 1:
        return Failure("there are cases")
    replace_by_branch(rewriter, op, targets_of(op)[0])
    return None


def cases_like_default(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """Drops the cases that go where the default goes, with the same operands."""
    default, *cases = targets_of(op)
    kept = [(value, target) for value, target in zip(case_values(op), cases, strict=True) if target != default]
    if len(kept) == len(cases):
        return Failure("no case goes where the default goes")
    create_switch(rewriter, op, [value for value, _ in kept], [default, *(target for _, target in kept)])
    return None


def constant_flag(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """A switch on a constant is a branch."""
    value = integer_constant(op.operands[0])
    if value is None:
        return Failure("the flag is not known")
    fold_switch(rewriter, op, value)
    return None


def pass_through_cases(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """Goes past blocks that only branch on."""
    targets = targets_of(op)
    found = [collapsed(target) for target in targets]
    if all(each is None for each in found):
        return Failure("all blocks do more than branch on")
    new = [each or target for each, target in zip(found, targets, strict=True)]
    create_switch(rewriter, op, case_values(op), new)
    return None


def _switch_before(op: Operation) -> Operation | None:
    """The switch on the same flag that alone leads to the block of `op`."""
    before = only_predecessor(op.parent) if op.parent is not None else None
    switch = before.last if before is not None else None
    if switch is None or switch.name != "cf.switch" or switch.operands[0] is not op.operands[0]:
        return None
    return switch


def switched_before(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """A switch behind a case of a switch on the same flag."""
    switch = _switch_before(op)
    if switch is None or op.parent is None or switch.successors[0] is op.parent:
        return Failure("no case of a switch on the same flag alone leads here")
    fold_switch(rewriter, op, case_values(switch)[switch.successors[1:].index(op.parent)])
    return None


def switched_before_by_default(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """A switch behind the default of a switch on the same flag: the cases of that one do not come here."""
    switch = _switch_before(op)
    if switch is None or switch.successors[0] is not op.parent:
        return Failure("no switch on the same flag leads here by default")
    impossible = {
        value for value, block in zip(case_values(switch), switch.successors[1:], strict=True) if block is not op.parent
    }
    default, *cases = targets_of(op)
    kept = [(value, target) for value, target in zip(case_values(op), cases, strict=True) if value not in impossible]
    if len(kept) == len(cases):
        return Failure("all cases are possible")
    create_switch(rewriter, op, [value for value, _ in kept], [default, *(target for _, target in kept)])
    return None


CANONICALIZATION: Final = (
    Pattern("cf.assert", drop_true_assert, name="canonicalize"),
    Pattern("cf.br", merge_into_predecessor, name="simplifyBrToBlockWithSinglePred"),
    Pattern("cf.br", pass_through, name="simplifyPassThroughBr"),
    Pattern("cf.cond_br", decided, name="SimplifyConstCondBranchPred"),
    Pattern("cf.cond_br", pass_through_either, name="SimplifyPassThroughCondBranch"),
    Pattern("cf.cond_br", same_successors, name="SimplifyCondBranchIdenticalSuccessors"),
    Pattern("cf.cond_br", decided_before, name="SimplifyCondBranchFromCondBranchOnSameCondition"),
    Pattern("cf.cond_br", condition_is_known_behind, name="CondBranchTruthPropagation"),
    Pattern("cf.cond_br", never_taken, name="DropUnreachableCondBranch"),
    Pattern("cf.switch", only_default, name="simplifySwitchWithOnlyDefault"),
    Pattern("cf.switch", cases_like_default, name="dropSwitchCasesThatMatchDefault"),
    Pattern("cf.switch", constant_flag, name="simplifyConstSwitchValue"),
    Pattern("cf.switch", pass_through_cases, name="simplifyPassThroughSwitch"),
    Pattern("cf.switch", switched_before, name="simplifySwitchFromSwitchOnSameCondition"),
    Pattern("cf.switch", switched_before_by_default, name="simplifySwitchFromDefaultSwitchOnSameCondition"),
)
