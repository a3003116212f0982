"""The syntax of emitc's expressions, control flow and globals.

Source of the rules: *'emitc' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects import own_description
from fathom.dialects.emitc.types import extents, inner, is_named
from fathom.ir.attributes import (
    UNIT,
    DenseElementsAttr,
    DenseResourceAttr,
    FloatAttr,
    IntegerAttr,
    TypeAttr,
)
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.types import I1, TensorType, Type
from fathom.irdl.clauses import two_way
from fathom.irdl.definition import CustomDirective, CustomSyntax
from fathom.ops import emitc as ops

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.irdl.protocols import Node, OpParser, OpPrinter, ParsedOp, Resolver


# ---- expression


def _parse_expression(parser: OpParser, parsed: ParsedOp) -> tuple[list[Node], list[Node]]:
    """`%a, %b noinline : (i32, i32) -> i32 {…}`; the region's arguments have the names of the operands."""
    operands = parsed.operands["defs"] = parser.bare_value_list()
    if parser.accept("noinline"):
        parsed.attributes["do_not_inline"] = UNIT
    parser.expect(":")
    if not parser.at("("):
        parser.type()
        parser.fail(f"custom op '{parsed.name}' expected function type")
    inputs, results = parser.functional_type()
    if len(results) != 1:
        parser.fail(f"custom op '{parsed.name}' expected single return type")
    parser.region(parsed, [parser.argument_called(token, type) for token, type in zip(operands, inputs, strict=False)])
    return inputs, results


def _resolve_expression(resolver: Resolver, parsed: ParsedOp, nodes: tuple[list[Node], list[Node]]) -> None:
    inputs, results = nodes
    resolver.operands = resolver.operand_list(parsed.operands["defs"], resolver.types(inputs))
    resolver.result_types = resolver.types(results)


def _print_expression(op: ops.ExpressionOp, p: OpPrinter) -> None:
    p.write(" ")
    p.values(op.operands)
    p.write(" : ")
    p.functional_type([operand.type for operand in op.operands], [result.type for result in op.results])
    p.shadow(op.region, op.operands)
    p.write(" ")
    p.region(op.region, entry_arguments=False)


EXPRESSION: Final = CustomSyntax(
    _parse_expression, _print_expression, _resolve_expression, completes=False, hides_names=True
)


# ---- for, if, do


FOR: Final = two_way(
    "custom<Variable>(ref($region)) `=` $lowerBound `to` $upperBound `step` $step "
    "custom<BoundType>(type($lowerBound)) custom<Body>($region) attr-dict"
)


def _resolve_if(resolver: Resolver, parsed: ParsedOp, _: None) -> None:
    resolver.operands = [resolver.operand(token, I1) for token in parsed.operands["condition"]]


IF: Final = two_way("$condition custom<Body>($thenRegion) (`else` custom<Body>($elseRegion)^)? attr-dict", _resolve_if)


DO: Final = two_way("custom<Unlabelled>($bodyRegion) `while` $conditionRegion attr-dict-with-keyword")


# ---- include, global, field


def _parse_include(parser: OpParser, parsed: ParsedOp) -> None:
    """`"file.h"` or `<"file.h">`."""
    is_standard = parser.accept("<")
    if not parser.at_kind("string"):
        parser.fail(f"custom op '{parsed.name}' expected string attribute", parsed.name_token)
    parsed.attributes["include"] = parser.string_attribute()
    if is_standard:
        if not parser.accept(">"):
            message = f"custom op '{parsed.name}' expected trailing '>' for standard include"
            parser.fail(message, parsed.name_token)
        parsed.attributes["is_standard_include"] = UNIT


def _print_include(op: ops.IncludeOp, p: OpPrinter) -> None:
    text = f'"{op.include.value}"'
    p.write(f" <{text}>" if op.is_standard_include is not None else f" {text}")


INCLUDE: Final = CustomSyntax(_parse_include, _print_include)


def initial_type(type: Type) -> Type:
    """The type of the value that a global begins with."""
    return TensorType(extents(type), inner(type)) if is_named(type, "array") else type


def _parse_initial(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`!emitc.array<2xi32> = dense<1>`; the type of the value follows."""
    parsed.attributes[arguments[0]] = parser.type()
    if parser.accept("="):
        parsed.attributes[arguments[1]] = parser.untyped_attribute()


def _print_initial(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    p.attribute(op.properties[arguments[0]])
    value = op.properties.get(arguments[1])
    if value is not None:
        p.write(" = ")
        p.attribute_without_type(value)


INITIAL: Final = CustomDirective(_parse_initial, _print_initial)


def resolve_address(resolver: Resolver, parsed: ParsedOp) -> None:
    """The result of `address_of` is a pointer to what its operand refers to, that of `dereference` the other way."""
    resolver.resolve_by_rules()
    is_address = parsed.name == "emitc.address_of"
    definition = own_description("emitc").types["PointerType" if is_address else "LValueType"]
    for operand in resolver.operands[:1]:
        if is_named(operand.type, "lvalue" if is_address else "ptr"):
            made = definition.make(**{"pointee" if is_address else "valueType": inner(operand.type)})
            resolver.result_types = [made] if isinstance(made, Type) else []


def resolve_initial(resolver: Resolver, parsed: ParsedOp) -> None:
    """Reads the value that a global or a field begins with, by the type of it."""
    source, type = parsed.attributes.get("initial_value"), resolver.properties.get("type")
    if source is None or not isinstance(type, TypeAttr):
        return
    value = resolver.attribute(source, initial_type(type.type))
    is_value = isinstance(value, (DenseElementsAttr, DenseResourceAttr, IntegerAttr, FloatAttr)) or (
        isinstance(value, DialectAttr) and value.full_name == "emitc.opaque"
    )
    if not is_value:
        message = "initial value should be a integer, float, elements or opaque attribute"
        resolver.fail(f"custom op '{parsed.name}' {message}")
    resolver.properties["initial_value"] = value
