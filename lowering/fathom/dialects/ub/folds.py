"""What the poison of the ub dialect folds to: the attribute that says so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fathom.ir.attributes import Attribute
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.operation import Operation, Span
from fathom.ir.types import Type
from fathom.irdl.build import create
from fathom.irdl.dialect import Definitions
from fathom.irdl.folding import Constants, Fold, Folded
from fathom.ops.ub import PoisonOp


def _fold_poison(op: PoisonOp, constants: Constants) -> Folded:
    return [op.value]


def materialize_constant(context: Definitions, attribute: Attribute, type: Type, span: Span | None) -> Operation | None:
    """The `ub.poison` for a folded poison, or None for anything else."""
    if not isinstance(attribute, DialectAttr) or attribute.full_name != "ub.poison":
        return None
    return create(context, "ub.poison", (), [type], {"value": attribute}, span=span)


FOLDS: Final[Mapping[str, Fold]] = {"ub.poison": _fold_poison}
MATERIALIZE_CONSTANT: Final = materialize_constant
