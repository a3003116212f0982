"""The order of the uses of a value, where it is another than that of the text.

MLIR keeps uses in the order that their making and moving left them in, and passes meet them so. In a file the uses of a
value are in the reverse order of the operations, from the last operand of the last operation on, or an order is given.
Here a value knows the operations that use it, and how often: what comes between the uses of one operation is not kept.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final, TypeAlias

from fathom.bytecode.encoding import ByteReader, ByteWriter, Malformed
from fathom.ir.operation import Operation, Value
from fathom.records import record

Use: TypeAlias = "tuple[int, int, Operation]"
"""A use of a value: the number of the operation in the order of the text, that of the operand, and the operation."""

_INVALID: Final = "parsed use-list orders were invalid and could not be applied"


@record
class Order:
    """Where each of the uses goes, by numbers; as `pairs`, only of those that go elsewhere."""

    pairs: bool
    numbers: list[int]

    def places(self, count: int) -> list[int]:
        """The place of each of so many uses."""
        places = self.numbers
        if self.pairs:
            places = list(range(count))
            if len(self.numbers) % 2:
                raise Malformed(_INVALID)
            for index, place in zip(self.numbers[::2], self.numbers[1::2], strict=True):
                if index >= count:
                    raise Malformed(_INVALID)
                places[index] = place
        if sorted(places) != list(range(count)):
            raise Malformed(_INVALID)
        return places


def read_orders(source: ByteReader, count: int) -> dict[int, Order]:
    """The orders that are given for some of so many values."""
    orders: dict[int, Order] = {}
    for _ in range(source.varint() if count > 1 else 1):
        index = source.varint() if count > 1 else 0
        number, pairs = source.flagged()
        numbers: list[int] = []
        for _ in range(number):
            numbers.append(source.varint())
        orders.setdefault(index, Order(pairs, numbers))
    return orders


def uses_of(values: Collection[Value], operations: Iterable[Operation]) -> dict[Value, list[Use]]:
    """The uses of values in operations that come in the order of the text, from the last to the first."""
    uses_by_value: dict[Value, list[Use]] = {}
    for number, op in enumerate(operations):
        for index, value in enumerate(op.operands):
            if value in values:
                uses_by_value.setdefault(value, []).append((number, index, op))
    for uses in uses_by_value.values():
        uses.reverse()
    return uses_by_value


def apply_order(value: Value, order: Order | None, uses: list[Use]) -> None:
    """Puts the uses of a value, which are given from the last in the text to the first, in an order; that of the text
    if there is none."""
    if len(uses) < 2:
        return
    if order is not None:
        places = order.places(len(uses))
        uses = [use for _, use in sorted(zip(places, uses, strict=True), key=lambda pair: pair[0])]
    value.uses = {op: value.uses[op] for _, _, op in reversed(uses)}


def is_out_of_order(value: Value, numbers: Mapping[Operation, int]) -> bool:
    """Whether the operations that use a value are not known to it in the order of the text."""
    if len(value.uses) < 2:
        return False
    users = [numbers[op] for op in value.uses]
    return any(one > other for one, other in pairwise(users))


def write_orders(values: Sequence[Value], uses: Mapping[Value, list[Use]], out: ByteWriter) -> bool:
    """Writes the order of the uses of those of some values of which `uses` are given; False if there are none."""
    orders = {index: _places(value, uses[value]) for index, value in enumerate(values) if value in uses}
    if not orders:
        return False
    if len(values) != 1:
        out.varint(len(orders))
    for index, order in orders.items():
        if len(values) != 1:
            out.varint(index)
        moved = [(place, number) for number, place in enumerate(order) if place != number]
        pairs = len(moved) < len(order) // 2
        numbers = [number for pair in moved for number in pair] if pairs else order
        out.flagged(len(numbers), pairs)
        for number in numbers:
            out.varint(number)
    return True


def _places(value: Value, uses: list[Use]) -> list[int]:
    """Where each of the uses, from the last in the text to the first, stands as the value knows them."""
    ranks = {op: rank for rank, op in enumerate(reversed(value.uses))}
    places = [0] * len(uses)
    for place, index in enumerate(sorted(range(len(uses)), key=lambda at: (ranks[uses[at][2]], at))):
        places[index] = place
    return places
