"""The canonicalisation of `scf.while`: what its condition tells of the second region, and the order of what is passed.

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.arith.integer_folds import inverted_predicate
from fathom.dialects.scf.if_patterns import FALSE, TRUE, constant, is_inside, yielded
from fathom.ir.attributes import IntegerAttr
from fathom.ir.operation import Block, Operation, OpResult, Region, Value
from fathom.rewriting.pattern import NO_MATCH, Failure, Operations, Pattern

if TYPE_CHECKING:
    from fathom.rewriting.rewriter import Rewriter


def _parts(op: Operation) -> tuple[Block, Operation, Block] | None:
    """The first block, what it ends with, and the second block."""
    before, after = op.regions[0].first, op.regions[1].first
    end = before.last if before is not None else None
    if before is None or after is None or end is None or end.name != "scf.condition":
        return None
    return before, end, after


def condition_is_true(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """Where the second region gets the condition itself, it is true."""
    parts = _parts(op)
    if parts is None:
        return NO_MATCH
    _, end, after = parts
    condition, *passed = end.operands
    true: Value | None = None
    for value, argument in zip(passed, after.arguments, strict=False):
        if value is condition and argument.uses:
            true = true or constant(rewriter, TRUE)
            rewriter.replace_all_uses(argument, true)
    return None if true is not None else NO_MATCH


_COMPARISON: Final = Operations("arith.cmpi")


def comparison_is_known(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """A comparison in the second region that the condition has made already, or its opposite."""
    parts = _parts(op)
    comparison = _COMPARISON.defining(parts[1].operands[0]) if parts is not None else None
    if parts is None or comparison is None:
        return NO_MATCH
    _, end, after = parts
    predicate = comparison.properties["predicate"]
    changed = False
    for value, argument in zip(end.operands[1:], after.arguments, strict=False):
        for side in range(2):
            if value is not comparison.operands[side]:
                continue
            for user in reversed(list(argument.uses)):
                if user not in _COMPARISON or user.operands[1 - side] is not comparison.operands[1 - side]:
                    continue
                other = user.properties["predicate"]
                if other != predicate and other != _inverted(predicate):
                    continue
                with rewriter.standing_in(user):
                    rewriter.replace(user, [constant(rewriter, TRUE if other == predicate else FALSE)])
                changed = True
    return None if changed else NO_MATCH


def _inverted(predicate: object) -> IntegerAttr | None:
    return inverted_predicate(predicate) if isinstance(predicate, IntegerAttr) else None


def passed_in_order(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """Where the first region passes on just its arguments, it does so in their order."""
    parts = _parts(op)
    if parts is None:
        return NO_MATCH
    before, end, after = parts
    arguments, passed = list(before.arguments), end.operands[1:]
    if arguments == passed or len(set(passed)) != len(passed) or set(arguments) != set(passed):
        return NO_MATCH
    if len(arguments) != len(passed):
        return NO_MATCH
    with rewriter.elsewhere():
        rewriter.set_insertion_before(end)
        with rewriter.standing_in(end):
            rewriter.replace_with(end, "scf.condition", [end.operands[0], *arguments])
    order = [next(index for index, argument in enumerate(arguments) if argument is value) for value in passed]
    types = [argument.type for argument in arguments]
    first, second = Block(argument.type for argument in arguments), Block(types)
    for block in (first, second):
        for argument in block.arguments:
            argument.location = op.location
    regions = [Region([first]), Region([second])]
    new = rewriter.create(op.name, op.operands, types, regions=regions)
    rewriter.inline_block_before(before, first, None, list(first.arguments))
    rewriter.inline_block_before(after, second, None, [second.arguments[place] for place in order])
    rewriter.replace(op, [new.results[place] for place in order])
    return None


def choice_into_body(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """An `scf.if` on the condition, right before the first region ends, becomes part of the second."""
    parts = _parts(op)
    choice = parts[1].previous if parts is not None else None
    if parts is None or choice is None or choice.name != "scf.if":
        return NO_MATCH
    before, end, after = parts
    then, otherwise = choice.regions
    body = then.last
    if choice.operands[0] is not end.operands[0] or body is None or body.last is None:
        return NO_MATCH
    if otherwise.last is not None and otherwise.last.first is not otherwise.last.last:
        return NO_MATCH
    for index, value in enumerate(end.operands[1:]):
        if isinstance(value, OpResult) and value.op is choice:
            when_true, when_false = yielded(then)[value.index], yielded(otherwise)[value.index]
            rewriter.replace_all_uses(value, when_false)
            rewriter.replace_all_uses(after.arguments[index], when_true)
    more = _from_first_region(then, before)
    types = [*(result.type for result in op.results), *(value.type for value in more)]
    new = rewriter.create(op.name, op.operands, types, regions=[Region(), Region()])
    for region, old in zip(new.regions, op.regions, strict=True):
        region.take_blocks(old)
    arguments = rewriter.add_arguments(after, [value.type for value in more])
    rewriter.modify(end, lambda: end.set_operands([*end.operands, *more]))
    for value, argument in zip(more, arguments, strict=True):
        for user in reversed([user for user in value.uses if is_inside(user, then)]):
            changed = [argument if operand is value else operand for operand in user.operands]
            rewriter.modify(user, lambda user=user, changed=changed: user.set_operands(changed))
    rewriter.erase(body.last)
    rewriter.inline_block_before(body, after, after.first)
    rewriter.erase(choice)
    rewriter.replace(op, new.results[: len(op.results)])
    return None


def _from_first_region(region: Region, block: Block) -> list[Value]:
    """The values that a nested region uses and the first region defines, in the order of their uses."""
    found: dict[Value, None] = {}
    for inner in region.walk():
        for operand in inner.operands:
            if operand.parent_block is block:
                found[operand] = None
    return list(found)


PATTERNS: Final = (
    Pattern("scf.while", condition_is_true, name="WhileConditionTruth"),
    Pattern("scf.while", comparison_is_known, name="WhileCmpCond"),
    Pattern("scf.while", passed_in_order, name="WhileOpAlignBeforeArgs"),
    Pattern("scf.while", choice_into_body, name="WhileMoveIfDown"),
)
