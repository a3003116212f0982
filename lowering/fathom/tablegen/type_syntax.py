"""Reads types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fathom.tablegen.limits import WIDEST_BITS
from fathom.tablegen.parser import Parser
from fathom.tablegen.tokens import ID, NUMBER
from fathom.tablegen.types import BIT, DAG, INT, STRING, Type, bits_type

_SIMPLE: Final[Mapping[str, Type]] = {"string": STRING, "code": STRING, "bit": BIT, "int": INT, "dag": DAG}


def parse_type(p: Parser) -> Type:
    """`bit`, `bits<4>`, `list<dag>`, a class or a name of `deftype`. Raises Refused."""
    stream = p.stream
    simple = _SIMPLE.get(stream.kind)
    if simple is not None:
        stream.advance()
        return simple
    if stream.kind == ID:
        alias = p.keeper.aliases.get(stream.value)
        if alias is not None:
            stream.advance()
            return alias
        return p.class_named().class_type
    if stream.kind == "bits":
        return _bits(p)
    if stream.kind == "list":
        p.deeper()
        stream.advance()
        p.expect("<", "expected '<' after list type")
        element = parse_type(p)
        p.expect(">", "expected '>' at end of list<ty> type")
        p.depth -= 1
        return element.listed
    raise p.error("Unknown token when expecting a type")


def _bits(p: Parser) -> Type:
    stream = p.stream
    stream.advance()
    p.expect("<", "expected '<' after bits type")
    if stream.kind != NUMBER:
        raise p.error("expected integer in bits<n> type")
    width = stream.number
    if not 0 <= width <= WIDEST_BITS:
        raise p.error(f"{width} bits are too many: at most {WIDEST_BITS}")
    stream.advance()
    p.expect(">", "expected '>' at end of bits<n> type")
    return bits_type(width)


def operator_type(p: Parser) -> Type:
    """`<type>` behind an operator. Raises Refused."""
    p.expect("<", "expected type name for operator")
    if p.stream.kind == "code":
        raise p.error("the 'code' type is not allowed in bang operators; use 'string'")
    type_ = parse_type(p)
    p.expect(">", "expected type name for operator")
    return type_
