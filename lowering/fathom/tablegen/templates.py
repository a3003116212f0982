"""Reads the arguments that a class or a multiclass is given, and finds the value of each."""

from __future__ import annotations

from fathom.records import NamedTuple
from fathom.tablegen.definitions import Definition
from fathom.tablegen.instances import Argument
from fathom.tablegen.mistakes import Finding, Place, Refused
from fathom.tablegen.operations import cast
from fathom.tablegen.parser import Parser
from fathom.tablegen.terms import UNSET, String, Term, shown


class Arguments(NamedTuple):
    """Arguments as they were written, and where each is."""

    pairs: tuple[Argument, ...] = ()
    places: tuple[Place, ...] = ()


def argument_values(p: Parser, record: Definition | None, of: Definition) -> Arguments:
    """The arguments behind `<`, up to and with `>`: by position, then by name. Raises Refused."""
    if p.consume(">"):
        return Arguments()
    pairs: list[Argument] = []
    places: list[Place] = []
    named = False
    while True:
        index = len(pairs)
        if index >= len(of.arguments):
            raise p.error(f"Too many template arguments: {index + 1}")
        place, end = p.stream.place, p.stream.end
        places.append(place)
        term = p.value(record, None if named else of.fields[of.arguments[index]].type)
        if p.stream.kind == "=":
            named = True
            if not isinstance(term, String):
                raise Refused("The name of named argument should be a valid identifier", place)
            full = of.qualified(term.value)
            field = of.fields.get(full)
            if field is None:
                raise Refused(f"Argument {term.text} doesn't exist", place)
            p.refer(place, end, field.place)
            p.stream.advance()
            place = p.stream.place
            term = p.value(record, field.type)
            if term is UNSET:
                raise Refused("The value of named argument should be initialized, but we got '?'", place)
            pairs.append((full, term))
        elif named:
            raise Refused("Positional argument should be put before named argument", place)
        else:
            pairs.append((index, term))
        if p.consume(">"):
            return Arguments(tuple(pairs), tuple(places))
        p.expect(",", "Expected comma before next argument")


def cast_arguments(of: Definition, given: Arguments) -> Arguments:
    """The arguments as values of the types that the template says. Raises Refused where one cannot be."""
    pairs: list[Argument] = []
    for (which, value), place in zip(given.pairs, given.places, strict=True):
        field = of.fields[of.arguments[which] if isinstance(which, int) else which]
        new = cast(value, field.type)
        if new is None:
            raise Refused(
                f"Value specified for template argument '{field.name}' is of type {value.type.text}; "
                f"expected type {field.type.text}: {shown(value)}",
                place,
            )
        pairs.append((which, new))
    return Arguments(tuple(pairs), given.places)


def bound_arguments(of: Definition, given: Arguments, place: Place) -> dict[str, Term]:
    """The value of each argument by its full name: the one given, or the default. Raises Refused."""
    arguments: dict[str, Term] = {}
    for which, value in given.pairs:
        name = of.arguments[which] if isinstance(which, int) else which
        if name in arguments:
            raise Refused(f"We can only specify the template argument '{name}' once", place)
        arguments[name] = value
    for name in of.arguments:
        if name not in arguments:
            default = of.fields[name].value
            if not default.complete:
                note = Finding(f"declared in '{of.written_name}'", (of.fields[name].place,), "note")
                raise Refused(f"value not specified for template argument '{name}'", place, notes=(note,))
            arguments[name] = default
    return arguments
