"""The LLVM dialect's comparisons and conversions, and operations on the parts of structs, arrays and vectors.

Source of the rules: *'llvm' Dialect*, "Operations"; the meaning is that of the instruction of the same name in LLVM IR.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.attributes import cases, spell_case
from fathom.dialects.llvm.types import LLVMArrayType, LLVMStructType, is_compatible
from fathom.ir.attributes import Attribute, DenseArrayAttr, i64_attr
from fathom.ir.types import IntegerType, Type, VectorType
from fathom.irdl.checking import bare
from fathom.irdl.clauses import two_way
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomDirective, TypeRule
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import llvm as ops
from fathom.rewriting.speculation import SIGNED_DIVISION, UNSIGNED_DIVISION

if TYPE_CHECKING:
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp, Resolver


def _predicate(enumeration: str) -> CustomDirective:
    """The code behind `custom<Predicate>($predicate)`: a case in quotes."""

    def parse(cursor: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
        if any(map(cursor.at_kind, ("symbol", "integer", "float"))):
            cursor.fail(f"custom op '{parsed.name}' invalid kind of attribute specified")
        if not cursor.at_kind("string"):
            cursor.fail("expected attribute value")
        word = cursor.text(cursor.string()).strip('"')
        if word not in cases(enumeration):
            cursor.fail(f"custom op '{parsed.name}' '{word}' is an incorrect value of the 'predicate' attribute")
        parsed.attributes[arguments[0]] = i64_attr(cases(enumeration)[word])

    def spell(op: ops.FcmpOp | ops.IcmpOp, p: OpPrinter, arguments: Sequence[str]) -> str:
        predicate = op.predicate
        return f'"{spell_case(predicate, enumeration) or predicate.value}"'

    return CustomDirective(parse, spell=spell)


DIRECTIVES: Final = {
    "FloatPredicate": _predicate("FCmpPredicate"),
    "IntegerPredicate": _predicate("ICmpPredicate"),
}
_COMPARE: Final = "custom<{}>($predicate) $lhs `,` $rhs attr-dict `:` type($lhs)"


@verifies("llvm.sext", "llvm.zext")
def _verify_widening(op: ops.SextOp | ops.ZextOp) -> Complaint:
    """`zext` and `sext` must widen, and keep the shape of a vector."""
    source, target = op.arg.type, op.result.type
    if isinstance(source, VectorType) and isinstance(target, VectorType):
        if source.shape != target.shape or source.scalable != target.scalable:
            return bare("input and output vectors are of incompatible shape")
        source, target = source.element, target.element
    if isinstance(source, VectorType):
        return bare("input type is a vector but output type is an integer")
    if isinstance(target, VectorType):
        return bare("input type is an integer but output type is a vector")
    if isinstance(source, IntegerType) and isinstance(target, IntegerType) and target.width <= source.width:
        return bare("integer width of the output type is smaller or equal to the integer width of the input type")
    return None


@verifies("llvm.bitcast")
def _verify_bitcast(op: ops.BitcastOp) -> Complaint:
    source, target = _pointers(op.arg.type), _pointers(op.result.type)
    if (source is None) != (target is None):
        return "can only cast pointers from and to pointers"
    if source is None or target is None:
        return None
    if isinstance(op.result.type, VectorType) != isinstance(op.arg.type, VectorType):
        vector, pointer = "vector of pointers", "pointer"
        between = (vector, pointer) if isinstance(op.arg.type, VectorType) else (pointer, vector)
        return f"cannot cast {between[0]} to {between[1]}"
    if source != target:
        return "cannot cast pointers of different address spaces, use 'llvm.addrspacecast' instead"
    return None


def _pointers(type: Type) -> int | None:
    """The address space of a pointer or a vector of pointers, else None."""
    element = type.element if isinstance(type, VectorType) else type
    return getattr(element, "address_space", None)


# ---- structs, arrays and vectors


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
    type_ = element_at(containers[0], position.values)
    return None if type_ is None else [type_]


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
        type_ = op.value.type
        return None if type_ == expected else f"Type mismatch: cannot insert '{type_}' into '{container}'"
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
    "icmp": OpCode(custom=two_way(_COMPARE.format("IntegerPredicate"))),
    "fcmp": OpCode(custom=two_way(_COMPARE.format("FloatPredicate"))),
    "udiv": OpCode(interfaces=(UNSIGNED_DIVISION,)),
    "sdiv": OpCode(interfaces=(SIGNED_DIVISION,)),
    "extractvalue": OpCode(
        resolve=_resolve_position, rules=(TypeRule("res", ("container", "position"), _element, ""),)
    ),
    "insertvalue": OpCode(
        resolve=_resolve_position, rules=(TypeRule("value", ("container", "position"), _element, ""),)
    ),
    "shufflevector": OpCode(rules=(TypeRule("res", ("v1", "mask"), _shuffled, ""),)),
}
