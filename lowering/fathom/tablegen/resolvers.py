"""Resolvers: what variables stand for while terms are resolved.

`names` are the variables that a resolver may know, so that terms without any of them need not be looked through. With
`final`, a record is being finished: what could not be worked out until then is now, or is a mistake.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

from fathom.tablegen.references import AnonymousName
from fathom.tablegen.terms import NOTHING, UNSET, Term

if TYPE_CHECKING:
    from fathom.tablegen.definitions import Definition
    from fathom.tablegen.keeper import Keeper


class Resolver:
    """Knows no variables; says where a term is looked at: in which `record`, if in one."""

    __slots__ = ("final", "keeper", "keeps_unset_bits", "names", "record")

    def __init__(self, keeper: Keeper, record: Definition | None = None, final: bool = False) -> None:
        self.keeper = keeper
        self.record = record
        self.final = final
        self.names: AbstractSet[str] = NOTHING
        self.keeps_unset_bits = False

    def value_of(self, name: str) -> Term | None:
        """What a variable stands for; None if that is not known."""
        del name
        return None

    def name_for(self, name: AnonymousName) -> Term | None:
        """The name that an anonymous record gets in place of the one it has."""
        del name
        return None


class Mapping(Resolver):
    """Knows given variables, whose values may refer to each other."""

    __slots__ = ("_done", "_map")

    def __init__(self, keeper: Keeper, record: Definition | None, values: dict[str, Term]) -> None:
        super().__init__(keeper, record)
        self._map = values
        self._done: set[str] = set()
        self.names = values.keys()

    def value_of(self, name: str) -> Term | None:
        value = self._map.get(name)
        if value is None or not value.free or name in self._done or len(self._map) <= 1:
            return value
        del self._map[name]  # What refers to itself stays what it is.
        value = value.resolved(self)
        self._map[name] = value
        self._done.add(name)
        return value


class Fields(Resolver):
    """Knows the fields of a record that is being finished."""

    __slots__ = ("_known", "_new_name", "_old_name", "_open")

    def __init__(self, keeper: Keeper, record: Definition, new_name: Term | None = None) -> None:
        super().__init__(keeper, record, final=True)
        self.names = record.fields.keys()
        self.keeps_unset_bits = True
        self._known: dict[str, Term] = {}
        self._open: set[str] = set()
        self._old_name = record.name
        self._new_name = new_name

    def value_of(self, name: str) -> Term | None:
        known = self._known.get(name)
        if known is not None:
            return known
        assert self.record is not None
        field = self.record.fields.get(name)
        if field is None or field.value is UNSET or name in self._open:
            return None
        self._open.add(name)
        value = field.value.resolved(self)
        self._open.discard(name)
        self._known[name] = value
        return value

    def name_for(self, name: AnonymousName) -> Term | None:
        return self._new_name.resolved(self) if self._new_name is not None and name is self._old_name else None


class Shadow(Resolver):
    """Knows what another knows, but for the variables of a loop."""

    __slots__ = ("_of", "_shadowed")

    def __init__(self, of: Resolver, shadowed: tuple[str, ...]) -> None:
        super().__init__(of.keeper, of.record, of.final)
        self.names = of.names
        self._of = of
        self._shadowed = shadowed

    def value_of(self, name: str) -> Term | None:
        return None if name in self._shadowed else self._of.value_of(name)

    def name_for(self, name: AnonymousName) -> Term | None:
        return self._of.name_for(name)


class NotFinal(Resolver):
    """Knows what another knows, but finishes nothing: for the arguments of a class."""

    __slots__ = ("_of",)

    def __init__(self, of: Resolver) -> None:
        super().__init__(of.keeper, of.record)
        self.names = of.names
        self._of = of

    def value_of(self, name: str) -> Term | None:
        return self._of.value_of(name)

    def name_for(self, name: AnonymousName) -> Term | None:
        return self._of.name_for(name)
