"""What code says of the operations of the arith dialect, beside their description.

Source of the rules: *'arith' Dialect*, "Operations".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fathom.dialects.arith.select import SELECT
from fathom.ir.attributes import (
    DenseElementsAttr,
    DenseResourceAttr,
    DenseStringsAttr,
    FloatAttr,
    IntegerAttr,
    SparseElementsAttr,
    UnknownAttr,
)
from fathom.ir.operation import Operation
from fathom.ir.types import I1, INDEX, IndexType, IntegerType, VectorType
from fathom.irdl.code import OpCode
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops.arith import ConstantOp
from fathom.ops.vector import VscaleOp
from fathom.rewriting.folding import integer_constant
from fathom.rewriting.speculation import SIGNED_DIVISION, UNSIGNED_DIVISION
from fathom.text.digits import MOST_DECIMAL

_ELEMENTS: Final = (DenseElementsAttr, DenseResourceAttr, DenseStringsAttr, SparseElementsAttr)


@verifies("arith.constant")
def _verify_constant(op: ConstantOp) -> Complaint:
    value, type = op.value, op.result.type
    if isinstance(type, IntegerType) and type.signedness:
        return "integer return type must be signless"
    if not isinstance(value, (IntegerAttr, FloatAttr, UnknownAttr, *_ELEMENTS)):
        return "value must be an integer, float, or elements attribute"
    if isinstance(type, VectorType) and any(type.scalable):
        if not isinstance(value, DenseElementsAttr) or not value.is_splat:
            # The misspelling is MLIR's own.
            return "intializing scalable vectors with elements attribute is not supported unless it's a vector splat"
    return None


# ---- what results are called


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


_UNSIGNED: Final = OpCode(interfaces=(UNSIGNED_DIVISION,))
_SIGNED: Final = OpCode(interfaces=(SIGNED_DIVISION,))
OPERATIONS: Final = {
    "constant": OpCode(result_names=constant_names),
    "muli": OpCode(result_names=product_names),
    **dict.fromkeys(("divui", "ceildivui"), _UNSIGNED),
    **dict.fromkeys(("divsi", "ceildivsi"), _SIGNED),
    "select": SELECT,
}
