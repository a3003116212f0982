"""Insertions one into another, gone back through from what they made to what matters at a position.

An element of a vector or structure is what the last insertion at its position put there, and thousands may have been
made elsewhere since. The first few are looked at one by one. Where more follow, a driver's `Insertions` know which of a
chain stand at which positions, so that each extraction does not walk the whole chain again.

What is known of a chain holds until one of its insertions changes. So a driver that tells of all changes has such
knowledge at hand while it works; elsewhere the chain is walked.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from threading import local
from typing import Final

from fathom.ir.attributes import DenseArrayAttr
from fathom.ir.operation import Operation, Value
from fathom.records import record
from fathom.slices import checkpoint

FEW: Final = 16
"""Insertions that are looked at one by one."""
DEEPEST: Final = 8
"""The most numbers of a position by which an insertion is known; those with more end a chain."""


@record
class Insertion:
    """An operation that puts something into its operand `into`, at the position that a property says. Where a number
    is negative, the position is not known."""

    name: str
    into: int
    property: str

    def position_of(self, op: Operation) -> tuple[int, ...]:
        """Where it inserts."""
        attribute = op.properties.get(self.property)
        return attribute.values if isinstance(attribute, DenseArrayAttr) else ()


def before_others(kind: Insertion, value: Value, position: Sequence[int]) -> Value:
    """What has the same at a position as a value: the value, or what it was before insertions elsewhere. Negative
    numbers in the position stand for all there are."""
    for _ in range(FEW):
        op = value.defining_op
        if op is None or op.name != kind.name or not _is_elsewhere(kind.position_of(op), position):
            return value
        value = op.operands[kind.into]
    known = _HERE.insertions
    if known is not None:
        value = known.before_others(kind, value, tuple(position))
    while (op := value.defining_op) is not None and op.name == kind.name:
        checkpoint()
        if not _is_elsewhere(kind.position_of(op), position):
            break
        value = op.operands[kind.into]
    return value


def _is_elsewhere(inserted: Sequence[int], position: Sequence[int]) -> bool:
    """Whether nothing of what stands at a position is what was inserted."""
    # The first number tells it nearly always, and comparing it alone is much the cheapest.
    if position and inserted and 0 <= position[0] != inserted[0] >= 0:
        return True
    return any(one != other and one >= 0 and other >= 0 for one, other in zip(position, inserted, strict=False))


class _Chain:
    """Insertions, each into what the one before it made."""

    def __init__(self, base: Value) -> None:
        self.base = base
        """What the first of them inserts into."""
        self.members: list[Operation] = []
        self._at: dict[tuple[int, ...], list[int]] = {}
        """The numbers of the insertions at a position, in order."""
        self._inside: dict[tuple[int, ...], list[int]] = {}
        """Those at positions that begin so and go on."""

    def append(self, op: Operation, position: tuple[int, ...]) -> None:
        number = len(self.members)
        self.members.append(op)
        self._at.setdefault(position, []).append(number)
        for length in range(1, len(position)):
            self._inside.setdefault(position[:length], []).append(number)

    def last(self, position: tuple[int, ...], number: int) -> int:
        """The last insertion up to a number that is not elsewhere; -1 if all are."""
        begun = [position[:length] for length in range(1, min(len(position), DEEPEST) + 1)]
        lists = [places for owner in begun if (places := self._at.get(owner)) is not None]
        if (inside := self._inside.get(position)) is not None:
            lists.append(inside)
        return max((list_[place - 1] for list_ in lists if (place := bisect_right(list_, number))), default=-1)


class Insertions:
    """What is known of the chains that were gone through."""

    def __init__(self) -> None:
        self._places: dict[Operation, tuple[_Chain, int, Insertion]] = {}

    def changed(self, op: Operation) -> None:
        """Lets what is known of a chain go if one of its insertions is not what it was."""
        place = self._places.get(op)
        if place is not None:
            chain, number, kind = place
            before = chain.members[number - 1].result if number else chain.base
            # Its position is not asked for: one that is known does not change.
            if op.operands[kind.into] is not before:
                for member in chain.members:
                    del self._places[member]

    def before_others(self, kind: Insertion, value: Value, position: tuple[int, ...]) -> Value:
        """As above, as far as positions are known."""
        known = next((place for place, number in enumerate(position) if number < 0), len(position))
        if not known or any(number >= 0 for number in position[known:]):
            return value
        position = position[:known]
        while (op := value.defining_op) is not None and op.name == kind.name:
            place = self._place(kind, op)
            if place is None:
                break
            chain, number, _ = place
            last = chain.last(position, number)
            if last >= 0:
                return chain.members[last].result
            value = chain.base
        return value

    def _place(self, kind: Insertion, op: Operation) -> tuple[_Chain, int, Insertion] | None:
        """The chain that an insertion is of, and its number there; None where its position is not known."""
        new: list[tuple[Operation, tuple[int, ...]]] = []
        current: Operation | None = op
        while current is not None and current.name == kind.name and current not in self._places:
            checkpoint()
            position = kind.position_of(current)
            if not 0 < len(position) <= DEEPEST or min(position) < 0:
                break
            new.append((current, position))
            current = current.operands[kind.into].defining_op
        if new:
            first = new[-1][0].operands[kind.into]
            chain = _Chain(first)
            if (
                current is not None
                and (place := self._places.get(current)) is not None
                and place[0].members[-1] is current
            ):
                chain = place[0]
            for member, position in reversed(new):
                self._places[member] = chain, len(chain.members), kind
                chain.append(member, position)
        return self._places.get(op)


class _Here(local):
    """What is at hand in this thread."""

    insertions: Insertions | None = None


_HERE: Final = _Here()


@contextmanager
def insertions_at_hand() -> Generator[Insertions]:
    """Has what becomes known of insertions at hand inside, where all that changes is told to it."""
    before, _HERE.insertions = _HERE.insertions, Insertions()
    try:
        yield _HERE.insertions
    finally:
        _HERE.insertions = before
