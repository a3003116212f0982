"""Positions as transforms list them: some, all, or all but some, counted from either end.

Source of the rules: `expandTargetSpecification` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.passes.transform_dialect.application import Application


def places(run: Application, op: Operation, listed: Sequence[int], count: int) -> list[int]:
    """The positions below `count` that an operation means. Raises a silenceable failure for one that is not there."""
    if "is_all" in op.properties:
        return list(range(count))
    chosen: list[int] = []
    for number in listed:
        place = number if number >= 0 else count + number
        if place >= count:
            raise run.silenceable(f"position overflow {place} (updated from {number}) for maximum {count}")
        if place < 0:
            raise run.silenceable(f"position underflow {place} (updated from {number})")
        if place in chosen:
            raise run.silenceable(f"repeated position {place} (updated from {number})")
        chosen.append(place)
    if "is_inverted" in op.properties:
        return [place for place in range(count) if place not in chosen]
    return chosen
