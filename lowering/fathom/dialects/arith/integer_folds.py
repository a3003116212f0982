"""What integer operations fold to: identities first, then constants.

Each function gets an operation and its operands' constants, and follows `OpDefinition.fold`.
Source of the rules: observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from fathom.dialects.arith.elements import (
    apply_binary,
    as_signed,
    as_unsigned,
    constant,
    integer_value,
    is_all_ones,
    width_of,
    zero_of,
)
from fathom.ir.attributes import Attribute, EnumAttr, IntegerAttr, i64_attr
from fathom.ir.operation import Operation, Value
from fathom.ir.types import Type
from fathom.irdl.folding import Constants, Fold, Folded
from fathom.rewriting.folding import constant_value
from fathom.rewriting.pattern import defined_by

OnWidth: TypeAlias = "Callable[[int, int, int], int | None]"


def one(folded: Value | Attribute | None) -> Folded:
    """The fold to a single value or attribute, if there is one."""
    return None if folded is None else [folded]


def both(function: OnWidth, op: Operation, constants: Constants) -> Folded:
    """`function(a, b, width)` of two constants, if they are of the type of the operands: a dialect may state others."""
    type = op.operands[0].type
    if any(isinstance(each, IntegerAttr) and each.type != type for each in constants):
        return None
    width = width_of(type)
    return one(apply_binary(lambda a, b: function(a, b, width), constants, op.results[0].type))


def by_last(
    function: OnWidth, is_defined: Callable[[int, int, int], bool], op: Operation, constants: Constants, *, poison: bool
) -> Folded:
    """As `both`, where only the last pair of elements must have an answer, as in mlir-opt, which forgets what it found
    of those before; `poison` says whether what is computed of it is."""
    defined = poison

    def noted(a: int, b: int, width: int) -> int | None:
        nonlocal defined
        defined = is_defined(a, b, width)
        return function(a, b, width)

    folded = both(noted, op, constants)
    return folded if defined else None


_INVERTED: Final = (1, 0, 5, 4, 3, 2, 9, 8, 7, 6)


def inverted_predicate(predicate: IntegerAttr) -> IntegerAttr:
    """The predicate of `arith.cmpi` that holds just where this one does not."""
    return i64_attr(_INVERTED[predicate.value])


def fold_addi(op: Operation, constants: Constants) -> Folded:
    """X + 0 = x; (a - b) + b = a; b + (a - b) = a."""
    lhs, rhs = op.operands
    if integer_value(constants[1]) == 0:
        return [lhs]
    for difference, other in ((lhs, rhs), (rhs, lhs)):
        sub = defined_by(difference, "arith.subi")
        if sub is not None and sub.operands[1] is other:
            return [sub.operands[0]]
    return both(lambda a, b, _: a + b, op, constants)


def fold_subi(op: Operation, constants: Constants) -> Folded:
    """X - x = 0; x - 0 = x; (a + b) - b = a; (a + b) - a = b."""
    lhs, rhs = op.operands
    if lhs is rhs and (zero := zero_of(op.results[0].type)) is not None:
        return [zero]
    if integer_value(constants[1]) == 0:
        return [lhs]
    sum_ = defined_by(lhs, "arith.addi")
    if sum_ is not None and sum_.operands[1] is rhs:
        return [sum_.operands[0]]
    if sum_ is not None and sum_.operands[0] is rhs:
        return [sum_.operands[1]]
    return both(lambda a, b, _: a - b, op, constants)


def fold_muli(op: Operation, constants: Constants) -> Folded:
    """X * 0 = 0; x * 1 = x."""
    lhs, rhs = op.operands
    if integer_value(constants[1]) == 0:
        return [rhs]
    if _is_one(constants[1]):
        return [lhs]
    return both(lambda a, b, _: a * b, op, constants)


def _is_one(attribute: Attribute | None) -> bool:
    return integer_value(attribute) == 1


def fold_addui_extended(op: Operation, constants: Constants) -> Folded:
    """X + 0 = x, without a carry."""
    lhs = op.operands[0]
    sum_type, carry_type = (result.type for result in op.results)
    if integer_value(constants[1]) == 0:
        no_carry = zero_of(carry_type)
        return None if no_carry is None else [lhs, no_carry]
    width = width_of(lhs.type)
    total = apply_binary(lambda a, b: a + b, constants, sum_type)
    carry = apply_binary(lambda a, b: as_unsigned(a, width) + as_unsigned(b, width) >> width, constants, carry_type)
    return None if total is None or carry is None else [total, carry]


def fold_mulsi_extended(op: Operation, constants: Constants) -> Folded:
    """X * 0 = 0 in both halves."""
    return _fold_extended(op, constants, as_signed)


def fold_mului_extended(op: Operation, constants: Constants) -> Folded:
    """X * 0 = 0 in both halves; x * 1 is x, and 0 above."""
    if _is_one(constants[1]) and integer_value(constants[1]) != 0:
        zero = zero_of(op.operands[0].type)
        return None if zero is None else [op.operands[0], zero]
    return _fold_extended(op, constants, as_unsigned)


def _fold_extended(op: Operation, constants: Constants, extend: Callable[[int, int], int]) -> Folded:
    if integer_value(constants[1]) == 0 and constants[1] is not None:
        return [constants[1], constants[1]]
    width = width_of(op.operands[0].type)
    low = apply_binary(lambda a, b: a * b, constants, op.results[0].type)
    high = apply_binary(lambda a, b: extend(a, width) * extend(b, width) >> width, constants, op.results[1].type)
    return None if low is None or high is None else [low, high]


def _factor(op: Operation, flag: int) -> Value | None:
    """`a` of (a * b) / b, where the product has the flag against overflow."""
    lhs, rhs = op.operands
    product = defined_by(lhs, "arith.muli")
    flags = product.properties.get("overflowFlags") if product is not None else None
    if product is None or not isinstance(flags, EnumAttr) or not flags.value & flag:
        return None
    if product.operands[0] is rhs:
        return product.operands[1]
    return product.operands[0] if product.operands[1] is rhs else None


_NSW: Final = 1
_NUW: Final = 2


def _division(function: OnWidth, flag: int = 0) -> Fold:
    """X / 1 = x; with a flag, (a * b) / b = a."""

    def fold(op: Operation, constants: Constants) -> Folded:
        if _is_one(constants[1]):
            return [op.operands[0]]
        if flag and (factor := _factor(op, flag)) is not None:
            return [factor]
        return both(function, op, constants)

    return fold


def _remainder(function: OnWidth) -> Fold:
    """X mod 1 = 0."""

    def fold(op: Operation, constants: Constants) -> Folded:
        if _is_one(constants[1]):
            return one(zero_of(op.results[0].type))
        return both(function, op, constants)

    return fold


def _divui(a: int, b: int, width: int) -> int | None:
    return as_unsigned(a, width) // as_unsigned(b, width) if b else None


def _ceildivui(a: int, b: int, width: int) -> int | None:
    return -(-as_unsigned(a, width) // as_unsigned(b, width)) if b else None


def _remui(a: int, b: int, width: int) -> int | None:
    return as_unsigned(a, width) % as_unsigned(b, width) if b else None


def _smallest(width: int) -> int:
    return -(1 << (width - 1))


def _in_range(value: int, width: int) -> int | None:
    return value if _smallest(width) <= value < -_smallest(width) else None


def _towards_zero(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _divsi(a: int, b: int, width: int) -> int | None:
    a, b = as_signed(a, width), as_signed(b, width)
    return _in_range(_towards_zero(a, b), width) if b else None


def _remsi(a: int, b: int, width: int) -> int | None:
    a, b = as_signed(a, width), as_signed(b, width)
    return a - _towards_zero(a, b) * b if b else None


def fold_floordivsi(op: Operation, constants: Constants) -> Folded:
    """X floordiv 1 = x; what is divided by 0, or overflows, stays as it is if a pair follows that has an answer."""

    def is_defined(a: int, b: int, width: int) -> bool:
        return b != 0 and _in_range(as_signed(a, width) // as_signed(b, width), width) is not None

    def floor(a: int, b: int, width: int) -> int:
        return as_signed(a, width) // as_signed(b, width) if b else a

    if _is_one(constants[1]):
        return [op.operands[0]]
    return by_last(floor, is_defined, op, constants, poison=True)


def _ceildivsi(a: int, b: int, width: int) -> int | None:
    """Computed by negating what is negative, so the smallest integer has no answer."""
    a, b = as_signed(a, width), as_signed(b, width)
    if b == 0 or (a != 0 and _smallest(width) in (a, b)):
        return None
    return _in_range(-(-a // b), width)


def fold_andi(op: Operation, constants: Constants) -> Folded:
    """X & 0 = 0; x & -1 = x; x & ~x = 0; (a & b) & b = a & b; x & x = x."""
    lhs, rhs = op.operands
    if integer_value(constants[1]) == 0:
        return [rhs]
    if is_all_ones(constants[1], rhs.type):
        return [lhs]
    if _is_complement(lhs, rhs) or _is_complement(rhs, lhs):
        return one(zero_of(op.results[0].type))
    for inner, other in ((lhs, rhs), (rhs, lhs)):
        previous = defined_by(inner, "arith.andi")
        if previous is not None and other in previous.operands:
            return [inner]
    return both(lambda a, b, _: a & b, op, constants) or ([lhs] if lhs is rhs else None)


def _is_complement(inverted: Value, value: Value) -> bool:
    """Whether `inverted` is `value` xor all ones."""
    xor = defined_by(inverted, "arith.xori")
    return xor is not None and xor.operands[0] is value and is_all_ones(_constant_of(xor.operands[1]), value.type)


def _constant_of(value: Value) -> Attribute | None:
    return constant_value(value) if defined_by(value, "arith.constant") is not None else None


def fold_ori(op: Operation, constants: Constants) -> Folded:
    """X | 0 = x; x | -1 = -1; x | ~x = -1; x | x = x."""
    lhs, rhs = op.operands
    if integer_value(constants[1]) == 0:
        return [lhs]
    if is_all_ones(constants[1], rhs.type) and constants[1] is not None:
        return [constants[1]]
    for inverted, value in ((rhs, lhs), (lhs, rhs)):
        xor = inverted.defining_op
        if xor is not None and _is_complement(inverted, value):
            return [xor.operands[1]]
    return both(lambda a, b, _: a | b, op, constants) or ([lhs] if lhs is rhs else None)


def fold_xori(op: Operation, constants: Constants) -> Folded:
    """X ^ 0 = x; x ^ x = 0; (x ^ a) ^ a = x, in each order."""
    lhs, rhs = op.operands
    if integer_value(constants[1]) == 0:
        return [lhs]
    if lhs is rhs:
        return one(zero_of(op.results[0].type))
    for inner, other in ((lhs, rhs), (rhs, lhs)):
        previous = defined_by(inner, "arith.xori")
        if previous is not None and previous.operands[1] is other:
            return [previous.operands[0]]
        if previous is not None and previous.operands[0] is other:
            return [previous.operands[1]]
    return both(lambda a, b, _: a ^ b, op, constants)


def _shift(function: OnWidth) -> Fold:
    """X shifted by 0 = x; a shift by the width or more has no answer, but moves all bits out where others follow."""

    def is_defined(_: int, b: int, width: int) -> bool:
        return as_unsigned(b, width) < width

    def bounded(a: int, b: int, width: int) -> int | None:
        return function(a, min(as_unsigned(b, width), width), width)

    def fold(op: Operation, constants: Constants) -> Folded:
        if integer_value(constants[1]) == 0:
            return [op.operands[0]]
        return by_last(bounded, is_defined, op, constants, poison=False)

    return fold


def _extremum(function: OnWidth, absorbing: Callable[[int], int], neutral: Callable[[int], int]) -> Fold:
    """X with x = x; x with the absorbing constant is that constant, with the neutral one x."""

    def fold(op: Operation, constants: Constants) -> Folded:
        lhs, rhs = op.operands
        if lhs is rhs:
            return [rhs]
        value, width = integer_value(constants[1]), width_of(rhs.type)
        if value is not None and as_unsigned(value, width) == absorbing(width):
            return [rhs]
        if value is not None and as_unsigned(value, width) == neutral(width):
            return [lhs]
        return both(function, op, constants)

    return fold


def _greatest_signed(width: int) -> int:
    return (1 << (width - 1)) - 1


def _least_signed(width: int) -> int:
    return 1 << (width - 1)


def _greatest_unsigned(width: int) -> int:
    return (1 << width) - 1


def _least_unsigned(_: int) -> int:
    return 0


def boolean(value: bool, type: Type) -> Attribute | None:
    """`i1`, or a splat of it."""
    return constant(int(value), type)


INTEGER_FOLDERS: Final[dict[str, Fold]] = {
    "arith.addi": fold_addi,
    "arith.subi": fold_subi,
    "arith.muli": fold_muli,
    "arith.addui_extended": fold_addui_extended,
    "arith.mulsi_extended": fold_mulsi_extended,
    "arith.mului_extended": fold_mului_extended,
    "arith.divui": _division(_divui, _NUW),
    "arith.divsi": _division(_divsi, _NSW),
    "arith.ceildivui": _division(_ceildivui),
    "arith.ceildivsi": _division(_ceildivsi),
    "arith.floordivsi": fold_floordivsi,
    "arith.remui": _remainder(_remui),
    "arith.remsi": _remainder(_remsi),
    "arith.andi": fold_andi,
    "arith.ori": fold_ori,
    "arith.xori": fold_xori,
    "arith.shli": _shift(lambda a, b, _: a << b),
    "arith.shrui": _shift(lambda a, b, width: as_unsigned(a, width) >> b),
    "arith.shrsi": _shift(lambda a, b, width: as_signed(a, width) >> b),
    "arith.maxsi": _extremum(lambda a, b, w: max(as_signed(a, w), as_signed(b, w)), _greatest_signed, _least_signed),
    "arith.maxui": _extremum(
        lambda a, b, w: max(as_unsigned(a, w), as_unsigned(b, w)), _greatest_unsigned, _least_unsigned
    ),
    "arith.minsi": _extremum(lambda a, b, w: min(as_signed(a, w), as_signed(b, w)), _least_signed, _greatest_signed),
    "arith.minui": _extremum(
        lambda a, b, w: min(as_unsigned(a, w), as_unsigned(b, w)), _least_unsigned, _greatest_unsigned
    ),
}
