"""Records as they come into being: a class with arguments, and what happens when a record is finished."""

from __future__ import annotations

from typing import TypeAlias

from fathom.tablegen.definitions import Definition, Dump, Kind
from fathom.tablegen.keeper import Keeper
from fathom.tablegen.limits import DEEPEST_NESTING
from fathom.tablegen.mistakes import Finding, Place, Refused
from fathom.tablegen.resolvers import Fields, Mapping, NotFinal, Resolver
from fathom.tablegen.terms import LARGEST_TEXT, Key, String, Term, changed, int_of, shown, together

Argument: TypeAlias = "tuple[int | str, Term]"
"""The number of an argument, or its full name, and its value."""


class Instance(Term):
    """`class<arguments>`: an anonymous record, which is made when no variable is left in the arguments."""

    __slots__ = ("arguments", "free", "made", "of", "place", "size", "type")

    def __init__(self, place: Place, of: Definition, arguments: tuple[Argument, ...]) -> None:
        self.place = place
        self.of = of
        self.arguments = arguments
        self.type = of.class_type
        self.free, _, self.size = together([value for _, value in arguments])
        self.made: Definition | None = None

    @property
    def text(self) -> str:
        return f"{self.of.written_name}<{', '.join(_written(argument) for argument in self.arguments)}>"

    @property
    def key(self) -> Key:
        return instance_key(self.of, self.arguments)

    def folded(self, keeper: Keeper) -> Term:
        """The record, if it can be made."""
        return self if self.free else instantiate(keeper, self)

    def _resolved(self, by: Resolver) -> Term:
        by.keeper.work(1)
        values = [value for _, value in self.arguments]
        inner = NotFinal(by)
        new = [value.resolved(inner) for value in values]
        if not changed(new, values):
            return self
        which = (which for which, _ in self.arguments)
        made = instance(by.keeper, self.place, self.of, tuple(zip(which, new, strict=True)))
        return made.folded(by.keeper)


def _written(argument: Argument) -> str:
    which, value = argument
    return f"{which}: {value.text}" if isinstance(which, int) else f'"{which}": {value.text}'


def instance_key(of: Definition, arguments: tuple[Argument, ...]) -> Key:
    keys = ((which, value.key if value.size <= LARGEST_TEXT else id(value)) for which, value in arguments)
    return ("instance", of, *keys)


def instance(keeper: Keeper, place: Place, of: Definition, arguments: tuple[Argument, ...]) -> Instance:
    """The one instance of a class with these arguments."""
    keeper.work(sum([min(value.size, LARGEST_TEXT) for _, value in arguments]))
    key = instance_key(of, arguments)
    known = keeper.pool.get(key)
    if known is None:
        known = keeper.pool[key] = Instance(place, of, arguments)
    return known


def instantiate(keeper: Keeper, of: Instance) -> Term:
    """The anonymous record of an instance. Raises Refused."""
    if of.made is not None:
        return of.made.term
    keeper.depth += 1
    if keeper.depth > DEEPEST_NESTING:
        raise Refused(f"records that make records within each other: more than {DEEPEST_NESTING}", keeper.here)
    record = Definition(keeper.new_name(), Kind.ANONYMOUS, [of.place])
    class_ = of.of
    values: dict[str, Term] = {}
    keeper.work_on_record(len(class_.fields))
    for name, field in class_.fields.items():
        if name in class_.argument_names:
            values[name] = field.value
        else:
            record.fields[name] = field.copy()
    record.assertions = list(class_.assertions)
    record.dumps = list(class_.dumps)
    for which, value in of.arguments:
        values[class_.arguments[which] if isinstance(which, int) else which] = value
    record.resolve(Mapping(keeper, record, values))
    record.add_superclass(class_)
    record.resolve(Fields(keeper, record))
    keeper.defs[record.written_name] = record
    check_assertions(keeper, record)
    show_dumps(keeper, record)
    of.made = record
    keeper.instantiated.append(of)
    keeper.depth -= 1
    return record.term


def finish(keeper: Keeper, record: Definition) -> None:
    """Works out what is left of a record, and keeps it. Raises Refused where it cannot be."""
    new_name = None
    previous = keeper.defs.get(record.written_name)
    if previous is not None:
        if not record.is_anonymous:
            note = Finding("location of previous definition", tuple(previous.places), "note")
            raise Refused(f"def already exists: {record.written_name}", *record.places, notes=(note,))
        new_name = keeper.new_name()
    record.resolve(Fields(keeper, record, new_name))
    keeper.work_on_record(len(record.fields))
    keeper.work(sum([field.value.size for field in record.fields.values()]))
    _check_worked_out(keeper, record)
    if not isinstance(record.name, String):
        raise Refused(f"record name '{shown(record.name)}' could not be fully resolved", *record.places)
    check_assertions(keeper, record)
    show_dumps(keeper, record)


def keep(keeper: Keeper, record: Definition) -> None:
    keeper.defs[record.written_name] = record


def _check_worked_out(keeper: Keeper, record: Definition) -> None:
    from fathom.tablegen.definitions import FieldKind
    from fathom.tablegen.references import Variable
    from fathom.tablegen.terms import BitOf, Bits

    for field in record.fields.values():
        if field.kind is FieldKind.MAY_STAY_OPEN:
            continue
        value = field.value
        if isinstance(value, Bits):
            # A bit may be that of another field of the record which is unset, as encodings of instructions have them.
            worked_out = all(
                isinstance(bit, Variable)
                or bit.concrete
                or (isinstance(bit, BitOf) and isinstance(bit.of, Variable) and bit.of.name in record.fields)
                for bit in value.bits
            )
        else:
            worked_out = value.concrete
        if not worked_out:
            keeper.report(
                f"Initializer of '{field.name}' in '{record.written_name}' could not be fully resolved: {shown(value)}",
                record,
            )


def check_assertion(keeper: Keeper, place: Place, condition: Term, message: Term) -> bool:
    """Whether it holds; what is wrong is reported."""
    known = int_of(condition)
    if known is None:
        keeper.findings.append(Finding("assert condition must of type bit, bits, or int.", (place,)))
        return False
    if known == 0:
        text = message.value if isinstance(message, String) else "(assert message is not a string)"
        keeper.findings.append(Finding(f"assertion failed: {text}", (place,)))
    return known != 0


def check_assertions(keeper: Keeper, record: Definition) -> None:
    if not record.assertions:
        return
    by = Fields(keeper, record)
    holds = [
        check_assertion(keeper, place, condition.resolved(by), message.resolved(by))
        for place, condition, message in record.assertions
    ]
    if not all(holds):
        keeper.report("assertion failed in this record", record)


def show_dumps(keeper: Keeper, record: Definition) -> None:
    if record.dumps:
        by = Fields(keeper, record)
        for place, message in record.dumps:
            show_dump(keeper, Dump(place, message.resolved(by)))


def show_dump(keeper: Keeper, dump: Dump) -> None:
    """A message of the file itself: a note."""
    if isinstance(dump.message, String):
        keeper.findings.append(Finding(dump.message.value, (dump.place,), "note"))
    else:
        keeper.findings.append(Finding("dump value is not of type string", (dump.place,)))
