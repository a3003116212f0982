"""What operations of tosa fold to: what changes nothing, and what is computed of splats.

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod
from typing import Final, TypeAlias

from fathom.dialects.arith.elements import as_signed, constant, element_at
from fathom.dialects.tosa.splat_casts import converted
from fathom.dialects.tosa.values import REDUCTIONS, Reduction, integers_of, is_int, shape_of, shape_rank, zero_point
from fathom.ir import float_arithmetic
from fathom.ir.attributes import Attribute, DenseElementsAttr, DenseResourceAttr, SparseElementsAttr
from fathom.ir.floats import from_float
from fathom.ir.operation import Operation, Value
from fathom.ir.types import DYNAMIC, FloatType, IndexType, IntegerType, ShapedType, TensorType, Type, element_type
from fathom.irdl.build import constants_by
from fathom.irdl.folding import Constants, Fold, Folded, one
from fathom.ops import tosa as ops
from fathom.records import replace
from fathom.rewriting.pattern import defined_by


def splat_of(attribute: Attribute | None) -> int | None:
    """The only number of a constant tensor, or its bit pattern; None where there are several."""
    if not isinstance(attribute, DenseElementsAttr) or not attribute.is_splat:
        return None
    value = attribute.values[0]
    return value if isinstance(value, int) else None


def _stored(attribute: Attribute | None) -> Type | None:
    """The element type of a constant; that of a tensor of quantized numbers is another."""
    return attribute.type.element if isinstance(attribute, DenseElementsAttr) else None


def _is_zero(attribute: Attribute | None, type: Type) -> bool:
    """Whether all elements are zero, of a constant of elements of this type."""
    value, element = splat_of(attribute), element_type(type)
    if isinstance(element, FloatType):
        return value is not None and float_arithmetic.is_zero(value, element.name)
    return isinstance(element, IntegerType) and value == 0


def _is_one(attribute: Attribute | None, type: Type, shift: int) -> bool:
    """Whether a product with all elements, of which that many bits are dropped, is the other factor."""
    value, element = splat_of(attribute), element_type(type)
    if value is None:
        return False
    if isinstance(element, FloatType):
        return value == from_float(1.0, element.name)
    return isinstance(element, IntegerType) and as_signed(value, element.width) == 1 << shift


def _all_ranked(op: Operation) -> bool:
    types = [value.type for value in (*op.operands[:2], op.result)]
    return all(isinstance(type, TensorType) and type.shape is not None for type in types)


def _are_numbers(op: ops.AddOp | ops.SubOp) -> bool:
    return _all_ranked(op) and all(_is_number(value.type) for value in op.operands)


def _one_along(axis: int, value: Value) -> bool:
    """Whether there is one element along an axis."""
    shape = shape_of(value.type)
    return shape is not None and (not shape or shape[axis] == 1)


def _is_number(type: Type) -> bool:
    return isinstance(element_type(type), (IntegerType, IndexType, FloatType))


# ---- arithmetic


OnNumbers: TypeAlias = Callable[[int, int], "int | None"]
OnFloats: TypeAlias = Callable[[int, int, str], "int | None"]


def _splat(value: int | None, type: Type) -> Folded:
    """A constant of equal elements, if one was found."""
    return one(constant(value, type) if value is not None else None)


def _of_splats(op: Operation, constants: Constants, on_numbers: OnNumbers, on_floats: OnFloats) -> Folded:
    """What is computed of two splats of one element type, signed numbers or bit patterns of floats."""
    left, right, element = splat_of(constants[0]), splat_of(constants[1]), _stored(constants[0])
    if left is None or right is None or element != _stored(constants[1]):
        return None
    if isinstance(element, FloatType):
        return _splat(on_floats(left, right, element.name), op.result.type)
    if isinstance(element, IntegerType):
        number = on_numbers(as_signed(left, element.width), as_signed(right, element.width))
        return _splat(number, op.result.type)
    return None


def _fold_add(op: ops.AddOp, constants: Constants) -> Folded:
    result = op.result.type
    if not _are_numbers(op):
        return None
    for value, other in zip(op.operands, reversed(constants), strict=True):
        if value.type == result and _is_zero(other, result):
            return [value]
    return _of_splats(op, constants, lambda a, b: a + b, float_arithmetic.add)


def _fold_sub(op: ops.SubOp, constants: Constants) -> Folded:
    result = op.result.type
    if not _are_numbers(op):
        return None
    if op.input1.type == result and _is_zero(constants[1], result):
        return [op.input1]
    return _of_splats(op, constants, lambda a, b: a - b, float_arithmetic.subtract)


def _fold_mul(op: ops.MulOp, constants: Constants) -> Folded:
    result, shift = op.result.type, 0
    if not _all_ranked(op) or not isinstance(result, TensorType):
        return None
    if is_int(result.element, 32):
        known = splat_of(constants[2])
        if known is None:
            return None
        shift = known
    for factor, value in ((constants[0], op.input2), (constants[1], op.input1)):
        if value.type != result:
            continue
        if isinstance(factor, DenseElementsAttr) and _is_zero(factor, result) and result.has_static_shape:
            return [replace(factor, type=result)]
        if _is_one(factor, result, shift):
            return [value]
    if _stored(constants[0]) != result.element and not shift:
        return None
    return _of_splats(op, constants, lambda a, b: _shifted(a * b, shift), float_arithmetic.multiply)


def _shifted(product: int, shift: int) -> int | None:
    """A product without its lowest bits, rounded; None where it is then too large."""
    if shift <= 0:
        return product
    number = as_signed(product + (1 << (shift - 1)), 64) >> shift
    return number if -(1 << 31) <= number < 1 << 31 else None


def _fold_intdiv(op: ops.IntdivOp, constants: Constants) -> Folded:
    types = [value.type for value in op.operands]
    if not _all_ranked(op) or types[0] != types[1] or not isinstance(element_type(op.result.type), IntegerType):
        return None
    left, right = map(splat_of, constants)
    if left == 0 and constants[0] is not None:
        return [constants[0]]
    if right == 1:
        return [op.input1]
    return _of_splats(op, constants, _quotient, lambda a, b, name: None)


def _quotient(a: int, b: int) -> int | None:
    if not b:
        return None
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _comparison(on_numbers: Callable[[int, int], bool], orders: tuple[int, ...]) -> Fold:
    """`orders` are those of which the comparison of floats is true: -1, 0 and 1."""

    def on_floats(a: int, b: int, name: str) -> int:
        return int(float_arithmetic.compare(a, b, name) in orders)

    return lambda op, constants: _of_splats(op, constants, lambda a, b: int(on_numbers(a, b)), on_floats)


_compare_equal: Final = _comparison(lambda a, b: a == b, (0,))


def _fold_equal(op: ops.EqualOp, constants: Constants) -> Folded:
    """A number is equal to itself, but a float need not be."""
    if op.input1 is op.input2 and isinstance(element_type(op.input1.type), IntegerType):
        return _splat(1, op.result.type) or _compare_equal(op, constants)
    return _compare_equal(op, constants)


def _fold_argmax(op: ops.ArgmaxOp, constants: Constants) -> Folded:
    """The greatest of one is the first."""
    input, result = op.input.type, op.result.type
    if not isinstance(input, TensorType) or not isinstance(result, TensorType):
        return None
    static = input.has_static_shape and result.has_static_shape
    if not static or not isinstance(result.element, IntegerType) or input.ranked_shape[op.axis.value] != 1:
        return None
    return _splat(0, result)


def _fold_cast(op: ops.CastOp, constants: Constants) -> Folded:
    value, result, splat = op.input, op.result.type, splat_of(constants[0])
    if value.type == result:
        return [value]
    if splat is None or not isinstance(result, ShapedType):
        return None
    return _splat(converted(splat, element_type(value.type), result.element), result)


def _fold_negate(op: ops.NegateOp, constants: Constants) -> Folded:
    """Twice negated, without zero points, is as it was."""
    inner = defined_by(op.input1, ops.NegateOp)
    if inner is None or any(zero_point(value) != 0 for value in (*op.operands[1:], *inner.operands[1:])):
        return None
    return [inner.input1]


def _fold_abs(op: ops.AbsOp, constants: Constants) -> Folded:
    return [op.input1] if defined_by(op.input1, ops.AbsOp) is not None else None


def _fold_reciprocal(op: ops.ReciprocalOp, constants: Constants) -> Folded:
    splat, element = splat_of(constants[0]), _stored(constants[0])
    if splat is None or not isinstance(element, FloatType):
        return None
    return _splat(float_arithmetic.divide(from_float(1.0, element.name), splat, element.name), op.result.type)


def _fold_select(op: ops.SelectOp, constants: Constants) -> Folded:
    """Of two that are one, or with a choice that is known; of tensors of one known shape."""
    shapes = {shape_of(value.type) for value in op.operands}
    (shape,) = shapes if len(shapes) == 1 else (None,)
    if shape is None or DYNAMIC in shape:
        return None
    _, then, otherwise = op.operands
    if then is otherwise:
        return [then]
    choice = splat_of(constants[0])
    return None if choice is None else [then if choice else otherwise]


# ---- shapes


def _fold_reduction(op: Reduction, constants: Constants) -> Folded:
    """What is reduced along an axis of one stays."""
    return [op.input] if op.input.type == op.result.type and _one_along(op.axis.value, op.input) else None


def _fold_reshape(op: ops.ReshapeOp, constants: Constants) -> Folded:
    value, result, elements = op.input1, op.result.type, constants[0]
    if not isinstance(value.type, TensorType) or not isinstance(result, TensorType):
        return None
    if value.type.shape is None or result.shape is None:
        return None
    # With two sizes that are not known, elements may move from one to the other.
    if value.type == result and value.type.shape.count(DYNAMIC) < 2:
        return [value]
    inner = defined_by(value, ops.ReshapeOp)
    if inner is not None:
        op.set_operand(0, inner.input1)
        return []
    if not _is_number(value.type) or not isinstance(elements, DenseElementsAttr) or not result.has_static_shape:
        return None
    if elements.is_splat:
        return [replace(elements, type=result)]
    # Elements are not stored twice.
    sizes = integers_of(op.shape, only_shapes=True) if sum(value.uses.values()) == 1 else None
    return [replace(elements, type=replace(elements.type, shape=tuple(sizes)))] if sizes is not None else None


def _fold_pad(op: ops.PadOp, constants: Constants) -> Folded:
    value = op.input1
    return [value] if value.type == op.result.type and splat_of(constants[1]) == 0 else None


def _fold_resize(op: ops.ResizeOp, constants: Constants) -> Folded:
    """An image of the same size as before, at the same place."""
    scale, offset, border = (integers_of(value) for value in op.operands[1:])
    if scale is None or len(scale) != 4 or scale[0] != scale[1] or scale[2] != scale[3]:
        return None
    if offset != [0, 0] or border != [0, 0] or op.input.type != op.result.type:
        return None
    return [op.input]


def _fold_reverse(op: ops.ReverseOp, constants: Constants) -> Folded:
    elements = constants[0]
    if elements is not None and splat_of(elements) is not None:
        return [elements]
    return [op.input1] if _one_along(op.axis.value, op.input1) else None


def _fold_slice(op: ops.SliceOp, constants: Constants) -> Folded:
    value, result, elements = op.input1, op.result.type, constants[0]
    if not isinstance(value.type, TensorType) or not isinstance(result, TensorType):
        return None
    if value.type == result and result.has_static_shape:
        return [value]
    if not isinstance(elements, DenseElementsAttr) or not _is_number(value.type) or not result.has_static_shape:
        return None
    if elements.is_splat:
        return [replace(elements, type=result)]
    start = integers_of(op.start)
    if start is None or prod(result.ranked_shape) != 1:
        return None
    place = 0
    for index, extent in zip(start, elements.type.ranked_shape, strict=True):
        place = place * extent + index
    attribute = element_at(elements, place)
    return [replace(elements, values=(elements.values[place],), type=result)] if attribute is not None else None


def _fold_tile(op: ops.TileOp, constants: Constants) -> Folded:
    value, multiples = op.input1, constants[1]
    if value.type != op.result.type or not isinstance(multiples, DenseElementsAttr) or not multiples.values:
        return None
    return [value] if all(multiple == 1 for multiple in multiples.values) else None


def _fold_transpose(op: ops.TransposeOp, constants: Constants) -> Folded:
    elements, result, order = constants[0], op.result.type, op.perms.values
    if isinstance(elements, DenseElementsAttr) and elements.is_splat and isinstance(result, ShapedType):
        if result.has_static_shape and elements.type.element == result.element:
            return [replace(elements, type=result)]
    return [op.input1] if order == tuple(range(len(order))) else None


def _fold_concat(op: ops.ConcatOp, constants: Constants) -> Folded:
    """Parts that are made of parts along the same axis give way to these."""
    parts: list[Value] = []
    for part in op.operands:
        inner = defined_by(part, ops.ConcatOp)
        parts += inner.operands if inner is not None and inner.axis.value == op.axis.value else [part]
    if parts == op.operands:
        return None
    op.set_operands(parts)
    return []


FOLDS: Final[Mapping[str, Fold]] = {
    "tosa.abs": _fold_abs,
    "tosa.add": _fold_add,
    "tosa.argmax": _fold_argmax,
    "tosa.cast": _fold_cast,
    "tosa.concat": _fold_concat,
    "tosa.equal": _fold_equal,
    "tosa.greater": _comparison(lambda a, b: a > b, (1,)),
    "tosa.greater_equal": _comparison(lambda a, b: a >= b, (0, 1)),
    "tosa.intdiv": _fold_intdiv,
    "tosa.mul": _fold_mul,
    "tosa.negate": _fold_negate,
    "tosa.pad": _fold_pad,
    "tosa.reciprocal": _fold_reciprocal,
    **dict.fromkeys(REDUCTIONS, _fold_reduction),
    "tosa.reshape": _fold_reshape,
    "tosa.resize": _fold_resize,
    "tosa.reverse": _fold_reverse,
    "tosa.select": _fold_select,
    "tosa.slice": _fold_slice,
    "tosa.sub": _fold_sub,
    "tosa.tile": _fold_tile,
    "tosa.transpose": _fold_transpose,
}


# ---- what they fold to


def _are_elements(attribute: Attribute) -> bool:
    return isinstance(attribute, (DenseElementsAttr, DenseResourceAttr, SparseElementsAttr))


MATERIALIZE_CONSTANT: Final = constants_by(
    ("tosa.const_shape", "values", lambda value, type: _are_elements(value) and shape_rank(type) is not None),
    ("tosa.const", "values", lambda value, type: _are_elements(value) and isinstance(type, TensorType)),
)
