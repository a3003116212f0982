"""Which values stand for which during a dialect conversion, before any use is replaced.

A value can be replaced several times, each time by one value or by several, and casts between types are replacements
too; so a lookup follows a chain and may ask for the last link with given types. Source of the rules: *Dialect
Conversion*, "Type Conversion", and the behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fathom.ir.operation import Operation, Value
from fathom.ir.types import Type
from fathom.records import record

Values = tuple[Value, ...]

_LONG: Final = 8
"""On a chain of so many replacements it is noted what was found, so that the next does not go through it again."""


@record
class _Stretch:
    """What stands on a chain up to its `end`: the last values of the types asked for, and the last of all."""

    chosen: Values | None
    last: Values | None
    end: Values


class ValueMapping:
    """A chain of replacements for each value. `pure_casts` are the casts that only convert a type."""

    def __init__(self) -> None:
        self._next: dict[Values, Values] = {}
        self._known: dict[tuple[tuple[Type, ...] | None, bool], dict[Values, _Stretch]] = {}
        """What was found on long chains, by what was looked for, from the value that each begins with."""
        self.mapped_to: set[Value] = set()
        self.pure_casts: set[Operation] = set()

    def set(self, old: Values, new: Values) -> Values | None:
        """Replaces `old` by `new`; returns what stood for it before, which `restore` takes back."""
        before = self._next.get(old)
        if before is not None:
            self._known.clear()
        self._next[old] = new
        self.mapped_to.update(new)
        return before

    def restore(self, old: Values, before: Values | None) -> None:
        self._known.clear()
        if before is None:
            self._next.pop(old, None)
        else:
            self._next[old] = before

    def _step(self, values: Values) -> Values | None:
        """One link further: the values together, or else each of them where it has a replacement of its own."""
        next_values = self._next.get(values)
        if next_values is not None or len(values) == 1:
            return next_values
        result: list[Value] = []
        changed = False
        for value in values:
            one = self._next.get((value,))
            changed = changed or one is not None
            result += one if one is not None else (value,)
        return tuple(result) if changed else None

    def is_pure_cast(self, values: Values) -> bool:
        op = values[0].defining_op if values else None
        return op in self.pure_casts and all(value.defining_op is op for value in values)

    def lookup(self, value: Value, types: Sequence[Type] | None = None, *, skip_pure_casts: bool = False) -> Values:
        """The last replacement of `value` with the types `types`; or, without such, the last of all.

        `skip_pure_casts` leaves out those that only convert a type. A value without replacement stands for itself.
        """
        current: Values = (value,)
        if current not in self._next:
            return current
        chosen: Values | None = None
        last: Values | None = None
        known = self._stretches(types, skip_pure_casts) if self._known else {}
        steps, is_single = 0, True
        while True:
            if current in known:
                stretch = known[current]
                chosen = stretch.chosen if stretch.chosen is not None else chosen
                last = stretch.last if stretch.last is not None else last
                current = stretch.end
            elif not (skip_pure_casts and self.is_pure_cast(current)):
                last = current
                # Lists of types that are the same objects are equal at once.
                if types is not None and [mapped.type for mapped in current] == [*types]:
                    chosen = current
            following = self._step(current)
            if following is None:
                break
            # The replacements of several values may come one by one.
            is_single = is_single and len(current) == 1
            steps += 1
            current = following
        if steps > _LONG and is_single:
            self._stretches(types, skip_pure_casts)[(value,)] = _Stretch(chosen, last, current)
        return chosen if chosen is not None else last if last is not None else (value,)

    def _stretches(self, types: Sequence[Type] | None, skip_pure_casts: bool) -> dict[Values, _Stretch]:
        """The long chains on which the last with these types was looked for."""
        return self._known.setdefault((None if types is None else tuple(types), skip_pure_casts), {})

    def lookup_replacement(self, value: Value, type: Type | None = None) -> Values | None:
        """As `lookup`, but None where there is no replacement, or none of the type asked for."""
        values = self.lookup(value, None if type is None else (type,))
        if values == (value,):
            return None
        if type is not None and (len(values) != 1 or values[0].type != type):
            return None
        return values
