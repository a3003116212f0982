"""Reads the operations of two operands, of which some take more."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fathom.tablegen.definitions import Definition
from fathom.tablegen.mistakes import Place, Refused
from fathom.tablegen.operations import Operation
from fathom.tablegen.parser import Parser
from fathom.tablegen.terms import Term
from fathom.tablegen.type_syntax import operator_type
from fathom.tablegen.types import ANY_RECORD, BIT, DAG, INT, STRING, UNKNOWN, ListType, Type, common_type

_ARITHMETIC: Final = frozenset(("add", "sub", "mul", "div", "and", "or", "xor", "shl", "sra", "srl"))
_COMPARISONS: Final = frozenset(("eq", "ne", "le", "lt", "ge", "gt"))
_NESTED: Final = frozenset(("strconcat", "listconcat", "con", "add", "and", "or", "xor", "mul"))
"""Those that take more operands, from the right."""

_RESULTS: Final[Mapping[str, Type]] = {
    "match": BIT,
    "con": DAG,
    "setdagop": DAG,
    "setdagopname": DAG,
    "getdagname": STRING,
    "strconcat": STRING,
    "interleave": STRING,
    **dict.fromkeys(_ARITHMETIC, INT),
    **dict.fromkeys(_COMPARISONS, BIT),
}
_FIRST: Final[Mapping[str, Type]] = {
    "match": STRING,
    "con": DAG,
    "setdagop": DAG,
    "setdagopname": DAG,
    "getdagarg": DAG,
    "getdagname": DAG,
    "strconcat": STRING,
    **dict.fromkeys(_ARITHMETIC, INT),
}
"""The type of the first operand, where it is always the same; in most of these it is that of the others too."""
_NEXT: Final[Mapping[str, Type | None]] = {
    "setdagopname": STRING,
    "setdagop": ANY_RECORD,
    "getdagarg": None,
    "getdagname": INT,
}
"""The type of what follows, where that is another."""


def binary(p: Parser, record: Definition | None, expected: Type | None, code: str) -> Term:
    """An operation of two operands, folded as far as can be. Raises Refused."""
    start = p.stream.place
    p.stream.advance()
    result = operator_type(p) if code == "getdagarg" else _RESULTS.get(code)
    wanted = expected if code in ("listconcat", "listremove") else _FIRST.get(code)
    if result is not None and expected is not None and not result.converts_to(expected):
        raise Refused(f"expected value of type '{expected.text}', got '{result.text}'", start)
    p.expect("(", "expected '(' after binary operator")
    operands, last = _operands(p, record, expected, code, wanted, start)
    p.expect(")", "expected ')' in operator")
    if code in ("listconcat", "listremove"):
        result = last
    elif code == "listsplat":
        result = operands[0].type.listed
    assert result is not None
    at = p.at(record)
    if code in _NESTED:
        while len(operands) > 2:
            right = operands.pop()
            operands[-1] = Operation(code, (operands[-1], right), result).folded(at)
    if len(operands) != 2:
        raise Refused("expected two operands to operator", start)
    return Operation(code, (operands[0], operands[1]), result).folded(at)


def _operands(
    p: Parser, record: Definition | None, expected: Type | None, code: str, wanted: Type | None, start: Place
) -> tuple[list[Term], Type | None]:
    """The operands, and the type that the last was to have."""
    operands: list[Term] = []
    while True:
        place = p.stream.place
        operand = p.value(record, wanted)
        operands.append(operand)
        own = operand.type
        if own is UNKNOWN:
            raise Refused(f"expected value to be a typed value, got '{operand.text}'", start)
        if wanted is None:
            wanted = _first_of_its_type(code, own, expected, len(operands), place, start)
        else:
            common = common_type(wanted, own)
            if common is None:
                raise Refused(f"expected value of type '{wanted.text}', got '{own.text}'", place)
            if code not in _ARITHMETIC:
                wanted = common
        if code in _NEXT:
            wanted = _NEXT[code]
        if not p.consume(","):
            return operands, wanted


def _first_of_its_type(
    code: str, own: Type, expected: Type | None, count: int, place: Place, start: Place
) -> Type | None:
    """Looks at an operand that itself says which type the others have; None where it does not say."""
    if code in ("listconcat", "listremove"):
        if not isinstance(own, ListType):
            raise Refused(f"expected a list, got value of type '{own.text}'", place)
        return own
    if code == "listsplat":
        _check_splat(own, expected, count, place, start)
        return None
    if code == "interleave":
        _check_interleave(own, count, place)
        return None
    numbers = own.converts_to(INT) or own.converts_to(STRING)
    if code in ("eq", "ne"):
        if not numbers and not own.converts_to(ANY_RECORD):
            raise Refused(f"expected bit, bits, int, string, or record; got value of type '{own.text}'", place)
    elif not numbers:
        raise Refused(f"expected bit, bits, int, or string; got value of type '{own.text}'", place)
    return own


def _check_splat(own: Type, expected: Type | None, count: int, place: Place, start: Place) -> None:
    if expected is not None and count == 1:
        if not isinstance(expected, ListType):
            raise Refused(f"expected output type to be a list, got type '{expected.text}'", start)
        if not own.listed.converts_to(expected):
            message = f"expected first arg type to be '{own.text}', got value of type '{expected.element.text}'"
            raise Refused(message, start)
    if count == 2 and own is not INT:
        raise Refused(f"expected second parameter to be an int, got value of type '{own.text}'", place)


def _check_interleave(own: Type, count: int, place: Place) -> None:
    if count == 1 and own is not STRING.listed and not own.converts_to(INT.listed):
        raise Refused(f"expected list of string, int, bits, or bit; got value of type '{own.text}'", place)
    if count == 2 and own is not STRING:
        raise Refused(f"expected second argument to be a string, got value of type '{own.text}'", place)
