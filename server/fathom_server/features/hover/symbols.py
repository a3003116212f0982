"""Hovers of symbols: the header of a function or a global, and what it becomes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from fathom.ir.attributes import TypeAttr
from fathom.ir.operation import Operation
from fathom.ir.types import MemRefType
from fathom.text.beginnings import beginning
from fathom_server.features.hover.functions import prototype_lines, signature_lines
from fathom_server.features.hover.texts import Said, code
from fathom_server.features.hover.types import about_type
from fathom_server.model.scoping import Symbol
from fathom_server.model.subjects import NamedSymbol

LONGEST_HEADER: Final = 4000
"""Of a symbol so many characters are shown, which may hold what it is initialised with."""


def symbol_text(subject: NamedSymbol) -> Said:
    """The header of a symbol, and what becomes of it."""
    symbol, op = subject.symbol, subject.declared
    text = beginning(symbol.item.text_between(symbol.start, symbol.end).rstrip().rstrip("{").rstrip(), LONGEST_HEADER)
    short = (code(text), *signature_lines(op), *_data_lines(op))
    return Said(short, tuple(prototype_lines(op, _argument_names(symbol))))


def _argument_names(symbol: Symbol) -> list[str]:
    """The names of a function's arguments without `%`; fewer where a declaration leaves them out."""
    function, text = symbol.parsed.function, symbol.piece.texts(symbol.base)
    return (
        [text(argument.token)[1:] for argument in function.arguments if argument.token >= 0]
        if function is not None
        else []
    )


def _data_lines(op: Operation | None) -> Iterator[str]:
    """Of a global memref, what its type becomes."""
    type = op.properties.get("type") if op is not None else None
    if isinstance(type, TypeAttr) and isinstance(type.type, MemRefType):
        about = about_type(type.type)
        yield from (*about.short, *about.details)
