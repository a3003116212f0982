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
from fathom.ir.attributes import Attribute, IntegerAttr, i64_attr
from fathom.ir.operation import Operation, Value
from fathom.ir.types import Type
from fathom.irdl.folding import Constants, Fold, Folded, one
from fathom.ops import arith as ops
from fathom.rewriting.folding import constant_value
from fathom.rewriting.pattern import defined_by

Division: TypeAlias = "ops.DivuiOp | ops.DivsiOp | ops.CeildivuiOp | ops.CeildivsiOp"
OnWidth: TypeAlias = "Callable[[int, int, int], int | None]"


def both(function: OnWidth, op: Operation, constants: Constants) -> Folded:
    """`function(a, b, width)` of two constants, if they are of the type of the operands: a dialect may state others."""
    type = op.operands[0].type
    if any(isinstance(attribute, IntegerAttr) and attribute.type != type for attribute in constants):
        return None
    width = width_of(type)
    return one(apply_binary(lambda a, b: function(a, b, width), constants, op.result.type))


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


INVERTED: Final = (1, 0, 5, 4, 3, 2, 9, 8, 7, 6)


def inverted_predicate(predicate: IntegerAttr) -> IntegerAttr:
    """The predicate of `arith.cmpi` that holds just where this one does not."""
    return i64_attr(INVERTED[predicate.value])


def fold_addi(op: ops.AddiOp, constants: Constants) -> Folded:
    """X + 0 = x; (a - b) + b = a; b + (a - b) = a."""
    if integer_value(constants[1]) == 0:
        return [op.lhs]
    for difference, other in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
        sub = defined_by(difference, ops.SubiOp)
        if sub is not None and sub.rhs is other:
            return [sub.lhs]
    return both(lambda a, b, _: a + b, op, constants)


def fold_subi(op: ops.SubiOp, constants: Constants) -> Folded:
    """X - x = 0; x - 0 = x; (a + b) - b = a; (a + b) - a = b."""
    lhs, rhs = op.operands
    if lhs is rhs and (zero := zero_of(op.result.type)) is not None:
        return [zero]
    if integer_value(constants[1]) == 0:
        return [lhs]
    sum_ = defined_by(lhs, ops.AddiOp)
    if sum_ is not None and rhs in sum_.operands:
        return [sum_.lhs if sum_.rhs is rhs else sum_.rhs]
    return both(lambda a, b, _: a - b, op, constants)


def fold_muli(op: ops.MuliOp, constants: Constants) -> Folded:
    """X * 0 = 0; x * 1 = x."""
    if integer_value(constants[1]) == 0:
        return [op.rhs]
    if _is_one(constants[1]):
        return [op.lhs]
    return both(lambda a, b, _: a * b, op, constants)


def _is_one(attribute: Attribute | None) -> bool:
    return integer_value(attribute) == 1


def fold_addui_extended(op: ops.AdduiExtendedOp, constants: Constants) -> Folded:
    """X + 0 = x, without a carry."""
    sum_type, carry_type = op.sum.type, op.overflow.type
    if integer_value(constants[1]) == 0:
        no_carry = zero_of(carry_type)
        return None if no_carry is None else [op.lhs, no_carry]
    width = width_of(op.lhs.type)
    total = apply_binary(lambda a, b: a + b, constants, sum_type)
    carry = apply_binary(lambda a, b: as_unsigned(a, width) + as_unsigned(b, width) >> width, constants, carry_type)
    return None if total is None or carry is None else [total, carry]


def fold_mulsi_extended(op: ops.MulsiExtendedOp, constants: Constants) -> Folded:
    """X * 0 = 0 in both halves."""
    return _fold_extended(op, constants, as_signed)


def fold_mului_extended(op: ops.MuluiExtendedOp, constants: Constants) -> Folded:
    """X * 0 = 0 in both halves; x * 1 is x, and 0 above."""
    if _is_one(constants[1]):
        zero = zero_of(op.lhs.type)
        return None if zero is None else [op.lhs, zero]
    return _fold_extended(op, constants, as_unsigned)


def _fold_extended(
    op: ops.MulsiExtendedOp | ops.MuluiExtendedOp, constants: Constants, extend: Callable[[int, int], int]
) -> Folded:
    if integer_value(constants[1]) == 0 and constants[1] is not None:
        return [constants[1], constants[1]]
    width = width_of(op.lhs.type)
    low = apply_binary(lambda a, b: a * b, constants, op.low.type)
    high = apply_binary(lambda a, b: extend(a, width) * extend(b, width) >> width, constants, op.high.type)
    return None if low is None or high is None else [low, high]


def _factor(op: Division, flag: int) -> Value | None:
    """`a` of (a * b) / b, where the product has the flag against overflow."""
    product = defined_by(op.lhs, ops.MuliOp)
    if product is None or not product.overflowFlags.value & flag:
        return None
    return product.rhs if product.lhs is op.rhs else product.lhs if product.rhs is op.rhs else None


_NSW: Final = 1
_NUW: Final = 2


def _division(function: OnWidth, flag: int = 0) -> Fold:
    """X / 1 = x; with a flag, (a * b) / b = a."""

    def fold(op: Division, constants: Constants) -> Folded:
        if _is_one(constants[1]):
            return [op.lhs]
        factor = _factor(op, flag)
        if factor is not None:
            return [factor]
        return both(function, op, constants)

    return fold


def _remainder(function: OnWidth) -> Fold:
    """X mod 1 = 0."""

    def fold(op: Operation, constants: Constants) -> Folded:
        if _is_one(constants[1]):
            return one(zero_of(op.result.type))
        return both(function, op, constants)

    return fold


def divui(a: int, b: int, width: int) -> int | None:
    return as_unsigned(a, width) // as_unsigned(b, width) if b else None


def ceildivui(a: int, b: int, width: int) -> int | None:
    return -(-as_unsigned(a, width) // as_unsigned(b, width)) if b else None


def remui(a: int, b: int, width: int) -> int | None:
    return as_unsigned(a, width) % as_unsigned(b, width) if b else None


def _smallest(width: int) -> int:
    return -(1 << (width - 1))


def _in_range(value: int, width: int) -> int | None:
    return value if _smallest(width) <= value < -_smallest(width) else None


def towards_zero(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _divsi(a: int, b: int, width: int) -> int | None:
    a, b = as_signed(a, width), as_signed(b, width)
    return _in_range(towards_zero(a, b), width) if b else None


def remsi(a: int, b: int, width: int) -> int | None:
    a, b = as_signed(a, width), as_signed(b, width)
    return a - towards_zero(a, b) * b if b else None


def fold_floordivsi(op: ops.FloordivsiOp, constants: Constants) -> Folded:
    """X floordiv 1 = x; what is divided by 0, or overflows, stays as it is if a pair follows that has an answer."""

    def is_defined(a: int, b: int, width: int) -> bool:
        return b != 0 and _in_range(as_signed(a, width) // as_signed(b, width), width) is not None

    def floor(a: int, b: int, width: int) -> int:
        return as_signed(a, width) // as_signed(b, width) if b else a

    if _is_one(constants[1]):
        return [op.lhs]
    return by_last(floor, is_defined, op, constants, poison=True)


def _ceildivsi(a: int, b: int, width: int) -> int | None:
    """Computed by negating what is negative, so the smallest integer has no answer."""
    a, b = as_signed(a, width), as_signed(b, width)
    if b == 0 or (a != 0 and _smallest(width) in (a, b)):
        return None
    return _in_range(-(-a // b), width)


def fold_andi(op: ops.AndiOp, constants: Constants) -> Folded:
    """X & 0 = 0; x & -1 = x; x & ~x = 0; (a & b) & b = a & b; x & x = x."""
    lhs, rhs = op.operands
    if integer_value(constants[1]) == 0:
        return [rhs]
    if is_all_ones(constants[1], rhs.type):
        return [lhs]
    if _is_complement(lhs, rhs) or _is_complement(rhs, lhs):
        return one(zero_of(op.result.type))
    for inner, other in ((lhs, rhs), (rhs, lhs)):
        previous = defined_by(inner, ops.AndiOp)
        if previous is not None and other in previous.operands:
            return [inner]
    return both(lambda a, b, _: a & b, op, constants) or ([lhs] if lhs is rhs else None)


def _is_complement(inverted: Value, value: Value) -> bool:
    """Whether `inverted` is `value` xor all ones."""
    xor = defined_by(inverted, ops.XoriOp)
    mask = defined_by(xor.rhs, ops.ConstantOp) if xor is not None and xor.lhs is value else None
    return mask is not None and is_all_ones(constant_value(mask.result), value.type)


def fold_ori(op: ops.OriOp, constants: Constants) -> Folded:
    """X | 0 = x; x | -1 = -1; x | ~x = -1; x | x = x."""
    lhs, rhs = op.operands
    if integer_value(constants[1]) == 0:
        return [lhs]
    if is_all_ones(constants[1], rhs.type) and constants[1] is not None:
        return [constants[1]]
    for inverted, value in ((rhs, lhs), (lhs, rhs)):
        xor = defined_by(inverted, ops.XoriOp)
        if xor is not None and _is_complement(inverted, value):
            return [xor.rhs]
    return both(lambda a, b, _: a | b, op, constants) or ([lhs] if lhs is rhs else None)


def fold_xori(op: ops.XoriOp, constants: Constants) -> Folded:
    """X ^ 0 = x; x ^ x = 0; (x ^ a) ^ a = x, in each order."""
    lhs, rhs = op.operands
    if integer_value(constants[1]) == 0:
        return [lhs]
    if lhs is rhs:
        return one(zero_of(op.result.type))
    for inner, other in ((lhs, rhs), (rhs, lhs)):
        previous = defined_by(inner, ops.XoriOp)
        if previous is not None and other in previous.operands:
            return [previous.lhs if previous.rhs is other else previous.rhs]
    return both(lambda a, b, _: a ^ b, op, constants)


def _shift(function: OnWidth) -> Fold:
    """X shifted by 0 = x; a shift by the width or more has no answer, but moves all bits out where others follow."""

    def is_defined(_: int, b: int, width: int) -> bool:
        return as_unsigned(b, width) < width

    def bounded(a: int, b: int, width: int) -> int | None:
        return function(a, min(as_unsigned(b, width), width), width)

    def fold(op: ops.ShliOp | ops.ShruiOp | ops.ShrsiOp, constants: Constants) -> Folded:
        if integer_value(constants[1]) == 0:
            return [op.lhs]
        return by_last(bounded, is_defined, op, constants, poison=False)

    return fold


def _extremum(choose: Callable[[int, int], int], view: Callable[[int, int], int]) -> Fold:
    """X with x = x; x with the number at the one end is that number, with the one at the other end x."""

    def fold(op: Operation, constants: Constants) -> Folded:
        lhs, rhs = op.operands
        if lhs is rhs:
            return [rhs]
        value, width = integer_value(constants[1]), width_of(rhs.type)
        ends = (_smallest(width), -_smallest(width) - 1) if view is as_signed else (0, (1 << width) - 1)
        number = view(value, width) if value is not None else None
        if number == choose(*ends):
            return [rhs]
        if number in ends:
            return [lhs]
        return both(lambda a, b, w: choose(view(a, w), view(b, w)), op, constants)

    return fold


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
    "arith.divui": _division(divui, _NUW),
    "arith.divsi": _division(_divsi, _NSW),
    "arith.ceildivui": _division(ceildivui),
    "arith.ceildivsi": _division(_ceildivsi),
    "arith.floordivsi": fold_floordivsi,
    "arith.remui": _remainder(remui),
    "arith.remsi": _remainder(remsi),
    "arith.andi": fold_andi,
    "arith.ori": fold_ori,
    "arith.xori": fold_xori,
    "arith.shli": _shift(lambda a, b, _: a << b),
    "arith.shrui": _shift(lambda a, b, width: as_unsigned(a, width) >> b),
    "arith.shrsi": _shift(lambda a, b, width: as_signed(a, width) >> b),
    "arith.maxsi": _extremum(max, as_signed),
    "arith.maxui": _extremum(max, as_unsigned),
    "arith.minsi": _extremum(min, as_signed),
    "arith.minui": _extremum(min, as_unsigned),
}
