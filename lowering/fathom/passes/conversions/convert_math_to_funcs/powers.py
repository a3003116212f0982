"""Powers with integers as exponents, as functions that square and multiply: part of `convert-math-to-funcs`.

Source of the rules: *'math' Dialect*, `math.ipowi` and `math.fpowi`; the operations and blocks are those of mlir-opt
22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.floats import from_float
from fathom.ir.operation import Block, Region, Value
from fathom.ir.types import FloatType, IntegerType, Type
from fathom.passes.arithmetic import binary, compare, constant, select
from fathom.passes.branches import branch, conditional_branch
from fathom.records import record

if TYPE_CHECKING:
    from fathom.rewriting.rewriter import Rewriter


def _region(block: Block) -> Region:
    assert block.parent is not None, "the block is one of a function"
    return block.parent


def _return(rewriter: Rewriter, value: Value) -> None:
    rewriter.create("func.return", [value])


def _returning(rewriter: Rewriter, region: Region, value: Value) -> Block:
    """A block at the end of a region that returns a value."""
    block = rewriter.create_block(region)
    _return(rewriter, value)
    return block


def _integer_type(value: Value) -> IntegerType:
    assert isinstance(value.type, IntegerType), "exponents are integers"
    return value.type


# ---- one round of the loop


@record
class Round:
    """What one iteration makes of its values. It ends in `block`, where `is_last` tells whether the power is
    computed."""

    block: Block
    result: Value
    base: Value
    power: Value
    is_last: Value


def _round(
    rewriter: Rewriter, region: Region, types: tuple[Type, Type], multiply: str, zero: Value, one: Value
) -> Round:
    """
    ^header(%result, %base, %power):
      cf.cond_br %power & 1 != 0, ^multiply, ^merge(%result)
    ^multiply:
      cf.br ^merge(%result * %base)
    ^merge(%new: T):
      %shifted = arith.shrui %power, 1
      %is_last = arith.cmpi eq, %shifted, 0
    """
    base_type, power_type = types
    header = rewriter.create_block(region, argument_types=[base_type, base_type, power_type])
    result, base, power = header.arguments
    is_odd = compare(rewriter, "ne", binary(rewriter, "andi", power, one), zero)
    product = rewriter.create_block(region)
    multiplied = binary(rewriter, multiply, result, base)
    merge = rewriter.create_block(region, argument_types=[base_type])
    rewriter.set_insertion_to_end(product)
    branch(rewriter, merge, [multiplied])
    rewriter.set_insertion_to_end(header)
    conditional_branch(rewriter, is_odd, product, [], merge, [result])
    rewriter.set_insertion_to_end(merge)
    shifted = binary(rewriter, "shrui", power, one)
    return Round(merge, merge.arguments[0], base, shifted, compare(rewriter, "eq", shifted, zero))


def _again(rewriter: Rewriter, round: Round, header: Block, multiply: str) -> None:
    """Squares the base and goes back to the beginning of the loop."""
    squared = binary(rewriter, multiply, round.base, round.base)
    branch(rewriter, header, [round.result, squared, round.power])


# ---- math.ipowi


def integer_power(rewriter: Rewriter, entry: Block) -> None:
    """
    If p == 0: return 1
    if p <= 0:
        if b == 0: return 1 / 0
        if b == 1: return 1
        if b == -1: return -1 if p is odd else 1
        return 0
    the loop
    """
    region = _region(entry)
    base, power = entry.arguments
    type = _integer_type(power)
    zero, one, minus_one = (constant(rewriter, number, type) for number in (0, 1, -1))

    def unless(predicate: str, value: Value, number: Value, result: Value | None) -> tuple[Block, Block]:
        """Compares at the end of the last block; where that holds, a value is returned. The insertion point goes on in
        a block of its own."""
        condition = compare(rewriter, predicate, value, number)
        block = rewriter.block
        assert block is not None, "the rewriter stands in a block"
        then = rewriter.create_block(region)
        _return(rewriter, result if result is not None else binary(rewriter, "divsi", one, zero))
        otherwise = rewriter.create_block(region)
        rewriter.set_insertion_to_end(block)
        conditional_branch(rewriter, condition, then, [], otherwise)
        rewriter.set_insertion_to_end(otherwise)
        return block, otherwise

    _, sign = unless("eq", power, zero, one)
    is_negative = compare(rewriter, "sle", power, zero)
    first = rewriter.create_block(region)
    unless("eq", base, zero, None)
    _, last = unless("eq", base, one, one)
    is_minus_one = compare(rewriter, "eq", base, minus_one)
    odd = rewriter.create_block(region)
    is_odd = compare(rewriter, "ne", binary(rewriter, "andi", power, one), zero)
    negative = _returning(rewriter, region, minus_one)
    positive = _returning(rewriter, region, one)
    rewriter.set_insertion_to_end(odd)
    conditional_branch(rewriter, is_odd, negative, [], positive)
    nothing = rewriter.create_block(region)
    rewriter.set_insertion_to_end(last)
    conditional_branch(rewriter, is_minus_one, odd, [], nothing)
    rewriter.set_insertion_to_end(nothing)
    _return(rewriter, zero)
    round = _round(rewriter, region, (type, type), "muli", zero, one)
    header = round.base.parent_block
    assert header is not None, "the loop begins with a block"
    done = _returning(rewriter, region, round.result)
    again = rewriter.create_block(region)
    _again(rewriter, round, header, "muli")
    rewriter.set_insertion_to_end(round.block)
    conditional_branch(rewriter, round.is_last, done, [], again)
    rewriter.set_insertion_to_end(sign)
    conditional_branch(rewriter, is_negative, first, [], header, [one, base, power])


# ---- math.fpowi


def float_power(rewriter: Rewriter, entry: Block) -> None:
    """
    If p == 0: return 1
    the loop, for the greatest number where p is the least one, which has no opposite, and for abs(p) otherwise
    if p is the least number: result = result * b
    if p <= 0: result = 1 / result
    return result
    """
    region = _region(entry)
    base, power = entry.arguments
    type, exponent = base.type, _integer_type(power)
    assert isinstance(type, FloatType), "the base is a float"
    one = constant(rewriter, from_float(1.0, type.name), type)
    half = 1 << (exponent.width - 1)
    zero, unit, least, greatest = (constant(rewriter, number, exponent) for number in (0, 1, -half, half - 1))

    is_zero = compare(rewriter, "eq", power, zero)
    trivial = _returning(rewriter, region, one)
    start = rewriter.create_block(region)
    rewriter.set_insertion_to_end(entry)
    conditional_branch(rewriter, is_zero, trivial, [], start)

    rewriter.set_insertion_to_end(start)
    is_negative = compare(rewriter, "sle", power, zero)
    is_least = compare(rewriter, "eq", power, least)
    magnitude = select(rewriter, is_negative, binary(rewriter, "subi", zero, power), power)
    magnitude = select(rewriter, is_least, greatest, magnitude)

    round = _round(rewriter, region, (type, exponent), "mulf", zero, unit)
    header = round.base.parent_block
    assert header is not None, "the loop begins with a block"
    rewriter.set_insertion_to_end(start)
    branch(rewriter, header, [one, base, magnitude])
    again = rewriter.create_block(region)
    _again(rewriter, round, header, "mulf")
    done = rewriter.create_block(region, argument_types=[type])
    rewriter.set_insertion_to_end(round.block)
    conditional_branch(rewriter, round.is_last, done, [round.result], again)

    def corrected(block: Block, condition: Value, name: str, operands: tuple[Value, Value]) -> Block:
        """A block behind `block` that gets its argument, or what an operation makes of it where a condition holds."""
        then = rewriter.create_block(region)
        after = rewriter.create_block(region, argument_types=[type])
        rewriter.set_insertion_to_end(block)
        conditional_branch(rewriter, condition, then, [], after, [block.arguments[0]])
        rewriter.set_insertion_to_end(then)
        branch(rewriter, after, [binary(rewriter, name, *operands)])
        return after

    multiplied = corrected(done, is_least, "mulf", (done.arguments[0], base))
    inverted = corrected(multiplied, is_negative, "divf", (one, multiplied.arguments[0]))
    rewriter.set_insertion_to_end(inverted)
    _return(rewriter, inverted.arguments[0])
