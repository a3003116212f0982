"""The canonicalisation of loops and of what runs once: those that need not be, and casts that move inside.

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.scf.common import inline_only_block
from fathom.dialects.scf.trip_counts import for_trip_count
from fathom.dialects.tensor.casts import knows_as_much
from fathom.ir.operation import Region, Value, types_of
from fathom.irdl.interfaces import FunctionLike
from fathom.ops.scf import ExecuteRegionOp, ForOp, IndexSwitchOp, YieldOp
from fathom.ops.tensor import CastOp
from fathom.rewriting.folding import known_number
from fathom.rewriting.pattern import Replacement, defined_by, replacing

if TYPE_CHECKING:
    from fathom.rewriting.rewriter import Rewriter


# ---- scf.for


def trivial_loop(op: ForOp, rewriter: Rewriter) -> Replacement:
    """A loop that never runs is its initial values, one that runs once its body, and one that runs but only hands on
    values from outside is those."""
    count = for_trip_count(op)
    if count is None:
        return None
    if count == 0:
        return op.initArgs
    if count == 1:
        return inline_only_block(rewriter, op, op.region, [op.lowerBound, *op.initArgs])
    body = op.region.entry
    given = body.end.operands
    if body.first is not body.last or any(value.parent_block is body for value in given):
        return None
    return given


def cast_before_and_after(op: ForOp, rewriter: Rewriter) -> Replacement:
    """A carried tensor that is cast before the loop to a type that says less is cast in the loop instead."""
    for index, (value, result) in enumerate(zip(op.initArgs, op.results, strict=True)):
        cast = defined_by(value, CastOp)
        if cast is None or sum(result.uses.values()) != 1:
            continue
        if cast.source.type != value.type and knows_as_much(cast.source.type, value.type):
            return _with_carried(op, index, cast.source, rewriter)
    return None


def _with_carried(op: ForOp, index: int, value: Value, rewriter: Rewriter) -> list[Value]:
    """Makes the loop with another value carried at this place; the results are of the types they were."""
    carried = op.results[index].type
    initial = [value if number == index else init for number, init in enumerate(op.initArgs)]
    types = types_of(initial)
    operands = [op.lowerBound, op.upperBound, op.step, *initial]
    new = rewriter.create(op.name, operands, types, op.properties, op.attributes, regions=[Region()])
    block = rewriter.create_block(new.regions[0], argument_types=[op.lowerBound.type, *types])
    inside: list[Value] = list(block.arguments)
    inside[index + 1] = rewriter.create("tensor.cast", [inside[index + 1]], [carried]).result
    rewriter.inline_block_before(op.region.entry, block, None, inside)
    end = block.end
    rewriter.set_insertion_before(end)
    given = list(end.operands)
    given[index] = rewriter.create("tensor.cast", [given[index]], [value.type]).result
    rewriter.modify(end, lambda: end.set_operands(given))
    rewriter.set_insertion_before(op)
    results: list[Value] = list(new.results)
    results[index] = rewriter.create("tensor.cast", [results[index]], [carried]).result
    return results


# ---- scf.execute_region


def inline_one_block(op: ExecuteRegionOp, rewriter: Rewriter) -> Replacement:
    """A region of one block stands in the place of the operation."""
    if not op.region.has_one_block or op.no_inline is not None:
        return None
    return inline_only_block(rewriter, op, op.region)


def inline_blocks(op: ExecuteRegionOp, rewriter: Rewriter) -> Replacement:
    """Blocks of a region become blocks of the function around it."""
    block, around = op.parent, op.parent_op
    if op.no_inline is not None or block is None or around is None or block.parent is None:
        return None
    if around.interface(FunctionLike) is None and around.name != op.name:
        return None
    behind = rewriter.split_block(block, op)
    rewriter.set_insertion_to_end(block)
    rewriter.create("cf.br", successors=[op.region.entry])
    for moved in op.region.blocks:
        if isinstance(end := moved.last, YieldOp):
            rewriter.set_insertion_before(end)
            with rewriter.standing_in(end):
                rewriter.create("cf.br", end.operands, successors=[behind])
            rewriter.erase(end)
    rewriter.inline_region_before(op.region, block.parent, behind)
    return rewriter.add_arguments(behind, types_of(op.results))


# ---- scf.index_switch


def known_case(op: IndexSwitchOp, rewriter: Rewriter) -> Replacement:
    """The region that a known number chooses stands in the place of the operation."""
    number, cases = known_number(op.arg), op.cases.values
    if number is None:
        return None
    return inline_only_block(rewriter, op, op.regions[cases.index(number) + 1 if number in cases else 0])


PATTERNS: Final = (
    replacing("scf.execute_region", inline_one_block, name="SingleBlockExecuteInliner"),
    replacing("scf.execute_region", inline_blocks, name="MultiBlockExecuteInliner"),
    replacing("scf.for", trivial_loop, name="SimplifyTrivialLoops"),
    replacing("scf.for", cast_before_and_after, name="ForOpTensorCastFolder"),
    replacing("scf.index_switch", known_case, name="FoldConstantCase"),
)
