"""The async dialect, what runs beside: described in `mlir-22/async.toml`.

Source of the rules: *'async' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, cast

from fathom.dialects import description_of
from fathom.dialects.func import FUNCTION_SYNTAX
from fathom.ir.dialect_values import DialectType
from fathom.ir.types import POISON, Type
from fathom.irdl.clauses import clause, two_way
from fathom.irdl.code import DialectCode, OpCode
from fathom.irdl.definition import CustomDirective
from fathom.irdl.keywords import comma_separated, expect_keyword
from fathom.irdl.listed import print_list
from fathom.irdl.parametric import CustomBody
from fathom.ops.async_ import ExecuteOp

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp, Resolver

# ---- types


def unwrapped(type: Type) -> Type | None:
    """What is inside `!async.value<…>`; None for another type."""
    if not isinstance(type, DialectType) or type.full_name != "async.value":
        return None
    parameter = type.parameter("valueType")
    return parameter if isinstance(parameter, Type) else None


# ---- execute


def _parse_given(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`(%value as %inside: !async.value<f32>)`, or nothing."""
    operands, types = parsed.operands.setdefault(arguments[0], []), parsed.types.setdefault(arguments[0], [])

    def read() -> None:
        operands.append(parser.value_use())
        expect_keyword(parser, parsed, "as")
        parsed.named.append(parser.argument(allow_type=False, allow_attributes=False))
        parser.expect(":")
        types.append(parser.type())

    if parser.accept("("):
        if parser.at_kind("value"):
            comma_separated(parser, read)
        parser.expect(")")


def _print_given(op: ExecuteOp, p: OpPrinter, _: Sequence[str]) -> None:
    def write(pair: tuple[Value, Value]) -> None:
        p.value(pair[0])
        p.write(" as ")
        p.value(pair[1])
        p.write(": ")
        p.type(pair[0].type)

    if op.bodyOperands:
        p.write(" (")
        print_list(p, zip(op.bodyOperands, op.bodyRegion.arguments, strict=False), write)
        p.write(")")


def _resolve_execute(resolver: Resolver, parsed: ParsedOp, _: None) -> None:
    resolver.resolve_by_rules()
    types = resolver.types(parsed.types["bodyOperands"])
    resolver.region_argument_types = [[unwrapped(type) or POISON for type in types]]


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
        "execute": OpCode(
            custom=two_way(
                "(` ` `[` $dependencies^ `]`)? custom<Given>($bodyOperands, type($bodyOperands)) "
                "custom<Arrow>(type($bodyResults)) attr-dict-with-keyword custom<Unlabelled>($bodyRegion)",
                _resolve_execute,
                completes=False,
            )
        ),
        "func": OpCode(custom=FUNCTION_SYNTAX),
    },
    directives={
        "AwaitResultType": clause("qualified(type($0))"),
        "Given": CustomDirective(_parse_given, _print_given, spaced=True),
    },
    bodies={
        "ValueType": CustomBody(
            ("valueType",), lambda reader: [reader.type()], lambda values, of: of(cast("Type", values[0]))
        )
    },
)
DESCRIPTION: Final = description_of("async", CODE)
DIALECT: Final = DESCRIPTION.dialect()
