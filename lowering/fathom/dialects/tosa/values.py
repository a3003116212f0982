"""What the checks of tosa ask of values: shapes, element types, and numbers that are known."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Final, TypeAlias

from fathom.dialects.quant.types import QuantizedType
from fathom.ir.attributes import Attribute, DenseElementsAttr
from fathom.ir.dialect_values import DialectType
from fathom.ir.operation import Operation, Value
from fathom.ir.types import DYNAMIC, FloatType, IntegerType, ShapedType, TensorType, Type, element_type
from fathom.irdl.checking import incompatible
from fathom.irdl.definition import Trait
from fathom.irdl.type_traits import compatible
from fathom.irdl.verifying import Complaint
from fathom.ops import tosa as ops

Reduction: TypeAlias = (
    "ops.ReduceAllOp | ops.ReduceAnyOp | ops.ReduceMaxOp | ops.ReduceMinOp | ops.ReduceProductOp | ops.ReduceSumOp"
)
REDUCTIONS: Final = tuple(f"tosa.reduce_{name}" for name in ("all", "any", "max", "min", "product", "sum"))
_MOST: int = 64
"""More constants than any operation of tosa looks at."""


# ---- types


def shape_of(type: Type) -> tuple[int, ...] | None:
    """The shape of a ranked type; None for another."""
    return type.shape if isinstance(type, ShapedType) else None


def stored_of(type: Type) -> Type:
    """The element type, or what its quantized numbers are stored as."""
    element = element_type(type)
    if not isinstance(element, QuantizedType):
        return element
    storage = element.storage
    return storage.type if storage.signed else IntegerType(storage.type.width, "u")


def is_plain(type: Type) -> bool:
    """Whether an element type is none of another dialect, which may be a quantized one."""
    return isinstance(type, (IntegerType, FloatType))


def is_int(type: Type, width: int) -> bool:
    """Whether a type is an integer of this width, with a sign or without."""
    return isinstance(type, IntegerType) and type.width == width


def is_float(type: Type, *names: str) -> bool:
    """Whether a type is a float, of one of these names if any are given."""
    return isinstance(type, FloatType) and (not names or type.name in names)


def static(*extents: int) -> bool:
    """Whether all extents are known."""
    return DYNAMIC not in extents


def check_inferred(shape: Sequence[int] | None, element: Type, result: Type) -> Complaint:
    """The result may be what follows from the operands: a tensor of these elements, of this shape if it is known."""
    if element == element_type(result) and compatible(shape, shape_of(result)):
        return None
    return incompatible([TensorType(tuple(shape) if shape is not None else None, element)], [result])


def shape_rank(type: Type) -> int | None:
    """The rank of `!tosa.shape<rank>`; None for another type."""
    if not isinstance(type, DialectType) or type.full_name != "tosa.shape":
        return None
    rank = type.parameters[0]
    return rank if isinstance(rank, int) else None


# ---- constants


_CONSTANTS: Final = {"tosa.const": "values", "tosa.const_shape": "values", "arith.constant": "value"}
"""What makes constants, and the property that holds the elements."""


def constant_of(value: Value) -> DenseElementsAttr | None:
    """The elements of a constant tensor or shape."""
    op = value.defining_op
    key = _CONSTANTS.get(op.name) if op is not None else None
    attribute: Attribute | None = op.properties.get(key) if op is not None and key is not None else None
    return attribute if isinstance(attribute, DenseElementsAttr) else None


def integers_of(value: Value, *, only_shapes: bool = False) -> list[int] | None:
    """The integers of a constant of few elements; with `only_shapes`, of one made by `tosa.const_shape`."""
    elements, count = constant_of(value), count_of_integers(value, only_shapes=only_shapes)
    if elements is None or count is None or count > _MOST:
        return None
    values = [number for number in elements.values if isinstance(number, int)]
    return values * count if elements.is_splat else values


def count_of_integers(value: Value, *, only_shapes: bool = False) -> int | None:
    """How many integers a constant has, be they few or many; None of what is no such constant."""
    if only_shapes and not isinstance(value.defining_op, ops.ConstShapeOp):
        return None
    elements = constant_of(value)
    shape = elements.type.shape if elements is not None else None
    if elements is None or shape is None or is_float(elements.type.element):
        return None
    return prod(shape)


def zero_point(value: Value, *, signed: bool = True) -> int | None:
    """The zero point that a constant says; -1 for a float that is not zero, None where it is not known."""
    elements = constant_of(value)
    if elements is None or not elements.values or not isinstance(elements.values[0], int):
        return None
    first, element = elements.values[0], elements.type.element
    if is_float(element):
        return 0 if first == 0 else -1
    if not isinstance(element, IntegerType):
        return -1
    if not signed:
        return first % (1 << element.width)
    return first - (1 << element.width) if first >> (element.width - 1) == 1 else first


def same_elements(left: Type, right: Type, names: tuple[str, str] = ("input", "output")) -> str | None:
    """Element types that are to be the same."""
    a, b = element_type(left), element_type(right)
    is_known = isinstance(left, TensorType) and isinstance(right, TensorType) and is_plain(a) and is_plain(b)
    if not is_known or a == b:
        return None
    return f"expect {names[0]} and {names[1]} to have same element type, got '{a}' and '{b}'"


def same_input_and_output(op: Operation) -> str | None:
    """The first operand and the first result have one element type."""
    return same_elements(op.operands[0].type, op.results[0].type)


def check_zero_points(
    op: Operation, *names: str, rule: str = "both {0} and its zero point are the same element type"
) -> str | None:
    """Zero points have the element type of the operands and the output that they are for, and are zero for all but
    bytes."""
    zeros = {name: op.one_of(f"{name}_zp") for name in names}
    for name, zero in zeros.items():
        value = op.result if name == "output" else op.one_of(name)
        a, b = stored_of(value.type), stored_of(zero.type)
        if is_plain(a) and is_plain(b) and a != b:
            return f"expect {rule.format(name)}, got '{a}' and '{b}'"
    for name, zero in zeros.items():
        if zero_point(zero) and not is_int(stored_of(zero.type), 8):
            return f"{name} zero point must be zero for non-int8 integer types"
    return None


# ---- traits


def _resolvable(op: Operation) -> str | None:
    """What breaks `TosaResolvableShapeOperands`: a shape that no operation on shapes makes."""
    for value in op.operands:
        if shape_rank(value.type) is None:
            continue
        source = value.defining_op
        if source is None or (source.definition is not None and not source.has(_MAKES_SHAPES)):
            return "shape operand is not compile time resolvable"
    return None


def _same_shape_ranks(op: Operation) -> str | None:
    """What breaks `TosaShapeOperatorWithSameRanks`."""
    ranks = [shape_rank(value.type) for value in op.operands]
    if len(set(ranks)) > 1:
        return "operands don't have matching ranks"
    if any(shape_rank(result.type) not in ranks for result in op.results):
        return "result shape has different rank than operands"
    return None


_MAKES_SHAPES: Final = Trait("TosaShapeOperator")
TRAITS: Final = {
    "TosaShapeOperator": _MAKES_SHAPES,
    "TosaResolvableShapeOperands": Trait("TosaResolvableShapeOperands", _resolvable),
    "TosaShapeOperatorWithSameRanks": Trait("TosaShapeOperatorWithSameRanks", _same_shape_ranks),
}
