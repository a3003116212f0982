"""What the syntax of affine operations shares: a map applied to values, `#map(%i, %j)[%n]`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NoReturn, TypeVar

from fathom.ir.affine import AffineConstant, AffineMap
from fathom.ir.attributes import AffineMapAttr, Attribute, IntegerSetAttr, UnitAttr
from fathom.ir.operation import Operation, Value
from fathom.ir.types import INDEX, MemRefType, Type, VectorType
from fathom.irdl.declared import CustomDirective
from fathom.irdl.keywords import bracketed
from fathom.records import record

if TYPE_CHECKING:
    from fathom.irdl.protocols import Node, OpParser, OpPrinter, ParsedOp, Ref, Resolver

A = TypeVar("A", bound=Attribute)
T = TypeVar("T", MemRefType, VectorType)
EMPTY: Final = AffineMap(0, 0, ())


@record
class Applied:
    """An attribute, and the values that it is applied to: dimensions in parentheses, symbols in brackets."""

    attribute: Node
    at: Ref
    dims: list[Ref]
    symbols: list[Ref]


def map_of(op: Operation, name: str = "map") -> AffineMap:
    """The map of an operation, an empty one where it is missing."""
    attribute = op.attribute(name)
    return attribute.map if isinstance(attribute, AffineMapAttr) else EMPTY


def constant_bound(map: AffineMapAttr) -> int | None:
    """A bound that is a single number."""
    match map.map.results:
        case (AffineConstant(value),):
            return value
        case _:
            return None


def check_counts(
    resolver: Resolver, parsed: ParsedOp, noun: str, given: tuple[Sequence[Ref], Sequence[Ref]], needed: tuple[int, int]
) -> None:
    """There are as many values for dimensions, and for symbols, as a map or set has."""
    for name, tokens, count in zip(("dim", "symbol"), given, needed, strict=True):
        if len(tokens) != count:
            refuse(resolver, parsed, f"{name} operand count and {noun} {name} count must match")


def parse_number_or_attribute(parser: OpParser, type: Type) -> Node:
    """Reads an attribute; of a number the type is known."""
    is_number = parser.at_kind("integer") or parser.at("-")
    return parser.attribute(type) if is_number else parser.attribute()


def _parse_applied(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    at, attribute = parser.here(), parser.attribute()
    parsed.notes[arguments[1]] = Applied(attribute, at, *parse_dims_and_symbols(parser))


def parse_dims_and_symbols(parser: OpParser) -> tuple[list[Ref], list[Ref]]:
    """Reads `(%i, %j)[%n]`; the brackets may be left out."""
    dims = bracketed(parser, "()", parser.value_use, "operand list")
    return dims, bracketed(parser, "[]", parser.value_use, "operand list") if parser.at("[") else []


def resolve_applied(resolver: Resolver, parsed: ParsedOp, name: str, kind: type[A]) -> tuple[Applied, A]:
    """What stands for a property and its operands, which are all of index type, and the property, which must be of a
    kind."""
    applied: Applied = parsed.notes[name]
    attribute = resolver.attribute(applied.attribute)
    if not isinstance(attribute, kind):
        refuse(resolver, parsed, "invalid kind of attribute specified", applied.at)
    resolver.properties[name] = attribute
    resolver.operands = indices(resolver, [*applied.dims, *applied.symbols])
    return applied, attribute


def refuse(resolver: Resolver, parsed: ParsedOp, message: str, at: Ref | None = None) -> NoReturn:
    """Fails in the name of the operation, by default at its name."""
    resolver.fail(f"custom op '{parsed.name}' {message}", at)


def indices(resolver: Resolver, tokens: Sequence[Ref]) -> list[Value]:
    """The values that tokens name, all of index type."""
    return [resolver.operand(token, INDEX) for token in tokens]


def type_of_kind(resolver: Resolver, parsed: ParsedOp, group: str, kind: type[T], name: str) -> T:
    """The type of a group, which must be of a kind, and have a rank."""
    (node,) = parsed.types[group]
    type = resolver.type(node)
    if not isinstance(type, kind) or type.shape is None:
        expected = f"expected builtin.{name}, but found '{type}'"
        refuse(resolver, parsed, f"invalid kind of type specified: {expected}", node.start)
    return type


def print_applied(attribute: Attribute | None, dims: int, values: Sequence[Value], p: OpPrinter) -> None:
    """Writes `#map(%i, %j)[%n]`."""
    p.attribute(attribute if attribute is not None else UnitAttr())
    p.write("(")
    p.values(values[:dims])
    p.write(")")
    if len(values) > dims:
        p.write("[")
        p.values(values[dims:])
        p.write("]")


def _print_applied(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    attribute = op.properties.get(arguments[1])
    set = attribute.set if isinstance(attribute, IntegerSetAttr) else map_of(op, arguments[1])
    print_applied(attribute, set.dims, op.all_of(arguments[0]), p)


APPLIED: Final = CustomDirective(_parse_applied, _print_applied)
"""`custom<Applied>($operands, $map)`: `#map(%i, %j)[%n]`, kept as a note."""
