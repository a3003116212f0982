"""Lists and dags, as terms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fathom.tablegen.terms import Compound, Key, String, Term, changed
from fathom.tablegen.types import DAG, ListType, Type

if TYPE_CHECKING:
    from fathom.tablegen.resolvers import Resolver


class List(Compound):
    __slots__ = ("element", "elements", "type")

    def __init__(self, elements: tuple[Term, ...], element_type: Type) -> None:
        super().__init__(elements)
        self.elements = elements
        self.element = element_type
        self.type = element_type.listed

    @property
    def parts(self) -> Sequence[Term]:
        return self.elements

    @property
    def text(self) -> str:
        return f"[{', '.join(element.text for element in self.elements)}]"

    def convert(self, to: Type) -> Term | None:
        if to is self.type:
            return self
        if not isinstance(to, ListType):
            return None
        new: list[Term] = []
        for element in self.elements:
            converted = element.convert(to.element)
            if converted is None:
                return None
            new.append(converted)
        if all(a is b for a, b in zip(new, self.elements, strict=True)):
            return self
        return List(tuple(new), to.element)

    def _resolved(self, by: Resolver) -> Term:
        by.keeper.work(len(self.elements))
        new = tuple([element.resolved(by) for element in self.elements])
        return List(new, self.element) if changed(new, self.elements) else self

    @property
    def key(self) -> Key:
        return ("list", self.type, *(element.key for element in self.elements))


class DagTerm(Compound):
    __slots__ = ("arguments", "names", "operator", "operator_name")
    type: Type = DAG

    def __init__(
        self,
        operator: Term,
        arguments: tuple[Term, ...],
        names: tuple[String | None, ...],
        operator_name: String | None = None,
    ) -> None:
        super().__init__((operator, *arguments))
        self.operator = operator
        self.arguments = arguments
        self.names = names
        self.operator_name = operator_name

    @property
    def parts(self) -> Sequence[Term]:
        return (self.operator, *self.arguments)

    @property
    def complete(self) -> bool:
        return True

    @property
    def text(self) -> str:
        operator = self.operator.text + (f":${self.operator_name.value}" if self.operator_name else "")
        arguments = ", ".join(
            argument.text + (f":${name.value}" if name else "")
            for argument, name in zip(self.arguments, self.names, strict=True)
        )
        return f"({operator} {arguments})" if arguments else f"({operator})"

    def _resolved(self, by: Resolver) -> Term:
        by.keeper.work(len(self.arguments))
        new = tuple([argument.resolved(by) for argument in self.arguments])
        operator = self.operator.resolved(by)
        if operator is self.operator and not changed(new, self.arguments):
            return self
        return DagTerm(operator, new, self.names, self.operator_name)

    @property
    def key(self) -> Key:
        names = tuple(None if name is None else name.key for name in (self.operator_name, *self.names))
        return ("dag", self.operator.key, names, *(argument.key for argument in self.arguments))
