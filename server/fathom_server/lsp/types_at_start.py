"""The types of the protocol, imported at little more than half the cost.

`lsprotocol` declares some 550 classes by `attrs`, which writes and compiles methods for each: `__eq__` and `__repr__`
take 75 of the 170 ms that the import needs, and few are ever called. Here the classes have two in common that do the
same.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from importlib import import_module
from reprlib import recursive_repr
from typing import Any, Final

import attrs


def import_types() -> None:
    """Imports them, if nobody has."""
    with methods_in_common():
        import_module("lsprotocol.types")


@contextmanager
def methods_in_common() -> Generator[None]:
    """Classes that `attrs.define` makes meanwhile compare and show their fields by functions that serve any."""
    define: Any = attrs.define

    def defined(cls: type | None = None, **options: Any) -> Any:
        if cls is None or options:
            return define(cls, **options)
        for name, method in _METHODS.items():
            if name not in vars(cls):
                setattr(cls, name, method)
        return define(cls, eq=False, repr=False)

    attrs.define = defined
    try:
        yield
    finally:
        attrs.define = define


def _equals(self: object, other: object) -> bool:
    if other.__class__ is not self.__class__:
        return NotImplemented
    names = [field.name for field in attrs.fields(type(self))]
    return all(getattr(self, name) == getattr(other, name) for name in names)


@recursive_repr()
def _shown(self: object) -> str:
    shown = ", ".join(f"{field.name}={getattr(self, field.name)!r}" for field in attrs.fields(type(self)))
    return f"{type(self).__qualname__}({shown})"


_METHODS: Final[Mapping[str, object]] = {"__eq__": _equals, "__hash__": None, "__repr__": _shown}
