"""What `defm`, `foreach` and `if` make: records, each with the values that variables have where it is made."""

from __future__ import annotations

from collections.abc import Mapping as Values

from fathom.tablegen.bodies import add_superclass, apply_lets
from fathom.tablegen.definitions import Assertion, Definition, Dump, Entry, Loop
from fathom.tablegen.instances import check_assertion, finish, keep, show_dump
from fathom.tablegen.mistakes import Finding, Place, Refused
from fathom.tablegen.operations import Operation
from fathom.tablegen.parser import Parser
from fathom.tablegen.resolvers import Mapping
from fathom.tablegen.sequences import List
from fathom.tablegen.templates import Arguments
from fathom.tablegen.terms import Term, shown


def add_entry(p: Parser, entry: Entry) -> None:
    """Adds what was read to the loop or the multiclass that it stands in, or else does what it says. Raises Refused."""
    if p.loops:
        p.loops[-1].entries.append(entry)
    elif isinstance(entry, Loop):
        into = p.multiclass.entries if p.multiclass is not None else None
        _unroll(p, entry, {}, final=p.multiclass is None, into=into)
    elif p.multiclass is not None:
        p.multiclass.entries.append(entry)
    elif isinstance(entry, Assertion):
        check_assertion(p.keeper, *entry)
    elif isinstance(entry, Dump):
        show_dump(p.keeper, entry)
    else:
        add_record(p, entry)


def add_record(p: Parser, record: Definition) -> None:
    """Finishes a record, and keeps it. Raises Refused."""
    finish(p.keeper, record)
    for defset in p.defsets:
        own = record.term.type
        if not own.is_a(defset.element_type):
            note = Finding("location of defset declaration", (defset.place,), "note")
            message = f"adding record of incompatible type '{own.text}' to defset"
            raise Refused(message, *record.places, notes=(note,))
        defset.elements.append(record.term)
    keep(p.keeper, record)


def resolve_entries(
    p: Parser,
    entries: list[Entry],
    values: Values[str, Term],
    *,
    final: bool,
    into: list[Entry] | None,
    place: Place | None = None,
) -> None:
    """Does what entries say, with values for variables: adds what they make to a list, or for good. `place` is that of
    the `defm` which asks for it. Raises Refused."""
    for entry in entries:
        p.keeper.work(1)
        if isinstance(entry, Loop):
            _unroll(p, entry, values, final=final, into=into)
        elif isinstance(entry, Assertion):
            by = Mapping(p.keeper, None, dict(values))
            new = Assertion(entry.place, entry.condition.resolved(by), entry.message.resolved(by))
            if into is not None:
                into.append(new)
            else:
                check_assertion(p.keeper, *new)
        elif isinstance(entry, Dump):
            by = Mapping(p.keeper, None, dict(values))
            shown_one = Dump(entry.place, entry.message.resolved(by))
            if into is not None:
                into.append(shown_one)
            else:
                show_dump(p.keeper, shown_one)
        else:
            p.keeper.work_on_record(len(entry.fields) + entry.lineage)
            record = entry.copy()
            if place is not None:
                record.places.append(place)
            record.resolve(Mapping(p.keeper, record, dict(values)))
            if into is not None:
                into.append(record)
            else:
                add_record(p, record)


def _unroll(
    p: Parser,
    loop: Loop,
    values: Values[str, Term],
    *,
    final: bool,
    into: list[Entry] | None,
    place: Place | None = None,
) -> None:
    """Resolves the entries of a loop for each element of its list; if the list is not known yet, they wait for it."""
    by = Mapping(p.keeper, None, dict(values))
    items = loop.items.resolved(by)
    if final and isinstance(items, Operation) and items.code == "if":
        items = _condition_at_last(loop, items, by)
    if not isinstance(items, List):
        if final or into is None:
            raise Refused(f"attempting to loop over '{shown(items)}', expected a list", loop.place)
        waiting = Loop(loop.place, loop.variable, items)
        into.append(waiting)
        resolve_entries(p, loop.entries, values, final=final, into=waiting.entries, place=place)
        return
    p.keeper.work_on_list(len(items.elements))
    for item in items.elements:
        inner = dict(values)
        if loop.variable is not None:
            inner[loop.variable.name] = item
        resolve_entries(p, loop.entries, inner, final=final, into=into)


def _condition_at_last(loop: Loop, items: Operation, by: Mapping) -> Term:
    """The list of an `if` whose condition looks at records: now they are all known that it may see."""
    condition, then, otherwise = items.operands
    by.final = True
    known = condition.resolved(by)
    if known is condition:
        message = f"unable to resolve if condition '{shown(condition)}' at end of containing scope"
        raise Refused(message, loop.place)
    return Operation("if", (known, then, otherwise), items.type).folded(by)


def add_superclass_to(p: Parser, entry: Entry, of: Definition, arguments: Arguments, place: Place) -> None:
    """Makes a class one of those that what a multiclass made is made of. Raises Refused."""
    if isinstance(entry, Definition):
        add_superclass(p, entry, of, arguments, place)
    elif isinstance(entry, Loop):
        for inner in entry.entries:
            add_superclass_to(p, inner, of, arguments, place)


def apply_lets_to(p: Parser, entry: Entry) -> None:
    """Assigns what the open `let … in` say. Raises Refused."""
    if isinstance(entry, Definition):
        apply_lets(p, entry)
    elif isinstance(entry, Loop):
        for inner in entry.entries:
            apply_lets_to(p, inner)
