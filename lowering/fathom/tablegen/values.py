"""Reads values: literals, names, classes with arguments, lists, dags, and what may follow a value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from fathom.tablegen.definitions import Definition
from fathom.tablegen.instances import instance
from fathom.tablegen.limits import WIDEST_BITS
from fathom.tablegen.lists import concatenated as concatenated_lists
from fathom.tablegen.mistakes import Consequence, Place, Refused
from fathom.tablegen.operations import FieldOf, Operation, cast
from fathom.tablegen.operators import operation
from fathom.tablegen.parser import Parser
from fathom.tablegen.ranges import range_list, slice_elements
from fathom.tablegen.references import DefTerm, Variable
from fathom.tablegen.sequences import DagTerm, List
from fathom.tablegen.strings import concatenated
from fathom.tablegen.templates import argument_values, bound_arguments, cast_arguments
from fathom.tablegen.terms import FALSE, TRUE, UNSET, Bits, Int, String, Term, shown
from fathom.tablegen.tokens import BINARY, CODE, ID, NAME, NUMBER, OPERATOR
from fathom.tablegen.tokens import STRING as TEXT
from fathom.tablegen.type_syntax import parse_type
from fathom.tablegen.types import BIT, STRING, UNKNOWN, BitsType, ListType, RecordType, Type, common_type

_BEGINS_BODY: Final = frozenset((":", ";", "{"))
"""What can stand behind the name of a record; behind `#` it ends the name."""


def value(p: Parser, record: Definition | None, expected: Type | None = None, *, name: bool = False) -> Term:
    """A value, with all that follows it: `{bits}`, `[elements]`, `.field`, `# value`. `expected` is its type, if that
    is known; `name` says that it is a name, in which unknown words stand for themselves. Raises Refused."""
    stream = p.stream
    start = stream.place
    p.deeper()
    term = simple_value(p, record, expected, name=name)
    while True:
        match stream.kind:
            case "#":
                term = _pasted(p, record, term, expected)
            case ".":
                term = _field(p, record, term)
            case "[":
                term = _elements(p, record, term, start)
            case "{" if not name:
                term = _bits(p, term)
            case _:
                p.depth -= 1
                return term


def simple_value(p: Parser, record: Definition | None, expected: Type | None, *, name: bool = False) -> Term:
    kind = p.stream.kind
    if kind == ID:
        return _named(p, record, name=name)
    if kind == OPERATOR:
        return operation(p, record, expected)
    if kind == "[":
        return _list(p, record, expected)
    if kind == "(":
        return _dag(p, record)
    if kind == "{":
        return _bit_list(p, record)
    literal = _LITERALS.get(kind)
    if literal is None:
        raise p.error("Unknown or reserved token when parsing a value")
    return literal(p)


# ---- literals


def _number(p: Parser) -> Term:
    term = Int(p.stream.number)
    p.stream.advance()
    return term


def _binary(p: Parser) -> Term:
    number, width = p.stream.binary
    if width > WIDEST_BITS:
        raise p.error(f"{width} bits are too many: at most {WIDEST_BITS}")
    term = Bits(tuple(TRUE if place < 64 and number >> place & 1 else FALSE for place in range(width)))
    p.stream.advance()
    return term


def _string(p: Parser) -> Term:
    """Strings that follow each other are one."""
    text = p.stream.value
    p.stream.advance()
    if p.stream.kind != TEXT:
        return String(text)
    parts = [text]
    while p.stream.kind == TEXT:
        parts.append(p.stream.value)
        p.stream.advance()
    return String("".join(parts))


def _code(p: Parser) -> Term:
    term = String(p.stream.value, is_code=True)
    p.stream.advance()
    return term


def _constant(term: Term) -> Callable[[Parser], Term]:
    def read(p: Parser) -> Term:
        p.stream.advance()
        return term

    return read


_LITERALS: Final[Mapping[str, Callable[[Parser], Term]]] = {
    NUMBER: _number,
    BINARY: _binary,
    TEXT: _string,
    CODE: _code,
    "true": _constant(Int(1)),
    "false": _constant(Int(0)),
    "?": _constant(UNSET),
}


# ---- names


def _named(p: Parser, record: Definition | None, *, name: bool) -> Term:
    stream = p.stream
    text, start, end = stream.value, stream.place, stream.end
    stream.advance()
    if stream.kind == "=":
        return String(text)  # The name of an argument.
    if stream.kind != "<":
        return _variable(p, record, text, start, end, name=name)
    of = p.keeper.classes.get(text)
    if of is None or text in p.broken:
        raise Consequence if text in p.broken else Refused(f"Expected a class name, got '{text}'", start)
    stream.advance()
    arguments = cast_arguments(of, argument_values(p, record, of))
    bound_arguments(of, arguments, start)
    p.refer(start, end, of.places[0])
    return instance(p.keeper, start, of, arguments.pairs).folded(p.keeper)


def _variable(p: Parser, record: Definition | None, text: str, start: Place, end: Place, *, name: bool) -> Term:
    term = p.variable(text, start, end)
    if term is not None:
        return term
    if name:
        return String(text)
    known = p.keeper.global_named(text)
    if known is not None:
        p.refer(start, end, known[1])
        return known[0]
    if record is not None and not record.is_class and p.multiclass is None and _is_called(record, text):
        # A record may refer to itself, but its type is not known yet.
        return Operation("cast", (record.name,), record.made_type())
    if text in p.broken:
        raise Consequence
    raise Refused(f"Variable not defined: '{text}'", start)


def _is_called(record: Definition, text: str) -> bool:
    return isinstance(record.name, String) and record.name.value == text


# ---- what has several values in it


def value_list(p: Parser, record: Definition | None, expected: Type | None = None) -> list[Term]:
    """Values with commas between them, of which there is at least one; before `]` a comma may be left over."""
    terms = [value(p, record, expected)]
    while p.consume(","):
        if p.stream.kind == "]":
            break
        terms.append(value(p, record, expected))
    return terms


def _bit_list(p: Parser, record: Definition | None) -> Term:
    """`{ 1, 0, x }`, the highest bit first."""
    start = p.stream.place
    p.stream.advance()
    elements = value_list(p, record) if p.stream.kind != "}" else []
    p.expect("}", "expected '}' at end of bit list value")
    bits: list[Term] = []
    for index, element in enumerate(elements):
        if isinstance(element, Bits):
            bits.extend(reversed(element.bits))
        elif isinstance(element, Variable) and isinstance(element.type, BitsType):
            bits.extend(element.bit(place) for place in reversed(range(element.type.width)))
        else:
            bit = cast(element, BIT)
            if bit is None:
                raise Refused(f"Element #{index} ({shown(element)}) is not convertable to a bit", start)
            bits.append(bit)
        if len(bits) > WIDEST_BITS:
            raise Refused(f"{len(bits)} bits are too many: at most {WIDEST_BITS}", start)
    return Bits(tuple(reversed(bits)))


def _list(p: Parser, record: Definition | None, expected: Type | None) -> Term:
    p.stream.advance()
    if expected is not None and not isinstance(expected, ListType):
        raise p.error(f"Encountered a list when expecting a {expected.text}")
    wanted = expected.element if expected is not None else None
    elements = value_list(p, record, wanted) if p.stream.kind != "]" else []
    p.expect("]", "expected ']' at end of list value")
    given: Type | None = None
    if p.consume("<"):
        given = parse_type(p)
        p.expect(">", "expected '>' at end of list element type")
    common: Type | None = None
    for element in elements:
        if element.type is not UNKNOWN:
            common = element.type if common is None else common_type(common, element.type)
            if common is None:
                raise p.error("Incompatible types in list elements")
    if given is not None:
        if common is not None and not common.converts_to(given):
            raise p.error("Incompatible types in list elements")
        common = given
    if common is None:
        if wanted is None:
            raise p.error("No type for list")
        common = wanted
    elif wanted is not None and not common.converts_to(wanted):
        message = f"element type '{common.text}' not convertible to '{wanted.text}"
        raise p.error(f"Element type mismatch for list: {message}")
    p.keeper.work_on_list(len(elements))
    return List(tuple(elements), common)


def _dag(p: Parser, record: Definition | None) -> Term:
    """`(operator:$name argument:$name, $name)`."""
    stream = p.stream
    stream.advance()
    begins = stream.kind in (ID, "?", "[") or (stream.kind == OPERATOR and stream.value in ("cast", "getdagop"))
    if not begins:
        raise p.error("expected identifier or list of value types in dag init")
    operator = value(p, record)
    operator_name = None
    if p.consume(":"):
        if stream.kind != NAME:
            raise p.error("expected variable name in dag operator")
        operator_name = String(stream.value)
        stream.advance()
    arguments: list[Term] = []
    names: list[String | None] = []
    while stream.kind != ")":
        if stream.kind == NAME:
            arguments.append(UNSET)
            names.append(String(stream.value))
            stream.advance()
        else:
            arguments.append(value(p, record))
            names.append(_dag_name(p))
        if not p.consume(","):
            break
        if stream.kind == ")":
            raise p.error("Unknown or reserved token when parsing a value")
    p.expect(")", "expected ')' in dag init")
    return DagTerm(operator, tuple(arguments), tuple(names), operator_name)


def _dag_name(p: Parser) -> String | None:
    if not p.consume(":"):
        return None
    if p.stream.kind != NAME:
        raise p.error("expected variable name in dag literal")
    name = String(p.stream.value)
    p.stream.advance()
    return name


# ---- what follows a value


def _bits(p: Parser, of: Term) -> Term:
    start = p.stream.place
    p.stream.advance()
    indices = range_list(p)
    term = of.bit_range(indices[::-1])
    if term is None:
        raise Refused("Invalid bit range for value", start)
    p.expect("}", "expected '}' at end of bit range list")
    return term


def _elements(p: Parser, record: Definition | None, of: Term, start: Place) -> Term:
    if of.type is UNKNOWN:
        raise Refused("Invalid value, list expected", start)
    if not isinstance(of.type, ListType):
        raise Refused(f"Type '{of.type.text}' is invalid, list expected", start)
    p.stream.advance()
    which = slice_elements(p, record)
    code, type_ = ("slice", of.type) if isinstance(which.type, ListType) else ("element", of.type.element)
    element = Operation(code, (of, which), type_).folded(p.at(record))
    p.expect("]", "expected ']' at end of list slice")
    return element


def _field(p: Parser, record: Definition | None, of: Term) -> Term:
    stream = p.stream
    stream.advance()
    name = p.identifier("expected field identifier after '.'")
    type_ = of.field_type(name)
    if type_ is None:
        if isinstance(of.type, RecordType) and any(class_.written_name in p.broken for class_ in of.type.classes):
            raise Consequence
        raise p.error(f"Cannot access field '{name}' of value '{shown(of)}'")
    owners = [of.definition] if isinstance(of, DefTerm) else of.type.classes if isinstance(of.type, RecordType) else ()
    for owner in owners:
        if (field := owner.fields.get(name)) is not None:
            p.refer(stream.place, stream.end, field.place)
    term = FieldOf(of, name, type_).folded(p.at(record))
    stream.advance()
    return term


def _pasted(p: Parser, record: Definition | None, left: Term, expected: Type | None) -> Term:
    """`left # right`: of lists, or of strings, which all else is made first."""
    place = p.stream.place
    if left.type is UNKNOWN:
        raise Refused("LHS of paste is not typed!", place)
    if isinstance(left.type, ListType):
        p.stream.advance()
        if p.stream.kind in _BEGINS_BODY:
            return left
        right = value(p, record, expected)
        if isinstance(left, List) and isinstance(right, List):
            return concatenated_lists(p.at(record), left, right)
        return Operation("listconcat", (left, right), left.type)
    left = _as_string(p, record, left, place)
    p.stream.advance()
    if p.stream.kind in _BEGINS_BODY:
        right = String("")
    else:
        right = value(p, record, name=True)
        if right.type is UNKNOWN:
            raise Refused("RHS of paste is not typed!", place)
        right = _as_string(p, record, right, place)
    return joined(p, left, right)


def joined(p: Parser, left: Term, right: Term) -> Term:
    """The concatenation of two strings, as far as it is known."""
    if isinstance(left, String) and isinstance(right, String):
        return concatenated(p.at(None), left, right)
    return Operation("strconcat", (left, right), STRING)


def _as_string(p: Parser, record: Definition | None, of: Term, place: Place) -> Term:
    if of.type is STRING:
        return of
    text = Operation("cast", (of,), STRING).folded(p.at(record))
    if text.type is UNKNOWN:
        raise Refused(f"can't cast '{shown(of)}' to string", place)
    return text
