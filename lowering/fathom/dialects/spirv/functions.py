"""Modules and functions of SPIR-V, and what says how a module is entered.

Source of the rules: *'spirv' Dialect*; the texts of errors are those of MLIR 22's parsers and verifiers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.func.callees import function_type
from fathom.dialects.func.signatures import entry_arguments, parse_rest, print_body, print_signature, resolve_signature
from fathom.dialects.spirv.types import ArrayType, PointerType, cases
from fathom.dialects.spirv.words import attribute_of, number, parse_string, parse_word, spelling
from fathom.ir.attributes import ArrayAttr, DictAttr, IntegerAttr, StringAttr, SymbolRefAttr
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.types import I32, Type
from fathom.irdl.checking import bare
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomSyntax
from fathom.irdl.interfaces import FunctionLike, symbol_name
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import spirv as ops

if TYPE_CHECKING:
    from collections.abc import Mapping

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


def _print_module(op: ops.ModuleOp, p: OpPrinter) -> None:
    if isinstance(op.sym_name, StringAttr):
        p.write(" ")
        p.symbol(symbol_name(op))
    p.write(f" {spelling(op, 'addressing_model', 'AddressingModel')} {spelling(op, 'memory_model', 'MemoryModel')}")
    triple = op.vce_triple
    if triple is not None:
        p.write(" requires ")
        p.attribute(triple)
    p.attributes_but(op, ("sym_name", "addressing_model", "memory_model", "vce_triple"), keyword=True)
    p.write(" ")
    p.region(op._region0)


@verifies("spirv.module", regions=True)
def _module(op: ops.ModuleOp) -> Complaint:
    """Of the operations in a module: that they are the dialect's, and of functions and their entry points."""
    entry = op._region0.first
    inner = list(entry) if entry is not None else []
    named = {symbol_name(each): each for each in reversed(inner)}
    entered: set[tuple[str, int | None]] = set()
    for each in inner:
        if each.dialect != "spirv":
            return bare("'spirv.module' can only contain spirv.* ops", each)
        elif isinstance(each, ops.EntryPointOp):
            if wrong := _entry_point(each, named, entered):
                return bare(wrong, each)
        elif isinstance(each, ops.FuncOp):
            if wrong := _function_in_module(each):
                return wrong
    return None


def _entry_point(op: Operation, named: Mapping[str, Operation], entered: set[tuple[str, int | None]]) -> str | None:
    function, interface = op.properties.get("fn"), op.properties.get("interface")
    name = function.root if isinstance(function, SymbolRefAttr) else ""
    if name not in named or named[name].name != "spirv.func":
        return f"function '{name}' not found in 'spirv.module'"
    for each in interface.elements if isinstance(interface, ArrayAttr) else ():
        if not isinstance(each, SymbolRefAttr) or each.nested:
            return f"expected symbol reference for interface specification instead of '{each}'"
        elif each.root not in named or named[each.root].name != "spirv.GlobalVariable":
            return f"expected spirv.GlobalVariable symbol reference instead of'{each}'"
    key = name, number(op, "execution_model")
    if key in entered:
        return "duplicate of a previous EntryPointOp"
    entered.add(key)
    return None


def _function_in_module(op: Operation) -> Complaint:
    if op.regions[0].is_empty and not _is_imported(op):
        without = "without 'Import' linkage_attributes (LinkageAttributes)"
        return bare(f"'spirv.module' cannot contain external functions {without}", op)
    for block in op.regions[0].blocks:
        for each in block:
            if each.dialect != "spirv":
                return bare("functions in 'spirv.module' can only contain spirv.* ops", each)
    return None


def _is_imported(op: Operation) -> bool:
    linkage = op.properties.get("linkage_attributes")
    kind = linkage.parameter("linkage_type") if isinstance(linkage, DialectAttr) else None
    return isinstance(kind, DialectAttr) and kind.parameters[:1] == (cases("LinkageType")["Import"],)


# ---- spirv.func


def _parse_function(parser: OpParser, parsed: ParsedOp) -> None:
    """`@f(%a: i32) -> f32 "None" attributes {…} {…}`."""
    parsed.attributes["sym_name"] = parser.symbol_attribute()
    parser.signature(parsed)
    control = parse_string(parser, parsed.name, "FunctionControl", "function_control")
    parsed.attributes["function_control"] = attribute_of("FunctionControl", control)
    parse_rest(parser, parsed)


def _resolve_function(resolver: Resolver, parsed: ParsedOp, _: None) -> None:
    resolve_signature(resolver, parsed)


_IN_HEADER: Final = frozenset(("sym_name", "function_type", "arg_attrs", "res_attrs", "function_control"))


def _print_function(op: ops.FuncOp, p: OpPrinter) -> None:
    p.write(" ")
    p.symbol(symbol_name(op))
    print_signature(op, p, entry_arguments(op))
    p.write(f' "{spelling(op, "function_control", "FunctionControl")}"')
    p.attributes_but(op, _IN_HEADER, keyword=True)
    print_body(op, p)


def _decorated(op: Operation, index: int, names: tuple[str, str]) -> bool:
    """Whether an argument has one of two decorations."""
    attributes = op.properties.get("arg_attrs")
    own = attributes.elements[index : index + 1] if isinstance(attributes, ArrayAttr) else ()
    given = own[0].get("spirv.decoration") if own and isinstance(own[0], DictAttr) else None
    value = given.parameters[0] if isinstance(given, DialectAttr) and given.parameters else None
    return value in [cases("Decoration")[name] for name in names]


def _type_problem(op: Operation) -> str | None:
    """What is wrong with the signature: of pointers into physical memory it is told whether others lead there too."""
    type = function_type(op)
    if len(type.results) > 1:
        return "cannot have more than one result"
    for index, given in enumerate(type.inputs):
        if not isinstance(given, PointerType):
            continue
        inner = given.pointee.element if isinstance(given.pointee, ArrayType) else given
        if isinstance(given.pointee, PointerType):
            if _is_physical(given.pointee) and not _decorated(op, index, ("AliasedPointer", "RestrictPointer")):
                either = "must be decorated either 'AliasedPointer' or 'RestrictPointer'"
                return f"with a pointer points to a physical buffer pointer {either}"
        elif _is_physical(inner) and not _decorated(op, index, ("Aliased", "Restrict")):
            return "with physical buffer pointer must be decorated either 'Aliased' or 'Restrict'"
    return None


def _is_physical(type: Type) -> bool:
    return isinstance(type, PointerType) and type.storage == "PhysicalStorageBuffer"


def entry_problems(op: ops.ARMGraphOp | ops.FuncOp, noun: str) -> Complaint:
    """What keeps the arguments of a body from being those of the signature, for a function or a graph."""
    type = function_type(op)
    entry = op.body.first
    if entry is None:
        return None
    if len(entry.arguments) != len(type.inputs):
        return f"entry block must have {len(type.inputs)} arguments to match {noun} signature"
    for index, (argument, expected) in enumerate(zip(entry.arguments, type.inputs, strict=False)):
        if argument.type != expected:
            message = f"type of entry block argument #{index}('{argument.type}') must match the type of the"
            return f"{message} corresponding argument in {noun} signature('{expected}')"
    return None


@verifies("spirv.func")
def _entry(op: ops.FuncOp) -> Complaint:
    return entry_problems(op, "function")


# ---- spirv.EntryPoint and spirv.ExecutionMode


def _parse_entry_point(parser: OpParser, parsed: ParsedOp) -> list[Node]:
    """`"GLCompute" @f, @variable`."""
    model = parse_string(parser, parsed.name, "ExecutionModel", "execution_model")
    parsed.attributes["execution_model"] = attribute_of("ExecutionModel", model)
    return parse_entered(parser, parsed)


def parse_entered(parser: OpParser, parsed: ParsedOp) -> list[Node]:
    """`@f, @a, @b`: what is entered, and its variables."""
    parsed.attributes["fn"] = parser.attribute()
    variables: list[Node] = []
    while parser.accept(","):
        variables.append(parser.attribute())
    return variables


def resolve_entered(resolver: Resolver, parsed: ParsedOp, variables: list[Node]) -> None:
    found = tuple(resolver.attribute(each) for each in variables)
    for each in (resolver.properties.get("fn"), *found):
        if not isinstance(each, SymbolRefAttr) or each.nested:
            resolver.fail(f"custom op '{parsed.name}' invalid kind of attribute specified")
    resolver.properties["interface"] = ArrayAttr(found)


def _print_entry_point(op: ops.EntryPointOp, p: OpPrinter) -> None:
    p.write(f' "{spelling(op, "execution_model", "ExecutionModel")}" ')
    print_entered(op, p)


def print_entered(op: ops.ARMGraphEntryPointOp | ops.EntryPointOp, p: OpPrinter) -> None:
    """`@f, @a, @b`: what is entered, and its variables."""
    _print_function_name(op, p)
    variables = op.properties.get("interface")
    for each in variables.elements if isinstance(variables, ArrayAttr) else ():
        p.write(", ")
        p.attribute(each)


def _print_function_name(op: ops.ARMGraphEntryPointOp | ops.EntryPointOp | ops.ExecutionModeOp, p: OpPrinter) -> None:
    p.symbol(op.fn.root)


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


def _print_execution_mode(op: ops.ExecutionModeOp, p: OpPrinter) -> None:
    p.write(" ")
    _print_function_name(op, p)
    p.write(f' "{spelling(op, "execution_mode", "ExecutionMode")}"')
    for each in op.values.elements:
        p.write(f", {each.value}" if isinstance(each, IntegerAttr) else ", ")


CODE: Final = {
    "EntryPoint": OpCode(custom=CustomSyntax(_parse_entry_point, _print_entry_point, resolve_entered)),
    "ExecutionMode": OpCode(custom=CustomSyntax(_parse_execution_mode, _print_execution_mode, _resolve_execution_mode)),
    "func": OpCode(
        custom=CustomSyntax(_parse_function, _print_function, _resolve_function),
        interfaces=(FunctionLike(type_problem=_type_problem),),
    ),
    "module": OpCode(custom=CustomSyntax(_parse_module, _print_module)),
}
