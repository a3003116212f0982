"""What code says of the operations of the arith dialect, beside their description.

Source of the rules: *'arith' Dialect*, "Operations".
"""

from __future__ import annotations

from typing import Final

from fathom.dialects.arith.names import constant_names, product_names
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
from fathom.ir.types import IntegerType, VectorType
from fathom.irdl.code import OpCode
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops.arith import ConstantOp
from fathom.rewriting.speculation import SIGNED_DIVISION, UNSIGNED_DIVISION

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


_UNSIGNED: Final = OpCode(interfaces=(UNSIGNED_DIVISION,))
_SIGNED: Final = OpCode(interfaces=(SIGNED_DIVISION,))
OPERATIONS: Final = {
    "constant": OpCode(result_names=constant_names),
    "muli": OpCode(result_names=product_names),
    **dict.fromkeys(("divui", "ceildivui"), _UNSIGNED),
    **dict.fromkeys(("divsi", "ceildivsi"), _SIGNED),
    "select": SELECT,
}
