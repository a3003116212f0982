"""Aspects: what a dialect says beside the definitions of its operations, to whoever asks for it.

An aspect is declared once, where it is used, and what uses it asks the context, or a definition for what is said of
its operations:

    BOUNDS: Final = Aspect[Mapping[str, BoundsOf]]("bounds", {}, Joined)

    bounds = context.aspect(BOUNDS, op.dialect).get(op.name)
    bounds = definition.told(BOUNDS)

A dialect of the library says it in a module of its folder that has the aspect's name, as the constant of that name,
`BOUNDS` in `bounds.py`. The module is imported when it is first asked for. What is said by the names of operations,
functions may say themselves:

    @attached(BOUNDS, "shop.count")
    def count(op: Operation) -> tuple[int, int]: ...

Where there are such functions in further modules of the folder, or in these alone, the folder's own module says their
names, as `BOUNDS_PARTS`. A dialect that is made elsewhere says it by `aspects` of its code. Nothing between the two
knows the aspect.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import FunctionType, MappingProxyType, ModuleType
from typing import Any, Final, Generic, Protocol, TypeVar

from fathom.records import record

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")


def _first(own: T, base: T) -> T:
    del base
    return own


@record(eq=False)
class Aspect(Generic[T]):
    """Something that dialects may say, `nothing` where one says nothing. Of a dialect that extends another both count:
    `joined(own, base)` is what they say together, without more what the extension says. Aspects that belong together
    are said in one `module`. One that `is_table` is no code: texts by the names of operations, in a file of data."""

    name: str
    nothing: T
    joined: Callable[[T, T], T] = _first
    module: str = ""
    is_table: bool = False

    @property
    def constant(self) -> str:
        """What it is called in its module."""
        return self.name.upper()

    @property
    def parts(self) -> str:
        """What a folder calls the names of the modules in which it is said as well."""
        return f"{self.place.upper()}_PARTS"

    @property
    def place(self) -> str:
        """The module in which it is said."""
        return self.module or self.name


class Said(Protocol):
    """What a dialect says of aspects, each found out when it is first asked for. A dictionary is that."""

    def get(self, key: Aspect[Any], /) -> Callable[[], Any] | None:
        """What gives what is said of an aspect; None where nothing is."""
        ...


NOTHING_SAID: Final[Said] = MappingProxyType[Aspect[Any], "Callable[[], Any]"]({})


@record(eq=False)
class SaidTogether:
    """What a dialect says that extends another, with what the other says."""

    own: Said
    base: Said

    def get(self, key: Aspect[Any], /) -> Callable[[], Any] | None:
        """What gives what both say of an aspect."""
        own, base = self.own.get(key), self.base.get(key)
        if own is None:
            return base
        return lambda: key.joined(own(), base() if base is not None else key.nothing)


_ATTACHED: Final = "attached"
"""The attribute in which a function has the aspects and names that it is attached to."""


def attached(aspect: Aspect[Any], *names: str) -> Callable[[F], F]:
    """Makes a function what its module says of the operations with these names."""

    def attach(function: F) -> F:
        setattr(function, _ATTACHED, (*getattr(function, _ATTACHED, ()), (aspect, names)))
        return function

    return attach


def said_in(modules: Sequence[ModuleType], aspect: Aspect[Any]) -> Any:
    """What modules say together, by constants and by functions, the last of what several say; None where none does."""
    said: list[Any] = [of_module for module in modules if (of_module := _said_by(module, aspect)) is not None]
    return (
        {name: of_name for table in said for name, of_name in table.items()}
        if len(said) > 1
        else next(iter(said), None)
    )


def _said_by(module: ModuleType, aspect: Aspect[Any]) -> Any:
    constant: Any = getattr(module, aspect.constant, None)
    functions: dict[str, Any] = {
        name: function
        for function in vars(module).values()
        if isinstance(function, FunctionType)
        for of, names in getattr(function, _ATTACHED, ())
        if of is aspect
        for name in names
    }
    return {**constant, **functions} if functions and constant else functions or constant


def said_of(aspect: Aspect[T], said: Said) -> T:
    """What is said of an aspect, if anything."""
    say = said.get(aspect)
    return say() if say is not None else aspect.nothing
