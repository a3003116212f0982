"""Operations of tosa that several passes make."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.dialects.arith.elements import constant
from fathom.dialects.tosa.values import stored_of
from fathom.ir.floats import from_float
from fathom.ir.types import FloatType, TensorType
from fathom.passes.tosa.shapes import refined, shapes_of
from fathom.records import replace

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Value
    from fathom.ir.types import Type
    from fathom.rewriting.rewriter import Rewriter


def splat(rewriter: Rewriter, number: int, shape: Sequence[int], element: Type) -> Value:
    """`tosa.const` of one number; a quantized one is given as it is stored."""
    type, stored = TensorType(tuple(shape), element), stored_of(element)
    value = from_float(float(number), stored.name) if isinstance(stored, FloatType) else number
    attribute = constant(value, replace(type, element=stored))
    assert attribute is not None, "tosa's tensors are of numbers"
    return rewriter.create("tosa.const", (), [type], {"values": attribute}).result


def inferring(
    rewriter: Rewriter,
    name: str,
    operands: Sequence[Value],
    element: Type,
    properties: Mapping[str, Attribute] | None = None,
) -> Value:
    """An operation whose result has the shape that follows, of these elements."""
    made = rewriter.create(f"tosa.{name}", operands, [TensorType(None, element)], properties)
    shapes = shapes_of(made)
    type = refined(made.result.type, shapes[0]) if isinstance(shapes, list) else None
    if type is not None:
        made.result.type = type
    return made.result
