"""Names to constraints: what the strings of a description mean, in the scope of one dialect.

A scope knows ODS's standard constraints (`standard_types`, `standard_attributes`), those that the dialect defines
itself, and the terms that its code supplies by name. A name that none of these knows is no mistake where constraints
are merely declared: it becomes a constraint with the term `Unknown`, which checks nothing and says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, TypeVar

from fathom.irdl.constraint import AttributeConstraint, TypeConstraint
from fathom.irdl.expressions import Call, DescriptionError, Expression, List, Number, Text, spell
from fathom.irdl.terms import AllOf, AnyOf, Not, Term, Unknown
from fathom.irdl.type_functions import parameter_of
from fathom.records import field, record, replace

if TYPE_CHECKING:
    from fathom.irdl.standard_attributes import AttributeClass
    from fathom.irdl.standard_predicates import PredicateClass
    from fathom.irdl.standard_types import TypeClass
    from fathom.irdl.type_functions import TypeFunction

T = TypeVar("T")
COMPOSED: Final = frozenset(("And", "Or", "Neg"))
"""What predicates and constraints are put together by."""


@record
class Names:
    """Constraints and predicates by name; a class makes one from arguments. `matches` go by what traits say of them
    (`fathom.irdl.code.DialectCode`)."""

    types: Mapping[str, TypeConstraint] = field(default_factory=dict[str, TypeConstraint])
    type_classes: Mapping[str, TypeClass] = field(default_factory=dict[str, "TypeClass"])
    attributes: Mapping[str, AttributeConstraint] = field(default_factory=dict[str, AttributeConstraint])
    attribute_classes: Mapping[str, AttributeClass] = field(default_factory=dict[str, "AttributeClass"])
    predicates: Mapping[str, Term] = field(default_factory=dict[str, Term])
    predicate_classes: Mapping[str, PredicateClass] = field(default_factory=dict[str, "PredicateClass"])
    type_functions: Mapping[str, TypeFunction] = field(default_factory=dict[str, "TypeFunction"])
    matches: Mapping[str, TypeFunction] = field(default_factory=dict[str, "TypeFunction"])


class Arguments:
    """The arguments of a name, as the maker of its constraint asks for them. One that is missing or of another kind
    raises DescriptionError."""

    def __init__(self, scope: Scope, call: Call) -> None:
        self.scope = scope
        self.call = call

    def _at(self, index: int) -> Expression:
        if index >= len(self.call.arguments):
            raise DescriptionError(f"'{self.call.name}' takes at least {index + 1} arguments", self.call.column)
        return self.call.arguments[index]

    def has(self, index: int) -> bool:
        return index < len(self.call.arguments)

    def type(self, index: int) -> TypeConstraint:
        return self.scope.type(_call(self._at(index)))

    def types(self, index: int) -> tuple[TypeConstraint, ...]:
        return tuple(self.scope.type(_call(element)) for element in _elements(self._at(index)))

    def attribute(self, index: int) -> AttributeConstraint:
        return self.scope.attribute(_call(self._at(index)))

    def attributes(self, index: int) -> tuple[AttributeConstraint, ...]:
        return tuple(self.scope.attribute(_call(element)) for element in _elements(self._at(index)))

    def predicate(self, index: int) -> Term:
        return self.scope.predicate(_call(self._at(index)))

    def predicates(self, index: int) -> tuple[Term, ...]:
        if not self.has(index):
            return ()
        return tuple(self.scope.predicate(_call(element)) for element in _elements(self._at(index)))

    def integer(self, index: int) -> int:
        expression = self._at(index)
        if not isinstance(expression, Number):
            raise DescriptionError("expected an integer", expression.column)
        return expression.value

    def integers(self, index: int) -> tuple[int, ...]:
        expressions = _elements(self._at(index))
        if any(not isinstance(expression, Number) for expression in expressions):
            raise DescriptionError("expected integers", self._at(index).column)
        return tuple(expression.value for expression in expressions if isinstance(expression, Number))

    def text(self, index: int, default: str | None = None) -> str:
        if default is not None and not self.has(index):
            return default
        expression = self._at(index)
        if not isinstance(expression, Text):
            raise DescriptionError("expected a string", expression.column)
        return expression.value or default or ""

    def name(self, index: int) -> str:
        """The name of an operand or the like, bare or in quotes."""
        expression = self._at(index)
        if isinstance(expression, Text):
            return expression.value
        call = _call(expression)
        if call.arguments:
            raise DescriptionError("expected a name", call.column)
        return call.name

    def names(self, index: int) -> tuple[str, ...]:
        return tuple(
            element.value if isinstance(element, Text) else _call(element).name
            for element in _elements(self._at(index))
        )


def _call(expression: Expression) -> Call:
    if not isinstance(expression, Call):
        raise DescriptionError("expected the name of a constraint", expression.column)
    return expression


def _elements(expression: Expression) -> tuple[Expression, ...]:
    if not isinstance(expression, List):
        raise DescriptionError("expected a list in brackets", expression.column)
    return expression.elements


class Scope:
    """The names that hold in a description, the nearest first. What was looked up is remembered."""

    def __init__(self, *layers: Names, strict: bool = False) -> None:
        """`strict` makes a mistake of an unknown name."""
        self._layers = layers
        self.strict = strict
        self._types: dict[str, TypeConstraint] = {}
        self._attributes: dict[str, AttributeConstraint] = {}

    def type(self, call: Call) -> TypeConstraint:
        """The constraint on types that an expression stands for."""
        key = str(call)
        type_constraint = self._types.get(key)
        if type_constraint is None:
            type_constraint = self._types[key] = self._make_type(call, key)
        return type_constraint

    def _make_type(self, call: Call, key: str) -> TypeConstraint:
        if not call.arguments:
            type_constraint = self._find(lambda names: names.types.get(call.name))
            if type_constraint is not None:
                return type_constraint
            predicate = self._find(lambda names: names.predicates.get(call.name))
            if predicate is not None:
                return TypeConstraint(call.name, predicate, name=call.name)
        if call.name in COMPOSED:
            return TypeConstraint(key, self.predicate(call), name=key)
        maker = self._find(lambda names: names.type_classes.get(call.name))
        predicate_maker = self._find(lambda names: names.predicate_classes.get(call.name))
        if maker is None and predicate_maker is not None:
            return TypeConstraint(key, predicate_maker(Arguments(self, call)), name=key)
        if maker is None:
            self._unknown(call, "type constraint")
            return TypeConstraint(key, Unknown(key), name=key)
        made = maker(Arguments(self, call))
        # One without a name of its own, of which no term says all, code may know by what messages say of it.
        known = self._find(lambda names: names.types.get(made.summary)) if any(made.term.unknown()) else None
        return known or replace(made, name=key)

    def attribute(self, call: Call) -> AttributeConstraint:
        """The constraint on attributes that an expression stands for."""
        key = str(call)
        attribute_constraint = self._attributes.get(key)
        if attribute_constraint is None:
            attribute_constraint = self._attributes[key] = self._make_attribute(call, key)
        return attribute_constraint

    def _make_attribute(self, call: Call, key: str) -> AttributeConstraint:
        if not call.arguments:
            attribute_constraint = self._find(lambda names: names.attributes.get(call.name))
            if attribute_constraint is not None:
                return attribute_constraint
            predicate = self._find(lambda names: names.predicates.get(call.name))
            if predicate is not None:
                return AttributeConstraint(f"{call.name} instance", predicate, name=call.name)
        if call.name in COMPOSED:
            return self._composed(call, key)
        maker = self._find(lambda names: names.attribute_classes.get(call.name))
        predicate_maker = self._find(lambda names: names.predicate_classes.get(call.name))
        if maker is None and predicate_maker is not None:
            return AttributeConstraint(key, predicate_maker(Arguments(self, call)), name=key)
        if maker is None:
            self._unknown(call, "attribute constraint")
            return AttributeConstraint(key, Unknown(key), name=key)
        return maker(Arguments(self, call))

    def _composed(self, call: Call, key: str) -> AttributeConstraint:
        """`And<[…]>` and the like. What stands first in an `And` says how it is written, as in `ConfinedAttr`."""
        term = self.predicate(call)
        elements = call.arguments[0] if call.name == "And" else None
        first = elements.elements[0] if isinstance(elements, List) and elements.elements else None
        if isinstance(first, Call) and self._is_attribute(first.name):
            return replace(self.attribute(first), summary=key, test=term, name=key)
        return AttributeConstraint(key, term, name=key)

    def _is_attribute(self, name: str) -> bool:
        return self._find(lambda names: names.attributes.get(name) or names.attribute_classes.get(name)) is not None

    def predicate(self, call: Call) -> Term:
        """The term that an expression stands for, which may also be the name of a constraint."""
        match call.name:
            case "And":
                return AllOf(Arguments(self, call).predicates(0))
            case "Or":
                return AnyOf(Arguments(self, call).predicates(0))
            case "Neg":
                return Not(Arguments(self, call).predicate(0))
            case _:
                pass
        if not call.arguments:
            term = self._find(lambda names: names.predicates.get(call.name))
            if term is not None:
                return term
        maker = self._find(lambda names: names.predicate_classes.get(call.name))
        if maker is not None:
            return maker(Arguments(self, call))
        if self._find(lambda names: names.types.get(call.name) or names.type_classes.get(call.name)):
            return self.type(call).term
        if self._is_attribute(call.name):
            return self.attribute(call).term
        self._unknown(call, "predicate")
        return Unknown(spell(call))

    def knows_type(self, name: str) -> bool:
        """Whether a constraint on types has this name."""
        return self._find(lambda names: names.types.get(name) or names.type_classes.get(name)) is not None

    def type_function(self, name: str) -> TypeFunction | None:
        """The function from types to types of this name, or None. Code may say what a parameter is of types that no
        description defines."""
        type_function = self._find(lambda names: names.type_functions.get(name))
        if type_function is not None:
            return type_function
        kind, _, parameter = name.partition(".")
        return parameter_of(parameter) if kind == "Parameter" and parameter else None

    def decided(self, name: str) -> Term | None:
        """The predicate of this name, or None."""
        return self._find(lambda names: names.predicates.get(name))

    def match(self, message: str) -> TypeFunction | None:
        """The function of the trait `TypesMatchWith` with this message, or None."""
        return self._find(lambda names: names.matches.get(message))

    def _find(self, look: Callable[[Names], T | None]) -> T | None:
        for names in self._layers:
            if (known := look(names)) is not None:
                return known
        return None

    def _unknown(self, call: Call, what: str) -> None:
        if self.strict:
            raise DescriptionError(f"unknown {what} '{call.name}'", call.column)
