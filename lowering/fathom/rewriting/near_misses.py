"""Why no operation is the same as another: those that nearly are, for whoever looks on at `cse`."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from fathom.rewriting.equivalence import value_key
from fathom.rewriting.reasons import called_op, effect

if TYPE_CHECKING:
    from fathom.ir.operation import Operation


class NearMisses:
    """The operations that were visited so far, by what they compute and by what they compute it of."""

    def __init__(self) -> None:
        self._same: dict[Hashable, Operation] = {}
        self._alike: dict[Hashable, Operation] = {}
        self._turned: dict[Hashable, Operation] = {}

    def reason(self, op: Operation, *, only_reads: bool, written_by: Operation | None = None) -> str:
        """Why an operation that is left is not merged with one before it; it is one of those from then on."""
        key, alike = value_key(op), (op.name, *op.operands)
        turned = op.name, frozenset(op.operands)
        same, near, other = self._same.get(key), self._alike.get(alike), self._turned.get(turned)
        self._same[key] = self._alike[alike] = self._turned[turned] = op
        if same is not None and only_reads and same.parent is not op.parent:
            return f"the {called_op(same)} reads the same, but in another block"
        if same is not None and only_reads:
            by = f"'{written_by.name}'" if written_by is not None else "something"
            return f"{by} may write memory between it and the {called_op(same)}, which reads the same"
        if same is not None:
            return f"the {called_op(same)}, which computes the same, does not dominate it"
        if near is not None and near.operands and near.name == op.name:
            return f"the {called_op(near)} has the same operands, but {_difference(near, op)}"
        if other is not None and len(op.operands) > 1:
            return f"the {called_op(other)} has the same operands in another order"
        return f"no '{op.name}' before it has the same operands, attributes and types" if op.operands else _alone(op)


def _alone(op: Operation) -> str:
    return f"no '{op.name}' before it is the same"


def _difference(one: Operation, other: Operation) -> str:
    """What two operations of the same operands differ in."""
    for name in dict.fromkeys((*one.properties, *other.properties, *one.attributes, *other.attributes)):
        if one.attribute(name) != other.attribute(name):
            return f"another {name}: {one.attribute(name)}, not {other.attribute(name)}"
    if [result.type for result in one.results] != [result.type for result in other.results]:
        return "results of other types"
    return "other regions"


def effects_reason(op: Operation) -> str:
    """Why an operation that does more to memory than to read it is not merged."""
    return f"{effect(op)}; only what has no effects, or only reads, is merged"
