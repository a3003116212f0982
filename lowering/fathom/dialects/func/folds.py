"""The value of `func.constant`, which is a symbol."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fathom.ir.attributes import Attribute, SymbolRefAttr
from fathom.ir.operation import Operation, Span
from fathom.ir.types import FunctionType, Type
from fathom.irdl.build import create
from fathom.irdl.dialect import Definitions
from fathom.irdl.folding import Fold


def materialize_constant(context: Definitions, attribute: Attribute, type: Type, span: Span | None) -> Operation | None:
    """The `func.constant` of a symbol, or None for anything else."""
    if not isinstance(attribute, SymbolRefAttr) or attribute.nested or not isinstance(type, FunctionType):
        return None
    return create(context, "func.constant", (), [type], {"value": attribute}, span=span)


FOLDS: Final[Mapping[str, Fold]] = {"func.constant": lambda op, constants: [op.value]}
MATERIALIZE_CONSTANT: Final = materialize_constant
