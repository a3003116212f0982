"""Operations that are alike, found by looking at them.

After a pass most operations are as they were before it, and those that it made repeat each other: they agree in name,
properties, attributes and all types. What is left to be looked at of them is found out once for all (`verify.alone`).
"""

from __future__ import annotations

from functools import lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.verify.alone import Alike

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fathom.context import Context
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation
    from fathom.ir.types import Type

_TYPE: Final = attrgetter("type")
_MOST: Final = 10_000
"""How many kinds are remembered; when there are more, all are forgotten."""
_FEW: Final = 1_000
"""Operations of which so many are remembered in any case."""

_Seen: TypeAlias = "tuple[list[Type], list[Type], Mapping[str, Attribute], Mapping[str, Attribute], Alike]"
"""The types of an operation's operands and results, its properties and its attributes when it was looked at last, and
its kind."""


class Kinds:
    """The kinds of the operations that were asked about in a run of a pipeline."""

    def __init__(self, context: Context) -> None:
        self._kinds = _kinds_in(context)
        self._seen: dict[Operation, _Seen] = {}
        self._lived = 0
        """How many operations were remembered after the last look for those that are gone."""

    def __call__(self, op: Operation) -> Alike:
        """What an operation shares with those of its kind."""
        operands, results = [*map(_TYPE, op.operands)], [*map(_TYPE, op.results)]
        seen = self._seen.get(op)
        if seen is not None:
            before, after, properties, attributes, kind = seen
            if operands == before and results == after and properties == op.properties and attributes == op.attributes:
                return kind
        return self._look_at(op, operands, results)

    def _look_at(self, op: Operation, operands: list[Type], results: list[Type]) -> Alike:
        properties, attributes = op.properties, op.attributes
        key = (op.name, len(op.successors), len(op.regions), *operands, None, *results, *properties.items())
        if attributes:
            key = (*key, None, *attributes.items())
        kind = self._kinds.get(key)
        if kind is None:
            if len(self._kinds) >= _MOST:
                self._kinds.clear()
            kind = self._kinds[key] = Alike()
        self._seen[op] = operands, results, dict(properties), dict(attributes), kind
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
