"""The functions of a document: their signatures, the names of their arguments, and examples to call them with."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Final

from fathom.budget import MOST_EXAMPLE
from fathom.dialects.llvm import signatures
from fathom.dialects.llvm.types import LLVMArrayType, LLVMPointerType, LLVMStructType
from fathom.execution.conventions import convention_of
from fathom.execution.outcome import Convention, given_types, given_values
from fathom.ir.types import (
    ComplexType,
    FloatType,
    FunctionType,
    IndexType,
    IntegerType,
    MemRefType,
    TensorType,
    Type,
    VectorType,
)
from fathom.records import record
from fathom_server.features.symbols import OutlineEntry, outline
from fathom_server.model.parts import is_big
from fathom_server.model.scoping import Role, Symbol, declaration_of, name_of
from fathom_server.model.snapshot import Snapshot

_LONGEST_EXAMPLE: Final = 4096
"""So many characters an example of a struct or an array has at most."""


@record
class Argument:
    """An argument: its name with `%` and JSON to call it with, each None where there is none."""

    name: str | None
    type: str
    example: str | None

    def __str__(self) -> str:
        return f"{self.name}: {self.type}" if self.name else self.type


@record
class Function:
    """A function of the outline with what a menu and a call of it need; `name` is what clients call it."""

    name: str
    symbol: Symbol
    entry: OutlineEntry
    arguments: tuple[Argument, ...]
    results: tuple[str, ...]

    @property
    def is_big(self) -> bool:
        """Whether a preview can show a part of it."""
        return is_big(self.symbol)

    @property
    def signature(self) -> str:
        """`(%a: i32) -> i32`."""
        shown = ", ".join(map(str, self.arguments))
        if not self.results:
            return f"({shown})"
        results = self.results[0] if len(self.results) == 1 else f"({', '.join(self.results)})"
        return f"({shown}) -> {results}"


def functions(snapshot: Snapshot) -> list[Function]:
    """All functions whose signature can be read, in the order of the text."""
    return [function for entry in _all(outline(snapshot)) if (function := _function(snapshot, entry)) is not None]


def function_at(snapshot: Snapshot, offset: int) -> str | None:
    """What clients call the function around an offset."""
    for entry in _all(outline(snapshot)):
        if (
            entry.symbol is not None
            and entry.start <= offset <= entry.end
            and entry.role in (Role.FUNCTION, Role.UNKNOWN)
        ):
            return name_of(snapshot, entry.symbol)
    return None


def _all(entries: list[OutlineEntry]) -> Iterator[OutlineEntry]:
    for entry in entries:
        yield entry
        yield from _all(entry.children)


def _function(snapshot: Snapshot, entry: OutlineEntry) -> Function | None:
    symbol = entry.symbol
    signature = signature_of(snapshot, symbol) if symbol is not None else None
    if symbol is None or signature is None:
        return None
    convention = convention_at(snapshot, symbol)
    names = given_values(argument_names(symbol, len(signature.inputs)), convention)
    types = given_types(signature.inputs, convention)
    arguments = [Argument(name or None, str(type), example_of(type)) for name, type in zip(names, types, strict=True)]
    return Function(name_of(snapshot, symbol), symbol, entry, tuple(arguments), tuple(map(str, signature.results)))


def signature_of(snapshot: Snapshot, symbol: Symbol) -> FunctionType | None:
    """The type of a function; None for another symbol, and where its header is broken."""
    op = declaration_of(snapshot, symbol)
    return signatures.signature_of(op) if op is not None else None


def convention_at(snapshot: Snapshot, symbol: Symbol) -> Convention:
    """How a function is called."""
    op = declaration_of(snapshot, symbol)
    return convention_of(op) if op is not None else Convention()


def argument_names(symbol: Symbol, count: int) -> tuple[str, ...]:
    """The names that the source of a function gives its arguments, with `%`; empty where it names none."""
    signature, text = symbol.parsed.function, symbol.piece.texts(symbol.base)
    arguments = signature.arguments if signature is not None else ()
    names = [text(argument.token) if argument.token >= 0 else "" for argument in arguments]
    return tuple([*names, *[""] * count][:count])


def example_of(type: Type) -> str | None:
    """JSON for an argument of the type, ready to be edited; None where none can be given, and where it would be long.
    Elements stand one by one where there are few, else one stands for all."""
    return _example_of(type, {})


def _example_of(type: Type, known: dict[int, str | None]) -> str | None:
    """`known` are the examples of types by their ids: a struct may have the same one in it over and over."""
    match type:
        case IntegerType(width=1):
            return "true"
        case IntegerType() | IndexType():
            return "4"
        case FloatType():
            return "1.0"
        case ComplexType():
            return "[1.0, 0.0]"
        case LLVMPointerType():
            return '{"type": "i32", "data": [1, 2, 3, 4]}'
        case LLVMStructType() | LLVMArrayType():
            if id(type) not in known:
                known[id(type)] = _example_of_aggregate(type, known)
            return known[id(type)]
        case VectorType() | MemRefType() | TensorType() if type.shape is not None:
            return _example_of_elements(type, [n if n >= 0 else 4 for n in type.shape])
        case _:
            return None


def _example_of_aggregate(type: LLVMStructType | LLVMArrayType, known: dict[int, str | None]) -> str | None:
    if isinstance(type, LLVMArrayType):
        element = _example_of(type.element, known) if type.size <= MOST_EXAMPLE else None
        fields = [element] * type.size if element is not None else [None]
    else:
        fields = [_example_of(field, known) for field in type.body] if type.body is not None else [None]
    given = [field for field in fields if field is not None]
    if len(given) < len(fields) or sum(map(len, given)) > _LONGEST_EXAMPLE:
        return None
    return f"[{', '.join(given)}]"


def _example_of_elements(type: VectorType | MemRefType | TensorType, shape: list[int]) -> str | None:
    element = _example_of_fill(type.element)
    if element is None:
        return None
    if len(shape) == 1 and shape[0] <= 8 and isinstance(type.element, (FloatType, IntegerType, IndexType)):
        if type.element == IntegerType(1):
            return f"[{', '.join(['true'] * shape[0])}]"
        fraction = ".0" if isinstance(type.element, FloatType) else ""
        return f"[{', '.join(f'{number}{fraction}' for number in range(1, shape[0] + 1))}]"
    if not isinstance(type, VectorType) or prod(shape) > MOST_EXAMPLE:
        return f'{{"shape": {shape}, "fill": {element}}}'
    text = element
    for extent in reversed(shape):
        text = f"[{', '.join([text] * extent)}]"
    return text


def _example_of_fill(type: Type) -> str | None:
    """JSON for what fills a memref, a tensor or a vector: of a vector of many elements, one of them."""
    if isinstance(type, VectorType) and prod(type.ranked_shape) > MOST_EXAMPLE:
        return example_of(type.element)
    return example_of(type)
