"""Asks the budget (`fathom.budget`) for what a pattern is about to make for the elements of a value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.budget import MOST_ELEMENTS, counted, refuse
from fathom.rewriting.pattern import Failure

if TYPE_CHECKING:
    from fathom.ir.operation import Operation


def too_many_operations(op: Operation, operations: int, whole: int = 0) -> Failure | None:
    """Why so many operations are not made in place of `op`; None where they may be, and are counted as made. `whole` is
    how many it takes until nothing is left to be taken apart."""
    reason = refuse(op, operations, whole)
    return Failure(reason) if reason is not None else None


def too_many_elements(elements: int) -> Failure | None:
    """Why so many elements are not listed, one by one; None where they may be."""
    if elements <= MOST_ELEMENTS:
        return None
    return Failure(f"{counted(elements)} elements would be listed; the limit is {counted(MOST_ELEMENTS)}")
