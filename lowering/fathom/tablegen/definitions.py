"""Records and classes while a file is evaluated: fields with terms."""

from __future__ import annotations

from enum import Enum

from fathom.records import NamedTuple
from fathom.tablegen.limits import MOST_ANCESTORS
from fathom.tablegen.mistakes import Place, Refused
from fathom.tablegen.operations import cast
from fathom.tablegen.records import Record
from fathom.tablegen.references import DefTerm, Variable
from fathom.tablegen.resolvers import Resolver
from fathom.tablegen.terms import STRING, UNSET, Bits, String, Term, shown
from fathom.tablegen.types import UNKNOWN, BitsType, RecordType, Type, record_type


class FieldKind(Enum):
    NORMAL = "declared"
    MAY_STAY_OPEN = "declared with `field`: it need not be worked out"
    ARGUMENT = "an argument of the template"


class Field:
    """A field: its value is always one of its type, or unset, or a term that will be one."""

    __slots__ = ("kind", "name", "place", "type", "used", "value")

    def __init__(self, name: str, type_: Type, kind: FieldKind, place: Place, value: Term = UNSET) -> None:
        self.name = name
        self.type = type_
        self.kind = kind
        self.place = place
        self.value = value
        self.used = False

    @classmethod
    def declared(cls, name: str, type_: Type, kind: FieldKind, place: Place) -> Field:
        """A field that has no value yet."""
        new = cls(name, type_, kind, place)
        new.set(UNSET)
        return new

    def copy(self) -> Field:
        return Field(self.name, self.type, self.kind, self.place, self.value)

    def set(self, value: Term) -> bool:
        """Gives it a value; False where it cannot have that."""
        new = cast(value, self.type)
        if new is None:
            return False
        if isinstance(self.type, BitsType) and not isinstance(new, Bits):
            new = Bits(tuple(new.bit(index) for index in range(self.type.width)))
        self.value = new
        return True


class Assertion(NamedTuple):
    place: Place
    condition: Term
    message: Term


class Dump(NamedTuple):
    place: Place
    message: Term


class Kind(Enum):
    DEF = "def"
    ANONYMOUS = "an anonymous record"
    CLASS = "class"
    MULTICLASS = "multiclass"


class Definition:
    """A record, a class, or what a multiclass has of one: the arguments of its template."""

    __slots__ = (
        "_argument_names",
        "_term",
        "_type",
        "_types",
        "ancestors",
        "arguments",
        "assertions",
        "dumps",
        "fields",
        "forward_places",
        "frozen",
        "kind",
        "lineage",
        "name",
        "places",
        "superclasses",
    )

    def __init__(self, name: Term, kind: Kind, places: list[Place]) -> None:
        self.name = name
        self.kind = kind
        self.places = places
        self.fields: dict[str, Field] = {}
        self.arguments: list[str] = []
        """Of the template, by their full names."""
        self.superclasses: list[Definition] = []
        """Those that it names."""
        self.ancestors: set[Definition] = set()
        self.lineage = 0
        """How many `all_superclasses` are."""
        self.assertions: list[Assertion] = []
        self.dumps: list[Dump] = []
        self.forward_places: tuple[Place, ...] = ()
        self.frozen: Record | None = None
        """The finished record, as everybody else knows it."""
        self._argument_names: frozenset[str] | None = None
        self._term: DefTerm | None = None
        self._type: RecordType | None = None
        self._types: dict[tuple[Definition, ...], RecordType] = {}

    @property
    def written_name(self) -> str:
        return self.name.unquoted

    @property
    def is_class(self) -> bool:
        return self.kind is Kind.CLASS

    @property
    def is_anonymous(self) -> bool:
        return self.kind is Kind.ANONYMOUS

    @property
    def is_empty(self) -> bool:
        """Whether nothing was said of a class but its name."""
        return not (self.fields or self.superclasses or self.arguments)

    @property
    def argument_names(self) -> frozenset[str]:
        """`arguments`, to look them up."""
        if self._argument_names is None or len(self._argument_names) != len(self.arguments):
            self._argument_names = frozenset(self.arguments)
        return self._argument_names

    @property
    def class_type(self) -> RecordType:
        """The type of the records of a class."""
        if self._type is None:
            self._type = self.type_with((self,))
        return self._type

    def type_with(self, classes: tuple[Definition, ...]) -> RecordType:
        """The type of several classes, of which this is the first."""
        type_ = self._types.get(classes)
        if type_ is None:
            type_ = self._types[classes] = RecordType(classes)
        return type_

    def made_type(self) -> RecordType:
        """The type of the record, by what it names as its classes so far."""
        return record_type(self.superclasses)

    @property
    def term(self) -> DefTerm:
        if self._term is None:
            self._term = DefTerm(self)
        return self._term

    @property
    def all_superclasses(self) -> list[Definition]:
        """Ancestors too, each after its own. One that is reached in two ways is there twice."""
        definitions: list[Definition] = []
        left = list(self.superclasses)
        while left:
            definitions.append(definition := left.pop())
            left += definition.superclasses
        return definitions[::-1]

    def add_superclass(self, of: Definition) -> None:
        """Raises Refused where there are too many."""
        self.superclasses.append(of)
        self.lineage += of.lineage + 1
        if self.lineage > MOST_ANCESTORS:
            message = f"{self.lineage} superclasses of '{self.written_name}' are too many: at most {MOST_ANCESTORS}"
            raise Refused(message, *self.places)
        self.ancestors.add(of)
        self.ancestors |= of.ancestors

    def forget(self) -> None:
        """Makes a class one that was only declared."""
        self.fields = {}
        self.arguments = []
        self.superclasses = []
        self.ancestors = set()
        self.lineage = 0
        self.assertions = []
        self.dumps = []
        self.places = [self.forward_places[-1]]
        self.forward_places = self.forward_places[:-1]

    def copy(self) -> Definition:
        """The same record anew, as each use of a multiclass has one."""
        new = Definition(self.name, self.kind, list(self.places))
        new.fields = {name: field.copy() for name, field in self.fields.items()}
        new.arguments = list(self.arguments)
        new.assertions = list(self.assertions)
        new.superclasses = list(self.superclasses)
        new.ancestors = set(self.ancestors)
        new.lineage = self.lineage
        return new

    def qualified(self, name: str) -> str:
        """The full name of an argument of the template."""
        return f"{self.name.unquoted}{'::' if self.kind is Kind.MULTICLASS else ':'}{name}"

    def resolve(self, by: Resolver) -> None:
        """Replaces the variables that a resolver knows, in the name and all fields."""
        name = self.name.resolved(by)
        if name is not self.name:
            self.name = name
            if name.type is not STRING:
                raise Refused(f"Record name '{shown(name)}' is not a string!", *self.places)
        by.keeper.work(1)
        names = by.names
        final = by.final
        for field in self.fields.values():
            value = field.value
            if (value.free and not names.isdisjoint(value.free)) or (value.late and final):
                new = value.resolved(by)
                if new is not value and not field.set(new):
                    self._refuse(field, new)
        if self.assertions:
            self.assertions = [
                Assertion(place, condition.resolved(by), message.resolved(by))
                for place, condition, message in self.assertions
            ]
        if self.dumps:
            self.dumps = [Dump(place, message.resolved(by)) for place, message in self.dumps]

    def _refuse(self, field: Field, value: Term) -> None:
        of = f"of type '{value.type.text}' " if value.type is not UNKNOWN else ""
        text = value.value if isinstance(value, String) else shown(value)
        raise Refused(
            f"Invalid value {of}found when setting field '{field.name}' of type '{field.type.text}' after resolving "
            f"references: {text}",
            *self.places,
        )


class Loop:
    """A `foreach`, or an `if`, which is one over a list of one element or none and has no variable."""

    __slots__ = ("entries", "items", "place", "variable", "variable_place")

    def __init__(self, place: Place, variable: Variable | None, items: Term) -> None:
        self.place = place
        self.variable = variable
        self.variable_place = place
        self.items = items
        self.entries: list[Entry] = []


Entry = Definition | Loop | Assertion | Dump


class Multiclass:
    """A multiclass: its arguments, in a definition of their own, and what it makes."""

    __slots__ = ("entries", "of")

    def __init__(self, of: Definition) -> None:
        self.of = of
        self.entries: list[Entry] = []
