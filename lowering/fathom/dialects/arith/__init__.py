"""The arith dialect: arithmetic on integers, floats, and vectors and tensors of them."""

from __future__ import annotations

from typing import Final

from fathom.dialects.arith.attributes import FASTMATH, OVERFLOW
from fathom.dialects.arith.operations import CONSTANT, OPERATIONS
from fathom.ir.attributes import Attribute, DenseElementsAttr, FloatAttr, IntegerAttr
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.operation import Operation, Span
from fathom.ir.types import IntegerType, Type
from fathom.irdl.build import create
from fathom.irdl.constraints import enum_reader
from fathom.irdl.dialect import Definitions, Dialect


def materialize_constant(context: Definitions, attribute: Attribute, type: Type, span: Span | None) -> Operation | None:
    """The `arith.constant` of an attribute, or its `ub.poison`; None for one that neither can hold."""
    if isinstance(attribute, DialectAttr):
        from fathom.dialects import ub  # It brings the reader of descriptions, which few files need.

        return ub.materialize_constant(context, attribute, type, span)
    if not isinstance(attribute, (IntegerAttr, FloatAttr, DenseElementsAttr)) or attribute.type != type:
        return None
    if isinstance(type, IntegerType) and type.signedness:
        return None
    return create(context, CONSTANT, result_types=[type], properties={"value": attribute}, span=span)


DIALECT: Final = Dialect(
    "arith",
    operations=OPERATIONS,
    attributes={"fastmath": enum_reader(FASTMATH), "overflow": enum_reader(OVERFLOW)},
    materialize_constant=materialize_constant,
    complete=True,
)
