"""The shape dialect, shapes as values: described in `mlir-22/shape.toml`.

Source of the rules: *'shape' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import TYPE_CHECKING, Final

from fathom.dialects import description_of
from fathom.dialects.func import FUNCTION_SYNTAX
from fathom.dialects.scf.edges import ONCE
from fathom.dialects.shape.extents import extents
from fathom.ir.attributes import ArrayAttr, Attribute, DenseElementsAttr, IntegerAttr
from fathom.ir.operation import Operation, types_of
from fathom.ir.types import Type
from fathom.irdl.clauses import two_way
from fathom.irdl.code import DialectCode, OpCode
from fathom.irdl.definition import CustomDirective, CustomSyntax

if TYPE_CHECKING:
    from fathom.irdl.protocols import Node, OpParser, OpPrinter, ParsedOp, Resolver


def _type(name: str) -> Type:
    return DESCRIPTION.types[name].make_type()


# ---- assuming


def _resolve_assuming(resolver: Resolver, parsed: ParsedOp, _: None) -> None:
    resolver.operands = [resolver.operand(token, _type("WitnessType")) for token in parsed.operands["witness"]]
    resolver.result_types = resolver.types(parsed.types["results"])


# ---- const_shape


def _parse_extents(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`[1, 2]`."""
    if not parser.at("["):
        parser.fail("expected attribute value")
    node = parser.array()

    def make(_: object, attribute: Callable[[Node, Type | None], Attribute]) -> Attribute:
        found = attribute(node, None)
        elements = found.elements if isinstance(found, ArrayAttr) else ()
        return extents([each.value for each in elements if isinstance(each, IntegerAttr)])

    parsed.attributes[arguments[0]] = parser.composed_attribute(make)


_MOST_EXTENTS: Final = 100_000
"""How many are written of a shape that is a splat, which can stand for more than anybody could read."""


def _extents(op: Operation) -> Sequence[object]:
    shape = op.properties.get("shape")
    if not isinstance(shape, DenseElementsAttr):
        return ()
    count = min(prod(shape.type.shape or ()), _MOST_EXTENTS)
    return [*shape.values] * count if shape.is_splat else shape.values


# ---- reduce


def _parse_reduce(parser: OpParser, parsed: ParsedOp) -> Node:
    """`(%shape, %initial) : !shape.shape -> i32 {…} {attributes}`."""
    parsed.operands["operands"] = parser.value_list()
    parser.expect(":")
    type = parser.type()
    parsed.types["result"] = parser.optional_arrow_types()
    parser.region(parsed)
    parser.attr_dict(parsed)
    return type


def _resolve_reduce(resolver: Resolver, parsed: ParsedOp, node: Node) -> None:
    resolver.result_types = resolver.types(parsed.types["result"])
    types = [resolver.type(node), *resolver.result_types]
    resolver.operands = resolver.operand_list(parsed.operands["operands"], types, parsed.name_token)


def _print_reduce(op: Operation, p: OpPrinter) -> None:
    p.write("(")
    p.values(op.operands[:1])
    p.write(", ")
    p.values(op.operands[1:])
    p.write(") : ")
    p.types(types_of(op.operands[:1]))
    p.arrow_types(types_of(op.results))
    p.write(" ")
    p.region(op.regions[0])
    p.attr_dict(op)


_SYNTAX: Final = {
    "assuming": two_way(
        "$witness custom<Results>(type($results)) custom<Body>($doRegion) attr-dict", _resolve_assuming
    ),
    "const_shape": two_way("` ` attr-dict `` custom<Extents>($shape) `:` type($result)"),
    "func": FUNCTION_SYNTAX,
    "function_library": two_way("$sym_name attr-dict-with-keyword custom<Unlabelled>($body) `mapping` $mapping"),
    "reduce": CustomSyntax(_parse_reduce, _print_reduce, _resolve_reduce),
}
CODE: Final = DialectCode(
    operations={
        name: OpCode(custom=syntax, interfaces=(ONCE,) if name == "assuming" else ())
        for name, syntax in _SYNTAX.items()
    },
    directives={
        "Extents": CustomDirective(_parse_extents, lambda op, p, _: p.write(f"[{', '.join(map(str, _extents(op)))}]"))
    },
)
DESCRIPTION: Final = description_of("shape", CODE)
DIALECT: Final = DESCRIPTION.dialect()
