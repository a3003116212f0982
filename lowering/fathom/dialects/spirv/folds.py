"""How the spirv dialect makes constants of what operations of others fold to."""

from __future__ import annotations

from typing import Final

from fathom.dialects.spirv.types import ArrayType, SPIRVType
from fathom.ir.attributes import ArrayAttr, Attribute, DenseElementsAttr, FloatAttr, IntegerAttr
from fathom.ir.types import Type
from fathom.irdl.build import constants_by


def _is_constant_of(attribute: Attribute, type: Type) -> bool:
    """Numbers, and vectors and arrays of them."""
    is_value = isinstance(attribute, (IntegerAttr, FloatAttr, DenseElementsAttr, ArrayAttr))
    return is_value and (not isinstance(type, SPIRVType) or isinstance(type, ArrayType))


MATERIALIZE_CONSTANT: Final = constants_by(("spirv.Constant", "value", _is_constant_of))
