"""Moves what defines values in front of an operation that is to use them.

Source of the rules: `moveValueDefinitions` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from fathom.ir.dominance import Dominance
from fathom.rewriting.speculation import is_pure

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value


def move_definitions_before(values: Iterable[Value], op: Operation) -> bool:
    """Moves the operations of the same block that values depend on in front of one, if all are pure; whether the values
    are there now."""
    dominance = Dominance()
    needed: dict[Operation, None] = {}
    for value in values:
        if dominance.is_there(value, op):
            continue
        maker = value.defining_op
        if maker is None or maker.parent is not op.parent:
            return False
        if not _note(maker, op, dominance, needed):
            return False
    if op in needed or op.parent is None:
        return False
    for operation in needed:
        operation.unlink()
        op.parent.insert_before(operation, op)
    return True


def _note(maker: Operation, op: Operation, dominance: Dominance, needed: dict[Operation, None]) -> bool:
    """Notes what has to move for an operation to move, in an order in which it can; whether that may be."""
    stack = [(maker, _definers(maker))]
    seen = {maker}
    while stack:
        current, rest = stack[-1]
        if not is_pure(current):
            return False
        for definer in rest:
            if definer not in seen and definer not in needed and not dominance.is_before(definer, op):
                seen.add(definer)
                stack.append((definer, _definers(definer)))
                break
        else:
            needed[current] = None
            stack.pop()
    return True


def _definers(op: Operation) -> Iterator[Operation]:
    """What defines the operands of an operation, and of those that are nested in it."""
    for region in op.regions:
        for inner in region.walk():
            yield from (definer for definer in inner.definers if not _is_inside(definer, op))
    yield from op.definers


def _is_inside(operation: Operation, op: Operation) -> bool:
    above = operation.parent_op
    while above is not None and above is not op:
        above = above.parent_op
    return above is op
