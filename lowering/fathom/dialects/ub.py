"""The ub dialect: undefined behaviour as values and places.

Source of the rules: *'ub' Dialect*.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import Attribute
from fathom.ir.operation import Operation, Span, Value
from fathom.ir.types import Speller, Type
from fathom.irdl.build import create
from fathom.irdl.constraints import ANY
from fathom.irdl.definition import AttributeConstraint, OpDefinition, Property, Result
from fathom.irdl.dialect import Definitions, Dialect
from fathom.irdl.traits import CONSTANT_LIKE, PURE, TERMINATOR

if TYPE_CHECKING:
    from fathom.irdl.protocols import BodyReader


@dataclass(frozen=True, slots=True)
class PoisonAttr(Attribute):
    """`#ub.poison`: the value is poison as a whole."""

    def spell(self, of: Speller) -> str:
        return "#ub.poison"


POISON: Final = PoisonAttr()


def _fold(op: Operation, constants: Sequence[Attribute | None]) -> list[Value | Attribute] | None:
    return [op.properties.get("value", POISON)]


POISON_OP: Final = OpDefinition(
    "ub.poison",
    results=(Result("result", ANY),),
    properties=(
        Property("value", AttributeConstraint("PoisonAttrInterface instance", lambda _: True), default=POISON),
    ),
    traits=(CONSTANT_LIKE, PURE),
    assembly="attr-dict (`<` $value^ `>`)? `:` type($result)",
    fold=_fold,
    summary="a poison value",
)
UNREACHABLE: Final = OpDefinition(
    "ub.unreachable",
    traits=(TERMINATOR,),
    assembly="attr-dict",
    summary="a place that is never reached",
)


def _read_poison(reader: BodyReader) -> Attribute:
    return POISON


def materialize_constant(context: Definitions, attribute: Attribute, type: Type, span: Span | None) -> Operation | None:
    """The `ub.poison` for a folded poison, or None for anything else."""
    if not isinstance(attribute, PoisonAttr):
        return None
    return create(context, POISON_OP, (), [type], {"value": attribute}, span=span)


DIALECT: Final = Dialect(
    "ub",
    operations=(POISON_OP, UNREACHABLE),
    attributes={"poison": _read_poison},
    materialize_constant=materialize_constant,
    complete=True,
)
