"""Divisions that round up or down, in terms of divisions that round to zero."""

from __future__ import annotations

from typing import Final

from fathom.ir.operation import Operation, Value
from fathom.passes.arith_expansion.building import has_constants
from fathom.passes.arithmetic import binary, compare, constant, select
from fathom.rewriting.conversion_rewriter import ConversionRewriter
from fathom.rewriting.pattern import Failure, Pattern

UNKNOWN_SHAPE: Final = Failure("there are no constants of a shape that is not known")


def expand_ceildivui(op: Operation, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
    """`a ceildivui b` becomes `a == 0 ? 0 : ((a - 1) / b) + 1`."""
    lhs, rhs = operands
    if not has_constants(lhs.type):
        return UNKNOWN_SHAPE
    zero = constant(rewriter, 0, lhs.type)
    is_zero = compare(rewriter, "eq", lhs, zero)
    one = constant(rewriter, 1, lhs.type)
    less = binary(rewriter, "subi", lhs, one)
    quotient = binary(rewriter, "divui", less, rhs)
    rewriter.replace(op, [select(rewriter, is_zero, zero, binary(rewriter, "addi", quotient, one))])
    return None


def expand_ceildivsi(op: Operation, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
    """`a ceildivsi b` becomes, with `q = a / b`: `a != q * b && (a < 0) == (b < 0) ? q + 1 : q`."""
    lhs, rhs = operands
    if not has_constants(lhs.type):
        return UNKNOWN_SHAPE
    zero = constant(rewriter, 0, lhs.type)
    one = constant(rewriter, 1, lhs.type)
    quotient = binary(rewriter, "divsi", lhs, rhs)
    inexact = compare(rewriter, "ne", lhs, binary(rewriter, "muli", quotient, rhs))
    left_negative = compare(rewriter, "slt", lhs, zero)
    right_negative = compare(rewriter, "slt", rhs, zero)
    same_sign = compare(rewriter, "eq", left_negative, right_negative)
    rounds = binary(rewriter, "andi", inexact, same_sign)
    rewriter.replace(op, [select(rewriter, rounds, binary(rewriter, "addi", quotient, one), quotient)])
    return None


def expand_floordivsi(op: Operation, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
    """`a floordivsi b` becomes, with `q = a / b`: `a != q * b && (a < 0) != (b < 0) ? q - 1 : q`."""
    lhs, rhs = operands
    if not has_constants(lhs.type):
        return UNKNOWN_SHAPE
    quotient = binary(rewriter, "divsi", lhs, rhs)
    inexact = compare(rewriter, "ne", lhs, binary(rewriter, "muli", quotient, rhs))
    zero = constant(rewriter, 0, lhs.type)
    left_negative = compare(rewriter, "slt", lhs, zero)
    right_negative = compare(rewriter, "slt", rhs, zero)
    other_sign = compare(rewriter, "ne", left_negative, right_negative)
    rounds = binary(rewriter, "andi", inexact, other_sign)
    minus_one = constant(rewriter, -1, lhs.type)
    rewriter.replace(op, [select(rewriter, rounds, binary(rewriter, "addi", quotient, minus_one), quotient)])
    return None


PATTERNS: Final = (
    Pattern("arith.ceildivsi", expand_ceildivsi, name="CeilDivSIOpConverter"),
    Pattern("arith.ceildivui", expand_ceildivui, name="CeilDivUIOpConverter"),
    Pattern("arith.floordivsi", expand_floordivsi, name="FloorDivSIOpConverter"),
)
