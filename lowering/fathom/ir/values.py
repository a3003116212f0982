"""Values: results of operations and arguments of blocks; and the spans of the source that they and operations have.

They are had from `fathom.ir.operation`, like the rest of the graph. Source of the rules: *MLIR Language Reference*,
"High-Level Structure".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Block, Operation
    from fathom.ir.types import Type


class Origin(Protocol):
    """Something in a text that offsets count from, and that moves when the text before it changes."""

    @property
    def start(self) -> int: ...


class Span:
    """A half-open range of source offsets, in characters, relative to the text that was elaborated.

    With an `origin`, such as a statement, the range goes with it: `first` and `last` count from there.
    """

    __slots__ = ("first", "last", "origin")

    def __init__(self, first: int, last: int, origin: Origin | None = None) -> None:
        self.first = first
        self.last = last
        self.origin = origin

    @property
    def start(self) -> int:
        return self.first if self.origin is None else self.first + self.origin.start

    @property
    def end(self) -> int:
        return self.last if self.origin is None else self.last + self.origin.start

    @property
    def place(self) -> tuple[int, int]:
        """Where it begins and ends now: what to look it up by among many. As a key itself it is found slowly."""
        return self.start, self.end

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Span) and (self.start, self.end) == (other.start, other.end)

    def __hash__(self) -> int:
        return self.last - self.first  # What does not change when it moves.

    def __repr__(self) -> str:
        return f"Span({self.start}, {self.end})"


def place_of(span: Span | None) -> tuple[int, int] | None:
    """The place of what has one."""
    return span.place if span is not None else None


class Value:
    """An SSA value: its type, and how often each operation uses it (in the order of first use). While passes run, a
    type never changes: what becomes of another type is another value (`Operation.retype`)."""

    __slots__ = ("name_hint", "type", "uses")

    def __init__(self, type: Type) -> None:
        self.type = type
        self.uses: dict[Operation, int] = {}
        self.name_hint: str | None = None
        """The name it had in the source, without `%`; for people only, it never decides what is printed by default."""

    @property
    def defining_op(self) -> Operation | None:
        return None

    @property
    def parent_block(self) -> Block | None:
        """The block that defines it; None for what stands for a value that nothing defines."""
        return None

    def replace_all_uses_with(self, other: Value) -> None:
        """Gives all users `other` in place of this value."""
        for user in list(self.uses):
            for index in self.places_in(user):
                user.set_operand(index, other)

    def places_in(self, user: Operation) -> list[int]:
        """Which operands of an operation are this value."""
        # Values are equal to themselves alone. An operation of many operands is looked through quickly.
        places, place = list[int](), -1
        for _ in range(self.uses.get(user, 0)):
            place = user.operands.index(self, place + 1)
            places.append(place)
        return places


class OpResult(Value):
    """A result of an operation."""

    __slots__ = ("index", "op")

    def __init__(self, type: Type, op: Operation, index: int) -> None:
        # There are a great many of them: what `Value` does stands here.
        self.type = type
        self.uses = {}
        self.name_hint = None
        self.op = op
        self.index = index

    @property
    def defining_op(self) -> Operation | None:
        return self.op

    @property
    def parent_block(self) -> Block | None:
        return self.op.parent


def read_from_slot(owner: type, name: str, slot: str | None) -> None:
    """Has a property of a class, which is asked at every turn, read from the slot behind it, faster than to call
    it. It is None where there is no slot."""
    setattr(owner, name, vars(owner)[slot] if slot is not None else None)


read_from_slot(Value, "defining_op", None)
read_from_slot(OpResult, "defining_op", "op")


class BlockArgument(Value):
    """An argument of a block; of the entry block of a function, an argument of the function."""

    __slots__ = ("block", "index", "location", "span")

    def __init__(self, type: Type, block: Block, index: int, span: Span | None = None) -> None:
        super().__init__(type)
        self.block = block
        self.index = index
        self.span = span
        self.location: Attribute | None = None

    @property
    def parent_block(self) -> Block | None:
        return self.block


def types_of(values: Iterable[Value]) -> list[Type]:
    """The type of each value."""
    return [value.type for value in values]
