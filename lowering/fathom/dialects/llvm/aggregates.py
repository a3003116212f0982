"""The LLVM dialect's operations on the parts of structs, arrays and vectors.

Source of the rules: *'llvm' Dialect*, "Operations"; the meaning is that of the instruction of the same name in LLVM IR.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.types import LLVMArrayType, LLVMStructType, is_compatible
from fathom.ir.attributes import Attribute, DenseArrayAttr
from fathom.ir.types import Type, VectorType
from fathom.irdl.code import OpCode
from fathom.irdl.definition import TypeRule
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import llvm as ops

if TYPE_CHECKING:
    from fathom.irdl.protocols import ParsedOp, Resolver


def element_at(type: Type, position: tuple[int, ...]) -> Type | None:
    """The type at a position in nested structs and arrays, or None."""
    for index in position:
        if isinstance(type, LLVMArrayType) and 0 <= index < type.size:
            type = type.element
        elif isinstance(type, LLVMStructType) and 0 <= index < len(type.body or ()):
            type = type.field(index)
        else:
            return None
    return type


def _element(containers: list[Type], positions: list[Attribute]) -> list[Type] | None:
    position = positions[0] if positions else None
    if not isinstance(position, DenseArrayAttr) or not containers:
        return None
    found = element_at(containers[0], position.values)
    return None if found is None else [found]


def _misplaced(type: Type, position: tuple[int, ...]) -> str | None:
    """Why there is nothing at a position, or None."""
    if not is_compatible(type):
        return f"expected LLVM IR Dialect type, got '{type}'"
    for index in position:
        if not isinstance(type, (LLVMArrayType, LLVMStructType)):
            return f"expected LLVM IR structure/array type, got: '{type}'"
        size = type.size if isinstance(type, LLVMArrayType) else len(type.body or ())
        if not 0 <= index < size:
            return f"position out of bounds: {index}"
        type = type.element if isinstance(type, LLVMArrayType) else type.field(index)
    return None


@verifies("llvm.extractvalue", "llvm.insertvalue")
def _verify_position(op: ops.ExtractvalueOp | ops.InsertvalueOp) -> Complaint:
    position, container = op.position.values, op.container.type
    if (wrong := _misplaced(container, position)) is not None:
        return wrong
    expected = element_at(container, position)
    if isinstance(op, ops.InsertvalueOp):
        found = op.value.type
        return None if found == expected else f"Type mismatch: cannot insert '{found}' into '{container}'"
    if op.result.type == expected:
        return None
    types = f"should produce '{expected}' but this op returns '{op.result.type}'"
    return f"Type mismatch: extracting from '{container}' {types}"


def _resolve_position(resolver: Resolver, parsed: ParsedOp) -> None:
    """The type at the position must be known before that of the value is."""
    position = resolver.properties.get("position")
    node = parsed.types["container"][0]
    container = resolver.type(node)
    wrong = _misplaced(container, position.values) if isinstance(position, DenseArrayAttr) else None
    if wrong is not None:
        resolver.fail(f"custom op '{parsed.name}' {wrong}", resolver.end_of(node))
    resolver.resolve_by_rules()


def _shuffled(vectors: list[Type], masks: list[Attribute]) -> list[Type] | None:
    mask = masks[0] if masks else None
    if not vectors or not isinstance(vectors[0], VectorType) or not isinstance(mask, DenseArrayAttr):
        return None
    return [VectorType((len(mask.values),), vectors[0].element, vectors[0].scalable)]


@verifies("llvm.shufflevector")
def _verify_shuffle(op: ops.ShufflevectorOp) -> Complaint:
    type = op.v1.type
    is_splat = not isinstance(type, VectorType) or not any(type.scalable) or not any(op.mask.values)
    return None if is_splat else "expected a splat operation for scalable vectors"


CODE: Final = {
    "extractvalue": OpCode(
        resolve=_resolve_position, rules=(TypeRule("res", ("container", "position"), _element, ""),)
    ),
    "insertvalue": OpCode(
        resolve=_resolve_position, rules=(TypeRule("value", ("container", "position"), _element, ""),)
    ),
    "shufflevector": OpCode(rules=(TypeRule("res", ("v1", "mask"), _shuffled, ""),)),
}
