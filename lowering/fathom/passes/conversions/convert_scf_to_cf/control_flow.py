"""The structured operations of the `scf` dialect that run in order, as branches between blocks.

Each pattern keeps this: what a structured operation becomes has one entry and one exit, which are the first and the
last block in place of it; so patterns can go from the outside in. The diagrams show the resulting blocks in the order
in which they stand.
"""

from __future__ import annotations

from typing import Final

from fathom.dialects.cf.switches import switch_properties
from fathom.ir.attributes import i64_attr
from fathom.ir.operation import Block, Operation, Region, Value, types_of
from fathom.ir.types import I1, I32
from fathom.irdl.traits import RETURN_LIKE
from fathom.ops.scf import ExecuteRegionOp, ForOp, IfOp, IndexSwitchOp, WhileOp
from fathom.passes.branches import branch, conditional_branch
from fathom.passes.conversions.convert_scf_to_cf.building import (
    inline_before,
    keep_llvm_attributes,
    split_here,
    terminator_of,
)
from fathom.rewriting.conversion_rewriter import ConversionRewriter
from fathom.rewriting.pattern import Failure, Pattern, RewriteFunction
from fathom.rewriting.splitting import cannot_split

SLT: Final = i64_attr(2)
ULT: Final = i64_attr(6)


def convert_for(op: ForOp, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
    """
        %r = scf.for %i = %lb to %ub step %s iter_args(%acc = %init) -> (f32) { …  scf.yield %next : f32 }
        <after>
    becomes
          cf.br ^condition(%lb, %init : index, f32)
        ^condition(%i: index, %acc: f32):
          %in = arith.cmpi slt, %i, %ub : index
          cf.cond_br %in, ^body, ^end
        ^body:
          …
          %i_next = arith.addi %i, %s : index
          cf.br ^condition(%i_next, %next : index, f32)
        ^end:
          <after, with %acc for %r>
    """
    lower, upper, step, *inits = operands
    start, end = split_here(rewriter, op)
    region = op.region
    body = rewriter.split_block(region.entry, region.entry.first)
    condition, last = inline_before(rewriter, region, end)
    variable, *carried = condition.arguments

    terminator = terminator_of(last)
    rewriter.set_insertion_to_end(last)
    stepped = rewriter.create("arith.addi", [variable, step], [variable.type]).result
    keep_llvm_attributes(op, branch(rewriter, condition, [stepped, *terminator.operands]))
    rewriter.erase(terminator)

    rewriter.set_insertion_to_end(start)
    branch(rewriter, condition, [lower, *inits])

    rewriter.set_insertion_to_end(condition)
    predicate = ULT if op.unsignedCmp is not None else SLT
    compared = rewriter.create("arith.cmpi", [variable, upper], [I1], {"predicate": predicate})
    conditional_branch(rewriter, compared.result, body, [], end)
    rewriter.replace(op, carried)
    return None


def convert_if(op: IfOp, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
    """
        %r = scf.if %c -> (i32) { …  scf.yield %a : i32 } else { …  scf.yield %b : i32 }
        <after>
    becomes
          cf.cond_br %c, ^then, ^else
        ^then:
          …
          cf.br ^join(%a : i32)
        ^else:
          …
          cf.br ^join(%b : i32)
        ^join(%r: i32):
          cf.br ^continue
        ^continue:
          <after>
    Without results there is no `^join`; without `else`, `^else` is `^continue`.
    """
    start, remaining = split_here(rewriter, op)
    following = remaining
    if op.results and start.parent is not None:
        following = rewriter.create_block(start.parent, remaining, types_of(op.results))
        branch(rewriter, remaining)
    then = _inline_arm(op.thenRegion, following, rewriter, op)
    otherwise = remaining if op.elseRegion.is_empty else _inline_arm(op.elseRegion, following, rewriter, op)
    rewriter.set_insertion_to_end(start)
    conditional_branch(rewriter, operands[0], then, [], otherwise)
    rewriter.replace(op, list(following.arguments) if op.results else [])
    return None


def _inline_arm(
    region: Region, following: Block, rewriter: ConversionRewriter, origin: Operation | None = None
) -> Block:
    """Moves a region before `following` and lets it branch there; returns its first block. The branch comes from where
    `origin` does, by default the operation that it takes the place of."""
    first, last = inline_before(rewriter, region, following)
    terminator = terminator_of(last)
    rewriter.set_insertion_to_end(last)
    with rewriter.standing_in(origin or terminator):
        branch(rewriter, following, terminator.operands)
    rewriter.erase(terminator)
    return first


def convert_execute_region(op: ExecuteRegionOp, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
    """
        %r = scf.execute_region -> i32 { …  scf.yield %a : i32 }
        <after>
    becomes
          cf.br ^entry
        ^entry:
          …
          cf.br ^continue(%a : i32)
        ^continue(%r: i32):
          <after>
    """
    start, remaining = split_here(rewriter, op)
    rewriter.set_insertion_to_end(start)
    branch(rewriter, op.region.entry)
    for block in op.region.blocks:
        yielded = terminator_of(block)
        if yielded.has(RETURN_LIKE):
            rewriter.set_insertion_to_end(block)
            branch(rewriter, remaining, yielded.operands)
            rewriter.erase(yielded)
    inline_before(rewriter, op.region, remaining)
    rewriter.replace(op, rewriter.add_arguments(remaining, types_of(op.results)))
    return None


def convert_while(op: WhileOp, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
    """
        %r = scf.while (%a = %init) : (i32) -> i64 { …  scf.condition(%c) %v : i64 } do {
        ^bb0(%b: i64): …  scf.yield %n : i32 }
        <after>
    becomes
          cf.br ^before(%init : i32)
        ^before(%a: i32):
          …
          cf.cond_br %c, ^after(%v : i64), ^continue
        ^after(%b: i64):
          …
          cf.br ^before(%n : i32)
        ^continue:
          <after, with %v for %r>
    """
    start, remaining = split_here(rewriter, op)
    after, after_last = inline_before(rewriter, op.after, remaining)
    before, before_last = inline_before(rewriter, op.before, after)
    rewriter.set_insertion_to_end(start)
    branch(rewriter, before, operands)

    condition = terminator_of(before_last)
    flag, *values = condition.operands
    rewriter.set_insertion_to_end(before_last)
    with rewriter.standing_in(condition):
        conditional_branch(rewriter, flag, after, values, remaining)
    rewriter.erase(condition)

    yielded = terminator_of(after_last)
    rewriter.set_insertion_to_end(after_last)
    with rewriter.standing_in(yielded):
        keep_llvm_attributes(op, branch(rewriter, before, yielded.operands))
    rewriter.erase(yielded)
    rewriter.replace(op, values)
    return None


def convert_do_while(op: WhileOp, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
    """A loop whose second region only hands on its arguments needs no block for it:

        %r = scf.while (%a = %init) : (i32) -> i32 { …  scf.condition(%c) %v : i32 } do {
        ^bb0(%b: i32): scf.yield %b : i32 }
        <after>
    becomes
          cf.br ^before(%init : i32)
        ^before(%a: i32):
          …
          cf.cond_br %c, ^before(%v : i32), ^continue
        ^continue:
          <after, with %v for %r>
    """
    after = op.after.entry
    if not op.after.has_one_block or after.first is not after.last:
        return Failure("the 'after' region does more than hand on its arguments")
    if terminator_of(after).operands != list(after.arguments):
        return Failure("the 'after' region does not hand on its arguments in order")
    start, remaining = split_here(rewriter, op)
    before, before_last = inline_before(rewriter, op.before, remaining)
    rewriter.set_insertion_to_end(start)
    branch(rewriter, before, operands)

    condition = terminator_of(before_last)
    flag, *values = condition.operands
    rewriter.set_insertion_to_end(before_last)
    with rewriter.standing_in(condition):
        keep_llvm_attributes(op, conditional_branch(rewriter, flag, before, values, remaining))
    rewriter.erase(condition)
    rewriter.replace(op, values)
    return None


def convert_index_switch(op: IndexSwitchOp, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
    """
        %r = scf.index_switch %i -> i32 case 2 { …  scf.yield %a : i32 } default { …  scf.yield %b : i32 }
        <after>
    becomes
          %flag = arith.index_cast %i : index to i32
          cf.switch %flag : i32, [default: ^default, 2: ^case]
        ^case:
          …
          cf.br ^continue(%a : i32)
        ^default:
          …
          cf.br ^continue(%b : i32)
        ^continue(%r: i32):
          <after>
    """
    start, remaining = split_here(rewriter, op)
    results = rewriter.add_arguments(remaining, types_of(op.results))
    case_blocks = [_inline_arm(region, remaining, rewriter) for region in op.caseRegions]
    default_block = _inline_arm(op.defaultRegion, remaining, rewriter)
    rewriter.set_insertion_to_end(start)
    flag = rewriter.create("arith.index_cast", operands, [I32]).result
    properties = switch_properties(I32, op.cases.values, [0] * len(op.regions))
    rewriter.create("cf.switch", [flag], properties=properties, successors=[default_block, *case_blocks])
    rewriter.replace(op, results)
    return None


def _splitting(rewrite: RewriteFunction) -> RewriteFunction:
    """The same pattern, but it fails where the block cannot be split."""

    def checked(op: Operation, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
        return cannot_split(op) or rewrite(op, operands, rewriter)

    return checked


PATTERNS: Final = (
    Pattern("scf.for", _splitting(convert_for), name="ForLowering"),
    Pattern("scf.if", _splitting(convert_if), name="IfLowering"),
    Pattern("scf.while", _splitting(convert_while), name="WhileLowering"),
    Pattern("scf.execute_region", _splitting(convert_execute_region), name="ExecuteRegionLowering"),
    Pattern("scf.index_switch", _splitting(convert_index_switch), name="IndexSwitchLowering"),
    Pattern("scf.while", _splitting(convert_do_while), benefit=2, name="DoWhileLowering"),
)
