"""The arm_neon dialect: Arm's Neon, of which the types are checked here.

Source of the rules: *'arm_neon' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from fathom.dialects import load_described
from fathom.dialects.vector.common import rank
from fathom.ir.types import BF16, F32, I8, I32, FloatType, IntegerType, Type, VectorType
from fathom.irdl.code import DialectCode
from fathom.irdl.type_functions import of_each

if TYPE_CHECKING:
    from fathom.ir.operation import Value

WIDER: Final = {"f16": "f32", "bf16": "f32", "f32": "f64"}
"""The floats of twice as many bits."""


def _fills(length: int, element: Type) -> Callable[[object], bool]:
    """Whether a type is a vector of so many elements."""
    return lambda value: (
        isinstance(value, VectorType) and value.shape == (length,) and not value.scalable and value.element == element
    )


def _twice_as_wide(type: Type) -> Type | None:
    """The vector whose elements have twice as many bits."""
    match type:
        case VectorType(shape, IntegerType(width, signedness), scalable):
            return VectorType(shape, IntegerType(2 * width, signedness), scalable)
        case VectorType(shape, FloatType(name), scalable) if name in WIDER:
            return VectorType(shape, FloatType(WIDER[name]), scalable)
        case _:
            return None


def _quarter(type: Type) -> Type | None:
    """The vector of the sums of four elements each."""
    return VectorType((type.ranked_shape[0] // 4,), I32) if isinstance(type, VectorType) and type.shape else None


def _shape(value: Value) -> tuple[int, ...]:
    return value.type.ranked_shape if isinstance(value.type, VectorType) else ()


CODE: Final = DialectCode(
    predicates={
        f"a vector with length {length} of {elements} values": _fills(length, element)
        for length, element, elements in (
            (4, F32, "32-bit float"),
            (8, BF16, "bfloat16 type"),
            (4, I32, "32-bit signless integer"),
            (16, I8, "8-bit signless integer"),
        )
    },
    relations={
        "operand `a` should be 1-dimensional": lambda op: rank(op.a.type) == 1,
        "operand `b` should be 2-dimensional": lambda op: rank(op.b.type) == 2,
        "operand `b` should have 4 columns": lambda op: _shape(op.b)[1:] == (4,),
        "operand `b` should have as many rows as the size of operand `a`": lambda op: (
            _shape(op.b)[:1] == _shape(op.a)[:1]
        ),
    },
    matches={
        "res has same vector shape and element bitwidth scaled by 2 as a": of_each(_twice_as_wide),
        "res has the same number of elements as operand b": of_each(_quarter),
    },
)
DIALECT: Final = load_described("arm_neon", CODE)
