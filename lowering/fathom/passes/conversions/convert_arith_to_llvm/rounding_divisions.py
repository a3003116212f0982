"""Divisions that round up or down, in terms of divisions that round to zero: part of `convert-arith-to-llvm`.

What they make is arithmetic again, and is lowered like any other.
"""

from __future__ import annotations

from typing import Final

from fathom.dialects.arith.elements import truth_type
from fathom.ir.attributes import Attribute, DenseElementsAttr, IntegerAttr, i64_attr
from fathom.ir.operation import Operation, Value
from fathom.ir.types import ShapedType, Type
from fathom.rewriting.conversion_rewriter import ConversionRewriter
from fathom.rewriting.pattern import Failure, Pattern

EQ: Final = i64_attr(0)
NE: Final = i64_attr(1)
SLT: Final = i64_attr(2)


def expand_ceildivui(op: Operation, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
    """`a ceildivui b` becomes `a == 0 ? 0 : ((a - 1) / b) + 1`."""
    lhs, rhs = operands
    zero = constant(rewriter, lhs.type, 0)
    is_zero = compare(rewriter, EQ, lhs, zero)
    one = constant(rewriter, lhs.type, 1)
    less = binary(rewriter, "subi", lhs, one)
    quotient = binary(rewriter, "divui", less, rhs)
    rewriter.replace(op, [select(rewriter, is_zero, zero, binary(rewriter, "addi", quotient, one))])
    return None


def expand_ceildivsi(op: Operation, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
    """`a ceildivsi b` becomes, with `q = a / b`: `a != q * b && (a < 0) == (b < 0) ? q + 1 : q`."""
    lhs, rhs = operands
    zero = constant(rewriter, lhs.type, 0)
    one = constant(rewriter, lhs.type, 1)
    quotient = binary(rewriter, "divsi", lhs, rhs)
    inexact = compare(rewriter, NE, lhs, binary(rewriter, "muli", quotient, rhs))
    left_negative = compare(rewriter, SLT, lhs, zero)
    right_negative = compare(rewriter, SLT, rhs, zero)
    same_sign = compare(rewriter, EQ, left_negative, right_negative)
    rounds = binary(rewriter, "andi", inexact, same_sign)
    rewriter.replace(op, [select(rewriter, rounds, binary(rewriter, "addi", quotient, one), quotient)])
    return None


def expand_floordivsi(op: Operation, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
    """`a floordivsi b` becomes, with `q = a / b`: `a != q * b && (a < 0) != (b < 0) ? q - 1 : q`."""
    lhs, rhs = operands
    quotient = binary(rewriter, "divsi", lhs, rhs)
    inexact = compare(rewriter, NE, lhs, binary(rewriter, "muli", quotient, rhs))
    zero = constant(rewriter, lhs.type, 0)
    left_negative = compare(rewriter, SLT, lhs, zero)
    right_negative = compare(rewriter, SLT, rhs, zero)
    other_sign = compare(rewriter, NE, left_negative, right_negative)
    rounds = binary(rewriter, "andi", inexact, other_sign)
    minus_one = constant(rewriter, lhs.type, -1)
    rewriter.replace(op, [select(rewriter, rounds, binary(rewriter, "addi", quotient, minus_one), quotient)])
    return None


def constant(rewriter: ConversionRewriter, type: Type, value: int) -> Value:
    """Inserts `arith.constant`, of a vector with the value in every element."""
    attribute: Attribute = (
        DenseElementsAttr((value,), type) if isinstance(type, ShapedType) else IntegerAttr(value, type)
    )
    return rewriter.create("arith.constant", (), [type], {"value": attribute}).result


def binary(rewriter: ConversionRewriter, name: str, lhs: Value, rhs: Value) -> Value:
    """Inserts an operation on two values whose result has their type."""
    return rewriter.create(f"arith.{name}", [lhs, rhs], [lhs.type]).result


def compare(rewriter: ConversionRewriter, predicate: Attribute, lhs: Value, rhs: Value) -> Value:
    """Inserts `arith.cmpi`."""
    return rewriter.create("arith.cmpi", [lhs, rhs], [truth_type(lhs.type)], {"predicate": predicate}).result


def select(rewriter: ConversionRewriter, condition: Value, true: Value, false: Value) -> Value:
    """Inserts `arith.select`."""
    return rewriter.create("arith.select", [condition, true, false], [true.type]).result


PATTERNS: Final = (
    Pattern("arith.ceildivsi", expand_ceildivsi),
    Pattern("arith.ceildivui", expand_ceildivui),
    Pattern("arith.floordivsi", expand_floordivsi),
)
