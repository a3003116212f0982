"""Reads the bodies of classes and records, and the classes they are made of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from fathom.tablegen.definitions import Assertion, Definition, Dump, Field, FieldKind
from fathom.tablegen.mistakes import Finding, Place, Refused
from fathom.tablegen.operations import Operation, cast
from fathom.tablegen.parser import Parser
from fathom.tablegen.ranges import optional_range
from fathom.tablegen.references import DefTerm, Variable
from fathom.tablegen.resolvers import Mapping
from fathom.tablegen.templates import Arguments, argument_values, bound_arguments, cast_arguments
from fathom.tablegen.terms import UNSET, Bits, Term, shown
from fathom.tablegen.tokens import ID
from fathom.tablegen.type_syntax import parse_type
from fathom.tablegen.types import DAG, STRING, UNKNOWN, BitsType, ListType, bits_type
from fathom.tablegen.values import value

NAME: Final = "NAME"
"""The argument that each class and multiclass has: the name of the record that is made."""


def object_body(p: Parser, record: Definition) -> None:
    """`: classes { … }` of a class or a record. Raises Refused."""
    p.push(record=record)
    if p.consume(":"):
        for of, arguments, place in classes_used(p, record):
            add_superclass(p, record, of, arguments, place)
    apply_lets(p, record)
    _body(p, record)
    p.pop()


def classes_used(p: Parser, record: Definition | None) -> Iterator[tuple[Definition, Arguments, Place]]:
    """`class<arguments>, …`: each class, with its arguments as it has them, and where it stands. Raises Refused."""
    while True:
        place = p.stream.place
        of = p.class_named()
        yield of, given_arguments(p, record, of), place
        if not p.consume(","):
            return


def given_arguments(p: Parser, record: Definition | None, of: Definition) -> Arguments:
    """`<arguments>` of a class or multiclass, as it has them; none where there are none. Raises Refused."""
    return cast_arguments(of, argument_values(p, record, of)) if p.consume("<") else Arguments()


def add_superclass(p: Parser, record: Definition, of: Definition, arguments: Arguments, place: Place) -> None:
    """Makes a class, with arguments, one of those that a record or a class is made of. Raises Refused."""
    p.keeper.work_on_record(len(of.fields) + of.lineage)
    own = of.argument_names
    for name, field in of.fields.items():
        if name not in own:
            _add_field(record, field.copy(), place)
    values = bound_arguments(of, arguments, place)
    record.assertions += of.assertions
    record.dumps += of.dumps
    values[of.qualified(NAME)] = Variable(record.qualified(NAME), STRING) if record.is_class else record.name
    record.resolve(Mapping(p.keeper, record, values))
    if of in record.ancestors:
        raise Refused(f"Already subclass of '{of.written_name}'!\n", place)
    record.add_superclass(of)


def _add_field(record: Definition, field: Field, place: Place) -> None:
    """Gives a record a field, or one that it has another value."""
    known = record.fields.get(field.name)
    if known is None:
        record.fields[field.name] = field
    elif not known.set(field.value):
        raise Refused(
            f"New definition of '{field.name}' of type '{field.type.text}' is incompatible with previous definition of "
            f"type '{known.type.text}'",
            place,
        )


def apply_lets(p: Parser, record: Definition) -> None:
    """Assigns what the open `let … in` say. Raises Refused."""
    for lets in p.lets:
        for let in lets:
            set_field(record, let.place, let.name, let.bits, let.value)


def set_field(
    record: Definition, place: Place, name: str, bits: Sequence[int], new: Term, *, declares: bool = False
) -> None:
    """Assigns to a field, or to some of its bits. Raises Refused."""
    field = record.fields.get(name)
    if field is None:
        raise Refused(f"Value '{name}' unknown!", place)
    if not bits and isinstance(new, Variable) and new.name == name:
        raise Refused("Recursion / self-assignment forbidden", place)
    if bits:
        new = _with_bits(field, bits, new, place)
    if not field.set(new):
        of = ""
        if isinstance(new, Bits):
            of = f"' of type bit initializer with length {len(new.bits)}"
        elif new.type is not UNKNOWN:
            of = f"' of type '{new.type.text}'"
        raise Refused(f"Field '{name}' of type '{field.type.text}' is incompatible with value '{shown(new)}{of}", place)
    if not declares:
        field.place = place


def _with_bits(field: Field, bits: Sequence[int], new: Term, place: Place) -> Term:
    """The value of a field with other bits in some places."""
    now = field.value
    if not isinstance(now, Bits):
        raise Refused(f"Value '{field.name}' is not a bits type", place)
    given = cast(new, bits_type(len(bits)))
    if given is None:
        raise Refused("Initializer is not compatible with bit range", place)
    changed = list(now.bits)
    seen: set[int] = set()
    for index, which in enumerate(bits):
        if which in seen:
            raise Refused(f"Cannot set bit #{which} of value '{field.name}' more than once", place)
        if which >= len(changed):
            raise Refused(f"Value '{field.name}' has no bit #{which}", place)
        seen.add(which)
        changed[which] = given.bit(index)
    return Bits(tuple(changed))


# ---- bodies


def _body(p: Parser, record: Definition) -> None:
    if p.consume(";"):
        return
    p.expect("{", "Expected '{' to start body or ';' for declaration only")
    while p.stream.kind != "}":
        _item(p, record)
    p.stream.advance()
    stray_semicolon(p, "A class or def body")


def stray_semicolon(p: Parser, what: str) -> None:
    """Goes beyond `;` behind a body, which is wrong there, but harmless."""
    place = p.stream.place
    if p.consume(";"):
        note = Finding("Semicolon ignored; remove to eliminate this error", (), "note")
        p.keeper.findings.append(Finding(f"{what} should not end with a semicolon", (place,), notes=(note,)))


def _item(p: Parser, record: Definition) -> None:
    match p.stream.kind:
        case "let":
            _let(p, record)
        case "defvar":
            defvar(p, record)
        case "assert":
            record.assertions.append(assertion(p, record))
        case "dump":
            record.dumps.append(dump(p, record))
        case _:
            declaration(p, record)
            p.expect(";", "expected ';' after declaration")


def _let(p: Parser, record: Definition) -> None:
    """`let name = value;`; or, as LLVM 23 has it, `let append name = value;` and `let prepend …`, which join the value
    to the one that the field has."""
    p.stream.advance()
    name, way = p.identifier("expected field identifier after let"), ""
    place, end = p.stream.place, p.stream.end
    p.stream.advance()
    if name in _WAYS and p.stream.kind == ID:
        name, way = p.stream.value, name
        place, end = p.stream.place, p.stream.end
        p.stream.advance()
    bits = optional_range(p, "{", "}", "expected '}' at end of bit list")
    p.expect("=", "expected '=' in let expression")
    field = record.fields.get(name)
    if field is None:
        raise Refused(f"Value '{name}' unknown!", place)
    p.refer(place, end, field.place)
    type_ = bits_type(len(bits)) if bits and isinstance(field.type, BitsType) else field.type
    new = value(p, record, type_)
    p.expect(";", "expected ';' after let expression")
    if way:
        new = _with_more(p, record, field, new, way, place)
    set_field(record, place, name, bits, new)


_WAYS: Final = ("append", "prepend")


def _with_more(p: Parser, record: Definition, field: Field, more: Term, way: str, place: Place) -> Term:
    """The value of a field with more before or behind it. Raises Refused where the field has no such type."""
    if field.value is UNSET:
        return more
    code = "listconcat" if isinstance(field.type, ListType) else _JOINING.get(field.type)
    if code is None:
        raise Refused(f"'{way}' is for fields that are lists, strings or dags, and '{field.name}' is none", place)
    parts = (field.value, more) if way == "append" else (more, field.value)
    return Operation(code, parts, field.type).folded(p.at(record))


_JOINING: Final = {STRING: "strconcat", DAG: "con"}


def declaration(p: Parser, record: Definition, *, argument_of: Definition | None = None) -> str:
    """`field? type name (= value)?`, of a field or of an argument of a template; gives the full name. Raises Refused.

    The default of an argument of a multiclass is no value within a record: `record` is what it is looked up in.
    """
    is_open = p.consume("field")
    type_ = parse_type(p)
    name = p.identifier("Expected identifier in declaration")
    if name == NAME:
        raise p.error(f"'{name}' is a reserved variable name")
    if argument_of is None and name in p.scope.variables:
        raise p.error("local variable of this name already exists")
    place = p.stream.place
    p.declare("argument" if argument_of else "field", name, place, p.stream.end, record, type_.text)
    p.stream.advance()
    kind = FieldKind.MAY_STAY_OPEN if is_open else FieldKind.NORMAL
    if argument_of is not None:
        name = argument_of.qualified(name)
        kind = FieldKind.ARGUMENT
    _add_field(record, Field.declared(name, type_, kind, place), place)
    if p.consume("="):
        start = p.stream.place
        # An argument of a multiclass has no record around it.
        around = record if argument_of is None or record.is_class else None
        set_field(record, start, name, (), value(p, around, type_), declares=True)
    return name


def template_arguments(p: Parser, record: Definition) -> None:
    """`<declaration, …>` of a class, or of a multiclass's own record. Raises Refused."""
    p.stream.advance()
    while True:
        place = p.stream.place
        name = declaration(p, record, argument_of=record)
        if name in record.arguments:
            raise Refused("template argument with the same name has already been defined", place)
        record.arguments.append(name)
        if not p.consume(","):
            break
    p.expect(">", "expected '>' at end of template argument list")


def warn_of_unused(p: Parser, record: Definition) -> None:
    """Reports the arguments of a template that nothing refers to."""
    for name in record.arguments:
        field = record.fields[name]
        if not field.used:
            p.keeper.findings.append(Finding(f"unused template argument: {name}", (field.place,), "warning"))


# ---- what stands in bodies and outside of them


def defvar(p: Parser, record: Definition | None) -> None:
    """`defvar name = value;`. Raises Refused."""
    p.stream.advance()
    name = p.identifier("expected identifier")
    if name in p.scope.variables:
        raise p.error("local variable of this name already exists")
    if record is not None and name in record.fields:
        raise p.error("field of this name already exists")
    outermost = p.scope.parent is None
    if outermost and p.keeper.global_named(name) is not None:
        raise p.error("def or global variable of this name already exists")
    place = p.stream.place
    p.declare("defvar", name, place, p.stream.end, record)
    p.stream.advance()
    p.expect("=", "expected '='")
    term = value(p, record)
    p.expect(";", "expected ';'")
    if outermost:
        p.keeper.globals[name] = (term, place)
    else:
        p.scope.variables[name] = (term, place)


def assertion(p: Parser, record: Definition | None) -> Assertion:
    """`assert condition, message;`. Raises Refused."""
    p.stream.advance()
    place = p.stream.place
    condition = value(p, record)
    p.expect(",", "expected ',' in assert statement")
    message = value(p, record)
    p.expect(";", "expected ';'")
    return Assertion(place, condition, message)


def dump(p: Parser, record: Definition | None) -> Dump:
    """`dump value;`. Raises Refused."""
    place = p.stream.place
    p.stream.advance()
    message = value(p, record)
    if isinstance(message, DefTerm):
        message = Operation("repr", (message,), STRING).folded(p.at(record))
    p.expect(";", "expected ';'")
    return Dump(place, message)
