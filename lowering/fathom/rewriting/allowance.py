"""Asks the budget (`fathom.budget`) for what a pattern is about to make for the elements of a value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.budget import refuse, refuse_depth, refuse_elements
from fathom.rewriting.pattern import Failure

if TYPE_CHECKING:
    from fathom.ir.operation import Operation


def too_many_operations(op: Operation, operations: int, whole: int = 0) -> Failure | None:
    """Why so many operations are not made in place of `op`; None where they may be, and are counted as made. `whole` is
    how many it takes until nothing is left to be taken apart."""
    reason = refuse(op, operations, whole)
    return Failure(reason) if reason is not None else None


def too_many_elements(op: Operation, elements: int) -> Failure | None:
    """Why so many elements are not listed one by one in place of `op`; None where they may be."""
    reason = refuse_elements(op, elements)
    return Failure(reason) if reason is not None else None


def too_deep(op: Operation, levels: int) -> Failure | None:
    """Why so many loops or arrays are not nested in place of `op`; None where they may be."""
    reason = refuse_depth(op, levels)
    return Failure(reason) if reason is not None else None


def too_many_loops(op: Operation, loops: int) -> Failure | None:
    """As `too_deep`, of loops, which nest in what is around `op`."""
    around, depth = op.parent_op, 0
    while around is not None:
        around, depth = around.parent_op, depth + 1
    return too_deep(op, depth + loops) if loops > 1 else None
