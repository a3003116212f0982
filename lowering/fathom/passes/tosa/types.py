"""The types of tosa in dialects whose integers have no sign: unsigned ones lose it, alone and in tensors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.types import IntegerType, TensorType
from fathom.records import replace
from fathom.rewriting.type_converter import TypeConverter

if TYPE_CHECKING:
    from fathom.ir.types import Type


class SignlessTypes(TypeConverter):
    """See the module."""

    def convert_uncached(self, type: Type) -> Type | None:
        match type:
            case IntegerType(width, "u"):
                return IntegerType(width)
            case TensorType(element=element):
                return replace(type, element=self.convert(element))
            case _:
                return type
