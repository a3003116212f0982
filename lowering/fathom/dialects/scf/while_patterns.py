"""The canonicalisation of `scf.while`: what its condition tells of the second region, and the order of what is passed.

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.arith.integer_folds import inverted_predicate
from fathom.dialects.scf.if_patterns import FALSE, TRUE, is_inside, yielded
from fathom.ir.operation import Block, OpResult, Region, Value, types_of
from fathom.ir.types import I1
from fathom.ops.arith import CmpiOp
from fathom.ops.scf import ConditionOp, IfOp, WhileOp
from fathom.rewriting.pattern import Replacement, defined_by, replacing

if TYPE_CHECKING:
    from fathom.rewriting.rewriter import Rewriter


def condition_is_true(op: WhileOp, rewriter: Rewriter) -> Replacement:
    """Where the second region gets the condition itself, it is true."""
    end = condition_of(op)
    true: Value | None = None
    for value, argument in zip(end.args, op.after.entry.arguments, strict=False):
        if value is end.condition and argument.uses:
            true = true or rewriter.constant(TRUE, I1)
            rewriter.replace_all_uses(argument, true)
    return op if true is not None else None


def condition_of(op: WhileOp) -> ConditionOp:
    """What the first region ends with."""
    end = op.before.entry.end
    assert isinstance(end, ConditionOp), "the loop is verified"
    return end


def comparison_is_known(op: WhileOp, rewriter: Rewriter) -> Replacement:
    """A comparison in the second region that the condition has made already, or its opposite."""
    end = condition_of(op)
    comparison = defined_by(end.condition, CmpiOp)
    if comparison is None:
        return None
    known = {comparison.predicate: TRUE, inverted_predicate(comparison.predicate): FALSE}
    changed = False
    for value, argument in zip(end.args, op.after.entry.arguments, strict=False):
        for side in range(2):
            if value is not comparison.operands[side]:
                continue
            for user in reversed(list(argument.uses)):
                if not isinstance(user, CmpiOp) or user.operands[1 - side] is not comparison.operands[1 - side]:
                    continue
                if (result := known.get(user.predicate)) is not None:
                    with rewriter.standing_in(user):
                        rewriter.replace(user, [rewriter.constant(result, I1)])
                    changed = True
    return op if changed else None


def passed_in_order(op: WhileOp, rewriter: Rewriter) -> Replacement:
    """Where the first region passes on just its arguments, it does so in their order."""
    before, end = op.before.entry, condition_of(op)
    arguments, passed = list(before.arguments), end.args
    if arguments == passed or len(set(passed)) != len(passed) or set(arguments) != set(passed):
        return None
    with rewriter.elsewhere():
        rewriter.set_insertion_before(end)
        with rewriter.standing_in(end):
            rewriter.replace_with(end, "scf.condition", [end.condition, *arguments])
    order = [next(index for index, argument in enumerate(arguments) if argument is value) for value in passed]
    types = types_of(arguments)
    new = rewriter.create(op.name, op.operands, types, regions=[Region(), Region()])
    first, second = (rewriter.create_block(region, argument_types=types) for region in new.regions)
    rewriter.inline_block_before(before, first, None, list(first.arguments))
    rewriter.inline_block_before(op.after.entry, second, None, [second.arguments[place] for place in order])
    return [new.results[place] for place in order]


def choice_into_body(op: WhileOp, rewriter: Rewriter) -> Replacement:
    """An `scf.if` on the condition, right before the first region ends, becomes part of the second."""
    end, after = condition_of(op), op.after.entry
    choice = end.previous
    if not isinstance(choice, IfOp) or choice.condition is not end.condition:
        return None
    then, otherwise = choice.regions
    if not otherwise.is_empty and otherwise.entry.first is not otherwise.entry.last:
        return None
    for index, value in enumerate(end.args):
        if isinstance(value, OpResult) and value.op is choice:
            when_true, when_false = yielded(then)[value.index], yielded(otherwise)[value.index]
            rewriter.replace_all_uses(value, when_false)
            rewriter.replace_all_uses(after.arguments[index], when_true)
    more = _from_first_region(then, op.before.entry)
    types = types_of([*op.results, *more])
    new = rewriter.create(op.name, op.operands, types, regions=[Region(), Region()])
    for region, old in zip(new.regions, op.regions, strict=True):
        region.take_blocks(old)
    arguments = rewriter.add_arguments(after, types_of(more))
    rewriter.modify(end, lambda: end.set_operands([*end.operands, *more]))
    for value, argument in zip(more, arguments, strict=True):
        for user in reversed([user for user in value.uses if is_inside(user, then)]):
            rewriter.use_instead(user, value, argument)
    rewriter.erase(then.entry.end)
    rewriter.inline_block_before(then.entry, after, after.first)
    rewriter.erase(choice)
    return new.results[: len(op.results)]


def _from_first_region(region: Region, block: Block) -> list[Value]:
    """The values that a nested region uses and the first region defines, in the order of their uses."""
    values: dict[Value, None] = {}
    for inner in region.walk():
        for operand in inner.operands:
            if operand.parent_block is block:
                values[operand] = None
    return list(values)


PATTERNS: Final = (
    replacing("scf.while", condition_is_true, name="WhileConditionTruth"),
    replacing("scf.while", comparison_is_known, name="WhileCmpCond"),
    replacing("scf.while", passed_in_order, name="WhileOpAlignBeforeArgs"),
    replacing("scf.while", choice_into_body, name="WhileMoveIfDown"),
)
