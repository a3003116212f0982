"""What operations on shapes fold to: constants of constants, and what follows from types.

Source of the rules: observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Final

from fathom.dialects.arith import folds as arith
from fathom.dialects.arith.elements import as_signed, integer_value, is_poison
from fathom.dialects.shape.extents import (
    broadcast_shape,
    extents,
    extents_of,
    is_broadcastable,
    is_extent_tensor,
    is_of,
)
from fathom.ir.attributes import FALSE, TRUE, Attribute, DenseElementsAttr, IntegerAttr, index_attr
from fathom.ir.operation import Operation, Value
from fathom.ir.types import DYNAMIC, ShapedType, Type
from fathom.irdl.build import constants_by
from fathom.irdl.folding import Constants, Fold, Folded
from fathom.ops import shape as ops
from fathom.rewriting.folding import constant_value

IN_PLACE: Final[Sequence[Value | Attribute]] = ()


# ---- constants, and what only passes them on


def _property(name: str) -> Fold:
    return lambda op, _: [op.properties[name]]


def _passed_on(op: Operation, constants: Constants) -> Folded:
    return [constants[0]] if constants[0] is not None else None


def _last(op: ops.AnyOp, constants: Constants) -> Folded:
    """Of several that are the same: the constant, which stands last."""
    return [constants[-1]] if constants and constants[-1] is not None else None


def _either(op: ops.MaxOp | ops.MinOp, constants: Constants) -> Folded:
    """Of two that are one value: that."""
    return [op.lhs] if op.lhs is op.rhs else None


# ---- numbers


def _of_numbers(function: Callable[[int, int], int | None]) -> Fold:
    def fold(op: Operation, constants: Constants) -> Folded:
        one, other = (constant.value if isinstance(constant, IntegerAttr) else None for constant in constants)
        number = function(one, other) if one is not None and other is not None else None
        return [index_attr(as_signed(number, 64))] if number is not None else None

    return fold


def _fold_add(op: ops.AddOp, constants: Constants) -> Folded:
    """X + 0 = x; poison stays poison."""
    if integer_value(constants[1]) == 0:
        return [op.lhs]
    poison = next((constant for constant in constants if constant is not None and is_poison(constant)), None)
    return [poison] if poison is not None else _SUM(op, constants)


_SUM: Final = _of_numbers(lambda a, b: a + b)


def _of_shape(function: Callable[[list[int]], Attribute]) -> Fold:
    def fold(op: Operation, constants: Constants) -> Folded:
        known = extents_of(constants[0])
        return [function(known)] if known is not None else None

    return fold


# ---- shapes


def _fold_dim(op: ops.DimOp, constants: Constants) -> Folded:
    """A size that the type knows."""
    type, index = op.value.type, integer_value(constants[1])
    shape = type.shape if isinstance(type, ShapedType) else None
    if shape is None or index is None or not 0 <= index < len(shape) or shape[index] == DYNAMIC:
        return None
    return [index_attr(shape[index])]


def _fold_get_extent(op: ops.GetExtentOp, constants: Constants) -> Folded:
    known, index = extents_of(constants[0]), integer_value(constants[1])
    return [index_attr(known[index])] if known is not None and index is not None and 0 <= index < len(known) else None


def _fold_from_extents(op: ops.FromExtentsOp, constants: Constants) -> Folded:
    numbers = [constant.value for constant in constants if isinstance(constant, IntegerAttr)]
    return [extents(numbers)] if len(numbers) == len(constants) else None


def _fold_concat(op: ops.ConcatOp, constants: Constants) -> Folded:
    one, other = map(extents_of, constants)
    return [extents(one + other)] if one is not None and other is not None else None


def _fold_split_at(op: ops.SplitAtOp, constants: Constants) -> Folded:
    known, place = extents_of(constants[0]), integer_value(constants[1])
    if known is None or place is None or not -len(known) <= place <= len(known):
        return None
    place += len(known) if place < 0 else 0
    return [extents(known[:place]), extents(known[place:])]


def _fold_broadcast(op: ops.BroadcastOp, constants: Constants) -> Folded:
    """One shape; the shape to which constants are repeated."""
    if len(op.operands) == 1:
        return [op.operands[0]] if op.operands[0].type == op.result.type else None
    shapes = [extents_of(constant) for constant in constants]
    joined: list[int] | None = shapes[0] if shapes else None
    for shape in shapes[1:]:
        if joined is None or shape is None:
            return None
        joined = broadcast_shape(joined, shape)
    return [extents(joined)] if joined is not None else None


def _fold_shape_eq(op: ops.ShapeEqOp, constants: Constants) -> Folded:
    known = [constant for constant in constants if constant is not None]
    if len(known) != len(constants):
        return None
    return [TRUE if all(attribute == known[0] for attribute in known) else FALSE]


# ---- witnesses


def _fold_cstr_eq(op: ops.CstrEqOp, constants: Constants) -> Folded:
    """Constants that are the same."""
    first = constants[0] if constants else None
    return [TRUE] if all(constant is not None and constant == first for constant in constants) else None


def _fold_cstr_broadcastable(op: ops.CstrBroadcastableOp, constants: Constants) -> Folded:
    """All but one are scalars, or the shapes are known to go together."""
    shapes = [
        constant
        for constant in constants
        if not (isinstance(constant, DenseElementsAttr) and extents_of(constant) == [])
    ]
    if len(shapes) <= 1:
        return [TRUE]
    known = [_known_shape(operand) for operand in op.operands]
    whole = [shape for shape in known if shape is not None]
    return [TRUE] if len(whole) == len(known) and is_broadcastable(whole) else None


def _known_shape(value: Value) -> Sequence[int] | None:
    """What is known of a shape: of a constant, or of that of a tensor with a rank."""
    maker = value.defining_op
    if isinstance(maker, ops.ShapeOfOp):
        type = maker.arg.type
        return type.shape if isinstance(type, ShapedType) else None
    return extents_of(constant_value(value))


def _fold_is_broadcastable(op: ops.IsBroadcastableOp, constants: Constants) -> Folded:
    return [TRUE] if len(op.operands) < 2 else None


def _fold_assuming_all(op: ops.AssumingAllOp, constants: Constants) -> Folded:
    """What holds need not be named; one that does not hold is the answer."""
    kept = len(constants)
    while kept and constants[kept - 1] is not None:
        kept -= 1
        if constants[kept] == FALSE:
            return [FALSE]
    if not kept:
        return [TRUE]
    if kept == len(constants):
        return None
    op.set_operands(op.operands[:kept])
    return IN_PLACE


def _holds(of: Callable[[Type], bool], kind: type[Attribute] = Attribute) -> Callable[[Attribute, Type], bool]:
    """Whether an attribute of a class is a value of one of these types; poison is one of no type."""
    return lambda attribute, type: of(type) and isinstance(attribute, kind) and not is_poison(attribute)


FOLDS: Final[Mapping[str, Fold]] = {
    "shape.add": _fold_add,
    "shape.any": _last,
    "shape.assuming_all": _fold_assuming_all,
    "shape.broadcast": _fold_broadcast,
    "shape.concat": _fold_concat,
    "shape.const_shape": _property("shape"),
    "shape.const_size": _property("value"),
    "shape.const_witness": _property("passing"),
    "shape.cstr_broadcastable": _fold_cstr_broadcastable,
    "shape.cstr_eq": _fold_cstr_eq,
    "shape.cstr_require": _passed_on,
    "shape.dim": _fold_dim,
    "shape.div": _of_numbers(lambda a, b: a // b if b else None),
    "shape.from_extents": _fold_from_extents,
    "shape.get_extent": _fold_get_extent,
    "shape.index_to_size": _passed_on,
    "shape.is_broadcastable": _fold_is_broadcastable,
    "shape.max": _either,
    "shape.min": _either,
    "shape.mul": _of_numbers(lambda a, b: a * b),
    "shape.num_elements": _of_shape(lambda shape: index_attr(as_signed(prod(shape), 64))),
    "shape.rank": _of_shape(lambda shape: index_attr(len(shape))),
    "shape.shape_eq": _fold_shape_eq,
    "shape.size_to_index": _passed_on,
    "shape.split_at": _fold_split_at,
    "shape.to_extent_tensor": _of_shape(extents),
}


MATERIALIZE_CONSTANT: Final = constants_by(
    ("shape.const_shape", "shape", _holds(lambda type: is_of(type, "shape") or is_extent_tensor(type))),
    ("shape.const_size", "value", _holds(lambda type: is_of(type, "size"), IntegerAttr)),
    ("shape.const_witness", "passing", _holds(lambda type: is_of(type, "witness"))),
    otherwise=arith.materialize_constant,
)
