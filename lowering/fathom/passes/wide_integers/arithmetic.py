"""Constants, sums, products, bitwise operations, comparisons and choices of wide integers, half by half.

Each rule makes the value that replaces its operation. What a rule makes on wide integers again, other rules rewrite.
Source of the rules: the behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.arith.attributes import CMPI_PREDICATES
from fathom.dialects.arith.elements import as_unsigned, dense, normal, truth_type
from fathom.dialects.vector.common import count_of
from fathom.ir.attributes import DenseElementsAttr, IntegerAttr
from fathom.passes.arithmetic import binary, compare, select
from fathom.rewriting.pattern import Failure, named

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.ops.arith import CmpiOp, ConstantOp
    from fathom.passes.wide_integers.halves import Halves

MOST_NUMBERS: Final = 1 << 20
"""How many equal numbers are written out as two halves each."""


@named("ConvertConstant")
def wide_constant(op: ConstantOp, operands: Sequence[Value], halves: Halves) -> Value | Failure:
    """`arith.constant 1 : i64`   ->   `arith.constant dense<[1, 0]> : vector<2xi32>`"""
    match op.value:
        case IntegerAttr(value):
            values: Sequence[int] = (value,)
        case DenseElementsAttr(elements):
            values = [element for element in elements if isinstance(element, int)]
        case _:
            return Failure("unhandled constant attribute")
    parts: list[int] = []
    for value in values:
        low, high = as_unsigned(value, halves.width), as_unsigned(value >> halves.width, halves.width)
        parts += (normal(low, halves.type.element), normal(high, halves.type.element))
    repeated = count_of(halves.type) // len(parts)
    if repeated > MOST_NUMBERS and parts[0] != parts[1]:
        return Failure(f"more than {MOST_NUMBERS:,} numbers are not written out")
    attribute = dense(parts if parts[0] == parts[-1] and len(parts) == 2 else parts * repeated, halves.type)
    return halves.rewriter.constant(attribute, halves.type)


@named("ConvertAddI")
def add(op: Operation, operands: Sequence[Value], halves: Halves) -> Value:
    """The carry of the low halves is added to the high halves."""
    rewriter = halves.rewriter
    (low, high), (other_low, other_high) = map(halves.split, operands)
    types = [halves.half, truth_type(halves.half)]
    total, carry = rewriter.create("arith.addui_extended", [low, other_low], types).results
    carried = rewriter.create("arith.extui", [carry], [halves.half]).result
    return halves.join(total, binary(rewriter, "addi", binary(rewriter, "addi", carried, high), other_high))


@named("ConvertSubI")
def subtract(op: Operation, operands: Sequence[Value], halves: Halves) -> Value:
    """What the low halves borrow, where the first is the lesser, is taken from the high halves."""
    rewriter = halves.rewriter
    (low, high), (other_low, other_high) = map(halves.split, operands)
    difference = binary(rewriter, "subi", low, other_low)
    borrow = compare(rewriter, "ult", low, other_low)
    borrowed = rewriter.create("arith.extui", [borrow], [halves.half]).result
    return halves.join(difference, binary(rewriter, "subi", binary(rewriter, "subi", high, borrowed), other_high))


@named("ConvertMulI")
def multiply(op: Operation, operands: Sequence[Value], halves: Halves) -> Value:
    """Long multiplication; the product of the high halves is beyond the result."""
    rewriter = halves.rewriter
    (low, high), (other_low, other_high) = map(halves.split, operands)
    types = [halves.half, halves.half]
    product, carried = rewriter.create("arith.mului_extended", [low, other_low], types).results
    crossed = binary(rewriter, "muli", low, other_high)
    other_crossed = binary(rewriter, "muli", high, other_low)
    return halves.join(product, binary(rewriter, "addi", binary(rewriter, "addi", carried, crossed), other_crossed))


@named("ConvertBitwiseBinary")
def bitwise(op: Operation, operands: Sequence[Value], halves: Halves) -> Value:
    """`arith.andi`, `arith.ori` and `arith.xori`: the same on each half."""
    name = op.name.removeprefix("arith.")
    (low, high), (other_low, other_high) = map(halves.split, operands)
    return halves.join(
        binary(halves.rewriter, name, low, other_low),
        binary(halves.rewriter, name, high, other_high),
    )


@named("ConvertCmpI")
def compare_wide(op: CmpiOp, operands: Sequence[Value], halves: Halves) -> Value:
    """The high halves decide, by the sign too; the low halves only where the high ones are equal."""
    rewriter = halves.rewriter
    predicate = predicate_of(op)
    unsigned = predicate.replace("s", "u", 1) if predicate.startswith("s") else predicate
    (low, high), (other_low, other_high) = map(halves.split, operands)
    by_low = compare(rewriter, unsigned, low, other_low)
    by_high = compare(rewriter, predicate, high, other_high)
    if predicate in ("eq", "ne"):
        made = binary(rewriter, "andi" if predicate == "eq" else "ori", by_low, by_high)
    else:
        made = select(rewriter, compare(rewriter, "eq", high, other_high), by_low, by_high)
    return halves.without_unit(made)


def predicate_of(op: CmpiOp) -> str:
    """The keyword of a comparison's predicate."""
    return next(word for word, number in CMPI_PREDICATES.items() if number == op.predicate.value)


EXTREMA: Final = {"arith.maxui": "ugt", "arith.maxsi": "sgt", "arith.minui": "ult", "arith.minsi": "slt"}
"""By which comparison the first operand is the greater, or the lesser."""


@named("ConvertMaxMin")
def extremum(op: Operation, operands: Sequence[Value], halves: Halves) -> Value:
    """A comparison and a choice, both of wide integers still."""
    lhs, rhs = op.operands
    return select(halves.rewriter, compare(halves.rewriter, EXTREMA[op.name], lhs, rhs), lhs, rhs)


@named("ConvertSelect")
def choose(op: Operation, operands: Sequence[Value], halves: Halves) -> Value:
    """`arith.select`: each half is chosen by the same condition."""
    condition, true, false = operands
    (low, high), (other_low, other_high) = halves.split(true), halves.split(false)
    condition = halves.with_unit(condition)
    return halves.join(
        select(halves.rewriter, condition, low, other_low),
        select(halves.rewriter, condition, high, other_high),
    )
