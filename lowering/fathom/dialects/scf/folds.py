"""What operations of scf fold to.

Source of the rules: observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fathom.ir.attributes import TRUE
from fathom.irdl.folding import Constants, Fold, Folded
from fathom.ops.arith import ConstantOp, XoriOp
from fathom.ops.scf import IfOp
from fathom.rewriting.pattern import defined_by


def _fold_if(op: IfOp, constants: Constants) -> Folded:
    """`if not c then a else b` is `if c then b else a`."""
    negation = defined_by(op.condition, XoriOp)
    one = defined_by(negation.rhs, ConstantOp) if negation is not None else None
    if negation is None or one is None or one.value != TRUE or op.elseRegion.is_empty:
        return None
    op.set_operand(0, negation.lhs)
    op.regions.reverse()
    return []


FOLDS: Final[Mapping[str, Fold]] = {"scf.if": _fold_if}
