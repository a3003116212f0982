"""What operations of scf fold to.

Source of the rules: observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fathom.ir.attributes import TRUE
from fathom.ir.operation import Operation
from fathom.irdl.folding import Constants, Fold, Folded
from fathom.rewriting.pattern import defined_by


def _fold_if(op: Operation, constants: Constants) -> Folded:
    """`if not c then a else b` is `if c then b else a`."""
    negation = defined_by(op.operands[0], "arith.xori")
    if negation is None or op.regions[1].is_empty:
        return None
    one = defined_by(negation.operands[1], "arith.constant")
    value = one.properties.get("value") if one is not None else None
    if value != TRUE:
        return None
    op.set_operand(0, negation.operands[0])
    op.regions.reverse()
    return []


FOLDS: Final[Mapping[str, Fold]] = {"scf.if": _fold_if}
