"""What casts of the quant dialect fold to: a cast that undoes another is what that was given.

Source of the rules: observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fathom.ir.operation import Operation
from fathom.irdl.folding import Constants, Fold, Folded
from fathom.ops import quant as ops
from fathom.rewriting.pattern import defined_by


def _undoing(kind: type[Operation]) -> Fold:
    """The fold of a cast of what a cast of this class gave, if the type is that from which it came."""

    def fold(op: Operation, constants: Constants) -> Folded:
        inner = defined_by(op.operands[0], kind)
        return [inner.operands[0]] if inner is not None and inner.operands[0].type == op.result.type else None

    return fold


FOLDS: Final[Mapping[str, Fold]] = {
    "quant.dcast": _undoing(ops.QcastOp),
    "quant.qcast": _undoing(ops.DcastOp),
    "quant.scast": _undoing(ops.ScastOp),
}
