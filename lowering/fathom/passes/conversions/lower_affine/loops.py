"""Affine loops and conditions, as those of the scf dialect: part of `lower-affine`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.affine.parallel import KIND_NAMES, groups_of
from fathom.ir.affine import AffineMap
from fathom.ir.operation import Block, Region, types_of
from fathom.ir.property_values import numbers_of
from fathom.ir.types import I1
from fathom.irdl.build import segment_sizes
from fathom.passes.affine_expansion import expand
from fathom.passes.arithmetic import binary, compare, constant
from fathom.passes.conversions.lower_affine.numbers import extremum
from fathom.passes.reductions import JOINED_BY, neutral
from fathom.rewriting.pattern import Failure, Pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Operation, Value
    from fathom.ops.affine import ForOp, IfOp, ParallelOp, YieldOp
    from fathom.rewriting.rewriter import Rewriter


def convert_for(op: ForOp, operands: list[Value], rewriter: Rewriter) -> Failure | None:
    """
        affine.for %i = max #map(%a)[%b] to min #map(%c) step 2 { … }
    becomes
        %0 = arith.maxsi …
        %1 = arith.minsi …
        %c2 = arith.constant 2 : index
        scf.for %i = %0 to %1 step %c2 { … }
    """
    lower = extremum(rewriter, "maxsi", op.lowerBoundMap.map, op.lowerBoundOperands)
    upper = extremum(rewriter, "minsi", op.upperBoundMap.map, op.upperBoundOperands)
    if isinstance(lower, Failure):
        return lower
    if isinstance(upper, Failure):
        return upper
    bounds = [lower, upper, constant(rewriter, op.step.value)]
    body = Region()
    loop = rewriter.create("scf.for", [*bounds, *op.inits], types_of(op.results), regions=[body])
    rewriter.inline_region_before(op.region, body, None)
    rewriter.replace(op, loop.results)
    return None


def convert_if(op: IfOp, operands: list[Value], rewriter: Rewriter) -> Failure | None:
    """
        affine.if affine_set<(d0) : (d0 - 4 >= 0, d0 - 8 == 0)>(%i) { … }
    becomes
        %0 = arith.cmpi sge, <d0 - 4>, %c0 : index
        %1 = arith.cmpi eq, <d0 - 8>, %c0 : index
        %2 = arith.andi %0, %1 : i1
        scf.if %2 { … }
    """
    set = op.condition.set
    zero = constant(rewriter, 0)
    holds: Value | None = None
    for expr, is_equality in set.constraints:
        value = expand(rewriter, expr, operands[: set.dims], operands[set.dims :])
        if isinstance(value, Failure):
            return value
        compared = compare(rewriter, "eq" if is_equality else "sge", value, zero)
        holds = compared if holds is None else binary(rewriter, "andi", holds, compared)
    if holds is None:
        holds = constant(rewriter, 1, I1)
    arms = [Region() for _ in op.regions]
    chosen = rewriter.create("scf.if", [holds], types_of(op.results), regions=arms)
    for old, new in zip(op.regions, arms, strict=True):
        rewriter.inline_region_before(old, new, None)
    rewriter.replace(op, chosen.results)
    return None


def convert_parallel(op: ParallelOp, operands: list[Value], rewriter: Rewriter) -> Failure | None:
    """
        %0 = affine.parallel (%i) = (0) to (%n) reduce ("addf") -> (f32) { …  affine.yield %v : f32 }
    becomes
        %0 = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%zero) -> f32 {
          …
          scf.reduce(%v : f32) {
          ^bb0(%a: f32, %b: f32):
            %1 = arith.addf %a, %b : f32
            scf.reduce.return %1 : f32
          }
        }
    """
    terminator = op.region.entry.end
    kinds = [KIND_NAMES.get(number, "") for number in numbers_of(op.reductions)]
    if len(terminator.operands) != len(kinds):
        return Failure("the loop yields no value for some of its results")
    bounds = _bounds(op, operands, rewriter)
    if isinstance(bounds, Failure):
        return bounds
    lower, upper = bounds
    steps = [constant(rewriter, step) for step in numbers_of(op.steps)]
    initial: list[Value] = []
    for kind, result in zip(kinds, op.results, strict=True):
        attribute = neutral(kind, result.type)
        if attribute is None:
            return Failure(f"there is no reduction of '{result.type}' by '{kind}'")
        initial.append(rewriter.constant(attribute, result.type))
    region = Region()
    loop = rewriter.create(
        "scf.parallel",
        [*lower, *upper, *steps, *initial],
        types_of(op.results),
        {"operandSegmentSizes": segment_sizes(len(lower), len(upper), len(steps), len(initial))},
        regions=[region],
    )
    rewriter.inline_region_before(op.region, region, None)
    rewriter.set_insertion_before(terminator)
    _reduce(terminator, kinds, rewriter)
    rewriter.replace(op, loop.results)
    return None


def _bounds(op: ParallelOp, operands: Sequence[Value], rewriter: Rewriter) -> tuple[list[Value], list[Value]] | Failure:
    """The bounds of each dimension, the lower one before the upper one."""
    maps = [op.lowerBoundsMap.map, op.upperBoundsMap.map]
    groups = [groups_of(op.lowerBoundsGroups), groups_of(op.upperBoundsGroups)]
    applied = [operands[: maps[0].inputs], operands[maps[0].inputs :]]
    sides: tuple[list[Value], list[Value]] = ([], [])
    starts = [0, 0]
    for sizes in zip(*groups, strict=True):
        for side, (name, size) in enumerate(zip(("maxsi", "minsi"), sizes, strict=True)):
            map = maps[side]
            results = map.results[starts[side] : starts[side] + size]
            starts[side] += size
            value = extremum(rewriter, name, AffineMap(map.dims, map.symbols, results), applied[side])
            if isinstance(value, Failure):
                return value
            sides[side].append(value)
    return sides


def _reduce(terminator: Operation, kinds: Sequence[str], rewriter: Rewriter) -> None:
    """Replaces the end of a body by `scf.reduce`."""
    values = terminator.operands
    blocks = [Block([value.type, value.type]) for value in values]
    with rewriter.standing_in(terminator):
        rewriter.create("scf.reduce", values, regions=[Region([block]) for block in blocks])
        for block in blocks:
            for argument in block.arguments:
                argument.span, argument.location = rewriter.span, rewriter.location
    rewriter.erase(terminator)
    for kind, block in zip(kinds, blocks, strict=True):
        rewriter.set_insertion_to_end(block)
        lhs, rhs = block.arguments
        joined = binary(rewriter, JOINED_BY[kind], lhs, rhs)
        rewriter.create("scf.reduce.return", [joined])


def convert_yield(op: YieldOp, operands: list[Value], rewriter: Rewriter) -> Failure | None:
    """`affine.yield` becomes `scf.yield`, once what it ends is of the scf dialect."""
    around = op.parent_op
    if around is None or around.dialect == "affine":
        return Failure("what it ends was not lowered")
    rewriter.replace_with(op, "scf.yield", operands)
    return None


PATTERNS: Final = (
    Pattern("affine.for", convert_for, name="AffineForLowering"),
    Pattern("affine.if", convert_if, name="AffineIfLowering"),
    Pattern("affine.parallel", convert_parallel, name="AffineParallelLowering"),
    Pattern("affine.yield", convert_yield, name="AffineYieldOpLowering"),
)
