"""Reads the operations that are written with an exclamation mark, and finds their types."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from fathom.tablegen.definitions import Definition
from fathom.tablegen.loops import cond, foldl, foreach_or_filter
from fathom.tablegen.mistakes import Place, Refused
from fathom.tablegen.operands import binary
from fathom.tablegen.operations import Operation
from fathom.tablegen.parser import Parser
from fathom.tablegen.sequences import List
from fathom.tablegen.terms import UNSET, Int, String, Term, shown
from fathom.tablegen.type_syntax import operator_type
from fathom.tablegen.types import ANY_RECORD, DAG, INT, STRING, UNKNOWN, ListType, RecordType, Type, common_type

Reader = Callable[[Parser, "Definition | None", "Type | None", str], Term]


def operation(p: Parser, record: Definition | None, expected: Type | None) -> Term:
    """An operation, folded as far as can be. Raises Refused."""
    code = p.stream.value
    return _READERS.get(code, binary)(p, record, expected, code)


# ---- one operand

_UNARY: Final[Mapping[str, Type | None]] = {
    "not": INT,
    "tolower": STRING,
    "toupper": STRING,
    "repr": STRING,
    "logtwo": INT,
    "size": INT,
    "empty": INT,
    "initialized": INT,
    "getdagopname": STRING,
    "head": None,
    "tail": None,
    "listflatten": None,
    "cast": None,
    "getdagop": None,
}
"""The types of operations of one operand; those of None depend on the operand or are written."""


def _unary(p: Parser, record: Definition | None, expected: Type | None, code: str) -> Term:
    p.stream.advance()
    type_ = _UNARY[code]
    if code == "cast":
        type_ = operator_type(p)
    elif code == "getdagop":
        type_ = ANY_RECORD
        if p.stream.kind == "<":
            type_ = operator_type(p)
            if not isinstance(type_, RecordType):
                raise p.error("type for !getdagop must be a record type")
    p.expect("(", "expected '(' after unary operator")
    operand = p.value(record)
    if code in ("empty", "size") and not (operand.type in (STRING, DAG) or isinstance(operand.type, ListType)):
        raise p.error("expected string, list, or dag type argument in unary operator")
    if code in ("head", "tail", "listflatten"):
        type_ = _list_result(p, code, operand)
    p.expect(")", "expected ')' in unary operator")
    assert type_ is not None
    return Operation(code, (operand,), type_).folded(p.at(record))


def _list_result(p: Parser, code: str, operand: Term) -> Type:
    """The type of an element or of the rest of a list."""
    if not isinstance(operand.type, ListType):
        raise p.error("expected list type argument in unary operator")
    element = operand.type.element
    if isinstance(operand, List):
        if not operand.elements:
            raise p.error("empty list argument in unary operator")
        element = operand.elements[0].type
        if element is UNKNOWN:
            raise p.error("untyped list element in unary operator")
    if code == "head":
        return element
    if code == "listflatten" and isinstance(element, ListType):
        return element
    return element.listed


# ---- what asks about types


def _isa(p: Parser, record: Definition | None, expected: Type | None, code: str) -> Term:
    p.stream.advance()
    asked = operator_type(p)
    p.expect("(", "expected '(' after type of !isa")
    operand = p.value(record)
    p.expect(")", "expected ')' in !isa")
    return Operation(code, (operand,), INT, asked).folded(p.at(record))


def _exists(p: Parser, record: Definition | None, expected: Type | None, code: str) -> Term:
    p.stream.advance()
    asked = operator_type(p)
    p.expect("(", "expected '(' after type of !exists")
    place = p.stream.place
    operand = p.value(record)
    if isinstance(operand.type, RecordType):
        message = "expected string type argument in !exists operator, please use !isa instead"
        raise Refused(message, place)
    if operand.type is not STRING:
        raise Refused("expected string type argument in !exists operator", place)
    p.expect(")", "expected ')' in !exists")
    return Operation(code, (operand,), INT, asked).folded(p.at(record))


def _instances(p: Parser, record: Definition | None, expected: Type | None, code: str) -> Term:
    p.stream.advance()
    asked = operator_type(p)
    p.expect("(", "expected '(' after type of !instances")
    expression: Term = String(".*")
    if p.stream.kind != ")":
        place = p.stream.place
        expression = p.value(record)
        if expression.type is not STRING:
            raise Refused("expected string type argument in !instances operator", place)
    p.expect(")", "expected ')' in !instances")
    return Operation(code, (expression,), asked.listed, asked).folded(p.at(record))


# ---- ranges


def _range(p: Parser, record: Definition | None, expected: Type | None, code: str) -> Term:
    start = p.stream.place
    p.stream.advance()
    p.expect("(", "expected '(' after !range operator")
    operands: list[Term] = []
    while True:
        if len(operands) >= 3:
            raise p.error("expected at most three values of integer")
        place = p.stream.place
        operand = p.value(record)
        operands.append(operand)
        if operand.type is UNKNOWN:
            raise Refused(f"expected value to be a typed value, got '{operand.text}'", start)
        _check_range(operands, place)
        if not p.consume(","):
            break
    p.expect(")", "expected ')' in operator")
    first = operands[0]
    if isinstance(first.type, ListType):
        operands = [Operation("size", (first,), INT).folded(p.at(record))]
    if len(operands) == 1:
        operands.insert(0, Int(0))
    if len(operands) == 2:
        operands.append(Int(1))
    return Operation(code, tuple(operands), INT.listed).folded(p.at(record))


def _check_range(operands: list[Term], place: Place) -> None:
    last = operands[-1].type
    if len(operands) == 1:
        if last is not INT and not isinstance(last, ListType):
            raise Refused(f"expected list or int, got value of type '{last.text}'", place)
    elif isinstance(operands[0].type, ListType):
        raise Refused(f"expected one list, got extra value of type '{last.text}'", place)
    elif last is not INT:
        raise Refused(f"expected value of type 'int', got '{last.text}'", place)


# ---- three operands


def _ternary(p: Parser, record: Definition | None, expected: Type | None, code: str) -> Term:
    p.stream.advance()
    wanted = expected if code in ("if", "subst") else None
    p.expect("(", "expected '(' after ternary operator")
    first = p.value(record)
    p.expect(",", "expected ',' in ternary operator")
    second_at = p.stream.place
    second = p.value(record, wanted)
    p.expect(",", "expected ',' in ternary operator")
    third_at = p.stream.place
    third = p.value(record, wanted)
    p.expect(")", "expected ')' in binary operator")
    type_: Type = DAG
    if code == "dag":
        _check_dag(second, third, second_at, third_at)
    elif code == "if":
        type_ = _if_type(p, second, third)
    elif code == "subst":
        if third.type is UNKNOWN:
            raise p.error("could not get type for !subst")
        type_ = third.type
    else:
        if second.type not in (INT, STRING):
            got = f"'{shown(second)}'" if second.type is UNKNOWN else f"type '{second.type.text}'"
            raise Refused(f"expected integer index or string name, got {got}", second_at)
        if code == "setdagname" and third.type not in (STRING, UNKNOWN):
            raise Refused(f"expected string or unset name, got type '{third.type.text}'", third_at)
    return Operation(code, (first, second, third), type_).folded(p.at(record))


def _check_dag(children: Term, names: Term, children_at: Place, names_at: Place) -> None:
    if children.type is not UNKNOWN and not isinstance(children.type, ListType):
        raise Refused(f"expected list of children, got type '{children.type.text}'", children_at)
    if names.type is not UNKNOWN and names.type is not STRING.listed:
        raise Refused(f"expected list<string>, got type '{names.type.text}'", names_at)
    if children is UNSET and names is UNSET:
        raise Refused("cannot have both unset children and unset names in !dag", children_at)


def _if_type(p: Parser, then: Term, otherwise: Term) -> Type:
    one = then.type if then.type is not UNKNOWN else otherwise.type
    other = otherwise.type if otherwise.type is not UNKNOWN else then.type
    if one is UNKNOWN or other is UNKNOWN:
        raise p.error("could not get type for !if")
    type_ = common_type(one, other)
    if type_ is None:
        raise p.error(f"inconsistent types '{one.text}' and '{other.text}' for !if")
    return type_


def _in_string(p: Parser, record: Definition | None, expected: Type | None, code: str) -> Term:
    """`!substr` and `!find`, whose last operand may be left out."""
    p.stream.advance()
    type_ = STRING if code == "substr" else INT
    p.expect("(", f"expected '(' after !{code} operator")
    text = p.value(record)
    p.expect(",", f"expected ',' in !{code} operator")
    second_at = p.stream.place
    second = p.value(record)
    third_at = p.stream.place
    third: Term = Int((1 << 63) - 1 if code == "substr" else 0)
    if p.consume(","):
        third_at = p.stream.place
        third = p.value(record)
    p.expect(")", f"expected ')' in !{code} operator")
    if expected is not None and not type_.converts_to(expected):
        raise Refused(f"expected value of type '{expected.text}', got '{type_.text}'", third_at)
    if text.type not in (STRING, UNKNOWN):
        raise p.error(f"expected string, got type '{text.type.text}'")
    wanted = INT if code == "substr" else STRING
    if second.type not in (wanted, UNKNOWN):
        raise Refused(f"expected {wanted.text}, got type '{second.type.text}'", second_at)
    if third.type not in (INT, UNKNOWN):
        raise p.error(f"expected int, got type '{third.type.text}'")
    return Operation(code, (text, second, third), type_).folded(p.at(record))


_READERS: Final[Mapping[str, Reader]] = {
    **dict.fromkeys(_UNARY, _unary),
    **dict.fromkeys(("dag", "if", "subst", "setdagarg", "setdagname"), _ternary),
    "isa": _isa,
    "exists": _exists,
    "instances": _instances,
    "range": _range,
    "substr": _in_string,
    "find": _in_string,
    "cond": cond,
    "foldl": foldl,
    "foreach": foreach_or_filter,
    "filter": foreach_or_filter,
}
"""All others have two operands."""
