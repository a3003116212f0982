"""What a cast between types folds to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fathom.ir.operation import Operation
from fathom.irdl.folding import Constants, Fold, Folded

CAST: Final = "builtin.unrealized_conversion_cast"


def fold_cast(op: Operation, constants: Constants) -> Folded:
    """A cast of nothing changed is its operands; a cast back to where the values came from is those values."""
    del constants
    operands = op.operands
    types = [result.type for result in op.results]
    if operands and [operand.type for operand in operands] == types:
        return list(operands)
    if not operands:
        return None
    source = operands[0].defining_op
    if source is None or source.name != CAST:
        return None
    if list(source.results) != list(operands) or [v.type for v in source.operands] != types:
        return None
    return list(source.operands)


FOLDS: Final[Mapping[str, Fold]] = {CAST: fold_cast}
