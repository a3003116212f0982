"""Constants, those that are known when a module is specialised among them.

Source of the rules: *'spirv' Dialect*; the texts of errors are those of MLIR 22's parsers and verifiers.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Final

from fathom.dialects.spirv.types import (
    ArrayType,
    CooperativeMatrixType,
    TensorArmType,
    is_composite,
    is_scalar,
    part_of,
)
from fathom.ir.attributes import ArrayAttr, Attribute, DenseElementsAttr, FloatAttr, IntegerAttr, TypeAttr
from fathom.ir.types import FloatType, IntegerType, TensorType, Type, UnknownType, VectorType
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomSyntax
from fathom.irdl.interfaces import symbol_name
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import spirv as ops

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.irdl.protocols import Node, OpParser, OpPrinter, ParsedOp, Resolver

# ---- spirv.Constant


def _parse_constant(parser: OpParser, parsed: ParsedOp) -> Node | None:
    """`1 : i32`, or `[1 : i32] : !spirv.array<1 x i32>`."""
    parsed.attributes["value"] = parser.attribute()
    return parser.type() if parser.accept(":") else None


def _resolve_constant(resolver: Resolver, parsed: ParsedOp, node: Node | None) -> None:
    own = getattr(resolver.properties.get("value"), "type", None)
    if node is not None:
        resolver.result_types = [resolver.type(node)]
        return
    if not isinstance(own, Type) or isinstance(own, TensorType):
        resolver.fail("expected ':'")
    resolver.result_types = [own]


def _print_constant(op: ops.ConstantOp, p: OpPrinter) -> None:
    p.write(" ")
    p.attribute(op.value)
    if isinstance(op.result.type, ArrayType):
        p.write(" : ")
        p.type(op.result.type)


def _constant_names(op: ops.ConstantOp) -> Sequence[str | None]:
    type, value = op.result.type, op.value
    name = "cst"
    if isinstance(value, IntegerAttr) and isinstance(type, IntegerType):
        if type.width == 1:
            return ("true" if value.value else "false",)
        name += str(value.value)
    if isinstance(type, (IntegerType, FloatType)):
        name += f"_{type}"
    if isinstance(type, VectorType) and type.shape:
        name += f"_vec_{type.shape[0]}"
        if isinstance(type.element, (IntegerType, FloatType)):
            name += f"x{type.element}"
    return (name,)


def _value_problem(value: Attribute | None, type: Type) -> Complaint:
    """What keeps a value from being a constant of a type."""
    match value:
        case _ if isinstance(type, UnknownType):
            return None
        case _ if isinstance(type, CooperativeMatrixType) and not (
            isinstance(value, DenseElementsAttr) and value.is_splat
        ):
            expected = "expected a splat dense attribute for cooperative matrix constant, but found "
            return expected + (str(value) if isinstance(value, DenseElementsAttr) else "<<NULL ATTRIBUTE>>")
        case IntegerAttr() | FloatAttr():
            if value.type == type:
                return None
            return f"result type ('{type}') does not match value type ('{value.type}')"
        case DenseElementsAttr():
            return _dense_problem(value, type)
        case ArrayAttr(elements):
            if not isinstance(type, ArrayType):
                return "must have spirv.array result type for array value"
            return next((wrong for each in elements if (wrong := _value_problem(each, type.element))), None)
        case _:
            return f"cannot have attribute: {value}"


def _dense_problem(value: DenseElementsAttr, type: Type) -> Complaint:
    if value.type == type:
        return None
    if isinstance(type, (TensorArmType, CooperativeMatrixType)):
        return None
    if not isinstance(type, ArrayType):
        types = f"result or element type ('{type}') does not match value type ('{value.type}')"
        return f"{types}, must be the same or spirv.array"
    count, element = type.count, type.element
    while isinstance(element, ArrayType):
        count, element = count * element.count, element.element
    if not isinstance(element, (IntegerType, FloatType)):
        return "only support nested array result type"
    if value.type.element != element:
        return f"result element type ('{element}') does not match value element type ('{value.type.element}')"
    given = prod(value.type.shape or ())
    if given != count:
        return f"result number of elements ({count}) does not match value number of elements ({given})"
    return None


@verifies("spirv.Constant")
def _verify_constant(op: ops.ConstantOp) -> Complaint:
    return _value_problem(op.value, op.result.type)


# ---- spirv.SpecConstant


def _parse_spec_constant(parser: OpParser, parsed: ParsedOp) -> None:
    """`@name spec_id(5) = 42 : i32`."""
    parsed.attributes["sym_name"] = parser.symbol_attribute()
    if parser.accept("spec_id"):
        parser.expect("(")
        parsed.attributes["spec_id"] = parser.attribute()
        parser.expect(")")
    parser.expect("=")
    parsed.attributes["default_value"] = parser.attribute()


def _print_spec_constant(op: ops.SpecConstantOp, p: OpPrinter) -> None:
    p.write(" ")
    p.symbol(symbol_name(op))
    number = op.attribute("spec_id")
    if isinstance(number, IntegerAttr):
        p.write(f" spec_id({number.value})")
    p.write(" = ")
    p.attribute(op.default_value)


@verifies("spirv.SpecConstant")
def _spec_constant(op: ops.SpecConstantOp) -> Complaint:
    number, value = op.attribute("spec_id"), op.default_value
    if isinstance(number, IntegerAttr) and number.value < 0:
        return "SpecId cannot be negative"
    if not isinstance(value, (IntegerAttr, FloatAttr)):
        return "default value can only be a bool, integer, or float scalar"
    elif not is_scalar(value.type):
        return "default value bitwidth disallowed"
    return None


# ---- spirv.EXT.ConstantCompositeReplicate


@verifies("spirv.EXT.ConstantCompositeReplicate", bare=True)
def _replicated(op: ops.EXTConstantCompositeReplicateOp) -> Complaint:
    given, result = _value_type(op.value), op.result.type
    if given is None:
        return "unknown value attribute type"
    if not is_composite(result):
        return "result type is not a composite type"
    possible: list[Type] = []
    part = part_of(result)
    while part is not None:
        possible.append(part)
        part = part_of(part) if is_composite(part) else None
    if given not in possible:
        types = " or ".join(f"'{each}'" for each in possible)
        return f"expected value attribute type {types}, but got: '{given}'"
    return None


def _value_type(value: Attribute | None) -> Type | None:
    """The type of a value, which for a list of values is that of an array."""
    if isinstance(value, ArrayAttr):
        element = _value_type(value.elements[0]) if value.elements else None
        return ArrayType(len(value.elements), element) if element is not None else None
    found = getattr(value, "type", None)
    return found if isinstance(found, Type) else None


# ---- spirv.SpecConstantComposite


def _parse_composite(parser: OpParser, parsed: ParsedOp) -> list[Node]:
    """`@name (@a, @b) : !spirv.array<2 x i32>`."""
    parsed.attributes["sym_name"] = parser.symbol_attribute()
    parser.expect("(")
    found = [parser.attribute()]
    while parser.accept(","):
        found.append(parser.attribute())
    parser.expect(")")
    parser.expect(":")
    parsed.types["type"] = [parser.type()]
    return found


def _resolve_composite(resolver: Resolver, parsed: ParsedOp, parts: list[Node]) -> None:
    found = tuple(resolver.attribute(each) for each in parts)
    if parsed.name == "spirv.SpecConstantComposite":
        resolver.properties["constituents"] = ArrayAttr(found)
    else:
        resolver.properties["constituent"] = found[0]
    resolver.properties["type"] = TypeAttr(resolver.type(parsed.types["type"][0]))


def _print_composite(op: ops.EXTSpecConstantCompositeReplicateOp | ops.SpecConstantCompositeOp, p: OpPrinter) -> None:
    p.write(" ")
    p.symbol(symbol_name(op))
    parts = op.constituents.elements if isinstance(op, ops.SpecConstantCompositeOp) else (op.constituent,)
    p.write(" (")
    for index, each in enumerate(parts):
        p.write(", " if index else "")
        p.attribute(each)
    p.write(") : ")
    p.attribute(op.type)


CODE: Final = {
    "Constant": OpCode(
        custom=CustomSyntax(_parse_constant, _print_constant, _resolve_constant), result_names=_constant_names
    ),
    "EXT.SpecConstantCompositeReplicate": OpCode(
        custom=CustomSyntax(_parse_composite, _print_composite, _resolve_composite)
    ),
    "SpecConstant": OpCode(custom=CustomSyntax(_parse_spec_constant, _print_spec_constant)),
    "SpecConstantComposite": OpCode(custom=CustomSyntax(_parse_composite, _print_composite, _resolve_composite)),
}
