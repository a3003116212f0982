"""The memref dialect: memory, and what is read from and written to it.

Source of the rules: *'memref' Dialect*.
"""

from __future__ import annotations

from typing import Final

from fathom.dialects.memref import access, allocation, casts, queries, reshapes, transfers, views
from fathom.ir.attributes import Attribute, IntegerAttr
from fathom.ir.operation import Operation, Span
from fathom.ir.types import Type
from fathom.irdl.build import create
from fathom.irdl.dialect import Definitions, Dialect


def materialize_constant(context: Definitions, attribute: Attribute, type: Type, span: Span | None) -> Operation | None:
    """The `arith.constant` for a folded size, or None for anything else."""
    if not isinstance(attribute, IntegerAttr) or attribute.type != type:
        return None
    return create(context, "arith.constant", (), [type], {"value": attribute}, span=span)


DIALECT: Final = Dialect(
    "memref",
    operations=(
        *allocation.OPERATIONS,
        *access.OPERATIONS,
        *transfers.OPERATIONS,
        *queries.OPERATIONS,
        *casts.OPERATIONS,
        *views.OPERATIONS,
        *reshapes.OPERATIONS,
    ),
    materialize_constant=materialize_constant,
    complete=True,
)
