"""The LLVM dialect's constants and global variables, and what keeps a value from being a constant of a type.

Source of the rules: *'llvm' Dialect*, "Constants" and "Global variables", and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.types import LLVMArrayType, LLVMStructType, LLVMTargetExtType, has_zero
from fathom.ir.attributes import (
    ArrayAttr,
    Attribute,
    DenseElementsAttr,
    DenseResourceAttr,
    FloatAttr,
    IntegerAttr,
    SparseElementsAttr,
    StringAttr,
    TypeAttr,
)
from fathom.ir.types import I8, FloatType, IndexType, IntegerType, TensorType, Type, VectorType
from fathom.irdl.checking import bare
from fathom.irdl.clauses import two_way
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomDirective
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import llvm as ops
from fathom.text.encodings import utf8

if TYPE_CHECKING:
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp


@verifies("llvm.mlir.zero")
def _verify_zero(op: ops.MlirZeroOp) -> Complaint:
    if isinstance(type := op.result.type, LLVMTargetExtType) and not has_zero(type):
        return "target extension type does not support zero-initializer"
    return None


# ---- global variables


HEADER: Final = "sym_name global_type constant value linkage unnamed_addr thread_local_ visibility_ comdat".split()
"""The properties of a global that stand outside its dictionary, in which MLIR writes those that have their defaults."""


def _parse_value(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """What stands in the parentheses of a global, if anything; of a text the length decides the type of the global."""
    if parser.at(")"):
        return
    is_text = parser.at_kind("string")
    node = parsed.attributes[arguments[0]] = parser.attribute()
    if is_text:
        parsed.attributes[arguments[1]] = parser.composed_attribute(
            lambda _, attribute: TypeAttr(type_of_text(attribute(node, None)))
        )


def _print_value(op: ops.MlirGlobalOp, p: OpPrinter, arguments: Sequence[str]) -> None:
    if op.value is not None:
        p.attribute(op.value)


def _parse_type(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`{attributes} : i32 {…}`; the type of a text goes without saying."""
    parser.attr_dict(parsed)
    if parser.accept(":"):
        parsed.attributes[arguments[0]] = parser.type()
        if parser.at(","):
            parser.fail("custom op 'llvm.mlir.global' expected zero or one type", parsed.name_token)
        if parser.at_region():
            parser.region(parsed)
    elif arguments[0] not in parsed.attributes:
        parser.fail("custom op 'llvm.mlir.global' type can only be omitted for string globals", parsed.name_token)


def _print_type(op: ops.MlirGlobalOp, p: OpPrinter, arguments: Sequence[str]) -> None:
    p.attr_dict(op, elide=HEADER)
    if isinstance(op.value, StringAttr):
        return
    p.write(" : ")
    p.attribute(op.global_type)
    if not op.initializer.is_empty:
        p.write(" ")
        p.region(op.initializer, entry_arguments=False)


def type_of_text(text: Attribute) -> LLVMArrayType:
    """The type of a global that is a text: an array of its bytes."""
    return LLVMArrayType(len(utf8(text.value)) if isinstance(text, StringAttr) else 0, I8)


@verifies("llvm.comdat", regions=True)
def _verify_comdat(op: ops.ComdatOp) -> Complaint:
    entry = op.body.first
    for inner in entry or ():
        if not isinstance(inner, ops.ComdatSelectorOp):
            return bare("only comdat selector symbols can appear in a comdat region", inner)
    return None


# ---- constants


ElementsAttr = DenseElementsAttr | DenseResourceAttr | SparseElementsAttr
ZEROES: Final = ("llvm.zero", "llvm.undef")
"""The names of attributes that stand for a whole struct or array."""


@verifies("llvm.mlir.constant")
def verify_constant(op: ops.MlirConstantOp) -> Complaint:
    """Whether an `llvm.mlir.constant` of this type can have this value."""
    problem = _problem_of(op.value, op.result.type)
    return problem or None


def _problem_of(value: Attribute | None, type: Type) -> str:
    """What is wrong with a value of a type; empty where nothing is."""
    if isinstance(value, StringAttr):
        wanted = type_of_text(value)
        return "" if type == wanted else f"expected array type of {wanted.size} i8 elements for the string constant"
    if isinstance(type, LLVMStructType):
        return _problem_of_struct(value, type.body or ())
    if isinstance(type, LLVMTargetExtType):
        return "does not support target extension type."
    match value:
        case IntegerAttr():
            return "" if isinstance(type, IntegerType) else "expected integer type"
        case FloatAttr():
            return _float_problem(value.type, type)
        case DenseElementsAttr() | DenseResourceAttr() | SparseElementsAttr():
            return _problem_of_elements(value, type)
        case ArrayAttr():
            if not isinstance(type, LLVMArrayType):
                return "expected array or struct type for array attribute"
            return _problem_of_array(value, type, 0)
        case _:
            return "only supports integer, float, string or elements attributes"


def _problem_of_struct(value: Attribute | None, fields: tuple[Type, ...]) -> str:
    if not isinstance(value, ArrayAttr):
        return "expected array attribute for struct type"
    if len(value.elements) != len(fields):
        return f"expected array attribute of size {len(fields)}"
    for index, (element, field) in enumerate(zip(value.elements, fields, strict=True)):
        is_number = isinstance(field, (IndexType, FloatType)) or (
            isinstance(field, IntegerType) and not field.signedness
        )
        if not is_number:
            return "expected struct element types to be floating point type or integer type"
        if not isinstance(element, (IntegerAttr, FloatAttr)):
            return "expected element of array attribute to be floating point or integer"
        if element.type != field:
            return f"struct element at index {index} is of wrong type"
    return ""


def _float_problem(given: FloatType, type: Type) -> str:
    """A float may stand in an integer of the same width, since LLVM lacks some floats of MLIR."""
    if isinstance(type, IntegerType) and type.width != given.width:
        return f"expected integer type of width {given.width}"
    if isinstance(type, FloatType) and type != given:
        return "attribute and type have different float semantics"
    return ""


def _problem_of_elements(value: ElementsAttr, type: Type) -> str:
    if _holds_scalable(type):
        is_splat = isinstance(value, DenseElementsAttr) and value.is_splat
        return "" if is_splat else "scalable vector type requires a splat attribute"
    if not isinstance(type, (VectorType, LLVMArrayType)):
        return "expected vector or array type"
    count, given = _count(type), prod(value.type.ranked_shape)
    if count != given:
        return f"type and attribute have a different number of elements: {count} vs. {given}"
    of_value, element = _element(value.type), _element(type)
    if isinstance(of_value, FloatType):
        return _float_problem(of_value, element)
    if isinstance(of_value, IntegerType) and not isinstance(element, IntegerType):
        return "expected integer element type for integer elements attribute"
    return ""


def _holds_scalable(type: Type) -> bool:
    match type:
        case VectorType():
            return any(type.scalable)
        case LLVMArrayType(_, element):
            return _holds_scalable(element)
        case _:
            return False


def _count(type: Type) -> int:
    """How many elements a vector or nested array has; one for anything else."""
    match type:
        case VectorType():
            return prod(type.ranked_shape)
        case LLVMArrayType(size, element):
            return size * _count(element)
        case _:
            return 1


def _element(type: Type) -> Type:
    while isinstance(type, LLVMArrayType):
        type = type.element
    return type.element if isinstance(type, (VectorType, TensorType)) else type


def _problem_of_array(value: ArrayAttr, type: LLVMArrayType, dimension: int) -> str:
    if len(value.elements) != type.size:
        sizes = f"in dimension {dimension}: {len(value.elements)} vs. {type.size}"
        return f"array attribute size does not match array type size {sizes}"
    inner = type.element
    if not isinstance(inner, (LLVMArrayType, LLVMStructType)):
        return "for array with an array attribute must have a struct element type"
    for index, element in enumerate(value.elements):
        if element.full_name in ZEROES:
            continue
        problem = (
            _problem_of_row(element, inner, dimension, index)
            if isinstance(inner, LLVMArrayType)
            else _problem_of_leaf(element, inner, index)
        )
        if problem:
            return problem
    return ""


def _problem_of_row(element: Attribute, type: LLVMArrayType, dimension: int, index: int) -> str:
    if isinstance(element, ArrayAttr):
        return _problem_of_array(element, type, dimension + 1)
    place = f"sub-array in dimension {dimension} at index {index}"
    return f"nested attribute for {place} must be a zero, or undef, or array attribute"


def _problem_of_leaf(element: Attribute, type: LLVMStructType, index: int) -> str:
    place = f"struct element at index {index}"
    if not isinstance(element, ArrayAttr):
        return f"nested attribute for {place} must be a zero, or undef, or array attribute"
    given, expected = len(element.elements), len(type.body or ())
    if given != expected:
        return f"nested array attribute size for {place} must match struct size: {given} vs. {expected}"
    return ""


DIRECTIVES: Final = {
    "GlobalType": CustomDirective(_parse_type, _print_type, spaced=True),
    "GlobalValue": CustomDirective(_parse_value, _print_value),
}
CODE: Final = {
    "mlir.global": OpCode(
        custom=two_way(
            "custom<ShownLinkage>($linkage) custom<Visibility>($visibility_) (`thread_local` $thread_local_^)? "
            "custom<UnnamedAddr>($unnamed_addr) (`constant` $constant^)? $sym_name "
            "`(` custom<GlobalValue>($value, $global_type) `)` (`comdat` `(` $comdat^ `)`)? "
            "custom<GlobalType>(ref($global_type), $initializer)"
        )
    ),
}
