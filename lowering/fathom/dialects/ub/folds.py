"""What the poison of the ub dialect folds to: the attribute that says so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fathom.ir.dialect_values import DialectAttr
from fathom.irdl.build import constants_by
from fathom.irdl.folding import Constants, Fold, Folded
from fathom.ops.ub import PoisonOp


def _fold_poison(op: PoisonOp, constants: Constants) -> Folded:
    return [op.value]


FOLDS: Final[Mapping[str, Fold]] = {"ub.poison": _fold_poison}
materialize_constant: Final = constants_by(
    (
        "ub.poison",
        "value",
        lambda attribute, _: isinstance(attribute, DialectAttr) and attribute.full_name == "ub.poison",
    )
)
MATERIALIZE_CONSTANT: Final = materialize_constant
