"""What a constraint says of a type or an attribute, as a term: data that can be read, compared, printed and composed.

A term is immutable, equal to another that says the same, and spells itself as a description does (`str(term)`).
`compiled()` makes of it, once, the function that a verifier runs. What no term can say is `Native`, a function with a
name; what nobody has said is `Unknown`, which is satisfied by anything and can be asked for. Here stands what the
others are composed with; `kinds`, `parts` and `measures` have those that look at types and attributes.
Source of the rules: *Operation Definition Specification (ODS)*, "Constraints".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from fathom.ir import attributes as a
from fathom.ir import types as t
from fathom.records import record

Test: TypeAlias = "Callable[[object], bool]"
"""A predicate on types or on attributes; anything else does not satisfy it."""


@record
class Term:
    """One of the classes below."""

    def compiled(self) -> Test:
        """The function that decides the term."""
        raise TypeError(f"{type(self).__name__} is no term")

    def parts(self) -> tuple[Term, ...]:
        """The terms that it is made of."""
        return ()

    def unknown(self) -> Iterator[str]:
        """The names in it that nothing defines, so that what it accepts is not checked as a whole."""
        for part in self.parts():
            yield from part.unknown()


# Nothing is asked more often of a new text: a generator in `any` would take as long as the tests.


def _any(tests: Sequence[Test]) -> Test:
    def test(value: object) -> bool:
        for holds in tests:  # noqa: SIM110
            if holds(value):
                return True
        return False

    return test


def _all(tests: Sequence[Test]) -> Test:
    def test(value: object) -> bool:
        for holds in tests:  # noqa: SIM110
            if not holds(value):
                return False
        return True

    return test


@record
class Anything(Term):
    """Satisfied by all."""

    def compiled(self) -> Test:
        return lambda _: True

    def __str__(self) -> str:
        return "true"


@record
class AnyOf(Term):
    """One of several terms."""

    terms: tuple[Term, ...]

    def compiled(self) -> Test:
        exact = [term.value for term in self.terms if isinstance(term, Exactly)]
        if exact and len(exact) == len(self.terms):
            values = frozenset(exact)
            return lambda value: value in values
        return _any([term.compiled() for term in self.terms])

    def parts(self) -> tuple[Term, ...]:
        return self.terms

    def __str__(self) -> str:
        return f"Or<[{', '.join(map(str, self.terms))}]>"


@record
class AllOf(Term):
    """Each of several terms; a later one is asked only where the earlier ones hold."""

    terms: tuple[Term, ...]

    def compiled(self) -> Test:
        return _all([term.compiled() for term in self.terms])

    def parts(self) -> tuple[Term, ...]:
        return self.terms

    def __str__(self) -> str:
        return f"And<[{', '.join(map(str, self.terms))}]>"


@record
class Not(Term):
    """Satisfied by what does not satisfy the other."""

    term: Term

    def compiled(self) -> Test:
        test = self.term.compiled()
        return lambda value: not test(value)

    def parts(self) -> tuple[Term, ...]:
        return (self.term,)

    def __str__(self) -> str:
        return f"Neg<{self.term}>"


@record
class Exactly(Term):
    """One type or attribute and no other."""

    value: t.Type | a.Attribute

    def compiled(self) -> Test:
        value = self.value
        return lambda other: other == value

    def __str__(self) -> str:
        return f"Is<`{self.value}`>"


@record
class Native(Term):
    """What only code can say: a function, and the name that it goes by."""

    name: str
    test: Test

    def compiled(self) -> Test:
        return self.test

    def __str__(self) -> str:
        return self.name


@record
class NativeClass(Native):
    """A class of types of which only code can say what belongs to it, such as an interface of MLIR's own types."""


@record
class Unknown(Term):
    """A constraint that is named and nowhere defined."""

    name: str

    def compiled(self) -> Test:
        return lambda _: True

    def unknown(self) -> Iterator[str]:
        yield self.name

    def __str__(self) -> str:
        return self.name
