"""In which ranges the results of integer operations lie, given those of the operands.

Where a bound overflows, nothing is known; where an operation says that it does not overflow, the bound is the greatest
or least number instead. Source of the rules: `InferIntRangeCommon` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from fathom.rewriting.int_ranges import INDEX_WIDTH, IntRange, everything, of_signed, of_unsigned, signed

Compute: TypeAlias = "Callable[[int, int], int | None]"
"""A number of two; None where it overflows."""
Binary: TypeAlias = "Callable[[Sequence[IntRange]], IntRange]"

NSW: Final = 1
NUW: Final = 2
"""The flags by which an operation says that it does not overflow."""
SMALL_INDEX: Final = 32
"""How many bits an index has at least."""


def _clamped(compute: Callable[[int, int], int], width: int, flags: int, *, has_sign: bool) -> Compute:
    """What is computed, if that fits; the bound beyond which it is where a flag says that it does."""
    least = -(1 << (width - 1)) if has_sign else 0
    most = least + (1 << width) - 1
    stays = flags & (NSW if has_sign else NUW)

    def result(a: int, b: int) -> int | None:
        number = compute(a, b)
        return number if least <= number <= most else (max(least, min(most, number)) if stays else None)

    return result


def _by_ends(
    compute: Compute, least: tuple[int, int], most: tuple[int, int], width: int, *, has_sign: bool
) -> IntRange:
    low, high = compute(*least), compute(*most)
    if low is None or high is None:
        return everything(width)
    return of_signed(width, low, high) if has_sign else of_unsigned(width, low, high)


def _by_all(compute: Compute, lhs: Sequence[int], rhs: Sequence[int], width: int, *, has_sign: bool) -> IntRange:
    numbers = [compute(a, b) for a in lhs for b in rhs]
    known = [number for number in numbers if number is not None]
    if len(known) < len(numbers):
        return everything(width)
    return of_signed(width, min(known), max(known)) if has_sign else of_unsigned(width, min(known), max(known))


# ---- sums, differences and products


def add(operands: Sequence[IntRange], flags: int = 0) -> IntRange:
    """Of a sum."""
    (a, b), width = operands, operands[0].width
    plain, of_sign = (_clamped(lambda x, y: x + y, width, flags, has_sign=has_sign) for has_sign in (False, True))
    unsigned = _by_ends(plain, (a.umin, b.umin), (a.umax, b.umax), width, has_sign=False)
    return unsigned.intersection(_by_ends(of_sign, (a.smin, b.smin), (a.smax, b.smax), width, has_sign=True))


def subtract(operands: Sequence[IntRange], flags: int = 0) -> IntRange:
    """Of a difference."""
    (a, b), width = operands, operands[0].width
    plain, of_sign = (_clamped(lambda x, y: x - y, width, flags, has_sign=has_sign) for has_sign in (False, True))
    unsigned = _by_ends(plain, (a.umin, b.umax), (a.umax, b.umin), width, has_sign=False)
    return unsigned.intersection(_by_ends(of_sign, (a.smin, b.smax), (a.smax, b.smin), width, has_sign=True))


def multiply(operands: Sequence[IntRange], flags: int = 0) -> IntRange:
    """Of a product."""
    (a, b), width = operands, operands[0].width
    plain, of_sign = (_clamped(lambda x, y: x * y, width, flags, has_sign=has_sign) for has_sign in (False, True))
    unsigned = _by_all(plain, (a.umin, a.umax), (b.umin, b.umax), width, has_sign=False)
    return unsigned.intersection(_by_all(of_sign, (a.smin, a.smax), (b.smin, b.smax), width, has_sign=True))


# ---- quotients


def _truncated(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _remainder(a: int, b: int) -> int:
    return a - b * _truncated(a, b)


def _divide_unsigned(operands: Sequence[IntRange], compute: Compute) -> IntRange:
    (a, b), width = operands, operands[0].width
    if b.umin and b.umax:
        return _by_all(compute, (a.umin, a.umax), (b.umin, b.umax), width, has_sign=False)
    least = a.umin // b.umax if b.umax and a.umin >= b.umax else 0
    return of_unsigned(width, least, a.umax)


def divide_unsigned(operands: Sequence[IntRange]) -> IntRange:
    """Of a quotient of numbers without sign."""
    return _divide_unsigned(operands, lambda x, y: x // y)


def divide_unsigned_up(operands: Sequence[IntRange]) -> IntRange:
    """The same, rounded up."""
    return _divide_unsigned(operands, lambda x, y: -(-x // y))


def _divide_signed(operands: Sequence[IntRange], compute: Callable[[int, int], int]) -> IntRange:
    (a, b), width = operands, operands[0].width
    if b.smin <= 0 and b.smax >= 0:
        return everything(width)
    least, most = -(1 << (width - 1)), (1 << (width - 1)) - 1

    def result(x: int, y: int) -> int | None:
        number = compute(x, y)
        return number if _truncated(x, y) <= most and least <= number <= most else None

    return _by_all(result, (a.smin, a.smax), (b.smin, b.smax), width, has_sign=True)


def divide_signed(operands: Sequence[IntRange]) -> IntRange:
    """Of a quotient of numbers with a sign."""
    return _divide_signed(operands, _truncated)


def divide_signed_down(operands: Sequence[IntRange]) -> IntRange:
    """The same, rounded down."""
    return _divide_signed(operands, lambda x, y: x // y)


def divide_signed_up(operands: Sequence[IntRange]) -> IntRange:
    """The same, rounded up; the least number, divided by a greater one than 1, is positive, as `arith` has it."""
    a, b = operands
    least = -(1 << (a.width - 1))

    def up(x: int, y: int) -> int:
        return -_truncated(x, y) if x == least and y > 1 else -(-x // y)

    range_ = _divide_signed(operands, up)
    if a.smin == least < a.smax:
        range_ = range_.union(_divide_signed([of_signed(a.width, least + 1, a.smax), b], up))
    return range_


def remainder_signed(operands: Sequence[IntRange]) -> IntRange:
    """Of what is left of a division of numbers with a sign."""
    (a, b), width = operands, operands[0].width
    half = 1 << (width - 1)
    if b.smin <= 0 and b.smax >= 0:
        return of_signed(width, -half, half - 1)
    divisor = b.smax if b.smin > 0 else signed(abs(b.smin), width)
    most = signed(divisor - 1, width)
    low, high = signed(-most, width) if a.smin < 0 else 0, most if a.smax > 0 else 0
    if b.smin == b.smax and divisor and (a.smax - a.smin) % (1 << width) < divisor % (1 << width):
        first, last = _remainder(a.smin, divisor), _remainder(a.smax, divisor)
        if first <= last:
            low, high = first, last
    return of_signed(width, low, high)


def remainder_unsigned(operands: Sequence[IntRange]) -> IntRange:
    """Of what is left of a division of numbers without sign."""
    (a, b), width = operands, operands[0].width
    low, high = 0, min((b.umax - 1) % (1 << width), a.umax)
    if b.umin and b.umin == b.umax and (a.umax - a.umin) % (1 << width) < b.umax:
        first, last = a.umin % b.umax, a.umax % b.umax
        if first <= last:
            low, high = first, last
    return of_unsigned(width, low, high)


# ---- the greater and the smaller


def _chosen(choose: Callable[[int, int], int], *, has_sign: bool) -> Binary:
    """Of one of two numbers, the greater or the smaller."""

    def infer(operands: Sequence[IntRange]) -> IntRange:
        a, b = operands
        if has_sign:
            return of_signed(a.width, choose(a.smin, b.smin), choose(a.smax, b.smax))
        return of_unsigned(a.width, choose(a.umin, b.umin), choose(a.umax, b.umax))

    return infer


greater_signed: Final = _chosen(max, has_sign=True)
greater_unsigned: Final = _chosen(max, has_sign=False)
smaller_signed: Final = _chosen(min, has_sign=True)
smaller_unsigned: Final = _chosen(min, has_sign=False)


# ---- bits


def _varying(a: IntRange) -> int:
    """The bits that may be either in the numbers of a range."""
    return (1 << (a.umin ^ a.umax).bit_length()) - 1


def _widened(a: IntRange) -> tuple[int, int]:
    return a.umin & ~_varying(a), a.umax | _varying(a)


def both_bits(operands: Sequence[IntRange]) -> IntRange:
    """Of `and`."""
    a, b = operands
    return _by_all(lambda x, y: x & y, _widened(a), _widened(b), a.width, has_sign=False)


def either_bits(operands: Sequence[IntRange]) -> IntRange:
    """Of `or`."""
    a, b = operands
    return _by_all(lambda x, y: x | y, _widened(a), _widened(b), a.width, has_sign=False)


def differing_bits(operands: Sequence[IntRange]) -> IntRange:
    """Of `xor`."""
    a, b = operands
    mask, differing = _varying(a) | _varying(b), a.umin ^ b.umin
    return of_unsigned(a.width, differing & ~mask, differing | mask)


def shift_left(operands: Sequence[IntRange], flags: int = 0) -> IntRange:
    """Of a shift to the left."""
    (a, b), width = operands, operands[0].width
    places = (b.umin, b.umax)

    def shifted(number: int, by: int) -> int:
        # By too many places it overflows, whatever the number is; nothing is shifted further than that takes.
        return number << by if by < width else (1 << width) if number >= 0 else -(1 << width)

    plain, of_sign = (_clamped(shifted, width, flags, has_sign=has_sign) for has_sign in (False, True))
    unsigned = _by_all(plain, (a.umin, a.umax), places, width, has_sign=False)
    return unsigned.intersection(_by_all(of_sign, (a.smin, a.smax), places, width, has_sign=True))


def shift_right_signed(operands: Sequence[IntRange]) -> IntRange:
    """Of a shift to the right that keeps the sign."""
    (a, b), width = operands, operands[0].width
    return _by_all(lambda x, y: x >> y if y < width else None, (a.smin, a.smax), (b.umin, b.umax), width, has_sign=True)


def shift_right_unsigned(operands: Sequence[IntRange]) -> IntRange:
    """Of a shift to the right that fills up with zeros."""
    (a, b), width = operands, operands[0].width
    return _by_all(
        lambda x, y: x >> y if y < width else None, (a.umin, a.umax), (b.umin, b.umax), width, has_sign=False
    )


# ---- other widths


def extend(a: IntRange, width: int) -> IntRange:
    """Both readings of a number, in more bits."""
    return a._replace(width=width)


def extend_unsigned(a: IntRange, width: int) -> IntRange:
    """Filled up with zeros."""
    return of_unsigned(width, a.umin, a.umax)


def extend_signed(a: IntRange, width: int) -> IntRange:
    """Filled up with the sign."""
    return of_signed(width, a.smin, a.smax)


def truncate(a: IntRange, width: int) -> IntRange:
    """The lowest bits."""
    whole = 1 << width
    rolls = a.umin >> width != a.umax >> width
    low, high = a.smin >> (width - 1), a.smax >> (width - 1)
    overflows = low != high and not (low == -1 and high in (-1, 0)) and not (low == high == 0)
    unsigned = (0, whole - 1) if rolls else (a.umin % whole, a.umax % whole)
    of_sign = (-(whole >> 1), (whole >> 1) - 1) if overflows else (signed(a.smin, width), signed(a.smax, width))
    return IntRange(width, *unsigned, *of_sign)


def cast(a: IntRange, width: int, *, has_sign: bool) -> IntRange:
    """To more bits or to fewer."""
    if width == a.width:
        return a
    return truncate(a, width) if width < a.width else (extend_signed if has_sign else extend_unsigned)(a, width)


# ---- comparisons

_INVERTED: Final = (1, 0, 5, 4, 3, 2, 9, 8, 7, 6)


def _holds(predicate: int, a: IntRange, b: IntRange) -> bool:
    match predicate:
        case 0:
            return a.constant is not None and a.constant == b.constant
        case 1:
            return (_holds(2, a, b) or _holds(4, a, b)) and (_holds(6, a, b) or _holds(8, a, b))
        case 2:
            return a.smax < b.smin
        case 3:
            return a.smax <= b.smin
        case 4:
            return a.smin > b.smax
        case 5:
            return a.smin >= b.smax
        case 6:
            return a.umax < b.umin
        case 7:
            return a.umax <= b.umin
        case 8:
            return a.umin > b.umax
        case _:
            return a.umin >= b.umax


def compare(predicate: int, a: IntRange, b: IntRange) -> bool | None:
    """Whether a comparison, by the number that `arith.cmpi` has for it, holds of all numbers of two ranges; None where
    it does of some."""
    return True if _holds(predicate, a, b) else False if _holds(_INVERTED[predicate], a, b) else None


def of_truth(truth: bool | None) -> IntRange:
    """Of a truth value that may be known."""
    return of_unsigned(1, int(truth is True), int(truth is not False))


# ---- an index, which may have fewer bits than are computed with


def on_index(infer: Binary, operands: Sequence[IntRange], *, has_sign: bool | None = None) -> IntRange:
    """What holds of an index of 64 bits and of one of 32. `has_sign` is which of the readings are to agree for the
    former to be enough; both, if it is None."""
    large = infer(operands)
    small = infer([truncate(operand, SMALL_INDEX) for operand in operands])
    cut = truncate(large, SMALL_INDEX)
    of_sign, plain = (small.smin, small.smax) == (cut.smin, cut.smax), (small.umin, small.umax) == (cut.umin, cut.umax)
    agree = of_sign and plain if has_sign is None else of_sign if has_sign else plain
    return large if agree else large.union(extend(small, INDEX_WIDTH))
