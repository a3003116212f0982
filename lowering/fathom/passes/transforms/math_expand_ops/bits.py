"""The count of leading zeros by halves: part of `math-expand-ops`.

The operations and their order are those of mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.types import IntegerType, element_type
from fathom.passes.arithmetic import binary, compare, constant, select
from fathom.passes.transforms.math_expand_ops.building import has_constants
from fathom.rewriting.pattern import Failure, Pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter


def expand_leading_zeros(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """
    Count = 0
    for half in width / 2, width / 4, …, 1:
        if the first half of what remains is zero: count, x = count + half, x << half
    return width if the operand is zero else count
    """
    (operand,) = operands
    type, element = operand.type, element_type(operand.type)
    if not isinstance(element, IntegerType) or element.width > 64 or not has_constants(type):
        return Failure("not integers of at most 64 bits")
    x, count = operand, constant(rewriter, 0, type)
    width = element.width
    while width > 1:
        half = width // 2
        bits, mask = constant(rewriter, half, type), constant(rewriter, ((1 << element.width) - 1) >> half, type)
        is_zero = compare(rewriter, "ule", x, mask)
        more = binary(rewriter, "addi", count, bits)
        shifted = binary(rewriter, "shli", x, bits)
        x, count = select(rewriter, is_zero, shifted, x), select(rewriter, is_zero, more, count)
        width = half
    is_nothing = compare(rewriter, "eq", operand, constant(rewriter, 0, type))
    rewriter.replace(op, [select(rewriter, is_nothing, constant(rewriter, element.width, type), count)])
    return None


PATTERNS: Final = (Pattern("math.ctlz", expand_leading_zeros, name="convertCtlzOp"),)
