"""Terms about a part of a type or attribute: its element, its type, each of its elements."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from fathom.ir import attributes as a
from fathom.ir import types as t
from fathom.irdl.kinds import TYPED
from fathom.irdl.terms import Term, Test
from fathom.records import record


def is_kept(value: object) -> bool:
    """Whether a type or attribute is kept as it is written, so that nobody knows what it has and how much."""
    return isinstance(value, (t.UnknownType, a.UnknownAttr))


def _element(value: object) -> object:
    return value.element if isinstance(value, (t.ShapedType, t.ComplexType, a.DenseArrayAttr)) else None


def _element_or_self(value: object) -> object:
    return value.element if isinstance(value, t.ShapedType) else value


def _type(value: object) -> object:
    return getattr(value, "type", None) if isinstance(value, (a.TypeAttr, *TYPED)) else None


PARTS: Final[Mapping[str, Callable[[object], object]]] = {
    "Element": _element,
    "ElementOrSelf": _element_or_self,
    "TypeOf": _type,
}


@record
class Part(Term):
    """A part of a value, by its name in PARTS, satisfies a term: the element of a shaped type, the type of an
    attribute. A value without that part does not."""

    part: str
    term: Term

    def compiled(self) -> Test:
        part, test = PARTS[self.part], self.term.compiled()
        return lambda value: is_kept(value) or ((inner := part(value)) is not None and test(inner))

    def parts(self) -> tuple[Term, ...]:
        return (self.term,)

    def __str__(self) -> str:
        return f"{self.part}<{self.term}>"


def _nested_tuple(value: t.TupleType) -> Iterator[t.Type]:
    for element in value.elements:
        if isinstance(element, t.TupleType):
            yield from _nested_tuple(element)
        else:
            yield element


@record
class Each(Term):
    """Each element of an array or tuple satisfies a term; of tuples in a tuple, their elements, if `nested`."""

    term: Term
    nested: bool = False

    def compiled(self) -> Test:
        test, nested = self.term.compiled(), self.nested

        def accepts(value: object) -> bool:
            if isinstance(value, t.TupleType):
                return all(map(test, _nested_tuple(value) if nested else value.elements))
            return isinstance(value, a.ArrayAttr) and all(map(test, value.elements))

        return accepts

    def parts(self) -> tuple[Term, ...]:
        return (self.term,)

    def __str__(self) -> str:
        return f"{'EachNested' if self.nested else 'Each'}<{self.term}>"
