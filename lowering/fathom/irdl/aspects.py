"""Aspects: what a dialect says beside the definitions of its operations, to whoever asks for it.

An aspect is declared once, where it is used, and what uses it asks the context:

    BOUNDS: Final = Aspect[Mapping[str, BoundsOf]]("bounds", {})

    bounds = context.aspect(BOUNDS, op.dialect).get(op.name)

A dialect of the library says it in a module of its folder that has the aspect's name, as the constant of that name,
`BOUNDS` in `bounds.py`. The module is imported when it is first asked for. A dialect that is made elsewhere says it by
`aspects` of its code. Nothing between the two knows the aspect.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, Generic, TypeAlias, TypeVar

from fathom.records import record

T = TypeVar("T")


def _first(own: T, base: T) -> T:
    del base
    return own


@record(eq=False)
class Aspect(Generic[T]):
    """Something that dialects may say, `nothing` where one says nothing. Of a dialect that extends another both count:
    `joined(own, base)` is what they say together, without more what the extension says."""

    name: str
    nothing: T
    joined: Callable[[T, T], T] = _first

    @property
    def constant(self) -> str:
        """What it is called in its module."""
        return self.name.upper()


Said: TypeAlias = "Mapping[Aspect[Any], Callable[[], Any]]"
"""What a dialect says of aspects, each found out when it is first asked for."""

NOTHING_SAID: Final[Said] = MappingProxyType({})
