"""The ub dialect, described in `ub.toml`: its folds and constants."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fathom.ir.attributes import Attribute
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.operation import Operation, Span, Value
from fathom.ir.types import Type
from fathom.irdl.build import create, with_defaults
from fathom.irdl.code import DialectCode, OpCode
from fathom.irdl.description import load_dialect
from fathom.irdl.dialect import Definitions


def _fold_poison(op: Operation, constants: Sequence[Attribute | None]) -> list[Value | Attribute] | None:
    return [op.properties["value"]]


def materialize_constant(context: Definitions, attribute: Attribute, type: Type, span: Span | None) -> Operation | None:
    """The `ub.poison` for a folded poison, or None for anything else."""
    if not isinstance(attribute, DialectAttr) or attribute.full_name != "ub.poison":
        return None
    return create(context, "ub.poison", (), [type], {"value": attribute}, span=span)


DIALECT: Final = load_dialect(
    __file__, DialectCode({"poison": OpCode(fold=_fold_poison)}, materialize_constant=materialize_constant)
)
POISON: Final = with_defaults(DIALECT.operation("ub.poison"), {})["value"]
"""`#ub.poison`."""
