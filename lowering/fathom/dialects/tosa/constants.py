"""The constants of the tosa dialect: tensors and shapes, which are the values that `tosa.const` and
`tosa.const_shape` have.

Source of the rules: *'tosa' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import Attribute, DenseElementsAttr, DenseResourceAttr, SparseElementsAttr
from fathom.ir.dialect_values import DialectType
from fathom.ir.types import TensorType
from fathom.irdl.build import create
from fathom.irdl.interfaces import ConstantLike

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Span
    from fathom.ir.types import Type
    from fathom.irdl.dialect import Definitions

CONSTANT: Final = ConstantLike(lambda op: op.properties.get("values"))


def materialize_constant(context: Definitions, attribute: Attribute, type: Type, span: Span | None) -> Operation | None:
    """`tosa.const_shape` for the sizes of a shape, `tosa.const` for the elements of a tensor, None for others."""
    if not isinstance(attribute, (DenseElementsAttr, DenseResourceAttr, SparseElementsAttr)):
        return None
    is_shape = isinstance(type, DialectType) and type.full_name == "tosa.shape"
    if not is_shape and not isinstance(type, TensorType):
        return None
    name = "tosa.const_shape" if is_shape else "tosa.const"
    return create(context, name, (), [type], {"values": attribute}, span=span)
