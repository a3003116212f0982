"""How the spirv dialect makes constants of what operations of others fold to."""

from __future__ import annotations

from typing import Final

from fathom.dialects.spirv.types import ArrayType, SPIRVType
from fathom.ir.attributes import ArrayAttr, Attribute, DenseElementsAttr, FloatAttr, IntegerAttr
from fathom.ir.operation import Operation, Span
from fathom.ir.types import Type
from fathom.irdl.build import create
from fathom.irdl.dialect import Definitions


def materialize_constant(context: Definitions, attribute: Attribute, type: Type, span: Span | None) -> Operation | None:
    """`spirv.Constant` for numbers, and for vectors and arrays of them; None for anything else."""
    is_value = isinstance(attribute, (IntegerAttr, FloatAttr, DenseElementsAttr, ArrayAttr))
    if not is_value or (isinstance(type, SPIRVType) and not isinstance(type, ArrayType)):
        return None
    return create(context, "spirv.Constant", (), [type], {"value": attribute}, span=span)


MATERIALIZE_CONSTANT: Final = materialize_constant
