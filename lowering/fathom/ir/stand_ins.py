"""Values and blocks of which only the type can be seen, to find out what code looks at.

What code concludes from a stand-in holds for every value of the type. Whatever else it asks about one raises
SeenThrough: what defines it, who uses it, of which class it is, whether it equals another.
"""

from __future__ import annotations

from fathom.ir.operation import Block, Value
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
