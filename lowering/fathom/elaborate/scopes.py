"""Names of values and blocks while a document is elaborated.

A region that is isolated from above begins anew; any other sees the names around it, and its own end with it.
Source of the rules: *MLIR Language Reference*, "Value Scoping".
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fathom.ir.operation import Block, Value
from fathom.ir.types import Type, UnknownType

if TYPE_CHECKING:
    from fathom.elaborate.elaborator import Place

POISON = UnknownType("<<unknown>>")
"""The type of a value whose definition did not say; it agrees with every other."""


class ForwardValue(Value):
    """Stands for a value that is used before its definition; `place` is the first use."""

    __slots__ = ("place",)

    def __init__(self, type: Type, place: Place) -> None:
        super().__init__(type)
        self.place = place


@dataclass(slots=True)
class ValueNames:
    """The names that are visible, down to the next isolated region. A group `%x:2` is one entry with two values."""

    values: dict[str, list[Value]] = field(default_factory=dict[str, "list[Value]"])
    forward: dict[str, ForwardValue] = field(default_factory=dict[str, ForwardValue])
    places: dict[str, Place] = field(default_factory=dict[str, "Place"])

    def find(self, text: str) -> Value | None:
        """The value of `%x` or `%x#1`; None where it is not defined yet."""
        group = self.values.get(text)
        if group is not None:
            return group[0]
        name, mark, number = text.partition("#")
        if mark and (group := self.values.get(name)) is not None:
            index = int(number[:9])
            return group[index] if index < len(group) else None
        return None

    def take_forward(self, name: str, index: int) -> list[ForwardValue]:
        """The stand-ins for a value that is now defined: those of `%x#index`, and of plain `%x` for index 0."""
        keys = [f"{name}#{index}"] + ([name] if index == 0 else [])
        return [self.forward.pop(key) for key in keys if key in self.forward]


@dataclass(slots=True)
class BlockNames:
    """The blocks of one region, by label; those that were only referred to so far, with the place of the first
    reference."""

    defined: dict[str, Block] = field(default_factory=dict[str, Block])
    forward: dict[str, tuple[Block, Place]] = field(default_factory=dict[str, "tuple[Block, Place]"])
    places: dict[str, Place] = field(default_factory=dict[str, "Place"])

    def find(self, label: str, place: Place) -> Block:
        block = self.defined.get(label)
        if block is not None:
            return block
        if label not in self.forward:
            self.forward[label] = (Block(), place)
        return self.forward[label][0]
