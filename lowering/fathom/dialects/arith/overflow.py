"""Which flags against overflow an operation keeps that takes the place of two, each with a constant."""

from __future__ import annotations

from typing import Final, TypeAlias

from fathom.dialects.arith.attributes import OVERFLOW_FLAGS

Line: TypeAlias = tuple[int, int]
"""`slope * x + start`, as its two numbers."""


def line_of(name: str, constant: int, *, is_left: bool) -> Line:
    """What an operation on `x` and a constant, the left or the right operand, computes if it does not overflow."""
    match name:
        case "arith.addi":
            return 1, constant
        case "arith.subi":
            return (-1, constant) if is_left else (1, -constant)
        case _:
            return constant, 0


def after(first: Line, then: Line) -> Line:
    """One line after another."""
    return first[0] * then[0], first[1] * then[0] + then[1]


def flags_kept(lines: tuple[tuple[str, int, bool], ...], made: tuple[str, int, bool], width: int) -> int:
    """The flags that hold of `made`, an operation on numbers of so many bits, wherever they hold of the others, each of
    which takes what the one before gave. An operation is its name, its constant, and whether that is on the left."""
    kept = 0
    for flag, numbers in (
        ("nsw", range(-1 << (width - 1), 1 << (width - 1))),
        ("nuw", range(1 << width)),
    ):
        where, line = numbers, (1, 0)
        for name, constant, is_left in lines:
            line = after(line, line_of(name, _as_one_of(numbers, constant), is_left=is_left))
            where = _where(line, where, numbers)
        slope, start = line_of(made[0], _as_one_of(numbers, made[1]), is_left=made[2])
        # What lies between is as large as what lies at the ends.
        if not where or (slope * where[0] + start in numbers and slope * where[-1] + start in numbers):
            kept |= OVERFLOW_FLAGS[flag]
    return kept


def _as_one_of(numbers: range, constant: int) -> int:
    """The constant as one of the numbers of as many bits, with a sign or without."""
    return (constant - numbers.start) % (numbers.stop - numbers.start) + numbers.start


_NOWHERE: Final = range(0)


def _where(line: Line, among: range, allowed: range) -> range:
    """Where, `among` these, a line gives what is allowed."""
    slope, start = line
    low, high = allowed.start - start, allowed.stop - 1 - start
    if not slope:
        return among if low <= 0 <= high else _NOWHERE
    if slope < 0:
        slope, low, high = -slope, -high, -low
    return range(max(among.start, -(-low // slope)), min(among.stop, high // slope + 1))
