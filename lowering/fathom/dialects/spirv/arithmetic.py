"""Arithmetic that needs more than a format, and the parts of composite values.

Source of the rules: *'spirv' Dialect*; the texts of errors are those of MLIR 22's parsers and verifiers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.spirv.types import StructType
from fathom.ir.types import UnknownType
from fathom.irdl.clauses import two_way
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomSyntax
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import spirv as ops

if TYPE_CHECKING:
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


def _print_alike(op: ops.GLFClampOp | ops.GLFmaOp | ops.GLSClampOp | ops.GLUClampOp, p: OpPrinter) -> None:
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


@verifies("spirv.IAddCarry", "spirv.ISubBorrow", "spirv.SMulExtended", "spirv.UMulExtended")
def _verify_extended(op: ops.IAddCarryOp | ops.ISubBorrowOp | ops.SMulExtendedOp | ops.UMulExtendedOp) -> Complaint:
    type = op.result.type
    if not isinstance(type, StructType):
        return None
    members = type.members or ()
    if len(members) != 2:
        return "expected result struct type containing two members"
    types = {value.type for value in op.operands} | {each.type for each in members}
    return "expected all operand types and struct member types are the same" if len(types) > 1 else None


_EXTENDED: Final = OpCode(custom=two_way("` ` attr-dict `` operands `:` qualified(type($result))", _resolve_extended))

CODE: Final = {
    **{name: OpCode(custom=_ALIKE) for name in ("GL.FClamp", "GL.Fma", "GL.SClamp", "GL.UClamp")},
    **dict.fromkeys(("IAddCarry", "ISubBorrow", "SMulExtended", "UMulExtended"), _EXTENDED),
}
