"""Affine expressions and maps as operations of the arith dialect, in the order and with the flags of mlir-opt 22.

    affine_map<(d0)[s0] -> (d0 * 2 + s0)>(%i)[%n]
->
    %c2 = arith.constant 2 : index
    %0 = arith.muli %i, %c2 overflow<nsw> : index
    %1 = arith.addi %0, %n : index

Source of the rules: *Affine Dialect*, "Affine Expressions".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from fathom.ir.affine import AffineBinary, AffineConstant, AffineDim, AffineExpr, AffineMap, AffineSymbol
from fathom.passes.arithmetic import binary, compare, constant, select
from fathom.passes.index_arithmetic import NO_SIGNED_WRAP
from fathom.rewriting.pattern import Failure

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.rewriting.rewriter import Rewriter


def expand_map(rewriter: Rewriter, map: AffineMap, operands: Sequence[Value]) -> list[Value] | Failure:
    """A value for each result of a map, which is applied to the first operands, as many as it takes; or why there is
    none. Each result is made on its own, whatever they have in common."""
    values: list[Value] = []
    for result in map.results:
        value = expand(rewriter, result, operands[: map.dims], operands[map.dims :])
        if isinstance(value, Failure):
            return value
        values.append(value)
    return values


def expand(rewriter: Rewriter, expr: AffineExpr, dims: Sequence[Value], symbols: Sequence[Value]) -> Value | Failure:
    """The value of an expression; or why there is none. Only divisions by numbers below one have no value."""
    match expr:
        case AffineDim(position):
            return dims[position]
        case AffineSymbol(position):
            return symbols[position]
        case AffineConstant(value):
            return constant(rewriter, value)
        case AffineBinary(kind, lhs, rhs):
            if kind not in "+*" and isinstance(rhs, AffineConstant) and rhs.value <= 0:
                return Failure(f"{'modulo' if kind == 'mod' else 'division'} by non-positive value is not supported")
            left = expand(rewriter, lhs, dims, symbols)
            if isinstance(left, Failure):
                return left
            right = expand(rewriter, rhs, dims, symbols)
            return right if isinstance(right, Failure) else _OPERATIONS[kind](rewriter, left, right)
        case _:
            raise TypeError(f"not an affine expression: {expr!r}")


def _add(rewriter: Rewriter, lhs: Value, rhs: Value) -> Value:
    return binary(rewriter, "addi", lhs, rhs)


def _multiply(rewriter: Rewriter, lhs: Value, rhs: Value) -> Value:
    return binary(rewriter, "muli", lhs, rhs, NO_SIGNED_WRAP)


def _modulo(rewriter: Rewriter, lhs: Value, rhs: Value) -> Value:
    """`r < 0 ? r + b : r` where `r` is the remainder of `a` by `b`, which has the sign of `a`."""
    remainder = binary(rewriter, "remsi", lhs, rhs)
    is_negative = compare(rewriter, "slt", remainder, constant(rewriter, 0))
    return select(rewriter, is_negative, binary(rewriter, "addi", remainder, rhs), remainder)


def _floor_divide(rewriter: Rewriter, lhs: Value, rhs: Value) -> Value:
    """`a < 0 ? -1 - (-1 - a) / b : a / b`, with one division."""
    zero, minus_one = constant(rewriter, 0), constant(rewriter, -1)
    is_negative = compare(rewriter, "slt", lhs, zero)
    dividend = select(rewriter, is_negative, binary(rewriter, "subi", minus_one, lhs), lhs)
    quotient = binary(rewriter, "divsi", dividend, rhs)
    return select(rewriter, is_negative, binary(rewriter, "subi", minus_one, quotient), quotient)


def _ceil_divide(rewriter: Rewriter, lhs: Value, rhs: Value) -> Value:
    """`a <= 0 ? -(-a / b) : (a - 1) / b + 1`, with one division."""
    zero, one = constant(rewriter, 0), constant(rewriter, 1)
    is_small = compare(rewriter, "sle", lhs, zero)
    negated, decremented = binary(rewriter, "subi", zero, lhs), binary(rewriter, "subi", lhs, one)
    quotient = binary(rewriter, "divsi", select(rewriter, is_small, negated, decremented), rhs)
    below, above = binary(rewriter, "subi", zero, quotient), binary(rewriter, "addi", quotient, one)
    return select(rewriter, is_small, below, above)


_OPERATIONS: Final[dict[str, Callable[[Rewriter, Value, Value], Value]]] = {
    "+": _add,
    "*": _multiply,
    "mod": _modulo,
    "floordiv": _floor_divide,
    "ceildiv": _ceil_divide,
}
