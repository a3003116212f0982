"""Reads statements: `class`, `def`, `multiclass`, `defm`, `let … in`, `foreach`, `if` and the rest."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from fathom.tablegen.bodies import (
    NAME,
    assertion,
    classes_used,
    defvar,
    dump,
    given_arguments,
    object_body,
    stray_semicolon,
    template_arguments,
    warn_of_unused,
)
from fathom.tablegen.definitions import Definition, Dump, Entry, Kind, Loop, Multiclass
from fathom.tablegen.mistakes import Place, Refused
from fathom.tablegen.multiclasses import add_entry, add_superclass_to, apply_lets_to, resolve_entries
from fathom.tablegen.operations import Operation
from fathom.tablegen.parser import Defset, Let, Parser
from fathom.tablegen.ranges import optional_range, range_list, range_piece
from fathom.tablegen.references import Variable
from fathom.tablegen.resolvers import Resolver
from fathom.tablegen.sequences import List
from fathom.tablegen.templates import Arguments, argument_values, bound_arguments
from fathom.tablegen.terms import TRUE, Int, String, Term, shown
from fathom.tablegen.tokens import ID, STATEMENTS
from fathom.tablegen.type_syntax import parse_type
from fathom.tablegen.types import BIT, INT, STRING, UNKNOWN, ListType, RecordType
from fathom.tablegen.values import joined, value


def statement(p: Parser) -> None:
    """One statement. Raises Refused."""
    read = _STATEMENTS.get(p.stream.kind)
    if read is None:
        raise p.error("Expected assert, class, def, defm, defset, dump, foreach, if, or let")
    p.deeper()
    read(p)
    p.depth -= 1


def statements(p: Parser) -> None:
    """As many statements as there are. Raises Refused."""
    while p.stream.kind in STATEMENTS:
        statement(p)


def _block(p: Parser, what: str) -> None:
    """`{ statements }`, or one statement. Raises Refused."""
    if p.consume("{"):
        statements(p)
        p.expect("}", f"expected '}}' at end of {what}")
    else:
        statement(p)


# ---- class and def


def _class(p: Parser) -> None:
    if p.multiclass is not None:
        raise p.error("class is not allowed inside multiclass")
    if p.loops:
        raise p.error("class is not allowed inside foreach loop")
    p.stream.advance()
    name = p.identifier("expected class name after 'class' keyword")
    place = p.stream.place
    of = p.keeper.classes.get(name)
    if of is None:
        of = p.keeper.classes[name] = Definition(String(name), Kind.CLASS, [place])
    elif not of.is_empty:
        raise p.error(f"Class '{name}' already defined")
    else:
        p.refer(place, p.stream.end, of.places[0])
        of.forward_places += (of.places[0],)
        of.places = [place]
        p.keeper.completed.append(of)
    if name in p.keeper.aliases:
        raise p.error(f"there is already a defined type alias '{name}'")
    p.declare("class", name, place, p.stream.end)
    p.stream.advance()
    p.push(record=of)
    if p.stream.kind == "<":
        template_arguments(p, of)
    object_body(p, of)
    warn_of_unused(p, of)
    p.pop()


def _object_name(p: Parser) -> Term | None:
    """The name of a record, if it has one. In a multiclass, the name of the `defm` goes in front, or is in it."""
    if p.stream.kind in (":", ";", "{"):
        return None
    around = p.multiclass.of if p.multiclass is not None else None
    name = value(p, around, STRING, name=True)
    if around is None:
        return name
    implicit = around.qualified(NAME)
    return name if implicit in name.free else Operation("strconcat", (Variable(implicit, STRING), name), STRING)


def _def(p: Parser) -> None:
    start = p.stream.place
    p.stream.advance()
    place, end = p.stream.place, p.stream.end
    is_word = p.stream.kind == ID
    name = _object_name(p)
    if name is None:
        record = Definition(p.keeper.new_name(), Kind.ANONYMOUS, [start])
    else:
        _check_name(name, place)
        record = Definition(name, Kind.DEF, [place if is_word else start])
        p.declare("def", name.unquoted if isinstance(name, String) else shown(name), place, end)
    object_body(p, record)
    add_entry(p, record)


def _check_name(name: Term, place: Place) -> None:
    if name.type is not STRING:
        raise Refused(f"Record name '{shown(name)}' is not a string!", place)


# ---- multiclass and defm


def _multiclass(p: Parser) -> None:
    if p.loops:
        raise p.error("multiclass is not allowed inside foreach loop")
    p.stream.advance()
    name = p.identifier("expected identifier after multiclass for name")
    if name in p.keeper.multiclasses:
        raise p.error(f"multiclass '{name}' already defined")
    place = p.stream.place
    made = Multiclass(Definition(String(name), Kind.MULTICLASS, [place]))
    p.keeper.multiclasses[name] = made
    p.declare("multiclass", name, place, p.stream.end)
    p.multiclass = made
    p.stream.advance()
    p.push(multiclass=made)
    if p.stream.kind == "<":
        template_arguments(p, made.of)
    inherits = p.consume(":")
    if inherits:
        _inherit(p, made)
    if p.stream.kind == "{":
        _multiclass_body(p)
    else:
        if not inherits:
            raise p.error("expected '{' in multiclass definition")
        p.expect(";", "expected ';' in multiclass definition")
    warn_of_unused(p, made.of)
    p.pop()
    p.multiclass = None


def _inherit(p: Parser, made: Multiclass) -> None:
    """The multiclasses that a multiclass makes the records of, too."""
    while True:
        place = p.stream.place
        of = p.multiclass_named()
        arguments = argument_values(p, made.of, of.of) if p.consume("<") else Arguments()
        values: dict[str, Term] = {of.of.qualified(NAME): Variable(made.of.qualified(NAME), STRING)}
        values.update(bound_arguments(of.of, arguments, place))
        resolve_entries(p, of.entries, values, final=False, into=made.entries)
        if not p.consume(","):
            break


_IN_MULTICLASS: Final = frozenset(("assert", "def", "defm", "defvar", "dump", "foreach", "if", "let"))


def _multiclass_body(p: Parser) -> None:
    p.stream.advance()
    if p.stream.kind == "}":
        raise p.error("multiclass must contain at least one def")
    while p.stream.kind != "}":
        if p.stream.kind not in _IN_MULTICLASS:
            raise p.error(
                "expected 'assert', 'def', 'defm', 'defvar', 'dump', 'foreach', 'if', or 'let' in multiclass body"
            )
        statement(p)
    p.stream.advance()
    stray_semicolon(p, "A multiclass body")


def _defm(p: Parser) -> None:
    p.stream.advance()
    start, end = p.stream.place, p.stream.end
    given = _object_name(p)
    if given is None:
        name: Term = p.keeper.new_name()
        if p.multiclass is not None:
            name = joined(p, Variable(p.multiclass.of.qualified(NAME), STRING), name)
    else:
        name = given
        p.declare("defm", name.unquoted if isinstance(name, String) else shown(name), start, end)
    if p.stream.kind != ":":
        raise p.error("expected ':' after defm identifier")
    p.stream.advance()
    made: list[Entry] = []
    while True:
        place = p.stream.place
        _use_multiclass(p, name, place, made)
        if not p.consume(","):
            break
        if p.identifier("expected identifier") in p.keeper.classes:
            _use_classes(p, made)
            break
    for entry in made:
        apply_lets_to(p, entry)
        add_entry(p, entry)
    p.expect(";", "expected ';' at end of defm")


def _use_multiclass(p: Parser, name: Term, place: Place, made: list[Entry]) -> None:
    of = p.multiclass_named()
    values: dict[str, Term] = {of.of.qualified(NAME): name}
    values.update(bound_arguments(of.of, given_arguments(p, None, of.of), place))
    final = p.multiclass is None and not p.loops
    resolve_entries(p, of.entries, values, final=final, into=made, place=place)


def _use_classes(p: Parser, made: list[Entry]) -> None:
    """The classes at the end of a `defm`, of which all its records are made."""
    for of, arguments, place in classes_used(p, None):
        for entry in made:
            add_superclass_to(p, entry, of, arguments, place)


# ---- let, foreach, if


def _let(p: Parser) -> None:
    p.stream.advance()
    p.lets.append(_let_list(p))
    p.expect("in", "expected 'in' at end of top-level 'let'")
    braces = p.stream.kind == "{"
    if braces:
        p.push()
    _block(p, "top level let command")
    if braces:
        p.pop()
    p.lets.pop()


def _let_list(p: Parser) -> list[Let]:
    lets: list[Let] = []
    while True:
        name = p.identifier("expected identifier in let definition")
        place = p.stream.place
        p.stream.advance()
        bits = optional_range(p, "<", ">", "expected '>' at end of range list")
        p.expect("=", "expected '=' in let expression")
        lets.append(Let(name, bits, value(p, None), place))
        if not p.consume(","):
            return lets


def _foreach(p: Parser) -> None:
    start = p.stream.place
    p.stream.advance()
    name = p.identifier("Expected identifier in foreach declaration")
    place = p.stream.place
    p.stream.advance()
    p.expect("=", "Expected '=' in foreach declaration")
    items = _foreach_items(p)
    assert isinstance(items.type, ListType)
    loop = Loop(start, Variable(name, items.type.element), items)
    loop.variable_place = place
    p.expect("in", "Unknown tok")
    p.push(loop=loop)
    p.loops.append(loop)
    _block(p, "foreach command")
    p.pop()
    p.loops.pop()
    add_entry(p, loop)


def _foreach_items(p: Parser) -> Term:
    if p.consume("{"):
        numbers = range_list(p)
        p.expect("}", "expected '}' at end of bit range list")
    else:
        place = p.stream.place
        first = value(p, None)
        if isinstance(first.type, ListType):
            return first
        if first.type is UNKNOWN:
            raise Refused(f"expected a list, got '{shown(first)}'", place)
        numbers = range_piece(p, first)
    return List(tuple(map(Int, numbers)), INT)


def _if(p: Parser) -> None:
    start = p.stream.place
    p.stream.advance()
    condition = value(p, None)
    p.expect("then", "Unknown tok")
    _branch(p, start, condition, taken=True)
    if p.consume("else"):
        _branch(p, start, condition, taken=False)


def _branch(p: Parser, start: Place, condition: Term, *, taken: bool) -> None:
    """A branch is a loop over a list of one element or of none."""
    once, never = List((TRUE,), BIT), List((), BIT)
    choice = (condition, once, never) if taken else (condition, never, once)
    loop = Loop(start, None, Operation("if", choice, BIT.listed).folded(p.at(None)))
    p.loops.append(loop)
    p.push()
    _block(p, f"'{'then' if taken else 'else'}' clause")
    p.pop()
    p.loops.pop()
    add_entry(p, loop)


# ---- the others


def _defset(p: Parser) -> None:
    if p.multiclass is not None:
        raise p.error("defset is not allowed inside multiclass")
    p.stream.advance()
    place = p.stream.place
    type_ = parse_type(p)
    if not isinstance(type_, ListType):
        raise Refused("expected list type", place)
    name = p.identifier("expected identifier")
    if p.keeper.global_named(name) is not None:
        raise p.error("def or global variable of this name already exists")
    name_place = p.stream.place
    p.declare("defset", name, name_place, p.stream.end, type=type_.text)
    p.stream.advance()
    p.expect("=", "expected '='")
    p.expect("{", "expected '{'")
    defset = Defset(place, type_.element)
    p.defsets.append(defset)
    statements(p)
    p.defsets.pop()
    p.expect("}", "expected '}' at end of defset")
    p.keeper.globals[name] = (List(tuple(defset.elements), defset.element_type), name_place)


def _deftype(p: Parser) -> None:
    p.stream.advance()
    name = p.identifier("expected identifier")
    if name in p.keeper.aliases or name in p.keeper.classes:
        raise p.error(f"type of this name '{name}' already exists")
    p.declare("deftype", name, p.stream.place, p.stream.end)
    p.stream.advance()
    p.expect("=", "expected '='")
    place = p.stream.place
    type_ = parse_type(p)
    if isinstance(type_, RecordType):
        raise Refused(f"cannot define type alias for class type '{type_.text}'", place)
    p.expect(";", "expected ';'")
    p.keeper.aliases[name] = type_


def _dump(p: Parser) -> None:
    place, message = dump(p, None)
    add_entry(p, Dump(place, message.resolved(Resolver(p.keeper, None, final=True))))


_STATEMENTS: Final[Mapping[str, Callable[[Parser], None]]] = {
    "assert": lambda p: add_entry(p, assertion(p, None)),
    "class": _class,
    "def": _def,
    "defm": _defm,
    "defset": _defset,
    "deftype": _deftype,
    "defvar": lambda p: defvar(p, None),
    "dump": _dump,
    "foreach": _foreach,
    "if": _if,
    "let": _let,
    "multiclass": _multiclass,
}
