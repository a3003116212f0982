"""The async dialect, what runs beside: described in `mlir-22/async.toml`.

Source of the rules: *'async' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, cast

from fathom.dialects import description_of
from fathom.dialects.func import FUNCTION_SYNTAX
from fathom.ir.attributes import DenseArrayAttr
from fathom.ir.dialect_values import DialectType, Parameter
from fathom.ir.types import I32, POISON, Type
from fathom.irdl.clauses import clause
from fathom.irdl.code import DialectCode, OpCode
from fathom.irdl.definition import CustomSyntax
from fathom.irdl.keywords import expect_keyword
from fathom.irdl.listed import listed
from fathom.irdl.parametric import CustomBody
from fathom.ops.async_ import ExecuteOp

if TYPE_CHECKING:
    from fathom.irdl.protocols import Argument, Node, OpParser, OpPrinter, ParsedOp, Ref, Resolver
    from fathom.irdl.readers import ParameterReader

# ---- types


def unwrapped(type: Type) -> Type | None:
    """What is inside `!async.value<…>`; None for another type."""
    if not isinstance(type, DialectType) or type.full_name != "async.value":
        return None
    found = type.parameter("valueType")
    return found if isinstance(found, Type) else None


def _read_value(reader: ParameterReader) -> Sequence[Parameter]:
    reader.expect("<")
    type = reader.type()
    reader.expect(">")
    return (type,)


def _token() -> Type:
    return DESCRIPTION.types["TokenType"].make_type()


# ---- execute


def _parse_execute(parser: OpParser, parsed: ParsedOp) -> tuple[list[Node], list[Node]]:
    """`[%token] (%value as %inside: !async.value<f32>) -> !async.value<f32> attributes {…} {…}`."""
    parsed.operands["dependencies"] = []
    if parser.accept("["):
        parsed.operands["dependencies"] = parser.bare_value_list()
        parser.expect("]")

    def read() -> tuple[Ref, Argument, Node]:
        value = parser.value_use()
        expect_keyword(parser, parsed, "as")
        inside = parser.argument(allow_type=False, allow_attributes=False)
        parser.expect(":")
        return value, inside, parser.type()

    found: list[tuple[Ref, Argument, Node]] = []
    if parser.accept("("):
        found = listed(parser, read) if parser.at_kind("value") else []
        parser.expect(")")
    parsed.operands["bodyOperands"] = [each[0] for each in found]
    results = parser.optional_arrow_types()
    parser.attr_dict_with_keyword(parsed)
    parser.region(parsed, [each[1] for each in found])
    return [each[2] for each in found], results


def _resolve_execute(resolver: Resolver, parsed: ParsedOp, nodes: tuple[list[Node], list[Node]]) -> None:
    types = resolver.types(nodes[0])
    dependencies, values = parsed.operands["dependencies"], parsed.operands["bodyOperands"]
    resolver.operands = [resolver.operand(token, _token()) for token in dependencies]
    resolver.operands += resolver.operand_list(values, types)
    resolver.properties["operandSegmentSizes"] = DenseArrayAttr(I32, (len(dependencies), len(values)))
    resolver.result_types = [_token(), *resolver.types(nodes[1])]
    resolver.region_argument_types = [[unwrapped(type) or POISON for type in types]]


def _print_execute(op: ExecuteOp, p: OpPrinter) -> None:
    if dependencies := op.dependencies:
        p.write(" [")
        p.values(dependencies)
        p.write("]")
    block = op.bodyRegion.first
    if values := op.bodyOperands:
        p.write(" (")
        for position, (value, inside) in enumerate(zip(values, block.arguments if block else (), strict=False)):
            p.write(", " if position else "")
            p.value(value)
            p.write(" as ")
            p.value(inside)
            p.write(": ")
            p.type(value.type)
        p.write(")")
    p.arrow_types([each.type for each in op.results[1:]])
    p.attr_dict(op, keyword=True)
    p.write(" ")
    p.region(op.bodyRegion, entry_arguments=False)


# ---- await


def _resolve_await(resolver: Resolver, parsed: ParsedOp) -> None:
    (node,), (token,) = parsed.types["operand"], parsed.operands["operand"]
    type = resolver.type(node)
    resolver.operands = [resolver.operand(token, type)]
    inside = unwrapped(type)
    resolver.result_types = [] if inside is None else [inside]


CODE: Final = DialectCode(
    operations={
        "await": OpCode(resolve=_resolve_await),
        "execute": OpCode(custom=CustomSyntax(_parse_execute, _print_execute, _resolve_execute, completes=False)),
        "func": OpCode(custom=FUNCTION_SYNTAX),
    },
    directives={"AwaitResultType": clause("qualified(type($0))")},
    bodies={
        "ValueType": CustomBody(("valueType",), _read_value, lambda values, of: f"<{of(cast('Type', values[0]))}>")
    },
)
DESCRIPTION: Final = description_of("async", CODE)
DIALECT: Final = DESCRIPTION.dialect()
