"""The loops of the `scf` dialect that say nothing of order, as nests of `scf.for`: part of `convert-scf-to-cf`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from fathom.ir.attributes import DenseArrayAttr
from fathom.ir.operation import Block, Operation, Region, Value, types_of
from fathom.irdl.build import segment_sizes
from fathom.irdl.index_lists import mixed
from fathom.ops.scf import ForallOp, ParallelOp
from fathom.passes.arithmetic import constant
from fathom.passes.conversions.convert_scf_to_cf.building import terminator_of
from fathom.rewriting.conversion_rewriter import ConversionRewriter
from fathom.rewriting.pattern import Failure, Pattern
from fathom.rewriting.rewriter import source_of


def convert_parallel(op: ParallelOp, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
    """
        %r = scf.parallel (%i, %j) = (%a, %b) to (%c, %d) step (%s, %t) init (%x) -> f32 {
          …
          scf.reduce(%v : f32) { ^bb0(%l: f32, %m: f32): …  scf.reduce.return %n : f32 }
        }
    becomes
        %r = scf.for %i = %a to %c step %s iter_args(%outer = %x) -> f32 {
          %q = scf.for %j = %b to %d step %t iter_args(%l = %outer) -> f32 {
            …
            <the reduction, with %v for %m>
            scf.yield %n : f32
          }
          scf.yield %q : f32
        }
    """
    rank = (len(operands) - len(op.results)) // 3
    if not len(op.lowerBound) == len(op.upperBound) == len(op.step) == rank or len(op.initVals) != len(op.results):
        return Failure("a loop needs as many lower bounds, upper bounds and steps as it has dimensions")
    lowers, uppers, steps = (operands[k * rank : (k + 1) * rank] for k in range(3))
    carried: list[Value] = list(operands[3 * rank :])
    results: list[Value] = []
    variables: list[Value] = []
    inner: Block | None = None
    for lower, upper, step in zip(lowers, uppers, steps, strict=True):
        loop, inner = _create_for(rewriter, lower, upper, step, carried)
        variables.append(inner.arguments[0])
        carried = list(inner.arguments[1:])
        if len(variables) == 1:
            results = list(loop.results)
        elif loop.results and rewriter.block is not None:
            rewriter.set_insertion_to_end(rewriter.block)
            rewriter.create("scf.yield", loop.results)
        rewriter.set_insertion_to_start(inner)
    if inner is None:
        return Failure("the loop has no dimensions")
    yielded = _inline_reductions(terminator_of(op.region.entry), carried, rewriter)
    rewriter.inline_block_before(op.region.entry, inner, inner.last, variables)
    if yielded:
        rewriter.set_insertion_to_end(inner)
        rewriter.create("scf.yield", yielded)
    rewriter.replace(op, results)
    return None


def _create_for(
    rewriter: ConversionRewriter, lower: Value, upper: Value, step: Value, inits: Sequence[Value]
) -> tuple[Operation, Block]:
    """An `scf.for` and its body, which has a terminator if there is nothing to yield."""
    types = types_of(inits)
    block = Block([lower.type, *types])
    variable, *carried = block.arguments
    variable.span, variable.location = rewriter.span, rewriter.location
    for argument, init in zip(carried, inits, strict=True):
        argument.span, argument.location = source_of(init)
    loop = rewriter.create("scf.for", [lower, upper, step, *inits], types, regions=[Region([block])])
    if not inits:
        with rewriter.elsewhere():
            rewriter.set_insertion_to_end(block)
            rewriter.create("scf.yield")
    return loop, block


def _inline_reductions(reduce: Operation, carried: Sequence[Value], rewriter: ConversionRewriter) -> list[Value]:
    """Puts the body of each reduction before `reduce`, erases that and returns the reduced values."""
    reduced: list[Value] = []
    for value, region, before in zip(list(reduce.operands), list(reduce.regions), carried, strict=True):
        if reduce.parent is None:
            continue
        returned = terminator_of(region.entry)
        reduced += returned.operands
        rewriter.erase(returned)
        rewriter.inline_block_before(region.entry, reduce.parent, reduce, [before, value])
    rewriter.erase(reduce)
    return reduced


def convert_forall(op: ForallOp, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
    """
        scf.forall (%i) in (%n) { … }
    becomes
        %0 = arith.constant 0 : index
        %1 = arith.constant 1 : index
        scf.parallel (%i) = (%0) to (%n) step (%1) { …  scf.reduce }
    """
    if op.results:
        return Failure("only a fully bufferized scf.forall, without shared outputs, can be lowered to scf.parallel")
    values = iter(operands)
    bounds = [
        _bounds(numbers, values, rewriter) for numbers in (op.staticLowerBound, op.staticUpperBound, op.staticStep)
    ]
    rank = len(bounds[0])
    region = Region()
    parallel = rewriter.create(
        "scf.parallel",
        [value for group in bounds for value in group],
        properties={"operandSegmentSizes": segment_sizes(rank, rank, rank, 0)},
        regions=[region],
    )
    rewriter.inline_region_before(op.region, region, None)
    terminator = terminator_of(region.entry)
    rewriter.set_insertion_to_end(region.entry)
    rewriter.create("scf.reduce")
    rewriter.erase(terminator)
    rewriter.set_insertion_before(parallel)
    rewriter.erase(op)
    return None


def _bounds(static: DenseArrayAttr, operands: Iterator[Value], rewriter: ConversionRewriter) -> list[Value]:
    """The bounds of each dimension: a constant, or the next operand where it is only known at run time."""
    return [constant(rewriter, bound) if isinstance(bound, int) else bound for bound in mixed(static, operands)]


PATTERNS: Final = (
    Pattern("scf.parallel", convert_parallel, name="ParallelLowering"),
    Pattern("scf.forall", convert_forall, name="ForallLowering"),
)
