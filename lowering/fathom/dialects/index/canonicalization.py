"""The patterns of the index dialect's canonicalisation.

Source of the rules: `mlir/lib/Dialect/Index/IR/IndexOps.cpp` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fathom.dialects.index.folds import CHECKED, UNCHECKED, constant_of, signed, unsigned
from fathom.ir.attributes import Attribute, IntegerAttr
from fathom.ir.operation import Operation, Value
from fathom.ir.types import INDEX
from fathom.rewriting.pattern import Failure, Pattern
from fathom.rewriting.rewriter import Rewriter

_ASSOCIATIVE: Final = ("add", "mul", "maxs", "maxu", "mins", "minu", "and", "or", "xor")


def _calculated(name: str, a: int, b: int) -> Attribute | None:
    """The constant for two constants, where both widths of an index agree on it."""
    calculate = UNCHECKED.get(name) or CHECKED[name]
    wide = calculate(a, b, 64)
    if wide is None:
        return None
    if name in CHECKED:
        narrow = calculate(signed(a, 32), signed(b, 32), 32)
        if narrow is None or unsigned(narrow, 32) != unsigned(wide, 32):
            return None
    return IntegerAttr(signed(wide, 64), INDEX)


def _reassociate(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """Joins the constants of two operations of one kind.

    %0 = index.add %x, %c1          %0 = index.add %x, %c3
    %1 = index.add %0, %c2   ->
    """
    inner = operands[0].defining_op
    if inner is None or inner.name != op.name:
        return Failure("the left-hand side is not the same operation")
    first, second = constant_of(operands[1]), constant_of(inner.operands[1])
    if first is None or second is None:
        return Failure("a right-hand side is not a constant")
    joined = _calculated(op.name.removeprefix("index."), first, second)
    if joined is None:
        return Failure("the constants cannot be joined")
    constant = rewriter.create("index.constant", (), [INDEX], {"value": joined})
    rewriter.replace(op, rewriter.create(op.name, [inner.operands[0], constant.result], [INDEX]).results)
    return None


def _compare_difference(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """Compares two values in place of their difference with zero.

    %0 = index.sub %a, %b
    %1 = index.cmp eq(%0, %zero)   ->   %1 = index.cmp eq(%a, %b)
    """
    right_is_zero, left_is_zero = constant_of(operands[1]) == 0, constant_of(operands[0]) == 0
    if not right_is_zero and not left_is_zero:
        return Failure("nothing is compared with zero")
    difference = operands[0 if right_is_zero else 1].defining_op
    if difference is None or difference.name != "index.sub":
        return Failure("what is compared is no difference")
    a, b = difference.operands
    compared = [a, b] if right_is_zero else [b, a]
    rewriter.replace(op, rewriter.create(op.name, compared, [op.results[0].type], op.properties).results)
    return None


CANONICALIZATION: Final = (
    *(Pattern(f"index.{name}", _reassociate, name="canonicalize") for name in _ASSOCIATIVE),
    Pattern("index.cmp", _compare_difference, name="canonicalize"),
)
