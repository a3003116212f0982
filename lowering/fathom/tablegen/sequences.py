"""Lists and dags, as terms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.tablegen.terms import Key, String, Term, changed, together
from fathom.tablegen.types import DAG, ListType, Type

if TYPE_CHECKING:
    from fathom.tablegen.resolvers import Resolver


class List(Term):
    __slots__ = ("element", "elements", "free", "late", "size", "type")

    def __init__(self, elements: tuple[Term, ...], element_type: Type) -> None:
        self.elements = elements
        self.element = element_type
        self.type = element_type.listed
        self.free, self.late, self.size = together(elements)

    @property
    def text(self) -> str:
        return f"[{', '.join(each.text for each in self.elements)}]"

    @property
    def concrete(self) -> bool:
        return all(each.concrete for each in self.elements)

    @property
    def complete(self) -> bool:
        return all(each.complete for each in self.elements)

    def convert(self, to: Type) -> Term | None:
        if to is self.type:
            return self
        if not isinstance(to, ListType):
            return None
        new: list[Term] = []
        for each in self.elements:
            converted = each.convert(to.element)
            if converted is None:
                return None
            new.append(converted)
        if all(a is b for a, b in zip(new, self.elements, strict=True)):
            return self
        return List(tuple(new), to.element)

    def _resolved(self, by: Resolver) -> Term:
        by.keeper.work(len(self.elements))
        new = tuple([each.resolved(by) for each in self.elements])
        return List(new, self.element) if changed(new, self.elements) else self

    @property
    def key(self) -> Key:
        return ("list", self.type, *(each.key for each in self.elements))


class DagTerm(Term):
    __slots__ = ("arguments", "free", "late", "names", "operator", "operator_name", "size")
    type: Type = DAG

    def __init__(
        self,
        operator: Term,
        arguments: tuple[Term, ...],
        names: tuple[String | None, ...],
        operator_name: String | None = None,
    ) -> None:
        self.operator = operator
        self.arguments = arguments
        self.names = names
        self.operator_name = operator_name
        self.free, self.late, self.size = together((operator, *arguments))

    @property
    def text(self) -> str:
        operator = self.operator.text + (f":${self.operator_name.value}" if self.operator_name else "")
        arguments = ", ".join(
            each.text + (f":${name.value}" if name else "")
            for each, name in zip(self.arguments, self.names, strict=True)
        )
        return f"({operator} {arguments})" if arguments else f"({operator})"

    @property
    def concrete(self) -> bool:
        return self.operator.concrete and all(each.concrete for each in self.arguments)

    def _resolved(self, by: Resolver) -> Term:
        by.keeper.work(len(self.arguments))
        new = tuple([each.resolved(by) for each in self.arguments])
        operator = self.operator.resolved(by)
        if operator is self.operator and not changed(new, self.arguments):
            return self
        return DagTerm(operator, new, self.names, self.operator_name)

    @property
    def key(self) -> Key:
        names = tuple(None if each is None else each.key for each in (self.operator_name, *self.names))
        return ("dag", self.operator.key, names, *(each.key for each in self.arguments))
