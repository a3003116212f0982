"""What operations of scf fold to.

Source of the rules: observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fathom.ir.attributes import TRUE
from fathom.ir.operation import Operation
from fathom.irdl.folding import Constants, Fold, Folded


def _fold_if(op: Operation, constants: Constants) -> Folded:
    """`if not c then a else b` is `if c then b else a`."""
    negation = op.operands[0].defining_op
    if negation is None or negation.name != "arith.xori" or op.regions[1].is_empty:
        return None
    one = negation.operands[1].defining_op
    value = one.properties.get("value") if one is not None and one.name == "arith.constant" else None
    if value != TRUE:
        return None
    op.set_operand(0, negation.operands[0])
    op.regions.reverse()
    return []


FOLDS: Final[Mapping[str, Fold]] = {"scf.if": _fold_if}
