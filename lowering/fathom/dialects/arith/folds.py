"""What floating-point operations, comparisons and `select` fold to; and the table of all folders of the dialect.

Source of the rules: observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from fathom.dialects.arith.cast_folds import CAST_FOLDERS
from fathom.dialects.arith.elements import (
    apply_binary,
    apply_ternary,
    apply_unary,
    as_signed,
    as_unsigned,
    float_value,
    integer_value,
    is_poison,
    width_of,
)
from fathom.dialects.arith.integer_folds import INTEGER_FOLDERS, boolean
from fathom.ir import float_arithmetic
from fathom.ir.attributes import Attribute, DenseElementsAttr, FloatAttr, IntegerAttr, i64_attr
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.floats import is_infinity, is_nan, is_negative
from fathom.ir.operation import Operation, Span, Value
from fathom.ir.types import I1, FloatType, IntegerType, Type, element_type
from fathom.irdl.build import create
from fathom.irdl.dialect import Definitions
from fathom.irdl.folding import Constants, Fold, Folded, one
from fathom.ops import arith as ops
from fathom.rewriting.pattern import defined_by

OnFloats = Callable[[int, int, str], int]
IsNeutral = Callable[[int, str], bool]


def _both(function: OnFloats, op: Operation, constants: Constants) -> Folded:
    type = element_type(op.result.type)
    if not isinstance(type, FloatType):
        return None
    return one(apply_binary(lambda a, b: function(a, b, type.name), constants, op.result.type))


def _float(function: OnFloats, is_neutral: IsNeutral | None = None, *, idempotent: bool = False) -> Fold:
    """X with the neutral constant on its right is x; with `idempotent`, x with x is x."""

    def fold(op: Operation, constants: Constants) -> Folded:
        lhs, rhs = op.operands
        if idempotent and lhs is rhs:
            return [rhs]
        number = float_value(constants[1])
        if number is not None and is_neutral is not None and is_neutral(*number):
            return [lhs]
        return _both(function, op, constants)

    return fold


def _with_sign(test: IsNeutral, *, negative: bool) -> IsNeutral:
    """Whether a float is what the test says, and negative, or not."""
    return lambda bits, name: test(bits, name) and is_negative(bits, name) == negative


def _is_one(bits: int, name: str) -> bool:
    return float_arithmetic.to_integer(bits, name) == 1 and float_arithmetic.to_fraction(bits, name) == 1


_NO_NANS_NO_SIGNED_ZEROS: Final = 2 | 8


def fold_mulf(op: ops.MulfOp, constants: Constants) -> Folded:
    """X * 1 = x; x * 0 = 0 where NaNs and the sign of zero do not matter."""
    number = float_value(constants[1])
    if number is not None and _is_one(*number):
        return [op.lhs]
    lax = op.fastmath.value & _NO_NANS_NO_SIGNED_ZEROS == _NO_NANS_NO_SIGNED_ZEROS
    if lax and number is not None and float_arithmetic.is_zero(*number):
        return [op.rhs]
    return _both(float_arithmetic.multiply, op, constants)


def fold_negf(op: ops.NegfOp, constants: Constants) -> Folded:
    """-(-x) = x."""
    inner, type = defined_by(op.operand, ops.NegfOp), element_type(op.result.type)
    if inner is not None:
        return [inner.operand]
    if not isinstance(type, FloatType):
        return None
    return one(apply_unary(lambda a: float_arithmetic.negate(a, type.name), constants, op.result.type))


# ---- comparisons, whose predicates are kept as numbers

_EQ: Final = 0
_NE: Final = 1
_TRUE_OF_EQUALS: Final = frozenset((0, 3, 5, 7, 9))
"""`eq` and the predicates with an `e` at their end."""
_SWAPPED: Final = {0: 0, 1: 1, 2: 4, 3: 5, 4: 2, 5: 3, 6: 8, 7: 9, 8: 6, 9: 7}
"""The predicate that holds for (b, a) when the given one holds for (a, b)."""


def compare_integers(predicate: int, a: int, b: int, width: int) -> bool:
    """What `arith.cmpi` gives for two integers of `width` bits."""
    view = as_unsigned if predicate >= 6 or predicate < 2 else as_signed
    a, b = view(a, width), view(b, width)
    match predicate:
        case 0:
            return a == b
        case 1:
            return a != b
        case 2 | 6:
            return a < b
        case 3 | 7:
            return a <= b
        case 4 | 8:
            return a > b
        case _:
            return a >= b


def fold_cmpi(op: ops.CmpiOp, constants: Constants) -> Folded:
    """Equal operands; a boolean compared with a boolean constant; a constant moves to the right; two constants, none of
    which is poison."""
    predicate, lhs, rhs, type = op.predicate.value, op.lhs, op.rhs, op.result.type
    if lhs is rhs:
        return one(boolean(predicate in _TRUE_OF_EQUALS, type))
    as_boolean = _fold_boolean(lhs, constants[1], predicate)
    if as_boolean is not None:
        return [as_boolean]
    if constants[0] is not None and constants[1] is None:
        op.set_operands([rhs, lhs])
        op.properties["predicate"] = i64_attr(_SWAPPED[predicate])
        return []
    if any(map(is_poison, constants)):
        return None
    width = width_of(lhs.type)
    return one(apply_binary(lambda a, b: int(compare_integers(predicate, a, b, width)), constants, type))


def _fold_boolean(lhs: Value, rhs: Attribute | None, predicate: int) -> Value | None:
    """B != 0 and b == 1 are b, for an `i1` b; ext(b) != 0 too."""
    value = integer_value(rhs)
    if (value, predicate) not in ((0, _NE), (1, _EQ)):
        return None
    extension = defined_by(lhs, ops.ExtsiOp) or defined_by(lhs, ops.ExtuiOp)
    if value == 0 and extension is not None and element_type(extension.in_.type) == I1:
        return extension.in_
    return lhs if element_type(lhs.type) == I1 else None


_UNORDERED: Final = 8
"""The first predicate that is true of NaN; those before it, in the same order without one, are the ordered ones."""
_UNO: Final = 14
_TRUE: Final = 15


def compare_floats(predicate: int, a: int, b: int, name: str) -> bool:
    """What `arith.cmpf` gives for two bit patterns. In an ordered predicate, bits 0 to 2 stand for `=`, `>` and `<`."""
    order = float_arithmetic.compare(a, b, name)
    if order is None or predicate == _TRUE:
        return predicate >= _UNORDERED
    relations = predicate if predicate < _UNORDERED else (predicate - _UNORDERED + 1) % _UNORDERED
    if predicate == _UNO:
        return False
    return bool(relations & (1 if order == 0 else 2 if order > 0 else 4))


def fold_cmpf(op: ops.CmpfOp, constants: Constants) -> Folded:
    """Two constants, of which a NaN decides alone; scalars only."""
    lhs, rhs = (c if isinstance(c, FloatAttr) else None for c in constants)
    if lhs is not None and is_nan(lhs.bits, lhs.type.name):
        rhs = lhs
    if rhs is not None and is_nan(rhs.bits, rhs.type.name):
        lhs = rhs
    if lhs is None or rhs is None:
        return None
    return one(boolean(compare_floats(op.predicate.value, lhs.bits, rhs.bits, lhs.type.name), I1))


def fold_select(op: ops.SelectOp, constants: Constants) -> Folded:
    """Equal values; a constant condition; what is not poison; `select c, true, false` is c; a choice between what was
    compared for equality."""
    condition, when_true, when_false = op.operands
    if when_true is when_false:
        return [when_true]
    chosen = integer_value(constants[0])
    if chosen is not None:
        return [when_true if chosen else when_false]
    if is_poison(constants[1]) or is_poison(constants[2]):
        return [when_false if is_poison(constants[1]) else when_true]
    type = op.result.type
    if type == I1 and integer_value(constants[1]) == 1 and integer_value(constants[2]) == 0:
        return [condition]
    comparison = defined_by(condition, ops.CmpiOp)
    if comparison is not None and {*comparison.operands} == {when_true, when_false}:
        if comparison.predicate.value in (_EQ, _NE):
            return [when_true if comparison.predicate.value == _NE else when_false]
    if isinstance(constants[0], DenseElementsAttr) and isinstance(constants[1], DenseElementsAttr):
        return one(apply_ternary(lambda c, a, b: a if c else b, constants, type))
    return None


FOLDS: Final[Mapping[str, Fold]] = {
    **INTEGER_FOLDERS,
    **CAST_FOLDERS,
    "arith.constant": lambda op, constants: [op.value],
    "arith.cmpi": fold_cmpi,
    "arith.cmpf": fold_cmpf,
    "arith.select": fold_select,
    "arith.addf": _float(float_arithmetic.add, _with_sign(float_arithmetic.is_zero, negative=True)),
    "arith.subf": _float(float_arithmetic.subtract, _with_sign(float_arithmetic.is_zero, negative=False)),
    "arith.mulf": fold_mulf,
    "arith.divf": _float(float_arithmetic.divide, _is_one),
    "arith.remf": _float(float_arithmetic.remainder),
    "arith.negf": fold_negf,
    "arith.maximumf": _float(float_arithmetic.maximum, _with_sign(is_infinity, negative=True), idempotent=True),
    "arith.minimumf": _float(float_arithmetic.minimum, _with_sign(is_infinity, negative=False), idempotent=True),
    "arith.maxnumf": _float(float_arithmetic.maxnum, is_nan, idempotent=True),
    "arith.minnumf": _float(float_arithmetic.minnum, is_nan, idempotent=True),
}


# ---- constants


def materialize_constant(context: Definitions, attribute: Attribute, type: Type, span: Span | None) -> Operation | None:
    """The `arith.constant` of an attribute, or its `ub.poison`; None for one that neither can hold."""
    if isinstance(attribute, DialectAttr):
        from fathom.dialects.ub import folds as ub  # It brings the reader of descriptions, which few files need.

        return ub.materialize_constant(context, attribute, type, span)
    if not isinstance(attribute, (IntegerAttr, FloatAttr, DenseElementsAttr)) or attribute.type != type:
        return None
    if isinstance(type, IntegerType) and type.signedness:
        return None
    return create(context, "arith.constant", (), [type], {"value": attribute}, span=span)


MATERIALIZE_CONSTANT: Final = materialize_constant
