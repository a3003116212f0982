"""Terms that stand for what has a name: records, also those whose name is yet to be made, and variables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.tablegen.terms import Key, String, Term
from fathom.tablegen.types import STRING, RecordType, Type

if TYPE_CHECKING:
    from fathom.tablegen.definitions import Definition
    from fathom.tablegen.resolvers import Resolver


class AnonymousName(Term):
    """The name of an anonymous record while it is made; a string when it is finished."""

    __slots__ = ("number",)
    type: Type = STRING
    free = frozenset(("an anonymous record's name",))
    late = True

    def __init__(self, number: int) -> None:
        self.number = number

    @property
    def text(self) -> str:
        return f"anonymous_{self.number}"

    def _resolved(self, by: Resolver) -> Term:
        new = by.name_for(self) or self
        return String(new.text) if by.final and isinstance(new, AnonymousName) else new

    @property
    def key(self) -> Key:
        return ("anonymous", self.number)


class DefTerm(Term):
    """A record."""

    __slots__ = ("definition", "type")

    def __init__(self, definition: Definition) -> None:
        self.definition = definition
        self.type = definition.made_type()

    @property
    def concrete(self) -> bool:
        return True

    @property
    def text(self) -> str:
        return self.definition.written_name

    def convert(self, to: Type) -> Term | None:
        return self if isinstance(to, RecordType) and self.type.converts_to(to) else None

    def field_type(self, name: str) -> Type | None:
        field = self.definition.fields.get(name)
        return field.type if field is not None else None

    @property
    def key(self) -> Key:
        return ("def", self.definition)


class Variable(Term):
    """A name that gets its value later: a field, an argument of a template, of a loop or of an operation."""

    __slots__ = ("free", "name", "type")

    def __init__(self, name: str, type_: Type) -> None:
        self.name = name
        self.type = type_
        self.free = frozenset((name,))

    @property
    def text(self) -> str:
        return self.name

    def _resolved(self, by: Resolver) -> Term:
        by.keeper.work(1)
        return by.value_of(self.name) or self

    @property
    def key(self) -> Key:
        return ("variable", self.type, self.name)
