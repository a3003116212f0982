"""Reads the operations that have variables of their own, `!foreach`, `!filter` and `!foldl`, and `!cond`."""

from __future__ import annotations

from fathom.tablegen.definitions import Definition, Field, FieldKind, Kind
from fathom.tablegen.mistakes import Place, Refused
from fathom.tablegen.operations import Operation
from fathom.tablegen.parser import Parser
from fathom.tablegen.terms import UNSET, String, Term, shown
from fathom.tablegen.types import DAG, INT, UNKNOWN, ListType, Type, common_type


def cond(p: Parser, record: Definition | None, expected: Type | None, code: str) -> Term:
    """`!cond(condition: value, …)`. Raises Refused."""
    p.stream.advance()
    p.expect("(", "expected '(' after !cond operator")
    operands: list[Term] = []
    while not p.consume(")"):
        operands.append(p.value(record))
        p.expect(":", "expected ':'  following a condition in !cond operator")
        operands.append(p.value(record, expected))
        if p.consume(")"):
            break
        p.expect(",", "expected ',' or ')' following a value in !cond operator")
    if not operands:
        raise p.error("there should be at least 1 'condition : value' in the !cond operator")
    type_: Type | None = None
    for operand in operands[1::2]:
        if operand.type is UNKNOWN:
            continue
        if type_ is None:
            type_ = operand.type
            continue
        common = common_type(type_, operand.type)
        if common is None:
            raise p.error(f"inconsistent types '{type_.text}' and '{operand.type.text}' for !cond")
        type_ = common
    if type_ is None:
        raise p.error("could not determine type for !cond from its arguments")
    return Operation(code, tuple(operands), type_).folded(p.at(record))


def foldl(p: Parser, record: Definition | None, expected: Type | None, code: str) -> Term:
    """`!foldl(start, list, so_far, item, expression)`. Raises Refused."""
    p.stream.advance()
    p.expect("(", "expected '(' after !foldl")
    start = p.value(record)
    if start.type is UNKNOWN:
        raise p.error(f"could not get type of !foldl start: '{shown(start)}'")
    p.expect(",", "expected ',' in !foldl")
    items = p.value(record)
    if items.type is UNKNOWN:
        raise p.error(f"could not get type of !foldl list: '{shown(items)}'")
    if not isinstance(items.type, ListType):
        raise p.error(f"!foldl list must be a list, but is of type '{items.type.text}")
    p.expect(",", "expected ',' in !foldl")
    so_far, so_far_at = _fold_variable(p, record, "third", "left")
    p.expect(",", "expected ',' in !foldl")
    item, item_at = _fold_variable(p, record, "fourth", "right")
    p.expect(",", "expected ',' in !foldl")
    variables = {so_far: (start.type, so_far_at), item: (items.type.element, item_at)}
    body = _with_variables(p, record, None, variables)
    if body.type is UNKNOWN:
        raise p.error("could not get type of !foldl expression")
    if body.type is not start.type:
        message = (
            f"!foldl expression must be of same type as start ({start.type.text}), but is of type {body.type.text}"
        )
        raise p.error(message)
    p.expect(")", "expected ')' in fold operator")
    bound = (so_far, item)
    return Operation(code, (start, items, body), start.type, bound=bound).folded(p.at(record))


def _fold_variable(p: Parser, record: Definition | None, which: str, side: str) -> tuple[str, Place]:
    """The name of a variable, which must be a new one, and where it is; goes beyond it."""
    name = p.identifier(f"{which} argument of !foldl must be an identifier")
    if record is not None and name in record.fields:
        raise p.error(f"{side} !foldl variable '{String(name).text}' already defined")
    place = p.stream.place
    p.stream.advance()
    return name, place


def foreach_or_filter(p: Parser, record: Definition | None, expected: Type | None, code: str) -> Term:
    """`!foreach(item, list or dag, expression)`, `!filter(item, list, condition)`. Raises Refused."""
    start = p.stream.place
    p.stream.advance()
    p.expect("(", "expected '(' after !foreach/!filter")
    name = p.identifier("first argument of !foreach/!filter must be an identifier")
    place = p.stream.place
    p.stream.advance()
    if record is not None and name in record.fields:
        raise p.error(f"iteration variable '{String(name).text}' is already defined")
    p.expect(",", "expected ',' in !foreach/!filter")
    items = p.value(record)
    p.expect(",", "expected ',' in !foreach/!filter")
    if items.type is UNKNOWN:
        raise p.error("could not get type of !foreach/!filter list or dag")
    item_type, wanted = _item_types(p, items.type, expected, code, start)
    body = _with_variables(p, record, wanted, {name: (item_type, place)})
    p.expect(")", "expected ')' in !foreach/!filter")
    result = item_type
    if code == "filter":
        result = item_type.listed
    elif isinstance(items.type, ListType):
        if body.type is UNKNOWN:
            raise p.error("could not get type of !foreach result expression")
        result = body.type.listed
    return Operation(code, (items, body), result, bound=(name,)).folded(p.at(record))


def _item_types(p: Parser, items: Type, expected: Type | None, code: str, start: Place) -> tuple[Type, Type | None]:
    """The type of the variable, and that which the expression is to have, if that is known."""
    if isinstance(items, ListType):
        if expected is None:
            return items.element, None
        if not isinstance(expected, ListType):
            raise Refused(f"expected value of type '{expected.text}', but got list type", start)
        return items.element, expected.element if code == "foreach" else INT
    if items is not DAG or code == "filter":
        what = "!foreach must have a list or dag" if code == "foreach" else "!filter must have a list"
        raise p.error(f"{what} argument")
    if expected is not None and expected is not DAG:
        raise Refused(f"expected value of type '{expected.text}', but got dag type", start)
    return DAG, None


def _with_variables(
    p: Parser, record: Definition | None, expected: Type | None, variables: dict[str, tuple[Type, Place]]
) -> Term:
    """The expression in which variables are seen, as if they were fields."""
    holder = record or Definition(String(".parse"), Kind.DEF, [])
    p.push(record=holder)
    for name, (type_, place) in variables.items():
        holder.fields[name] = Field(name, type_, FieldKind.NORMAL, place, UNSET)
    try:
        return p.value(holder, expected)
    finally:
        for name in variables:
            holder.fields.pop(name, None)
        p.pop()
