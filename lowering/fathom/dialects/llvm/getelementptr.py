"""The LLVM dialect's `getelementptr`: the address of a part of what a pointer points to.

Source of the rules: *'llvm' Dialect*, "Operations"; the meaning is that of the instruction in LLVM IR.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.attributes import DYNAMIC_GEP_INDEX, GEP_FLAGS, i32, i32_array
from fathom.dialects.llvm.types import LLVMArrayType, LLVMStructType
from fathom.ir.operation import Value
from fathom.ir.types import Type, VectorType
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomSyntax
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import llvm as ops

if TYPE_CHECKING:
    from fathom.irdl.protocols import Node, OpParser, OpPrinter, ParsedOp, Ref, Resolver


INBOUNDS_ALONE: Final = "inbounds_flag"
"""The bit of `inbounds` without the one that it implies, which can be read, but not be meant."""


def _parse_gep(cursor: OpParser, parsed: ParsedOp) -> tuple[Ref, Node] | None:
    flags = 0
    while (word := cursor.optional_keyword((*GEP_FLAGS, INBOUNDS_ALONE))) is not None:
        flags |= GEP_FLAGS.get(word, 1)
        cursor.accept("|")
    parsed.attributes["noWrapFlags"] = i32(flags)
    parsed.operands["base"] = [cursor.value_use()]
    cursor.expect("[")
    indices: list[int] = []
    dynamic: list[int] = []
    while True:
        if cursor.at_kind("integer") or cursor.at_any(("-", "true", "false")):
            indices.append(cursor.integer_literal())
        else:
            dynamic.append(cursor.value_use())
            indices.append(DYNAMIC_GEP_INDEX)
        if not cursor.accept(","):
            break
    cursor.expect("]")
    parsed.attributes["rawConstantIndices"] = i32_array(*indices)
    parsed.operands["dynamicIndices"] = dynamic
    cursor.attr_dict(parsed)
    cursor.expect(":")
    at = cursor.here()
    if not cursor.at("("):
        return at, cursor.type()
    inputs, results = cursor.functional_type()
    if len(inputs) != len(dynamic) + 1:
        counts = f"got {len(dynamic) + 1} operands and {len(inputs)} types"
        cursor.fail(f"custom op '{parsed.name}' number of operands and types do not match: {counts}", parsed.name_token)
    parsed.types["base"], parsed.types["dynamicIndices"], parsed.types["res"] = inputs[:1], inputs[1:], results
    cursor.expect(",")
    parsed.attributes["elem_type"] = cursor.type()
    return None


def _resolve_gep(resolver: Resolver, parsed: ParsedOp, no_function: tuple[Ref, Node] | None) -> None:
    """The types at the end are those of a function."""
    if no_function is not None:
        at, node = no_function
        expected = f"expected builtin.function, but found '{resolver.type(node)}'"
        resolver.fail(f"custom op '{parsed.name}' invalid kind of type specified: {expected}", at)
    resolver.resolve_by_rules()


def gep_indices(op: ops.GetelementptrOp) -> list[int | Value]:
    """The indices of a `getelementptr`, in order: numbers and operands."""
    dynamic, raw = iter(op.dynamicIndices), op.rawConstantIndices.values
    return [next(dynamic) if number == DYNAMIC_GEP_INDEX else number for number in raw]


def _print_gep(op: ops.GetelementptrOp, p: OpPrinter) -> None:
    if op.noWrapFlags.value:
        p.write(f" {spell_gep_flags(op.noWrapFlags.value)}")
    p.write(" ")
    p.value(op.base)
    p.write("[")
    for position, index in enumerate(gep_indices(op)):
        p.write(", " if position else "")
        if isinstance(index, int):
            p.write(str(index))
        else:
            p.value(index)
    p.write("]")
    p.attr_dict(op, elide=("rawConstantIndices", "elem_type", "noWrapFlags"))
    p.write(" : ")
    p.functional_type([v.type for v in op.operands], [r.type for r in op.results])
    p.write(", ")
    p.type(op.elem_type.type)


def spell_gep_flags(number: int) -> str:
    """`inbounds|nuw`; `nusw` is not named where `inbounds` implies it."""
    names: list[str] = []
    for name, bits in GEP_FLAGS.items():
        if number & bits == bits:
            names.append(name)
            number &= ~bits
    return "|".join(names)


@verifies("llvm.getelementptr")
def _verify_gep(op: ops.GetelementptrOp) -> Complaint:
    if op.rawConstantIndices.values.count(DYNAMIC_GEP_INDEX) != len(op.dynamicIndices):
        return "expected as many dynamic indices as specified in 'rawConstantIndices'"
    if op.noWrapFlags.value == 1:
        return f"'{INBOUNDS_ALONE}' cannot be used directly."
    return _walk_gep(op.elem_type.type, gep_indices(op)[1:])


def _walk_gep(type: Type, indices: list[int | Value]) -> Complaint:
    """Follows the indices after the first into the element type."""
    for position, index in enumerate(indices, start=1):
        if isinstance(type, LLVMStructType):
            if not isinstance(index, int):
                return f"expected index {position} indexing a struct to be constant"
            if not 0 <= index < len(type.body or ()):
                return f"index {position} indexing a struct is out of bounds"
            type = type.field(index)
        elif isinstance(type, (LLVMArrayType, VectorType)):
            type = type.element
        else:
            return f"type '{type}' cannot be indexed (index #{position})"
    return None


CODE: Final = {
    "getelementptr": OpCode(custom=CustomSyntax(_parse_gep, _print_gep, _resolve_gep)),
}
