"""Values of which only the type can be seen, and operations that stand nowhere, to find out what code looks at.

What code concludes from a stand-in holds for all that it stands for. Whatever else it asks about one raises
SeenThrough: what defines a value, who uses it, of which class it is, whether it equals another; what is around an
operation. Only the comparison by `is` goes unnoticed.
"""

from __future__ import annotations

from typing import Final, cast

from fathom.ir.operation import Block, Operation, OpResult, Region, Value
from fathom.ir.types import Type


class SeenThrough(Exception):
    """Code asked a stand-in about more than it stands for."""


class StandIn(Value):
    """Stands for any value of a type."""

    __slots__ = ()

    def __init__(self, type: Type) -> None:
        self.type = type

    def __getattribute__(self, name: str) -> object:
        if name == "type":
            return super().__getattribute__(name)
        raise SeenThrough

    def __eq__(self, other: object) -> bool:
        raise SeenThrough

    def __hash__(self) -> int:
        raise SeenThrough


class StandInBlock(Block):
    """Stands for any block."""

    __slots__ = ()

    def __init__(self) -> None:
        pass

    def __getattribute__(self, name: str) -> object:
        raise SeenThrough

    def __eq__(self, other: object) -> bool:
        raise SeenThrough

    def __hash__(self) -> int:
        raise SeenThrough


class StandInRegion(Region):
    """Stands for any region."""

    __slots__ = ()

    def __init__(self) -> None:
        pass

    def __getattribute__(self, name: str) -> object:
        raise SeenThrough

    def __eq__(self, other: object) -> bool:
        raise SeenThrough

    def __hash__(self) -> int:
        raise SeenThrough


class StandInOperation(Operation):
    """Stands for any operation that has the same name, properties, attributes and types as another one, and as many
    successors and regions. Only these can be seen, not where it stands nor what is around it or in it."""

    __slots__ = ()

    def __init__(self, like: Operation) -> None:
        super().__init__(
            like.name,
            (),
            (),
            like.properties,
            like.attributes,
            [StandInBlock() for _ in like.successors],
            definition=like.definition,
        )
        self._operands = [StandIn(value.type) for value in like.operands]
        self.results = cast("list[OpResult]", [StandIn(value.type) for value in like.results])
        self.regions = [StandInRegion() for _ in like.regions]

    def __getattribute__(self, name: str) -> object:
        if name in _SURROUNDINGS:
            raise SeenThrough
        return super().__getattribute__(name)


_SURROUNDINGS: Final = frozenset(("parent", "previous", "next", "span", "location"))
