"""Values and numbers of which only the type can be seen, names of which nothing can, and operations that stand nowhere,
to find out what code looks at.

What code concludes from a stand-in holds for all that it stands for. Whatever else it asks about one raises
SeenThrough: what defines a value, who uses it, of which class it is, whether it equals another; what is around an
operation. Only the comparison by `is` goes unnoticed.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, Final, NoReturn, TypeAlias, cast

from fathom.ir.attributes import Attribute, FloatAttr, IntegerAttr, StringAttr, SymbolRefAttr
from fathom.ir.operation import Block, BlockArgument, Operation, OpResult, Region, Value
from fathom.ir.types import FloatType, Type

_NONE: Final[Mapping[str, StandInAttribute]] = MappingProxyType({})


class SeenThrough(Exception):
    """Code asked a stand-in about more than it stands for."""


class _Opaque:
    """What can be seen of a stand-in: the attributes that its class names, and nothing else."""

    __slots__ = ()

    seen: ClassVar[frozenset[str]] = frozenset()

    def __getattribute__(self, name: str) -> object:
        if name in type(self).seen:
            return super().__getattribute__(name)
        raise SeenThrough

    def __eq__(self, other: object) -> bool:
        raise SeenThrough

    def __hash__(self) -> int:
        raise SeenThrough


class StandIn(_Opaque, Value):
    """Stands for any value of a type."""

    __slots__ = ()

    seen = frozenset(("type",))

    def __init__(self, type: Type) -> None:
        self.type = type


class StandInInteger(_Opaque, IntegerAttr):
    """Stands for any integer of a type, as an attribute."""

    __slots__ = ()

    seen = frozenset(("type", "__class__"))

    def __init__(self, type: Type) -> None:
        object.__setattr__(self, "type", type)


class StandInFloat(_Opaque, FloatAttr):
    """Stands for any float of a type, as an attribute."""

    __slots__ = ()

    seen = frozenset(("type", "__class__"))

    def __init__(self, type: FloatType) -> None:
        object.__setattr__(self, "type", type)


class StandInName(_Opaque, StringAttr):
    """Stands for any name of a symbol."""

    __slots__ = ()

    seen = frozenset(("type", "__class__"))

    def __init__(self) -> None:
        object.__setattr__(self, "type", None)


class StandInSymbol(_Opaque, SymbolRefAttr):
    """Stands for any reference to a symbol by its name alone."""

    __slots__ = ()

    seen = frozenset(("nested", "__class__"))

    def __init__(self) -> None:
        object.__setattr__(self, "nested", ())


StandInAttribute: TypeAlias = "StandInInteger | StandInFloat | StandInName | StandInSymbol"


def stand_in_for(attribute: Attribute) -> StandInAttribute | None:
    """What stands for any number of the type of one, any name, or any symbol; None for other attributes."""
    match attribute:
        case IntegerAttr():
            return StandInInteger(attribute.type)
        case FloatAttr():
            return StandInFloat(attribute.type)
        case StringAttr(type=None):
            return StandInName()
        case SymbolRefAttr(nested=()):
            return StandInSymbol()
        case _:
            return None


class StandInBlock(_Opaque, Block):
    """Stands for any block."""

    __slots__ = ()

    def __init__(self) -> None:
        pass


class StandInTarget(StandInBlock):
    """Stands for any block that has arguments of the same types as another one, of which only these can be seen."""

    __slots__ = ()

    seen = frozenset(("arguments",))

    def __init__(self, like: Block) -> None:
        self.arguments = cast("list[BlockArgument]", [StandIn(argument.type) for argument in like.arguments])


class StandInRegion(_Opaque, Region):
    """Stands for any region."""

    __slots__ = ()

    def __init__(self) -> None:
        pass


class _Unseen:
    """A field that cannot be seen. What is set is not kept."""

    __slots__ = ()

    def __get__(self, instance: object, owner: type) -> NoReturn:
        raise SeenThrough

    def __set__(self, instance: object, value: object) -> None:
        pass


class StandInOperation(Operation):
    """Stands for any operation that has the same name, properties, attributes and types as another one, and as many
    successors and regions. Only these can be seen, not where it stands nor what is around it or in it. `varying` are
    the properties in which they need not agree. If they agree in the types of the arguments of their successors, it
    `shows_targets`."""

    __slots__ = ()

    def __init__(
        self, like: Operation, varying: Mapping[str, StandInAttribute] = _NONE, *, shows_targets: bool = False
    ) -> None:
        self.name = like.name
        self.definition = like.definition
        self.properties = {**like.properties, **varying}
        self.attributes = dict(like.attributes)
        self._successors = [StandInTarget(block) if shows_targets else StandInBlock() for block in like.successors]
        self._operands = [StandIn(value.type) for value in like.operands]
        self.results = cast("list[OpResult]", [StandIn(value.type) for value in like.results])
        self.regions = [StandInRegion() for _ in like.regions]

    if not TYPE_CHECKING:
        parent = previous = next = span = location = _Unseen()
