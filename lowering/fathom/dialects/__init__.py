"""The dialects, and the registry that finds what defines a name.

A dialect's module is imported when the first name with its prefix is looked up. Definitions of a user's own are added
to a registry at run time; nothing here is shared between registries but the immutable definitions themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from fathom.irdl.definition import OpDefinition

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation, Span
    from fathom.ir.types import Type


@dataclass(frozen=True, eq=False)
class Dialect:
    """What a dialect brings.

    `types` and `attributes` map a mnemonic (`ptr` of `!llvm.ptr`) to a function of a `fathom.elaborate.reader.Reader`
    that stands after it, and returns the type or attribute. `materialize_constant(attribute, type, span)` makes the
    operation that a folded result becomes, or returns None where the dialect has none for it.
    """

    name: str
    operations: tuple[OpDefinition, ...] = ()
    types: Mapping[str, Callable[[Any], Type]] = field(default_factory=dict[str, "Callable[[Any], Type]"])
    attributes: Mapping[str, Callable[[Any], Attribute]] = field(
        default_factory=dict[str, "Callable[[Any], Attribute]"]
    )
    materialize_constant: Callable[[Attribute, Type, Span | None], Operation | None] | None = None

    @cached_property
    def by_name(self) -> dict[str, OpDefinition]:
        return {operation.name: operation for operation in self.operations}

    def operation(self, name: str) -> OpDefinition:
        """The definition of `arith.addi`, say; KeyError where there is none."""
        return self.by_name[name]


class Registry:
    """Finds definitions by name: first those added at run time, then those of the library's dialects."""

    def __init__(self) -> None:
        self._added: dict[str, OpDefinition] = {}
        self._found: dict[str, OpDefinition | None] = {}
        self._dialects: dict[str, Dialect | None] = {}

    def lookup(self, name: str) -> OpDefinition | None:
        """The definition of an operation, or None for an unknown one."""
        try:
            return self._found[name]
        except KeyError:
            pass
        definition = self._added.get(name)
        if definition is None:
            dialect = self.dialect(name.partition(".")[0])
            definition = dialect.by_name.get(name) if dialect is not None else None
        self._found[name] = definition
        return definition

    def register(self, *definitions: OpDefinition) -> None:
        """Adds definitions; one with a name that is known already takes its place."""
        for definition in definitions:
            self._added[definition.name] = definition
        self._found.clear()

    def dialect(self, name: str) -> Dialect | None:
        """The library's dialect of this name, or None."""
        if name not in self._dialects:
            self._dialects[name] = _load(name)
        return self._dialects[name]

    def operation_names(self, dialect: str) -> list[str]:
        """The full names of the operations of a dialect, sorted."""
        known = self.dialect(dialect)
        names: Iterable[str] = known.by_name if known is not None else ()
        return sorted({*names, *(name for name in self._added if name.partition(".")[0] == dialect)})


def default_registry() -> Registry:
    """A fresh registry with all dialects of the library."""
    return Registry()


def _load(name: str) -> Dialect | None:
    if not name.isidentifier() or find_spec(f"{__name__}.{name}") is None:
        return None
    return getattr(import_module(f"{__name__}.{name}"), "DIALECT", None)
