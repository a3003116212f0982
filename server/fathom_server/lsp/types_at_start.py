"""The types of the protocol, imported at a fraction of the cost.

`lsprotocol` declares some 550 classes by `attrs`, which writes and compiles methods for each, and then resolves the
types of the fields of each. A session needs a hundred of them. Here a class is defined when its first instance is made,
or when somebody asks for its fields; and `__eq__` and `__repr__`, of which few are ever called, are the same for all.
"""

from __future__ import annotations

import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from importlib import import_module
from reprlib import recursive_repr
from threading import RLock
from typing import Any, Final

import attrs

_FIELDS: Final = "__attrs_attrs__"
_DEFINING: Final = RLock()


def import_types() -> None:
    """Imports them, if nobody has."""
    if "lsprotocol.types" in sys.modules:
        return
    with defined_late():
        import_module("lsprotocol.types")
    # Each class resolves its types when it is defined; this would define all.
    hooks: Any = import_module("lsprotocol._hooks")
    if hasattr(hooks, "_resolved_forward_references"):
        hooks._resolved_forward_references = True


@contextmanager
def defined_late() -> Generator[None]:
    """Classes that `attrs.define` makes meanwhile are defined when they are needed."""
    define: Any = attrs.define

    def defined(cls: type | None = None, **options: Any) -> Any:
        if cls is None or options:
            return define(cls, **options)
        for name, method in _METHODS.items():
            if name not in vars(cls):
                setattr(cls, name, method)
        setattr(cls, _FIELDS, _Fields())
        cls.__init__ = _first_made  # type: ignore[misc]
        return cls

    attrs.define = defined
    try:
        yield
    finally:
        attrs.define = define


class _Fields:
    """The fields of a class that is not defined yet: looking at them defines it."""

    def __get__(self, instance: object, cls: type) -> Any:
        _define(_declared(cls))
        return getattr(cls, _FIELDS)


def _first_made(self: object, *values: Any, **named: Any) -> None:
    """The constructor of a class until its first instance."""
    _define(_declared(type(self)))
    self.__init__(*values, **named)


def _declared(cls: type) -> type:
    """The class that is not defined yet: this one, or the one that it inherits from."""
    return next(base for base in cls.__mro__ if _FIELDS in vars(base))


def _define(cls: type) -> None:
    with _DEFINING:
        if not isinstance(vars(cls)[_FIELDS], _Fields):
            return
        # What is there already stays until it is replaced, for other threads.
        attrs.define(cls, init=True, eq=False, repr=False, slots=False)
        attrs.resolve_types(cls, vars(sys.modules[cls.__module__]), {})  # type: ignore[type-var]


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
