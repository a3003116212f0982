"""The numbers of operations, by which they are known over all stages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.operation import Span
from fathom.records import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fathom.ir.operation import Operation


@record
class Known:
    """What is known of an operation by its number: its name, and the place in the source that it came from."""

    name: str
    span: Span | None


class Numbers:
    """The numbers of operations, which are given in the order in which these are met. Two runs that do the same give
    the same numbers."""

    def __init__(self, known: dict[int, Known], given: Mapping[Operation, int] | None = None, first: int = 0) -> None:
        self.known = known
        self._numbers: dict[Operation, int] = dict(given or {})
        self.next = first

    def __getitem__(self, op: Operation) -> int:
        number = self._numbers.get(op)
        if number is None:
            number = self._numbers[op] = self.next
            self.next += 1
            self.known[number] = Known(op.name, op.span)
        return number

    def of(self, ops: Iterable[Operation]) -> tuple[int, ...]:
        return tuple([self[op] for op in ops])

    def of_new(self, ops: Iterable[Operation]) -> tuple[int, ...]:
        """Those of operations that were made, and of all in them that has none yet."""
        numbers: list[int] = []
        for op in ops:
            numbers.append(self[op])
            if op.regions:
                numbers += [self[inner] for inner in op.walk() if inner not in self._numbers]
        return tuple(numbers)
