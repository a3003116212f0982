"""What the names in a description mean: its own constraints, those of its code, and the standard ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeVar

from fathom.ir.attributes import Attribute
from fathom.ir.types import IntegerType, Type
from fathom.irdl.constraint import AttributeConstraint, AttributeForm, TypeConstraint
from fathom.irdl.enumerations import Enumeration
from fathom.irdl.expressions import Call, DescriptionError, Entry, Text, parse_expression
from fathom.irdl.kinds import Kind, Named
from fathom.irdl.lazy import Lazy
from fathom.irdl.measures import Among, OnlyBits
from fathom.irdl.parts import Part
from fathom.irdl.scope import Names, Scope
from fathom.irdl.standard_attributes import STANDARD_ATTRIBUTES
from fathom.irdl.standard_traits import Meaning
from fathom.irdl.standard_types import STANDARD_TYPES
from fathom.irdl.tables import TableReader
from fathom.irdl.terms import AllOf, Exactly, Native, NativeClass, Term, Unknown
from fathom.records import replace

if TYPE_CHECKING:
    from fathom.irdl.description import Description
    from fathom.irdl.parametric import Parametric

C = TypeVar("C", TypeConstraint, AttributeConstraint)
DEEPEST: Final = 20
"""Constraints that name each other."""
MOST_PARTS: Final = 10_000
MOST_LEVELS: Final = 100
LONGEST_SUMMARY: Final = 100_000
CONSTRAINT_KEYS: Final = frozenset(("summary", "type", "attribute"))


class DescriptionScope(Scope):
    """The names that hold in a description: its own, those of its code, and the standard ones."""

    def __init__(self, description: Description) -> None:
        self.description = description
        self.traits: Final[dict[str, Meaning]] = {}
        """What the traits of operations stand for, by their texts, as far as that was asked."""
        self._open = 0
        self._extents: Final[dict[int, tuple[Term, tuple[int, int]]]] = {}
        code = description.code
        self._predicates: Final = {name: Native(name, test) for name, test in code.predicates.items()}
        own = Names(
            types=Lazy(
                lambda: [*description.sections.names("constraint"), *description.sections.names("type")], self.own_type
            ),
            attributes=Lazy(self._attribute_names, self.own_attribute),
            predicates=self._predicates,
            type_functions=code.type_functions,
            matches=code.matches,
        )
        beside = Names(types=code.type_constraints, attributes=code.attribute_constraints)
        super().__init__(beside, own, STANDARD_TYPES, STANDARD_ATTRIBUTES, strict=description.checked == "complete")

    def _attribute_names(self) -> list[str]:
        sections = self.description.sections
        return [*sections.names("constraint"), *sections.names("attribute"), *sections.names("enum")]

    # ---- the description's own constraints

    def own_type(self, name: str) -> TypeConstraint | None:
        """The constraint on types that a table of the description defines: `constraint` or `type`."""
        sections = self.description.sections
        if sections.has("type", name):
            definition = self.description.types.get(name)
            if definition is None:
                return TypeConstraint(name, Unknown(name), name=name)  # What is wrong with it is told there.
            only = definition.make() if not definition.parameters and not definition.opaque else None
            type = only if isinstance(only, Type) else None
            is_named = "mnemonic" in sections.table("type", name) or not definition.opaque
            test = self.description.code.predicates.get(name)
            of_code = NativeClass(name, test) if test is not None else Unknown(name)
            term = Named(definition.full_name) if is_named else of_code
            # A class that only others are of has no text of its own; what has no parameters is always written whole.
            has_text = is_named and (definition.opaque or bool(definition.directives))
            # Of MLIR's, which go by the names of their classes, nothing is said without a summary.
            has_own_name = "mnemonic" not in sections.table("type", name) and not definition.opaque
            summary = definition.summary or (f"'!{definition.full_name}'" if has_own_name else "")
            return TypeConstraint(summary, term, type, name, definition if has_text else None)
        return self._constrained(name, "type", self.type, TypeConstraint(name, Unknown(name), name=name))

    def own_attribute(self, name: str) -> AttributeConstraint | None:
        """The constraint on attributes that a table of the description defines: `constraint`, `attribute` or `enum`."""
        sections = self.description.sections
        if sections.has("attribute", name):
            definition = self.description.attributes.get(name)
            if definition is None:
                return AttributeConstraint(name, Unknown(name), name=name)
            term, summary = Named(definition.full_name), definition.summary
            return AttributeConstraint(summary, term, AttributeForm.STRIPPED, name=name, definition=definition)
        if sections.has("enum", name):
            enumeration = self.description.enumerations.get(name)
            if enumeration is None:
                return AttributeConstraint(name, Unknown(name), name=name)
            return enumeration_attribute(enumeration, name)
        return self._constrained(name, "attribute", self.attribute, AttributeConstraint(name, Unknown(name), name=name))

    def _constrained(self, name: str, key: str, read: Callable[[Call], C], broken: C) -> C | None:
        """What a table `constraint` defines under a key; None where there is none, or where it has no such key, and
        `broken` where it is not what it should be, which is told there."""
        sections = self.description.sections
        if not sections.has("constraint", name) or key not in sections.table("constraint", name):
            return None
        table = TableReader(sections, "constraint", name, sections.table("constraint", name))
        table.only(CONSTRAINT_KEYS)
        test = self._predicates.get(name)
        if test is not None:
            constraint = self._known_besides(read, table.text(key)) or broken
        else:
            constraint = table.at(key, table.text(key), lambda text: self._bounded(read, text))
            if constraint is None:
                return broken
            test = constraint.test
        return replace(constraint, summary=table.text("summary") or constraint.summary, name=name, test=test)

    def _known_besides(self, read: Callable[[Call], C], text: str) -> C | None:
        """What is said of a constraint that code decides: nothing, where only C++ says it."""
        try:
            return self._bounded(read, text)
        except DescriptionError:
            return None

    def _bounded(self, read: Callable[[Call], C], text: str) -> C:
        """What an expression stands for, which may name others that do. Raises DescriptionError where these are too
        deep in each other, or too many."""
        self._open += 1
        try:
            if self._open > DEEPEST:
                raise DescriptionError(f"more than {DEEPEST} constraints within each other")
            constraint = read(parse_expression(text))
        finally:
            self._open -= 1
        count, depth = self._extent(constraint.term)
        if count > MOST_PARTS or depth > MOST_LEVELS or len(constraint.summary) > LONGEST_SUMMARY:
            raise DescriptionError(f"a constraint of more than {MOST_PARTS:,} parts, or {MOST_LEVELS} levels")
        return constraint

    def _extent(self, term: Term) -> tuple[int, int]:
        """How many terms a term is made of, each counted as often as it is in it, and how deep they are."""
        known = self._extents.get(id(term))
        if known is None:
            parts = [self._extent(part) for part in term.parts()]
            extent = 1 + sum(count for count, _ in parts), 1 + max((depth for _, depth in parts), default=0)
            known = self._extents[id(term)] = term, extent
        return known[1]

    # ---- for parameters

    def enumeration(self, name: str) -> Enumeration | None:
        return self.description.enumerations.get(name)

    def defined(self, name: str) -> Callable[[], Parametric | None] | None:
        sections = self.description.sections
        if sections.has("type", name):
            return lambda: self.description.types.get(name)
        if sections.has("attribute", name):
            return lambda: self.description.attributes.get(name)
        return None

    def is_type(self, name: str) -> bool:
        return self.knows_type(name)

    def parameter_default(self, kind: object, entry: Entry) -> int | str | bool:
        """The default of a parameter: a number, a keyword of an enumeration, a string."""
        from fathom.irdl.parameters import BoolKind, EnumerationKind, IntegerKind, StringKind

        text, column = entry.default or "", entry.default_column
        if isinstance(kind, EnumerationKind) and text in kind.enumeration.cases:
            return kind.enumeration.cases[text]
        if isinstance(kind, BoolKind) and text in ("true", "false"):
            return text == "true"
        if isinstance(kind, IntegerKind) and text.lstrip("-").isdecimal():
            return int(text)
        if isinstance(kind, StringKind):
            call = parse_expression(f"x<{text}>", column - 2)
            if call.arguments and isinstance(call.arguments[0], Text):
                return call.arguments[0].value
        raise DescriptionError(f"cannot read the default '{text}'", column)

    def named_attribute(self, name: str) -> Attribute | None:
        """The dialect's attribute of this full name, if it has no parameters; with `<>` behind it, if all that it has
        may be left out."""
        name = name.removesuffix("<>")
        for declared in self.description.sections.names("attribute"):
            definition = self.description.attributes.get(declared)
            if definition is not None and definition.full_name == name:
                made = definition.make()
                return made if isinstance(made, Attribute) else None
        return None


def enumeration_attribute(enumeration: Enumeration, name: str = "") -> AttributeConstraint:
    """An enumeration that is stored as a plain integer, and stands in a format as its bare keyword."""
    type = IntegerType(enumeration.width)
    numbers = tuple(enumeration.cases.values())
    cases: Term = (
        OnlyBits(enumeration.all_bits) if enumeration.bits else Among("value", _signed(numbers, enumeration.width))
    )
    summary = enumeration.summary
    if not summary:
        listed = ", ".join(map(str, sorted(set(numbers))))
        summary = f"allowed {enumeration.width}-bit signless integer cases: {listed}"
    return AttributeConstraint(
        summary,
        AllOf((Kind("integer attribute"), Part("TypeOf", Exactly(type)), cases)),
        AttributeForm.KEYWORD,
        type,
        enumeration,
        name=name,
    )


def _signed(numbers: tuple[int, ...], width: int) -> tuple[int, ...]:
    """Numbers, and those as which attributes of this width hold them."""
    return tuple(dict.fromkeys((*numbers, *(n - (1 << width) for n in numbers if n >> (width - 1) == 1))))
