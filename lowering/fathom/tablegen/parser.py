"""What a parser has at hand: the tokens, what was said so far, and the scopes that are open.

TableGen is read and evaluated in one go, as llvm-tblgen does it: the type of what was read decides what may follow, and
a mistake in a statement is found before one that comes after it, whether of syntax or of meaning.
"""

from __future__ import annotations

from typing import Final, Protocol

from fathom.records import NamedTuple
from fathom.tablegen.definitions import Definition, Loop, Multiclass
from fathom.tablegen.keeper import Declaration, Keeper, Mark, Reference
from fathom.tablegen.limits import DEEPEST_NESTING
from fathom.tablegen.mistakes import Consequence, Place, Refused
from fathom.tablegen.references import Variable
from fathom.tablegen.resolvers import Resolver
from fathom.tablegen.stream import Stream
from fathom.tablegen.terms import STRING, Term
from fathom.tablegen.tokens import EOF, ID
from fathom.tablegen.types import Type

_NAMED: Final = frozenset(("class", "multiclass", "def", "defm", "defset", "deftype", "defvar"))


class Let(NamedTuple):
    """An assignment of a `let … in`; `bits` are the bits of the field that are assigned to, or none for all."""

    name: str
    bits: tuple[int, ...]
    value: Term
    place: Place


class Defset:
    """A `defset` that is open, with the records so far."""

    def __init__(self, place: Place, element_type: Type) -> None:
        self.place = place
        self.element_type = element_type
        self.elements: list[Term] = []


class Scope:
    """Where names are looked up: variables of `defvar`, then the fields and arguments of a record, the variable of a
    loop or the arguments of a multiclass, then the scope around it."""

    __slots__ = ("loop", "multiclass", "parent", "record", "variables")

    def __init__(
        self,
        parent: Scope | None,
        record: Definition | None = None,
        loop: Loop | None = None,
        multiclass: Multiclass | None = None,
    ) -> None:
        self.parent = parent
        self.record = record
        self.loop = loop
        self.multiclass = multiclass
        self.variables: dict[str, tuple[Term, Place]] = {}


class ReadValue(Protocol):
    """What reads values. They hold operators, ranges and arguments, which hold values: so the parser is handed it."""

    def __call__(
        self, p: Parser, record: Definition | None, expected: Type | None = None, *, name: bool = False
    ) -> Term: ...


class Parser:
    """See the module."""

    def __init__(self, stream: Stream, keeper: Keeper, values: ReadValue) -> None:
        self.stream = stream
        self.keeper = keeper
        self._values = values
        self.broken: dict[str, None] = {}
        """Names whose definitions were refused: what refers to them has no mistake of its own."""
        self.begin()

    def begin(self) -> None:
        """Makes ready for a statement outside of all others."""
        self.scope = Scope(None)
        self.loops: list[Loop] = []
        self.lets: list[list[Let]] = []
        self.defsets: list[Defset] = []
        self.multiclass: Multiclass | None = None
        self.depth = 0
        self.keeper.depth = 0
        self.keeper.here = self.stream.place

    def give_up(self, mark: Mark) -> None:
        """Forgets what a statement said that was refused, but for the mistakes and the places of names."""
        keeper = self.keeper
        declared = keeper.declarations[mark.declarations :]
        self.broken.update(dict.fromkeys(declaration.name for declaration in declared if declaration.kind in _NAMED))
        keeper.back_to(
            mark._replace(
                findings=len(keeper.findings),
                references=len(keeper.references),
                declarations=len(keeper.declarations),
                work=keeper.work_done,
            )
        )

    def value(self, record: Definition | None, expected: Type | None = None) -> Term:
        """The value that stands next. `expected` is its type, if that is known. Raises Refused."""
        return self._values(self, record, expected)

    # ---- tokens

    def consume(self, kind: str) -> bool:
        """Goes beyond a token of a kind, if there is one."""
        if self.stream.kind == kind:
            self.stream.advance()
            return True
        return False

    def expect(self, kind: str, message: str) -> None:
        """Goes beyond a token of a kind. Raises Refused where there is another."""
        if self.stream.kind != kind:
            raise self.error(message)
        self.stream.advance()

    def identifier(self, message: str) -> str:
        """The name that the token is, which is not gone beyond. Raises Refused where it is none."""
        if self.stream.kind != ID:
            raise self.error(message)
        return self.stream.value

    def error(self, message: str) -> Refused:
        """A mistake at the token."""
        return Refused(message, self.stream.place)

    def deeper(self) -> None:
        """Goes into what is nested. Raises Refused where it is nested too deeply."""
        self.depth += 1
        if self.depth > DEEPEST_NESTING:
            raise self.error(f"nested too deeply: more than {DEEPEST_NESTING} levels")

    @property
    def at_end(self) -> bool:
        return self.stream.kind == EOF

    def at(self, record: Definition | None) -> Resolver:
        """Where operations are folded while a record is read."""
        return Resolver(self.keeper, record)

    # ---- names

    def push(
        self, record: Definition | None = None, loop: Loop | None = None, multiclass: Multiclass | None = None
    ) -> Scope:
        self.scope = Scope(self.scope, record, loop, multiclass)
        return self.scope

    def pop(self) -> None:
        assert self.scope.parent is not None
        self.scope = self.scope.parent

    def refer(self, start: Place, end: Place, to: Place) -> None:
        self.keeper.references.append(Reference(start, end, to))

    def declare(
        self, kind: str, name: str, start: Place, end: Place, within: Definition | None = None, type: str = ""
    ) -> None:
        inside = within.written_name if within is not None else ""
        self.keeper.declarations.append(Declaration(kind, name, start, end, inside, type))

    def variable(self, name: str, start: Place, end: Place) -> Term | None:
        """What a name means in the open scopes; None for nothing."""
        scope: Scope | None = self.scope
        while scope is not None:
            known = scope.variables.get(name)
            if known is not None:
                self.refer(start, end, known[1])
                return known[0]
            if scope.record is not None:
                field = scope.record.fields.get(name)
                if field is not None:
                    self.refer(start, end, field.place)
                    return Variable(name, field.type)
                if scope.record.is_class and (term := self._argument(scope.record, name, start, end)):
                    return term
            elif scope.loop is not None:
                if scope.loop.variable is not None and scope.loop.variable.name == name:
                    self.refer(start, end, scope.loop.variable_place)
                    return scope.loop.variable
            elif scope.multiclass is not None and (term := self._argument(scope.multiclass.of, name, start, end)):
                return term
            scope = scope.parent
        return None

    def _argument(self, of: Definition, name: str, start: Place, end: Place) -> Term | None:
        full = of.qualified(name)
        if full in of.argument_names:
            field = of.fields[full]
            field.used = True
            self.refer(start, end, field.place)
            return Variable(full, field.type)
        return Variable(full, STRING) if name == "NAME" else None

    def class_named(self) -> Definition:
        """The class whose name the token is; goes beyond it."""
        name = self.identifier("expected name for ClassID")
        definition = self.keeper.classes.get(name)
        if name in self.broken:
            raise Consequence
        if definition is None:
            message = f"Couldn't find class '{name}'"
            if name in self.keeper.multiclasses:
                message += f". Use 'defm' if you meant to use multiclass '{name}'"
            raise self.error(message)
        self.refer(self.stream.place, self.stream.end, definition.places[0])
        self.stream.advance()
        return definition

    def multiclass_named(self) -> Multiclass:
        """The multiclass whose name the token is; goes beyond it."""
        name = self.identifier("expected name for MultiClassID")
        multiclass = self.keeper.multiclasses.get(name)
        if name in self.broken:
            raise Consequence
        if multiclass is None:
            raise self.error(f"Couldn't find multiclass '{name}'")
        self.refer(self.stream.place, self.stream.end, multiclass.of.places[0])
        self.stream.advance()
        return multiclass
