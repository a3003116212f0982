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
from fathom.ir.operation import Operation
from fathom.ir.types import Type
from fathom.irdl.clauses import two_way
from fathom.irdl.code import DialectCode, OpCode
from fathom.irdl.definition import CustomDirective
from fathom.ops.shape import ReduceOp

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
        read = attribute(node, None)
        elements = read.elements if isinstance(read, ArrayAttr) else ()
        return extents([element.value for element in elements if isinstance(element, IntegerAttr)])

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


def _parse_values(parser: OpParser, parsed: ParsedOp, _: Sequence[str]) -> None:
    parsed.operands["operands"] = parser.value_list()


def _print_values(op: ReduceOp, p: OpPrinter, _: Sequence[str]) -> None:
    p.write("(")
    p.value(op.shape)
    p.write(", ")
    p.values(op.initVals)
    p.write(")")


def _resolve_reduce(resolver: Resolver, parsed: ParsedOp, _: None) -> None:
    """The initial values have the types of the results."""
    resolver.result_types = resolver.types(parsed.types["result"])
    types = [*resolver.types(parsed.types["shape"]), *resolver.result_types]
    resolver.operands = resolver.operand_list(parsed.operands["operands"], types, parsed.name_token)


_SYNTAX: Final = {
    "assuming": two_way(
        "$witness custom<Results>(type($results)) custom<Body>($doRegion) attr-dict", _resolve_assuming
    ),
    "const_shape": two_way("` ` attr-dict `` custom<Extents>($shape) `:` type($result)"),
    "func": FUNCTION_SYNTAX,
    "function_library": two_way("$sym_name attr-dict-with-keyword custom<Unlabelled>($body) `mapping` $mapping"),
    "reduce": two_way(
        "`` custom<Values>($shape, $initVals) `:` type($shape) custom<Arrow>(type($result)) custom<Labelled>($region) "
        "attr-dict",
        _resolve_reduce,
    ),
}
CODE: Final = DialectCode(
    operations={
        name: OpCode(custom=syntax, interfaces=(ONCE,) if name == "assuming" else ())
        for name, syntax in _SYNTAX.items()
    },
    directives={
        "Values": CustomDirective(_parse_values, _print_values),
        "Extents": CustomDirective(_parse_extents, lambda op, p, _: p.write(f"[{', '.join(map(str, _extents(op)))}]")),
    },
)
DESCRIPTION: Final = description_of("shape", CODE)
DIALECT: Final = DESCRIPTION.dialect()
