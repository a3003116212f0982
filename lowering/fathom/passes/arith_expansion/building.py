"""What expansions of arithmetic are built from besides `fathom.passes.arithmetic`: types and casts.

All take scalars, vectors and tensors of a known shape; what they make has the shape of what they get.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.types import FloatType, IntegerType, ShapedType, Type
from fathom.records import replace

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Value
    from fathom.rewriting.rewriter import Rewriter

F32: Final = FloatType("f32")


def shaped_as(type: Type, element: Type) -> Type:
    """`element`, in the shape of `type` if that has one."""
    return replace(type, element=element) if isinstance(type, ShapedType) else element


def integer_as(type: Type, width: int) -> Type:
    """Integers of a width in the shape of `type`."""
    return shaped_as(type, IntegerType(width))


def has_constants(type: Type) -> bool:
    """Whether there are constants of the type: not where its shape is not known."""
    return not isinstance(type, ShapedType) or type.has_static_shape


def unary(
    rewriter: Rewriter,
    name: str,
    value: Value,
    type: Type,
    properties: Mapping[str, Attribute] | None = None,
) -> Value:
    """Inserts a cast to a type."""
    return rewriter.create(f"arith.{name}", [value], [type], properties).result
