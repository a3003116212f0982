"""Arithmetic that needs more than a format, and the parts of composite values.

Source of the rules: *'spirv' Dialect*; the texts of errors are those of MLIR 22's parsers and verifiers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.spirv.types import (
    ArrayType,
    CooperativeMatrixType,
    MatrixType,
    RuntimeArrayType,
    StructType,
)
from fathom.ir.attributes import ArrayAttr, IntegerAttr
from fathom.ir.types import Type, UnknownType, VectorType
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomSyntax, Problem

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp, Resolver

# ---- operands and result of one type


def _parse_alike(parser: OpParser, parsed: ParsedOp) -> bool:
    """`%a, %b, %c : f32`, or `(%a, %b, %c) : (f32, f32, f32) -> f32`."""
    is_generic = parser.at("(")
    parsed.operands["operands"] = parser.value_list() if is_generic else parser.bare_value_list()
    parser.attr_dict(parsed)
    parser.expect(":")
    if is_generic:
        parsed.types["inputs"], parsed.types["results"] = parser.functional_type()
    else:
        parsed.types["results"] = [parser.type()]
    return is_generic


def _resolve_alike(resolver: Resolver, parsed: ParsedOp, is_generic: bool) -> None:
    tokens = parsed.operands["operands"]
    resolver.result_types = resolver.types(parsed.types["results"])
    inputs = resolver.types(parsed.types["inputs"]) if is_generic else resolver.result_types * len(tokens)
    resolver.operands = resolver.operand_list(tokens, inputs)


def _print_alike(op: Operation, p: OpPrinter) -> None:
    result = op.result.type
    if any(value.type != result for value in op.operands):
        p.write("(")
        p.values(op.operands)
        p.write(")")
        p.attr_dict(op)
        p.write(" : ")
        p.functional_type([value.type for value in op.operands], [result])
        return
    p.write(" ")
    p.values(op.operands)
    p.attr_dict(op)
    p.write(" : ")
    p.type(result)


_ALIKE: Final = CustomSyntax(_parse_alike, _print_alike, _resolve_alike)

# ---- results in a struct of two


def _parse_extended(parser: OpParser, parsed: ParsedOp) -> None:
    """`%a, %b : !spirv.struct<(i32, i32)>`."""
    parser.attr_dict(parsed)
    parsed.operands["operands"] = parser.bare_value_list()
    parser.expect(":")
    parsed.types["result"] = [parser.type()]


def _resolve_extended(resolver: Resolver, parsed: ParsedOp, _: None) -> None:
    node = parsed.types["result"][0]
    type, tokens = resolver.type(node), parsed.operands["operands"]
    resolver.result_types = [type]
    if isinstance(type, UnknownType):
        resolver.operands = [resolver.operand(token) for token in tokens]
        return
    if not isinstance(type, StructType) or len(type.members or ()) != 2:
        resolver.fail(f"custom op '{parsed.name}' expected spirv.struct type with two members", node.start)
    assert type.members is not None, "it has two members"
    resolver.operands = resolver.operand_list(tokens, [type.members[0].type] * 2)


def _print_extended(op: Operation, p: OpPrinter) -> None:
    p.write(" ")
    p.attr_dict(op)
    p.values(op.operands)
    p.write(" : ")
    p.type(op.result.type)


def _verify_extended(op: Operation) -> list[Problem]:
    type = op.result.type
    if not isinstance(type, StructType):
        return []
    members = type.members or ()
    if len(members) != 2:
        return [Problem("expected result struct type containing two members")]
    types = {value.type for value in op.operands} | {each.type for each in members}
    return [Problem("expected all operand types and struct member types are the same")] if len(types) > 1 else []


_EXTENDED: Final = OpCode(
    custom=CustomSyntax(_parse_extended, _print_extended, _resolve_extended), verify=_verify_extended
)

# ---- composites


def element_at(type: Type, indices: tuple[int, ...]) -> Type | str:
    """The type of the part at some indices, or what is wrong with them; an unknown type for one of an unknown."""
    for index in indices:
        if isinstance(type, UnknownType):
            return type
        count: int | None
        match type:
            case ArrayType(count, element):
                found: Type = element
            case MatrixType(count, element):
                found = element
            case RuntimeArrayType(element):
                count, found = None, element
            case CooperativeMatrixType(_, element):
                count, found = None, element
            case StructType(_, members):
                count = len(members or ())
                found = (members or ())[index].type if 0 <= index < count else type
            case VectorType():
                count, found = (type.shape or (0,))[0], type.element
            case _:
                return f"cannot extract from non-composite type '{type}' with index {index}"
        if index < 0 or (count is not None and index >= count):
            return f"index {index} out of bounds for '{type}'"
        type = found
    return type


def _indices(op: Operation) -> tuple[int, ...]:
    value = op.properties.get("indices")
    elements = value.elements if isinstance(value, ArrayAttr) else ()
    return tuple(each.value for each in elements if isinstance(each, IntegerAttr))


def _parse_extract(parser: OpParser, parsed: ParsedOp) -> None:
    """`%a[1 : i32, 0 : i32] : !spirv.array<…>`."""
    parsed.operands["composite"] = [parser.value_use()]
    parsed.attributes["indices"] = parser.attribute()
    parser.expect(":")
    parsed.types["composite"] = [parser.type()]


def _resolve_extract(resolver: Resolver, parsed: ParsedOp, _: None) -> None:
    type = resolver.type(parsed.types["composite"][0])
    resolver.operands = [resolver.operand(parsed.operands["composite"][0], type)]
    value = resolver.properties.get("indices")
    if not isinstance(value, ArrayAttr):
        resolver.fail(f"custom op '{parsed.name}' expected an 32-bit integer array attribute for 'indices'")
    if not value.elements:
        resolver.fail(f"custom op '{parsed.name}' expected at least one index for spirv.CompositeExtract")
    found = element_at(type, tuple(each.value for each in value.elements if isinstance(each, IntegerAttr)))
    if isinstance(found, str):
        resolver.fail(f"custom op '{parsed.name}' {found}")
    resolver.result_types = [found]


def _print_extract(op: Operation, p: OpPrinter) -> None:
    p.write(" ")
    p.value(op.operands[0])
    p.attribute(op.properties["indices"])
    p.write(" : ")
    p.type(op.operands[0].type)


def _verify_extract(op: Operation) -> list[Problem]:
    found = element_at(op.operands[0].type, _indices(op))
    if isinstance(found, str):
        return [Problem(found, bare=True)]
    if found != op.result.type and not isinstance(found, UnknownType):
        return [Problem(f"invalid result type: expected '{found}' but provided '{op.result.type}'")]
    return []


def _parse_insert(parser: OpParser, parsed: ParsedOp) -> None:
    """`%object, %composite[1 : i32] : f32 into !spirv.array<…>`."""
    parsed.operands["object"] = [parser.value_use()]
    parser.expect(",")
    parsed.operands["composite"] = [parser.value_use()]
    parsed.attributes["indices"] = parser.attribute()
    parser.expect(":")
    parsed.types["object"] = [parser.type()]
    parser.expect("into")
    parsed.types["composite"] = [parser.type()]


def _resolve_insert(resolver: Resolver, parsed: ParsedOp, _: None) -> None:
    types = [resolver.type(parsed.types[name][0]) for name in ("object", "composite")]
    tokens = [parsed.operands[name][0] for name in ("object", "composite")]
    resolver.operands = resolver.operand_list(tokens, types)
    resolver.result_types = [types[1]]


def _print_insert(op: Operation, p: OpPrinter) -> None:
    p.write(" ")
    p.values(op.operands)
    p.attribute(op.properties["indices"])
    p.write(" : ")
    p.type(op.operands[0].type)
    p.write(" into ")
    p.type(op.operands[1].type)


def _verify_insert(op: Operation) -> list[Problem]:
    thing, composite = (value.type for value in op.operands)
    found = element_at(composite, _indices(op))
    if isinstance(found, str):
        return [Problem(found, bare=True)]
    if found != thing and not isinstance(found, UnknownType):
        return [Problem(f"object operand type should be '{found}', but found '{thing}'")]
    if composite != op.result.type:
        types = f"'{composite}' vs '{op.result.type}'"
        return [Problem(f"result type should be the same as the composite type, but found {types}")]
    return []


CODE: Final = {
    **{name: OpCode(custom=_ALIKE) for name in ("GL.FClamp", "GL.Fma", "GL.SClamp", "GL.UClamp")},
    **dict.fromkeys(("IAddCarry", "ISubBorrow", "SMulExtended", "UMulExtended"), _EXTENDED),
    "CompositeExtract": OpCode(
        custom=CustomSyntax(_parse_extract, _print_extract, _resolve_extract), verify=_verify_extract
    ),
    "CompositeInsert": OpCode(
        custom=CustomSyntax(_parse_insert, _print_insert, _resolve_insert), verify=_verify_insert
    ),
}
