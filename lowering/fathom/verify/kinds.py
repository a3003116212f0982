"""Operations that are alike, found by looking at them.

After a pass most operations are as they were before it, and those that it made repeat each other: they agree in name,
properties, attributes and all types, those of the arguments of their successors too. What is left to be looked at of
them is found out once for all (`verify.alone`). An operation that has the same values as before has their types, which
never change while passes run.
"""

from __future__ import annotations

from functools import lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.verify.alone import IS_LAST, NOTHING, Alike

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fathom.context import Context
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import BlockArgument, Operation, OpResult, Value

_TYPE: Final = attrgetter("type")
_MOST: Final = 10_000
"""How many kinds are remembered; when there are more, all are forgotten."""
_FEW: Final = 1_000
"""Operations of which so many are remembered in any case."""

_NONE: Final[dict[str, Attribute]] = {}

_Targets: TypeAlias = "list[list[BlockArgument]] | None"

_Seen: TypeAlias = (
    "tuple[list[Value], list[OpResult], Mapping[str, Attribute], Mapping[str, Attribute], _Targets, Alike]"
)
"""An operation's operands, results, properties and attributes when it was looked at last, the arguments of its
successors if it has any, and its kind."""


class Kinds:
    """The kinds of operations."""

    def __init__(self, context: Context) -> None:
        self._kinds = _kinds_in(context)

    def __call__(self, op: Operation) -> Alike:
        """What an operation shares with those of its kind."""
        properties, attributes = op.properties, op.attributes
        key = (op.name, len(op.regions), *map(_TYPE, op.operands), None, *map(_TYPE, op.results))
        if properties:
            key = (*key, *properties, *properties.values())
        if attributes:
            key = (*key, None, *attributes, *attributes.values())
        if op.successors:
            key = (*key, None, *(tuple(map(_TYPE, block.arguments)) for block in op.successors))
        kind = self._kinds.get(key)
        if kind is None:
            if len(self._kinds) >= _MOST:
                self._kinds.clear()
            kind = self._kinds[key] = Alike()
        return kind


class SeenKinds(Kinds):
    """The kinds of the operations that were asked about in a run of a pipeline, each of which is asked about again."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._seen: dict[Operation, _Seen] = {}
        self._lived = 0
        """How many operations were remembered after the last look for those that are gone."""

    def __call__(self, op: Operation) -> Alike:
        """What an operation shares with those of its kind."""
        seen = self._seen.get(op)
        if seen is not None:
            operands, results, properties, attributes, targets, kind = seen
            if (
                operands == op.operands
                and results == op.results
                and properties == op.properties
                and attributes == op.attributes
                and (targets is None or targets == [block.arguments for block in op.successors])
            ):
                return kind
        return self._look_at(op)

    def is_settled(self, op: Operation) -> bool:
        """Whether nothing is left to be looked at of an operation that has no regions: it is as it was when the last
        was looked at."""
        seen = self._seen.get(op)
        if seen is None:
            return False
        operands, results, properties, attributes, targets, kind = seen
        rest = kind.rest
        return (
            (rest is NOTHING or (rest is IS_LAST and op.next is None))
            and operands == op.operands
            and results == op.results
            and properties == op.properties
            and attributes == op.attributes
            and (targets is None or targets == [block.arguments for block in op.successors])
        )

    def _look_at(self, op: Operation) -> Alike:
        kind = super().__call__(op)
        properties, attributes = op.properties, op.attributes
        targets = [list(block.arguments) for block in op.successors] if op.successors else None
        known = dict(properties) if properties else _NONE, dict(attributes) if attributes else _NONE
        self._seen[op] = (list(op.operands), list(op.results), *known, targets, kind)
        return kind

    def forget_erased(self) -> None:
        """Lets go of the operations that stand nowhere any more, if they may be many."""
        if len(self._seen) > 2 * self._lived + _FEW:
            self._seen = {op: seen for op, seen in self._seen.items() if op.parent is not None}
            self._lived = len(self._seen)


@lru_cache(maxsize=2)
def _kinds_in(_context: Context) -> dict[tuple[object, ...], Alike]:
    """The kinds that were met in a context: a context never changes, so what was found out of them holds for all
    runs."""
    return {}
