"""Modules and functions of SPIR-V, and what says how a module is entered.

Source of the rules: *'spirv' Dialect*; the texts of errors are those of MLIR 22's parsers and verifiers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.func import function_type, print_signature
from fathom.dialects.spirv.memory import shown_entries
from fathom.dialects.spirv.words import attribute_of, parse_string, parse_word, spelling
from fathom.ir.attributes import ArrayAttr, IntegerAttr, StringAttr, SymbolRefAttr, TypeAttr
from fathom.ir.types import I32, FunctionType
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomSyntax, Problem
from fathom.irdl.interfaces import symbol_name

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.irdl.protocols import Node, OpParser, OpPrinter, ParsedOp, Resolver

# ---- spirv.module


def _parse_module(parser: OpParser, parsed: ParsedOp) -> None:
    """`@name Logical GLSL450 requires #spirv.vce<…> attributes {…} {…}`."""
    if parser.at_kind("symbol"):
        parsed.attributes["sym_name"] = parser.symbol_attribute()
    for enumeration, name in (("AddressingModel", "addressing_model"), ("MemoryModel", "memory_model")):
        parsed.attributes[name] = attribute_of(enumeration, parse_word(parser, parsed.name, enumeration, name))
    if parser.accept("requires"):
        parsed.attributes["vce_triple"] = parser.attribute()
    parser.attr_dict_with_keyword(parsed)
    parser.region(parsed)


def _print_module(op: Operation, p: OpPrinter) -> None:
    if isinstance(op.properties.get("sym_name"), StringAttr):
        p.write(" ")
        p.symbol(symbol_name(op))
    p.write(f" {spelling(op, 'addressing_model', 'AddressingModel')} {spelling(op, 'memory_model', 'MemoryModel')}")
    triple = op.properties.get("vce_triple")
    if triple is not None:
        p.write(" requires ")
        p.attribute(triple)
    shown_entries(op, p, ("sym_name", "addressing_model", "memory_model", "vce_triple"), keyword=True)
    p.write(" ")
    p.region(op.regions[0])


def _verify_module_regions(op: Operation) -> list[Problem]:
    entry = op.regions[0].first
    for each in entry if entry is not None else ():
        if each.dialect != "spirv" and each.definition is not None:
            return [Problem("'spirv.module' can only contain spirv.* ops", at=each, bare=True)]
    return []


# ---- spirv.func


def _parse_function(parser: OpParser, parsed: ParsedOp) -> None:
    """`@f(%a: i32) -> f32 "None" attributes {…} {…}`."""
    parsed.attributes["sym_name"] = parser.symbol_attribute()
    signature = parser.signature(parsed)
    control = parse_string(parser, parsed.name, "FunctionControl", "function_control")
    parsed.attributes["function_control"] = attribute_of("FunctionControl", control)
    parser.attr_dict_with_keyword(parsed)
    if parser.at_region():
        parser.region(parsed, [argument for argument in signature.arguments if argument.token >= 0])


def _resolve_function(resolver: Resolver, parsed: ParsedOp, _: None) -> None:
    signature = parsed.function
    assert signature is not None, "the signature has been read"
    inputs = tuple(resolver.argument_type(argument) for argument in signature.arguments)
    resolver.properties["function_type"] = TypeAttr(FunctionType(inputs, tuple(resolver.types(signature.results))))
    resolver.signature_attributes(signature)
    named = any(argument.token >= 0 for argument in signature.arguments)
    resolver.region_argument_types = [list(inputs) if named else []]


_IN_HEADER: Final = frozenset(("sym_name", "function_type", "arg_attrs", "res_attrs", "function_control"))


def _print_function(op: Operation, p: OpPrinter) -> None:
    p.write(" ")
    p.symbol(symbol_name(op))
    entry = op.regions[0].first if op.regions else None
    print_signature(op, p, entry.arguments if entry is not None else None)
    p.write(f' "{spelling(op, "function_control", "FunctionControl")}"')
    shown_entries(op, p, _IN_HEADER, keyword=True)
    if entry is not None:
        p.write(" ")
        p.region(op.regions[0], entry_arguments=False)


def _verify_function(op: Operation) -> list[Problem]:
    type = function_type(op)
    if len(type.results) > 1:
        return [Problem("cannot have more than one result")]
    entry = op.regions[0].first if op.regions else None
    if entry is None:
        return []
    if len(entry.arguments) != len(type.inputs):
        return [Problem(f"entry block must have {len(type.inputs)} arguments to match function signature")]
    for index, (argument, expected) in enumerate(zip(entry.arguments, type.inputs, strict=True)):
        if argument.type != expected:
            message = f"type of entry block argument #{index}('{argument.type}') must match the type of the"
            return [Problem(f"{message} corresponding argument in function signature('{expected}')")]
    return []


# ---- spirv.EntryPoint and spirv.ExecutionMode


def _parse_entry_point(parser: OpParser, parsed: ParsedOp) -> list[Node]:
    """`"GLCompute" @f, @variable`."""
    model = parse_string(parser, parsed.name, "ExecutionModel", "execution_model")
    parsed.attributes["execution_model"] = attribute_of("ExecutionModel", model)
    parsed.attributes["fn"] = parser.attribute()
    variables: list[Node] = []
    while parser.accept(","):
        variables.append(parser.attribute())
    return variables


def _resolve_entry_point(resolver: Resolver, parsed: ParsedOp, variables: list[Node]) -> None:
    resolver.properties["interface"] = ArrayAttr(tuple(resolver.attribute(each) for each in variables))


def _print_entry_point(op: Operation, p: OpPrinter) -> None:
    p.write(f' "{spelling(op, "execution_model", "ExecutionModel")}" ')
    _print_function_name(op, p)
    variables = op.properties.get("interface")
    for each in variables.elements if isinstance(variables, ArrayAttr) else ():
        p.write(", ")
        p.attribute(each)


def _print_function_name(op: Operation, p: OpPrinter) -> None:
    function = op.properties.get("fn")
    if isinstance(function, SymbolRefAttr):
        p.symbol(function.root)


def _parse_execution_mode(parser: OpParser, parsed: ParsedOp) -> list[Node]:
    """`@f "LocalSize", 3, 4, 5`."""
    parsed.attributes["fn"] = parser.attribute()
    mode = parse_string(parser, parsed.name, "ExecutionMode", "execution_mode")
    parsed.attributes["execution_mode"] = attribute_of("ExecutionMode", mode)
    values: list[Node] = []
    while parser.accept(","):
        values.append(parser.attribute(I32))
    return values


def _resolve_execution_mode(resolver: Resolver, parsed: ParsedOp, values: list[Node]) -> None:
    resolver.properties["values"] = ArrayAttr(tuple(resolver.attribute(each, I32) for each in values))


def _print_execution_mode(op: Operation, p: OpPrinter) -> None:
    p.write(" ")
    _print_function_name(op, p)
    p.write(f' "{spelling(op, "execution_mode", "ExecutionMode")}"')
    values = op.properties.get("values")
    for each in values.elements if isinstance(values, ArrayAttr) else ():
        p.write(f", {each.value}" if isinstance(each, IntegerAttr) else ", ")


CODE: Final = {
    "EntryPoint": OpCode(custom=CustomSyntax(_parse_entry_point, _print_entry_point, _resolve_entry_point)),
    "ExecutionMode": OpCode(custom=CustomSyntax(_parse_execution_mode, _print_execution_mode, _resolve_execution_mode)),
    "func": OpCode(custom=CustomSyntax(_parse_function, _print_function, _resolve_function), verify=_verify_function),
    "module": OpCode(custom=CustomSyntax(_parse_module, _print_module), verify_regions=_verify_module_regions),
}
