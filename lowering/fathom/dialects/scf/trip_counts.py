"""How often loops over a range run, where it is known.

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from math import prod
from typing import TypeAlias

from fathom.ir.operation import Value
from fathom.ir.types import IntegerType
from fathom.ops.arith import AddiOp
from fathom.ops.scf import ForallOp, ForOp, ParallelOp
from fathom.rewriting.folding import known_number
from fathom.rewriting.pattern import defined_by

Bound: TypeAlias = "Value | int"
"""A bound or step, which may be known from the text."""

_NO_SIGNED_WRAP = 1
_NO_UNSIGNED_WRAP = 2


def _width(bound: Bound) -> int:
    return bound.type.width if isinstance(bound, Value) and isinstance(bound.type, IntegerType) else 64


def _difference(lower: Value, upper: Value, *, signed: bool) -> int | None:
    """What is added to the lower bound to get the upper one, without an overflow."""
    op = defined_by(upper, AddiOp)
    wanted = _NO_SIGNED_WRAP if signed else _NO_UNSIGNED_WRAP
    if op is None or op.lhs is not lower:
        return None
    return known_number(op.rhs) if op.overflowFlags.value & wanted else None


def trip_count(lower: Bound, upper: Bound, step: Bound, *, signed: bool = True) -> int | None:
    """How often a loop from `lower` up to `upper` runs; None where that is not known."""
    width = _width(lower)
    if _width(upper) != width or isinstance(lower, int) != isinstance(upper, int):
        return None  # A number in the text is none of type index, for MLIR.
    if lower is upper or (isinstance(lower, int) and lower == upper):
        return 0
    stride = known_number(step)
    if stride is not None and stride <= 0:
        return 0
    first, last = known_number(lower), known_number(upper)
    if first is not None and last is not None:
        if not signed:
            first, last = first % (1 << width), last % (1 << width)
        if last <= first:
            return 0
        difference: int | None = last - first
    elif first is None and last is None and isinstance(lower, Value) and isinstance(upper, Value):
        difference = _difference(lower, upper, signed=signed)
    else:
        difference = None
    if difference is None:
        return None
    if difference < 0:
        return 0
    return -(-difference // stride) if stride is not None else None


def for_trip_count(op: ForOp) -> int | None:
    """How often the body of an `scf.for` runs."""
    return trip_count(op.lowerBound, op.upperBound, op.step, signed=op.unsignedCmp is None)


def parallel_trip_count(op: ParallelOp) -> int | None:
    """How often the body of an `scf.parallel` runs, for all values of its indices."""
    return _product([trip_count(*bounds) for bounds in zip(op.lowerBound, op.upperBound, op.step, strict=False)])


def forall_trip_count(op: ForallOp) -> int | None:
    """How often the body of an `scf.forall` runs, for all values of its indices, if its bounds stand in its text."""
    if op.dynamicLowerBound or op.dynamicUpperBound or op.dynamicStep:
        return None
    ranges = zip(op.staticLowerBound.values, op.staticUpperBound.values, op.staticStep.values, strict=False)
    return _product([trip_count(lower, upper, step) for lower, upper, step in ranges])


def _product(counts: list[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return prod(known) if len(known) == len(counts) else None
