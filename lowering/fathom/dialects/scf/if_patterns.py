"""The canonicalisation of `scf.if`: conditions that are known, results that are no choice, several that are one.

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING, Final

from fathom.dialects.scf.common import inline_only_block
from fathom.ir.attributes import IntegerAttr
from fathom.ir.operation import Block, Operation, OpResult, Region, Value, types_of
from fathom.ir.traversal import ancestors
from fathom.ir.types import I1
from fathom.ops.arith import XoriOp
from fathom.ops.scf import IfOp
from fathom.rewriting.folding import constant_value
from fathom.rewriting.pattern import Replacement, defined_by, replacing

if TYPE_CHECKING:
    from fathom.rewriting.rewriter import Rewriter

TRUE: Final = IntegerAttr(1, I1)
FALSE: Final = IntegerAttr(0, I1)


def truth(value: Value) -> bool | None:
    """Whether a condition holds, if that is known."""
    constant = constant_value(value)
    return bool(constant.value) if isinstance(constant, IntegerAttr) and constant.type == I1 else None


def yielded(region: Region) -> list[Value]:
    """What a region of one block gives; nothing where there is no block."""
    return list(region.last.last.operands) if region.last is not None and region.last.last is not None else []


def is_inside(op: Operation, region: Region) -> bool:
    """Whether the operation stands in the region, at any depth."""
    return any(inner.parent_region is region for inner in (op, *ancestors(op)))


def _is_of(value: Value, region: Region) -> bool:
    """Whether the value is defined directly in the region."""
    return value.parent_block is not None and value.parent_block.parent is region


def _only_yields(region: Region) -> bool:
    return region.last is not None and region.last.first is region.last.last


def _is_not(value: Value, other: Value) -> bool:
    """Whether a condition is `other` negated."""
    op = defined_by(value, XoriOp)
    return op is not None and op.lhs is other and bool(truth(op.rhs))


def with_known_condition(op: IfOp, rewriter: Rewriter) -> Replacement:
    """The region that a known condition chooses stands in the place of the operation."""
    holds = truth(op.condition)
    if holds is None:
        return None
    chosen = op.thenRegion if holds else op.elseRegion
    if chosen.is_empty:
        return []
    return inline_only_block(rewriter, op, chosen)


def results_as_choices(op: IfOp, rewriter: Rewriter) -> Replacement:
    """Results that both regions only hand on from outside become `arith.select`."""
    then, otherwise = op.regions
    pairs = list(zip(yielded(then), yielded(otherwise), strict=True)) if op.results else []
    inside = [_is_of(a, then) or _is_of(b, otherwise) for a, b in pairs]
    if not pairs or all(inside):
        return None
    types = [result.type for result, is_inside in zip(op.results, inside, strict=True) if is_inside]
    replacement = rewriter.create("scf.if", [op.condition], types, regions=[Region(), Region()])
    for region, old in zip(replacement.regions, op.regions, strict=True):
        region.take_blocks(old)
    rewriter.set_insertion_before(replacement)
    rest = iter(replacement.results)
    results = [
        next(rest) if is_made_inside else a if a is b else _choice(op, a, b, rewriter)
        for (a, b), is_made_inside in zip(pairs, inside, strict=True)
    ]
    for index, region in enumerate(replacement.regions):
        kept = [pair[index] for pair, is_made_inside in zip(pairs, inside, strict=True) if is_made_inside]
        _end_with(rewriter, region, kept)
    return results


def _choice(op: IfOp, a: Value, b: Value, rewriter: Rewriter) -> Value:
    """One of two values, by the condition."""
    return rewriter.create("arith.select", [op.condition, a, b], [a.type]).result


def _end_with(rewriter: Rewriter, region: Region, values: Sequence[Value]) -> None:
    """Has the region give these values and no others."""
    before = region.entry.end
    rewriter.set_insertion_to_end(region.entry)
    with rewriter.standing_in(before):
        rewriter.replace_with(before, "scf.yield", values)


def condition_inside(op: IfOp, rewriter: Rewriter) -> Replacement:
    """Within the first region the condition is true, within the second false."""
    condition = op.condition
    if constant_value(condition) is not None:
        return None
    made: dict[int, Value] = {}
    for user, which in _users_inside(op, condition):
        if which not in made:
            made[which] = rewriter.constant(FALSE if which else TRUE, I1)
        rewriter.use_instead(user, condition, made[which])
    return op if made else None


def _users_inside(op: Operation, value: Value) -> list[tuple[Operation, int]]:
    """What uses a value in the regions of an operation, the newest use first, with the number of the region."""
    users = value.uses
    if len(users) < 2:
        return []
    # A condition may have many more users than there is in the regions, or the other way round.
    most = 2 * len(users)
    regions = ((inner, number) for number, region in enumerate(op.regions) for inner in region.walk())
    looked_at = list(islice(regions, most))
    if len(looked_at) < most:
        numbered = [(user, number) for user, number in looked_at if user in users]
        if len(numbered) < 2:
            return numbered
        inside = dict(numbered)
    else:
        among = ((u, n) for u in users for n, region in enumerate(op.regions) if is_inside(u, region))
        inside = dict(among)
    return [(user, inside[user]) for user in reversed(users) if user in inside]


def without_empty_else(op: IfOp, rewriter: Rewriter) -> Replacement:
    """A second region that does nothing goes."""
    if op.results or not _only_yields(op.elseRegion):
        return None
    new = rewriter.create("scf.if", op.operands, (), attributes=op.attributes, regions=[Region(), Region()])
    new.regions[0].take_blocks(op.thenRegion)
    return []


def results_that_are_no_choice(op: IfOp, rewriter: Rewriter) -> Replacement:
    """A result that is the same from both regions is that; one that is true here and false there is the condition, or
    its negation."""
    changed = False
    for a, b, result in zip(yielded(op.thenRegion), yielded(op.elseRegion), op.results, strict=False):
        if not result.uses:
            continue
        new = a if a is b else _condition_as_result(op, truth(a), truth(b), rewriter)
        if new is not None:
            rewriter.replace_all_uses(result, new)
            changed = True
    return op if changed else None


def _condition_as_result(op: IfOp, a: bool | None, b: bool | None, rewriter: Rewriter) -> Value | None:
    if a is None or b is None or a == b:
        return None
    return (
        op.condition if a else rewriter.create("arith.xori", [op.condition, rewriter.constant(TRUE, I1)], [I1]).result
    )


# ---- two that are one


def joined_with_previous(op: IfOp, rewriter: Rewriter) -> Replacement:
    """An `scf.if` right behind another of the same or the opposite condition becomes part of that."""
    before = op.previous
    if not isinstance(before, IfOp):
        return None
    condition, former = op.condition, before.condition
    if condition is former:
        then, otherwise = op.regions
    elif _is_not(condition, former) or _is_not(former, condition):
        otherwise, then = op.regions
    else:
        return None
    first, second = then.last, otherwise.last
    if first is None and second is None:
        return None
    _use_yielded(before, [then, otherwise], rewriter)
    types = types_of([*before.results, *op.results])
    joined = rewriter.create("scf.if", [former], types, regions=[Region(), Region()])
    for target, source, block in zip(joined.regions, before.regions, (first, second), strict=True):
        target.take_blocks(source)
        _append(rewriter, target, block)
    count = len(before.results)
    rewriter.replace(before, joined.results[:count])
    return joined.results[count:]


def _use_yielded(before: Operation, regions: Sequence[Region], rewriter: Rewriter) -> None:
    """In regions that follow the condition, the results of the former operation are what its region gave."""
    given = [yielded(region) for region in before.regions]
    if len(given[1]) != len(given[0]):
        return
    for index, result in enumerate(before.results):
        for user in reversed(list(result.uses)):
            for which, region in enumerate(regions):
                if is_inside(user, region):
                    rewriter.use_instead(user, result, given[which][index])


def _append(rewriter: Rewriter, target: Region, block: Block | None) -> None:
    """Goes on in a region with the operations of a block, and gives what both give."""
    if block is None:
        return
    if target.is_empty:
        if block.parent is not None:
            target.take_blocks(block.parent)
        return
    into = target.entry
    first, second = into.end, block.end
    rewriter.inline_block_before(block, into, None)
    rewriter.set_insertion_to_end(into)
    with rewriter.standing_in(second):
        rewriter.create("scf.yield", [*first.operands, *second.operands])
    rewriter.erase(first)
    rewriter.erase(second)


def joined_with_nested(op: IfOp, rewriter: Rewriter) -> Replacement:
    """An `scf.if` that holds nothing but another is one with both conditions."""
    then, otherwise = op.regions
    nested = then.entry.first
    if not isinstance(nested, IfOp) or nested.next is not then.entry.last:
        return None
    if any(not region.is_empty and not _only_yields(region) for region in (otherwise, nested.elseRegion)):
        return None
    values, others = yielded(then), yielded(otherwise)
    inner_values, inner_others = yielded(nested.thenRegion), yielded(nested.elseRegion)
    chosen: list[int] = []
    for index, value in enumerate(values):
        if isinstance(value, OpResult) and value.op is nested:
            if inner_others[value.index] is not others[index]:
                return None
            values[index] = inner_values[value.index]
        elif _is_of(value, then):
            return None
        else:
            chosen.append(index)
    both = rewriter.create("arith.andi", [op.condition, nested.condition], [I1]).result
    target = Block()
    new = rewriter.create("scf.if", [both], types_of(op.results), regions=[Region([target]), Region()])
    results: list[Value] = list(new.results)
    rewriter.set_insertion_before(new)
    for index in chosen:
        results[index] = _choice(op, values[index], others[index], rewriter)
    rewriter.inline_block_before(nested.thenRegion.entry, target, None)
    _end_with(rewriter, new.regions[0], values)
    if others:
        rewriter.create_block(new.regions[1])
        rewriter.create("scf.yield", others)
    return results


PATTERNS: Final = (
    replacing("scf.if", joined_with_previous, name="CombineIfs"),
    replacing("scf.if", joined_with_nested, name="CombineNestedIfs"),
    replacing("scf.if", condition_inside, name="ConditionPropagation"),
    replacing("scf.if", results_as_choices, name="ConvertTrivialIfToSelect"),
    replacing("scf.if", without_empty_else, name="RemoveEmptyElseBranch"),
    replacing("scf.if", with_known_condition, name="RemoveStaticCondition"),
    replacing("scf.if", results_that_are_no_choice, name="ReplaceIfYieldWithConditionOrValue"),
)
