"""What the results of operations of arith are called.

Source of the rules: observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence

from fathom.ir.attributes import IntegerAttr
from fathom.ir.operation import Operation
from fathom.ir.spelling import MOST_DECIMAL
from fathom.ir.types import I1, INDEX, IndexType
from fathom.ops.vector import VscaleOp
from fathom.rewriting.folding import integer_constant


def constant_names(op: Operation) -> Sequence[str | None]:
    """`c5_i32`, `c5` for an index, `true`, `false`, and `cst` for anything else, also for a number that has no
    decimal text."""
    value = op.properties.get("value")
    if not isinstance(value, IntegerAttr) or value.value.bit_length() > MOST_DECIMAL:
        return ("cst",)
    if isinstance(value.type, IndexType):
        return (f"c{value.value}",)
    if value.type == I1:
        return ("true" if value.value else "false",)
    return (f"c{value.value}_{value.type}",)


def product_names(op: Operation) -> Sequence[str | None]:
    """`c8_vscale` for a constant times the factor by which vectors scale; else nothing."""
    if op.results[0].type != INDEX or len(op.operands) != 2:
        return (None,)
    for factor, other in (op.operands, op.operands[::-1]):
        number = integer_constant(factor)
        if number is not None and isinstance(other.defining_op, VscaleOp):
            return (f"c{number}_vscale",)
    return (None,)
