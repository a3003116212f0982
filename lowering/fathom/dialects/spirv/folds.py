"""What operations of spirv fold to, and how constants are made of what operations of others fold to.

Source of the rules: *'spirv' Dialect*, and mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.dialects.arith.elements import (
    apply_binary,
    apply_ternary,
    apply_unary,
    as_signed,
    as_unsigned,
    constant,
    element_at,
    integer_value,
    is_all_ones,
    width_of,
    zero_of,
)
from fathom.dialects.arith.integer_folds import both, divui, remui, towards_zero
from fathom.dialects.spirv.types import ArrayType, SPIRVType, count_of
from fathom.ir.attributes import ArrayAttr, Attribute, DenseElementsAttr, FloatAttr, IntegerAttr
from fathom.ir.property_values import numbers_of
from fathom.ir.types import IntegerType, Type, VectorType
from fathom.irdl.build import constants_by
from fathom.irdl.folding import Constants, Fold, Folded, one
from fathom.ops import spirv as ops
from fathom.rewriting.pattern import defined_by

if TYPE_CHECKING:
    from fathom.ir.operation import Operation

OnWidth: TypeAlias = "Callable[[int, int, int], int | None]"
"""Of two numbers, and how many bits they have; None where that is not defined."""


def _is_constant_of(attribute: Attribute, type: Type) -> bool:
    """Numbers, and vectors and arrays of them."""
    is_value = isinstance(attribute, (IntegerAttr, FloatAttr, DenseElementsAttr, ArrayAttr))
    return is_value and (not isinstance(type, SPIRVType) or isinstance(type, ArrayType))


MATERIALIZE_CONSTANT: Final = constants_by(("spirv.Constant", "value", _is_constant_of))


# ---- arithmetic


def _binary(
    function: OnWidth,
    *,
    neutral: int | None = None,
    absorbing: int | None = None,
    by_one: bool = False,
    same: bool = False,
) -> Fold:
    """X with the neutral number on its right is x, with the absorbing one that; `by_one`, with 1 it is zero; of what is
    the `same` on both sides it is zero."""

    def fold(op: Operation, constants: Constants) -> Folded:
        left, right = op.operands
        number = integer_value(constants[1])
        if number is not None and number == neutral:
            return [left]
        if number is not None and number == absorbing:
            return [right]
        if (same and left is right) or (by_one and number == 1):
            return one(zero_of(op.result.type))
        return both(function, op, constants) if left.type == right.type else None

    return fold


def _overflows(a: int, b: int, width: int) -> bool:
    """Whether a division of numbers with signs has no answer."""
    return b == 0 or (b == -1 and a == -(1 << (width - 1)))


def _signed(function: Callable[[int, int], int]) -> OnWidth:
    """Of numbers with signs, where their quotient is defined."""

    def apply(a: int, b: int, width: int) -> int | None:
        a, b = as_signed(a, width), as_signed(b, width)
        return None if _overflows(a, b, width) else function(a, b)

    return apply


def _shift(function: OnWidth) -> Fold:
    """X shifted by 0 is x; nothing is shifted by as many bits as it has."""

    def shifted(a: int, b: int, width: int) -> int | None:
        b = as_unsigned(b, width)
        return function(a, b, width) if b < width else None

    return _binary(shifted, neutral=0)


def _negated(kind: type[ops.SNegateOp | ops.NotOp | ops.LogicalNotOp], function: Callable[[int], int]) -> Fold:
    """What is done twice is undone."""

    def fold(op: Operation, constants: Constants) -> Folded:
        before = defined_by(op.operands[0], kind)
        return [before.operand] if before is not None else one(apply_unary(function, constants, op.result.type))

    return fold


def _bitwise_and(op: ops.BitwiseAndOp, constants: Constants) -> Folded:
    """X & x = x; x & 0 = 0; x & -1 = x; a number that was made wider, with ones for all bits that it had, is itself."""
    left, right = op.operand1, op.operand2
    mask = integer_value(constants[1])
    if left is right or is_all_ones(constants[1], right.type):
        return [left]
    if mask == 0:
        return [right]
    wider = defined_by(left, ops.UConvertOp)
    if mask is not None and wider is not None:
        had = (1 << width_of(wider.operand.type)) - 1
        if as_unsigned(mask, width_of(right.type)) & had == had:
            return [left]
    return both(lambda a, b, _: a & b, op, constants)


def _bitwise_or(op: ops.BitwiseOrOp, constants: Constants) -> Folded:
    """X | x = x; x | 0 = x; x | -1 = -1."""
    if op.operand1 is op.operand2 or integer_value(constants[1]) == 0:
        return [op.operand1]
    if is_all_ones(constants[1], op.operand2.type):
        return [op.operand2]
    return both(lambda a, b, _: a | b, op, constants)


# ---- comparisons and truth


def _compared(holds: Callable[[int, int], bool], view: Callable[[int, int], int] = as_signed) -> Fold:
    """What is compared with itself is known; so are constants."""

    def fold(op: Operation, constants: Constants) -> Folded:
        type = op.result.type
        if op.operands[0] is op.operands[1] and isinstance(type, (IntegerType, VectorType)):
            return one(constant(int(holds(0, 0)), type))
        width = width_of(op.operands[0].type)
        return one(apply_binary(lambda a, b: int(holds(view(a, width), view(b, width))), constants, type))

    return fold


def _truth(attribute: Attribute | None) -> bool | None:
    """Whether a constant is true, everywhere; None where it is neither."""
    number = integer_value(attribute)
    if number is None or not isinstance(attribute, (IntegerAttr, DenseElementsAttr)) or width_of(attribute.type) != 1:
        return None
    return bool(number)


def _logical(*, keeps: bool) -> Fold:
    """X && true = x, x && false = false; or the other way around."""

    def fold(op: Operation, constants: Constants) -> Folded:
        right = _truth(constants[1])
        return one(None if right is None else op.operands[0] if right == keeps else constants[1])

    return fold


_differ: Final = _compared(lambda a, b: a != b, as_unsigned)


def _logical_not_equal(op: ops.LogicalNotEqualOp, constants: Constants) -> Folded:
    """X != false is x."""
    return [op.operand1] if _truth(constants[1]) is False else _differ(op, constants)


def _select(op: ops.SelectOp, constants: Constants) -> Folded:
    """Of what is the same either way, or of what is known which it is."""
    if op.true_value is op.false_value:
        return [op.true_value]
    condition = _truth(constants[0])
    if condition is not None:
        return [op.true_value if condition else op.false_value]
    if not all(isinstance(attribute, DenseElementsAttr) for attribute in constants):
        return None
    return one(apply_ternary(lambda c, a, b: a if c else b, constants, op.results[0].type))


# ---- casts and composites


def _bitcast(op: ops.BitcastOp, constants: Constants) -> Folded:
    """Of a type to itself, or by way of another and back; by way of another it takes what that takes."""
    result = op.results[0].type
    if op.operand.type == result:
        return [op.operand]
    before = defined_by(op.operand, ops.BitcastOp)
    if before is None:
        return None
    if before.operand.type == result:
        return [before.operand]
    op.set_operand(0, before.operand)
    return []


def _extract(op: ops.CompositeExtractOp, constants: Constants) -> Folded:
    """What was put there is taken out."""
    composite = op.composite
    while (inserted := defined_by(composite, ops.CompositeInsertOp)) is not None:
        if inserted.indices == op.indices:
            return [inserted.object]
        composite = inserted.composite
    indices = numbers_of(op.indices)
    made = defined_by(composite, ops.CompositeConstructOp)
    if made is not None and len(indices) == 1 and len(made.constituents) == count_of(composite.type):
        return [made.constituents[indices[0]]]
    return one(_part(constants[0], indices))


def _part(composite: Attribute | None, indices: Sequence[int]) -> Attribute | None:
    """The part of a constant at some indices."""
    for depth, index in enumerate(indices):
        match composite:
            case ArrayAttr(elements) if index < len(elements):
                composite = elements[index]
            case DenseElementsAttr() if depth == len(indices) - 1:
                composite = element_at(composite, index)
            case _:
                return None
    return composite


def _modulo(a: int, b: int) -> int:
    """The remainder that has the sign of what is divided by."""
    return a % b


FOLDS: Final[dict[str, Fold]] = {
    "spirv.Bitcast": _bitcast,
    "spirv.BitwiseAnd": _bitwise_and,
    "spirv.BitwiseOr": _bitwise_or,
    "spirv.BitwiseXor": _binary(lambda a, b, _: a ^ b, neutral=0, same=True),
    "spirv.CompositeExtract": _extract,
    "spirv.IAdd": _binary(lambda a, b, _: a + b, neutral=0),
    "spirv.IEqual": _compared(lambda a, b: a == b),
    "spirv.IMul": _binary(lambda a, b, _: a * b, neutral=1, absorbing=0),
    "spirv.INotEqual": _compared(lambda a, b: a != b),
    "spirv.ISub": _binary(lambda a, b, _: a - b, same=True),
    "spirv.LogicalAnd": _logical(keeps=True),
    "spirv.LogicalEqual": _compared(lambda a, b: a == b, as_unsigned),
    "spirv.LogicalNot": _negated(ops.LogicalNotOp, lambda a: int(not a)),
    "spirv.LogicalNotEqual": _logical_not_equal,
    "spirv.LogicalOr": _logical(keeps=False),
    "spirv.Not": _negated(ops.NotOp, lambda a: ~a),
    "spirv.SDiv": _binary(_signed(towards_zero), neutral=1),
    "spirv.SGreaterThan": _compared(lambda a, b: a > b),
    "spirv.SGreaterThanEqual": _compared(lambda a, b: a >= b),
    "spirv.SLessThan": _compared(lambda a, b: a < b),
    "spirv.SLessThanEqual": _compared(lambda a, b: a <= b),
    "spirv.SMod": _binary(_signed(_modulo), by_one=True),
    "spirv.SNegate": _negated(ops.SNegateOp, lambda a: -a),
    "spirv.SRem": _binary(_signed(lambda a, b: a - towards_zero(a, b) * b), by_one=True),
    "spirv.Select": _select,
    "spirv.ShiftLeftLogical": _shift(lambda a, b, _: a << b),
    "spirv.ShiftRightArithmetic": _shift(lambda a, b, width: as_signed(a, width) >> b),
    "spirv.ShiftRightLogical": _shift(lambda a, b, width: as_unsigned(a, width) >> b),
    "spirv.UDiv": _binary(divui, neutral=1),
    "spirv.UGreaterThan": _compared(lambda a, b: a > b, as_unsigned),
    "spirv.UGreaterThanEqual": _compared(lambda a, b: a >= b, as_unsigned),
    "spirv.ULessThan": _compared(lambda a, b: a < b, as_unsigned),
    "spirv.ULessThanEqual": _compared(lambda a, b: a <= b, as_unsigned),
    "spirv.UMod": _binary(remui, by_one=True),
}
