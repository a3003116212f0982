"""The wasmssa dialect, WebAssembly in SSA form: described in `mlir-22/wasmssa.toml`; here the syntax that C++ reads,
what the types of results are, and what MLIR's verifiers say.

Source of the rules: *'wasmssa' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects import description_of
from fathom.dialects.func.signatures import (
    entry_arguments,
    parse_rest,
    print_body,
    print_signature,
    resolve_body,
    signature_of,
)
from fathom.ir.attributes import UNIT, StringAttr, TypeAttr
from fathom.ir.dialect_values import DialectType
from fathom.ir.types import FunctionType, Type
from fathom.irdl.code import DialectCode, OpCode
from fathom.irdl.definition import CustomDirective, CustomSyntax, TypeRule
from fathom.irdl.interfaces import symbol_name
from fathom.irdl.keywords import expect_keyword
from fathom.ops import wasmssa as ops

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp, Ref, Resolver


EXPORTED: Final = "exported"


def local_element(type: Type) -> Type | None:
    """What a reference to a local variable refers to; None for any other type."""
    if not isinstance(type, DialectType) or type.full_name != "wasmssa.local":
        return None
    element = type.parameters[0]
    return element if isinstance(element, Type) else None


def _parse_exported(parser: OpParser, parsed: ParsedOp) -> None:
    """`exported`, or nothing; another word is a mistake."""
    parser.suggest((EXPORTED,))
    word = parser.optional_word()
    if word is None:
        return
    if word != EXPORTED:
        message = "expecting either `exported` or symbol name. got"
        parser.fail(f"custom op '{parsed.name}' {message} {word}", parsed.name_token)
    parsed.attributes[EXPORTED] = UNIT


def _print_name(op: ops.GlobalOp, p: OpPrinter) -> None:
    p.write(" exported " if EXPORTED in op.properties else " ")
    p.symbol(symbol_name(op))


# ---- functions


def _parse_function(parser: OpParser, parsed: ParsedOp) -> Ref:
    """`exported @f(%a: !wasmssa<local ref to i32>) -> i32 attributes {…} {…}`; gives where the signature ends."""
    _parse_exported(parser, parsed)
    visibility = parser.optional_keyword(("public", "private", "nested"))
    if visibility is not None:
        parsed.attributes["sym_visibility"] = StringAttr(visibility)
    parsed.attributes["sym_name"] = parser.symbol_attribute()
    parser.signature(parsed)
    end = parser.here()
    parse_rest(parser, parsed)
    return end


def _resolve_function(resolver: Resolver, parsed: ParsedOp, end: Ref) -> None:
    signature = signature_of(parsed)
    arguments = [resolver.argument_type(argument) for argument in signature.arguments]
    elements = [local_element(type) for type in arguments]
    for type, element in zip(arguments, elements, strict=True):
        if element is None:
            message = "invalid type for wasm.func argument. Expecting !wasm<local T>, got"
            resolver.fail(f"{message} '{type}'", end)
    inputs = tuple(element for element in elements if element is not None)
    results = tuple(resolver.types(signature.results))
    resolver.properties["functionType"] = TypeAttr(FunctionType(inputs, results))
    resolver.signature_attributes(signature)
    resolve_body(resolver, signature, arguments)


_IN_HEADER: Final = (EXPORTED, "sym_name", "functionType", "arg_attrs", "res_attrs", "sym_visibility")


def _print_function(op: ops.FuncOp, p: OpPrinter) -> None:
    p.write(" exported" if EXPORTED in op.properties else "")
    visibility = op.attribute("sym_visibility")
    p.write(f" {visibility.value} " if isinstance(visibility, StringAttr) else " ")
    p.symbol(symbol_name(op))
    print_signature(op, p, entry_arguments(op), "functionType")
    p.attributes_but(op, _IN_HEADER, keyword=True)
    print_body(op, p)


FUNCTION: Final = CustomSyntax(_parse_function, _print_function, _resolve_function)


# ---- globals


def _parse_global(parser: OpParser, parsed: ParsedOp) -> None:
    """`exported @g i32 mutable : {…}`."""
    _parse_exported(parser, parsed)
    parsed.attributes["sym_name"] = parser.symbol_attribute()
    parsed.attributes["type"] = parser.type()
    if parser.accept("mutable"):
        parsed.attributes["isMutable"] = UNIT
    parser.expect(":")
    parser.region(parsed)


def _print_global(op: ops.GlobalOp, p: OpPrinter) -> None:
    _print_name(op, p)
    p.write(" ")
    p.attribute(op.type)
    p.write(" mutable :" if op.isMutable is not None else " :")
    if not op.initializer.is_empty:
        p.write(" ")
        p.region(op.initializer, entry_arguments=False)


GLOBAL: Final = CustomSyntax(_parse_global, _print_global)


def _parse_import(parser: OpParser, parsed: ParsedOp) -> None:
    """`"name" from "module" as @g mutable : i32`."""
    parsed.attributes["importName"] = parser.string_attribute()
    expect_keyword(parser, parsed, "from")
    parsed.attributes["moduleName"] = parser.string_attribute()
    expect_keyword(parser, parsed, "as")
    parsed.attributes["sym_name"] = parser.symbol_attribute()
    if parser.accept("mutable"):
        parsed.attributes["isMutable"] = UNIT
    parser.expect(":")
    parsed.attributes["type"] = parser.type()


def _print_import(op: ops.ImportGlobalOp, p: OpPrinter) -> None:
    p.write(f' "{op.importName.value}" from "{op.moduleName.value}" as ')
    p.symbol(symbol_name(op))
    p.write(" mutable : " if op.isMutable is not None else " : ")
    p.attribute(op.type)


IMPORT_GLOBAL: Final = CustomSyntax(_parse_import, _print_import)


# ---- custom<ElseRegion>($else): `else {…}`, or nothing


def _parse_else(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    del arguments
    if parser.accept("else"):
        parser.region(parsed)


def _print_else(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    """What MLIR writes, which it does not read: the word, with a space behind it, is no keyword and so a string."""
    del arguments
    if len(op.regions) > 1 and not op.regions[1].is_empty:
        p.write('"else "')
        p.region(op.regions[1])


ELSE: Final = CustomDirective(_parse_else, _print_else)


def _local(type: Type) -> Type:
    """`!wasmssa<local ref to type>`."""
    return DESCRIPTION.types["LocalRefType"].make_type(elementType=type)


def _referring(types: Sequence[object]) -> list[Type] | None:
    return [_local(each.type) for each in types if isinstance(each, TypeAttr)] or None


def _referred(types: Sequence[Type]) -> list[Type] | None:
    return [element for each in types if (element := local_element(each)) is not None] or None


_OF_LOCAL: Final = (TypeRule("result", ("localVar",), _referred, ""),)

CODE: Final = DialectCode(
    operations={
        "func": OpCode(custom=FUNCTION),
        "global": OpCode(custom=GLOBAL),
        "import_global": OpCode(custom=IMPORT_GLOBAL),
        "local": OpCode(rules=(TypeRule("result", ("type",), _referring, ""),)),
        "local_get": OpCode(rules=_OF_LOCAL),
        "local_tee": OpCode(rules=_OF_LOCAL),
    },
    directives={"ElseRegion": ELSE},
)
DESCRIPTION: Final = description_of("wasmssa", CODE)
DIALECT: Final = DESCRIPTION.dialect()
