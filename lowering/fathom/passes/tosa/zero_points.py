"""Zero points, which patterns have to know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.dialects.tosa.values import is_int, stored_of, zero_point
from fathom.rewriting.pattern import Failure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Operation


def known_zero_points(op: Operation, names: Sequence[str], words: str = "{} zero point cannot") -> list[int] | Failure:
    """The zero points of operands, which have to be known, and zero for all but bytes."""
    points: list[int] = []
    for name in names:
        number = zero_point(op.one_of(f"{name}_zp"))
        if number is None:
            return Failure(f"{words.format(name)} be statically determined")
        points.append(number)
    for name, number in zip(names, points, strict=True):
        if number and not is_int(stored_of(op.one_of(f"{name}_zp").type), 8):
            return Failure(f"{name} zero point must be zero for non-int8 integer types")
    return points
