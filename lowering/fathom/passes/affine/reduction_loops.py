"""A loop that reduces and runs once, taken into the loop around it, which then carries what it reduces.

Source of the rules: `promoteSingleIterReductionLoop` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.operation import Block, Region, types_of
from fathom.irdl.build import segment_sizes
from fathom.ops.affine import ForOp
from fathom.passes.affine.trip_counts import constant_trip_count

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter


def promote_reduction(loop: ForOp, rewriter: Rewriter) -> ForOp | None:
    """Has the loop around a loop carry what this carries, and puts its body there. What uses its results comes behind
    the loop around, which is made anew and returned; None where the loop does not run once."""
    around = loop.parent_op
    if constant_trip_count(loop) != 1 or not isinstance(around, ForOp):
        return None
    before, count = len(around.results), len(loop.results)
    made = with_more_carried(around, loop.inits, loop.region.entry.end.operands, rewriter)
    users = _users(loop.results, made)
    for result, value in zip(loop.results, made.results[before:], strict=True):
        rewriter.replace_all_uses(result, value)
    assert made.parent is not None, "the loop around stands in a block"
    for op in reversed(users):
        rewriter.move_before(op, made.parent, made.next)
    variable, *carried = loop.region.entry.arguments
    rewriter.replace_all_uses(variable, made.region.entry.arguments[0])
    arguments = made.region.entry.arguments
    for argument, value in zip(carried, arguments[len(arguments) - count :], strict=True):
        rewriter.replace_all_uses(argument, value)
    rewriter.erase(loop.region.entry.end)
    for op in [*loop.region.entry]:
        rewriter.move_before(op, made.region.entry, loop)
    rewriter.erase(loop)
    return made


def with_more_carried(loop: ForOp, inits: Sequence[Value], yielded: Iterable[Value], rewriter: Rewriter) -> ForOp:
    """The loop made anew, with further values that it carries, behind those that it has."""
    with rewriter.elsewhere(), rewriter.standing_in(loop):
        rewriter.set_insertion_before(loop)
        all_inits = [*loop.inits, *inits]
        old = loop.region.entry
        body = Block([*types_of(old.arguments), *types_of(inits)])
        for argument in body.arguments:
            argument.span, argument.location = loop.span, loop.location
        lower, upper = loop.lowerBoundOperands, loop.upperBoundOperands
        sizes = segment_sizes(len(lower), len(upper), len(all_inits))
        properties = {**loop.properties, "operandSegmentSizes": sizes}
        old.end.set_operands([*old.end.operands, *yielded])
        operands = [*lower, *upper, *all_inits]
        made = rewriter.create(loop.name, operands, types_of(all_inits), properties, regions=[Region([body])])
        rewriter.inline_block_before(old, body, None, body.arguments[: len(old.arguments)])
        rewriter.replace(loop, made.results[: len(loop.results)])
    assert isinstance(made, ForOp), "the loop is made of its own name"
    return made


def _users(values: Sequence[Value], loop: Operation) -> list[Operation]:
    """What uses values in a loop, also by others, in the order of the text."""
    ops: set[Operation] = set()
    pending = [*values]
    while pending:
        for user in pending.pop().uses:
            if user not in ops:
                ops.add(user)
                pending += user.results
    return [op for op in loop.walk() if op in ops]
