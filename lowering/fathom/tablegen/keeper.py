"""What a file has said so far: classes, records and all else that has a name.

Names are only ever added, each with the statement that says it. So what was known before a statement is known again by
taking out what came after it: `mark` says how much there is, `back_to` goes back there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final, TypeVar

from fathom.records import NamedTuple
from fathom.slices import rest
from fathom.tablegen.definitions import Definition, Multiclass
from fathom.tablegen.limits import LONGEST_LIST, LONGEST_STRING, MOST_WORK
from fathom.tablegen.mistakes import Finding, Place, Refused
from fathom.tablegen.references import AnonymousName
from fathom.tablegen.terms import CHARACTERS_FOR_A_STEP, Key, Term
from fathom.tablegen.types import Type

if TYPE_CHECKING:
    from fathom.tablegen.instances import Instance
    from fathom.tablegen.operations import Rule

_V = TypeVar("_V")
_STEPS_FOR_A_RECORD = 50
_STEPS_FOR_A_FIELD = 4


class Mark(NamedTuple):
    """How much there was of everything."""

    classes: int
    multiclasses: int
    defs: int
    globals: int
    aliases: int
    pool: int
    instantiated: int
    completed: int
    findings: int
    references: int
    declarations: int
    counter: int
    work: int


class Reference(NamedTuple):
    """A name in a file that refers to something, which is declared elsewhere: `start` and `end` are places."""

    start: Place
    end: Place
    to: Place


class Declaration(NamedTuple):
    """What a statement or an item of a body declares: its kind, name, where the name is, in which class or record if in
    one, and its type if it has one."""

    kind: str
    name: str
    start: Place
    end: Place
    within: str = ""
    type: str = ""


class Keeper:
    """See the module."""

    def __init__(self, rules: Mapping[str, Rule]) -> None:
        self.rules: Final = rules
        """Those of all operations, by their names."""
        self.classes: dict[str, Definition] = {}
        self.multiclasses: dict[str, Multiclass] = {}
        self.defs: dict[str, Definition] = {}
        self.globals: dict[str, tuple[Term, Place]] = {}
        """The variables of `defvar` and `defset` outside of everything, and where they are."""
        self.aliases: dict[str, Type] = {}
        self.pool: dict[Key, Instance] = {}
        """Each class with arguments, so that the same arguments make the same anonymous record."""
        self.instantiated: list[Instance] = []
        self.completed: list[Definition] = []
        """Classes that were declared before they were defined."""
        self.findings: list[Finding] = []
        self.references: list[Reference] = []
        self.declarations: list[Declaration] = []
        self.counter = 0
        """Of anonymous records."""
        self.work_done = 0
        self.depth = 0
        """Of records that are being made within each other."""
        self.here: Place = 0
        """The statement that is read."""

    # ---- names

    def new_name(self) -> AnonymousName:
        self.counter += 1
        return AnonymousName(self.counter - 1)

    def record_named(self, name: str) -> Definition | None:
        return self.defs.get(name)

    def global_named(self, name: str) -> tuple[Term, Place] | None:
        """A record, or a variable that is seen everywhere, and where it is."""
        record = self.defs.get(name)
        return (record.term, record.places[0]) if record is not None else self.globals.get(name)

    def instances_of(self, class_name: str) -> Iterator[Definition]:
        of = self.classes.get(class_name)
        if of is None:
            return iter(())
        return (definition for definition in self.defs.values() if of in definition.ancestors)

    # ---- limits

    def work(self, steps: int) -> None:
        """Counts steps of evaluation. Raises Refused where a file asks for too many."""
        self.work_done += steps
        rest()
        if self.work_done > MOST_WORK:
            raise Refused("this takes too long to evaluate", self.here)

    def work_on_record(self, fields: int) -> None:
        """Counts the making of a record or of a copy of one. Raises Refused where there are too many."""
        self.work(_STEPS_FOR_A_RECORD + _STEPS_FOR_A_FIELD * fields)

    def work_on_list(self, length: int) -> None:
        """Counts the making of a list. Raises Refused where it is too long."""
        if length > LONGEST_LIST:
            raise Refused(f"a list of {length} elements is too long: at most {LONGEST_LIST}", self.here)
        self.work(length)

    def work_on_text(self, length: int) -> None:
        """Counts the making of a string. Raises Refused where it is too long."""
        if length > LONGEST_STRING:
            raise Refused(f"a string of {length} characters is too long: at most {LONGEST_STRING}", self.here)
        self.work(length // CHARACTERS_FOR_A_STEP)

    # ---- findings

    def report(self, message: str, record: Definition | None) -> None:
        """Something wrong with a record, after which reading goes on."""
        self.findings.append(Finding(message, tuple(record.places) if record is not None else ()))

    # ---- going back

    def mark(self) -> Mark:
        return Mark(
            len(self.classes),
            len(self.multiclasses),
            len(self.defs),
            len(self.globals),
            len(self.aliases),
            len(self.pool),
            len(self.instantiated),
            len(self.completed),
            len(self.findings),
            len(self.references),
            len(self.declarations),
            self.counter,
            self.work_done,
        )

    def back_to(self, mark: Mark) -> None:
        for instance in self.instantiated[mark.instantiated :]:
            instance.made = None
        for definition in self.completed[mark.completed :]:
            definition.forget()
        _shorten(self.classes, mark.classes)
        _shorten(self.multiclasses, mark.multiclasses)
        _shorten(self.defs, mark.defs)
        _shorten(self.globals, mark.globals)
        _shorten(self.aliases, mark.aliases)
        _shorten(self.pool, mark.pool)
        del self.instantiated[mark.instantiated :]
        del self.completed[mark.completed :]
        del self.findings[mark.findings :]
        del self.references[mark.references :]
        del self.declarations[mark.declarations :]
        self.counter = mark.counter
        self.work_done = mark.work
        self.depth = 0


def _shorten(names: dict[str, _V] | dict[Key, _V], length: int) -> None:
    while len(names) > length:
        names.popitem()
