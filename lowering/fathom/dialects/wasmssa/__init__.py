"""The wasmssa dialect, WebAssembly in SSA form: described in `mlir-22/wasmssa.toml`; here the syntax that C++ reads,
what the types of results are, and what MLIR's verifiers say.

Source of the rules: *'wasmssa' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects import description_of
from fathom.dialects.func import VISIBILITIES
from fathom.dialects.func.signatures import ATTRIBUTES_BUT, BODY, SIGNATURE, print_body, resolve_body, signature_of
from fathom.ir.attributes import UNIT, StringAttr, TypeAttr
from fathom.ir.dialect_values import DialectType
from fathom.ir.types import FunctionType, Type
from fathom.irdl.clauses import two_way
from fathom.irdl.code import DialectCode, OpCode
from fathom.irdl.definition import CustomDirective, TypeRule
from fathom.records import replace

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp, Resolver


def local_element(type: Type) -> Type | None:
    """What a reference to a local variable refers to; None for any other type."""
    if not isinstance(type, DialectType) or type.full_name != "wasmssa.local":
        return None
    element = type.parameters[0]
    return element if isinstance(element, Type) else None


def _parse_exported(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`exported`, or nothing; another word is a mistake, but for one that says who sees it, where there is such."""
    exported, *visibility = arguments
    parser.suggest((exported,))
    word = parser.optional_word()
    if word == exported:
        parsed.attributes[exported] = UNIT
    elif word is not None:
        message = "expecting either `exported` or symbol name. got"
        parser.fail(f"custom op '{parsed.name}' {message} {word}", parsed.name_token)
    for name in visibility:
        seen = parser.optional_keyword(VISIBILITIES)
        if seen is not None:
            parsed.attributes[name] = StringAttr(seen)


def _print_exported(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    for name in arguments:
        attribute = op.attribute(name)
        p.write(f" {attribute.value if isinstance(attribute, StringAttr) else name}" if attribute is not None else "")


# ---- functions


def _parse_signature(parser: OpParser, parsed: ParsedOp, _: Sequence[str]) -> None:
    parser.signature(parsed)
    parsed.notes["end"] = parser.here()


def _resolve_function(resolver: Resolver, parsed: ParsedOp, _: None) -> None:
    signature = signature_of(parsed)
    arguments = [resolver.argument_type(argument) for argument in signature.arguments]
    elements = [local_element(type) for type in arguments]
    for type, element in zip(arguments, elements, strict=True):
        if element is None:
            message = "invalid type for wasm.func argument. Expecting !wasm<local T>, got"
            resolver.fail(f"{message} '{type}'", parsed.notes["end"])
    inputs = tuple(element for element in elements if element is not None)
    results = tuple(resolver.types(signature.results))
    resolver.properties["functionType"] = TypeAttr(FunctionType(inputs, results))
    resolver.signature_attributes(signature)
    resolve_body(resolver, signature, arguments)


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
    return [_local(type_.type) for type_ in types if isinstance(type_, TypeAttr)] or None


def _referred(types: Sequence[Type]) -> list[Type] | None:
    return [element for type_ in types if (element := local_element(type_)) is not None] or None


_FUNCTION: Final = """custom<Exported>($exported, "sym_visibility") $sym_name
    custom<Signature>($functionType, $arg_attrs, $res_attrs)
    custom<AttributesBut>(ref($exported), "sym_visibility", ref($sym_name), ref($functionType), ref($arg_attrs),
                          ref($res_attrs))
    custom<FunctionBody>($body)"""
_OF_LOCAL: Final = (TypeRule("result", ("localVar",), _referred, ""),)

CODE: Final = DialectCode(
    operations={
        "func": OpCode(custom=two_way(_FUNCTION, _resolve_function)),
        "global": OpCode(
            custom=two_way(
                "custom<Exported>($exported) $sym_name $type (`mutable` $isMutable^)? `:` custom<Initial>($initializer)"
            )
        ),
        "import_global": OpCode(
            custom=two_way("$importName `from` $moduleName `as` $sym_name (`mutable` $isMutable^)? `:` $type")
        ),
        "local": OpCode(rules=(TypeRule("result", ("type",), _referring, ""),)),
        "local_get": OpCode(rules=_OF_LOCAL),
        "local_tee": OpCode(rules=_OF_LOCAL),
    },
    directives={
        "AttributesBut": ATTRIBUTES_BUT,
        "ElseRegion": ELSE,
        "Exported": CustomDirective(_parse_exported, _print_exported, spaced=True),
        "FunctionBody": BODY,
        "Initial": CustomDirective(lambda parser, parsed, _: parser.region(parsed), print_body, spaced=True),
        "Signature": replace(SIGNATURE, parse=_parse_signature),
    },
)
DESCRIPTION: Final = description_of("wasmssa", CODE)
DIALECT: Final = DESCRIPTION.dialect()
