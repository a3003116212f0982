"""The types of emitc: which types C has, and arrays.

Source of the rules: *'emitc' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, TypeGuard, cast

from fathom.ir.dialect_values import DialectType, Parameter
from fathom.ir.types import (
    DYNAMIC,
    FloatType,
    IndexType,
    IntegerType,
    Speller,
    TensorType,
    TupleType,
    Type,
    UnknownType,
)
from fathom.irdl.parametric import CustomBody
from fathom.irdl.terms import Test

if TYPE_CHECKING:
    from fathom.irdl.readers import BodyReader, ParameterReader

_WIDTHS: Final = frozenset((1, 8, 16, 32, 64))
_FLOATS: Final = frozenset(("f16", "bf16", "f32", "tf32", "f64"))
_POINTER_WIDE: Final = frozenset(("size_t", "ssize_t", "ptrdiff_t"))


def is_named(type: object, *names: str) -> TypeGuard[DialectType]:
    """Whether a type is one of the dialect with one of these names."""
    return isinstance(type, DialectType) and type.dialect == "emitc" and type.name in names


def inner(type: Type) -> Type:
    """What an lvalue or a pointer refers to, or the elements of an array; of all else, the type itself."""
    names = {"lvalue": "valueType", "ptr": "pointee", "array": "elementType"}
    if not is_named(type, *names):
        return type
    parameter = type.parameter(names[type.name])
    return parameter if isinstance(parameter, Type) else type


def extents(type: Type) -> tuple[int, ...]:
    """The shape of an array."""
    shape = type.parameter("shape") if is_named(type, "array") else ()
    return tuple(extent for extent in shape if isinstance(extent, int)) if isinstance(shape, tuple) else ()


def is_pointer_wide(type: object) -> bool:
    """Whether a type is an integer as wide as a pointer."""
    return is_named(type, *_POINTER_WIDE)


def is_integer(type: object) -> bool:
    return isinstance(type, UnknownType) or (isinstance(type, IntegerType) and type.width in _WIDTHS)


def is_integer_index_or_opaque(type: object) -> bool:
    """Whether a type can count."""
    return isinstance(type, IndexType) or is_named(type, "opaque") or is_integer(type) or is_pointer_wide(type)


def is_float(type: object) -> bool:
    return isinstance(type, UnknownType) or (isinstance(type, FloatType) and type.name in _FLOATS)


def is_supported(type: object) -> bool:
    """Whether C has such a type."""
    if is_named(type, "opaque") or is_integer_index_or_opaque(type) or is_float(type):
        return True
    if is_named(type, "ptr"):
        return is_supported(inner(type))
    if is_named(type, "array"):
        return not is_named(inner(type), "array") and is_supported(inner(type))
    if isinstance(type, TensorType):
        has_shape = type.shape is not None and DYNAMIC not in type.shape
        return has_shape and not is_named(type.element, "array") and is_supported(type.element)
    if isinstance(type, TupleType):
        return all(not is_named(element, "array") and is_supported(element) for element in type.elements)
    return False


def is_fundamental(type: object) -> bool:
    """Whether C computes with a type without calling anything."""
    is_built_in = isinstance(type, IndexType) or is_pointer_wide(type) or is_integer(type)
    return is_built_in or is_float(type) or is_named(type, "ptr")


PREDICATES: Final[Mapping[str, Test]] = {
    "EmitCFloatType": is_float,
    "EmitCType": is_supported,
    "EmitC_LValueOf_1": lambda type: is_named(type, "lvalue") and is_named(inner(type), "opaque", "ptr"),
    "EmitC_LValueOf_2": lambda type: is_named(type, "lvalue") and is_named(inner(type), "opaque"),
    "IntegerIndexOrOpaqueType": is_integer_index_or_opaque,
}


# ---- arrays


def _may_be_element(type: Type) -> bool:
    return is_integer_index_or_opaque(type) or is_float(type) or is_named(type, "ptr")


def _read_array(reader: ParameterReader) -> Sequence[Parameter]:
    """`2x3xi32`."""
    body = cast("BodyReader", reader)
    shape = body.dimensions()
    if DYNAMIC in shape:
        body.fail_before("expected static shape")
    element = body.type()
    if not _may_be_element(element):
        body.fail_before(f"invalid array element type ''{element}''")
    if not shape:
        body.fail("shape must not be empty")
    return tuple(shape), element


def _spell_array(values: Sequence[Parameter], of: Speller) -> str:
    shape, element = values
    numbers = shape if isinstance(shape, tuple) else ()
    return f"{''.join(f'{number}x' for number in numbers)}{of(cast('Type', element))}"


BODIES: Final = {"ArrayType": CustomBody(("shape", "elementType"), _read_array, _spell_array)}


# ---- what is wrong with parameters


def _lvalue_problem(parameters: Mapping[str, Parameter]) -> str | None:
    value = parameters["valueType"]
    if not isinstance(value, Type) or value.__class__.__name__ == "TypeGap":
        return None
    if not is_supported(value):
        return f"!emitc.lvalue must wrap supported emitc type, but got '{value}'"
    return "!emitc.lvalue cannot wrap !emitc.array type" if is_named(value, "array") else None


def _opaque_problem(parameters: Mapping[str, Parameter]) -> str | None:
    value = str(parameters["value"])
    if not value:
        return "expected non empty string in !emitc.opaque type"
    if value.endswith("*"):
        return "pointer not allowed as outer type with !emitc.opaque, use !emitc.ptr instead"
    return None


def _pointer_problem(parameters: Mapping[str, Parameter]) -> str | None:
    return "pointers to lvalues are not allowed" if is_named(parameters["pointee"], "lvalue") else None


PARAMETERS: Final = {"LValueType": _lvalue_problem, "OpaqueType": _opaque_problem, "PointerType": _pointer_problem}
