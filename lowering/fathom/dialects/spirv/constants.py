"""Constants, those that are known when a module is specialised among them, and what refers to them by name.

Source of the rules: *'spirv' Dialect*; the texts of errors are those of MLIR 22's parsers and verifiers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import prod
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.dialects.spirv.types import (
    ArrayType,
    CooperativeMatrixType,
    TensorArmType,
    count_of,
    is_composite,
    is_scalar,
    may_be_same,
    part_of,
)
from fathom.ir.attributes import (
    ArrayAttr,
    Attribute,
    DenseElementsAttr,
    FloatAttr,
    IntegerAttr,
    SymbolRefAttr,
)
from fathom.ir.property_values import type_property
from fathom.ir.types import FloatType, IntegerType, TensorType, Type, UnknownType, VectorType
from fathom.irdl.clauses import two_way
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomDirective, CustomSyntax
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import spirv as ops

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Operation
    from fathom.irdl.protocols import Node, OpParser, OpPrinter, ParsedOp, Resolver
    from fathom.irdl.symbols import Lookup


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
            return next((wrong for element in elements if (wrong := _value_problem(element, type.element))), None)
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


def _parse_spec_id(parser: OpParser, parsed: ParsedOp, _: Sequence[str]) -> None:
    """`spec_id(5)`, or nothing."""
    if parser.accept("spec_id"):
        parser.expect("(")
        parsed.attributes["spec_id"] = parser.attribute()
        parser.expect(")")


def _print_spec_id(op: ops.SpecConstantOp, p: OpPrinter, _: Sequence[str]) -> None:
    number = op.attribute("spec_id")
    p.write(f" spec_id({number.value})" if isinstance(number, IntegerAttr) else "")


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
        types = " or ".join(f"'{type_}'" for type_ in possible)
        return f"expected value attribute type {types}, but got: '{given}'"
    return None


def _value_type(value: Attribute | None) -> Type | None:
    """The type of a value, which for a list of values is that of an array."""
    if isinstance(value, ArrayAttr):
        element = _value_type(value.elements[0]) if value.elements else None
        return ArrayType(len(value.elements), element) if element is not None else None
    own_type = getattr(value, "type", None)
    return own_type if isinstance(own_type, Type) else None


# ---- names of variables and constants


Check: TypeAlias = "Callable[[Operation, Lookup], Iterator[str]]"

_CONSTANTS: Final = ("spirv.SpecConstant", "spirv.SpecConstantComposite")


def _named(op: Operation, name: str, lookup: Lookup) -> Operation | None:
    """The operation that a property refers to."""
    symbol = op.properties.get(name)
    return lookup(symbol) if isinstance(symbol, SymbolRefAttr) else None


def _constant_type(op: Operation | None) -> Type | None:
    """The type of a constant that is known when a module is specialised; None for what is none."""
    if op is None or op.name not in _CONSTANTS:
        return None
    if isinstance(op, ops.SpecConstantCompositeOp):
        return type_property(op)
    own_type = getattr(op.properties.get("default_value"), "type", None)
    return own_type if isinstance(own_type, Type) else None


@verifies("spirv.mlir.addressof", symbols=True)
def _address(op: ops.MlirAddressofOp, lookup: Lookup) -> Complaint:
    variable = _named(op, "variable", lookup)
    if not isinstance(variable, ops.GlobalVariableOp):
        return "expected spirv.GlobalVariable symbol"
    elif type_property(variable) != op.result.type:
        return "result type mismatch with the referenced global variable's type"
    return None


@verifies("spirv.mlir.referenceof", symbols=True)
def _reference(op: ops.MlirReferenceofOp, lookup: Lookup) -> Complaint:
    constant = _named(op, "spec_const", lookup)
    if constant is None or constant.name not in _CONSTANTS:
        return "expected spirv.SpecConstant or spirv.SpecConstantComposite symbol"
    elif _constant_type(constant) != op.result.type:
        return "result type mismatch with the referenced specialization constant's type"
    return None


@verifies("spirv.GlobalVariable", symbols=True)
def _initializer(op: ops.GlobalVariableOp, lookup: Lookup) -> Complaint:
    if op.initializer is None:
        return None
    initial = _named(op, "initializer", lookup)
    if initial is None or initial.name not in _CONSTANTS:
        return "initializer must be result of a spirv.SpecConstant or spirv.SpecConstantCompositeOp op"
    return None


@verifies("spirv.SpecConstantComposite", symbols=True, bare=True)
def _composite(op: ops.SpecConstantCompositeOp, lookup: Lookup) -> Complaint:
    type, parts = op.type.type, op.constituents.elements
    if not is_composite(type):
        return f"result type must be a composite type, but provided '{type}'"
    if isinstance(type, CooperativeMatrixType):
        return f"unsupported composite type  '{type}'"
    count = count_of(type)
    if count is None:
        return None
    if len(parts) != count:
        return f"has incorrect number of operands: expected {count}, but provided {len(parts)}"
    for index, part in enumerate(parts):
        given = _constant_type(lookup(part)) if isinstance(part, SymbolRefAttr) else None
        wanted = part_of(type, index)
        if given is not None and wanted is not None and not may_be_same(given, wanted):
            return f"has incorrect types of operands: expected '{wanted}', but provided '{given}'"
    return None


@verifies("spirv.EXT.SpecConstantCompositeReplicate", symbols=True, bare=True)
def _replicate(op: ops.EXTSpecConstantCompositeReplicateOp, lookup: Lookup) -> Complaint:
    type, constituent = type_property(op), _named(op, "constituent", lookup)
    if type is None:
        return None
    if not is_composite(type):
        return f"result type must be a composite type, but provided '{type}'"
    if constituent is None:
        return "splat spec constant reference defining constituent not found"
    elif not isinstance(constituent, ops.SpecConstantOp):
        return "constituent is not a spec constant"
    given, wanted = _constant_type(constituent), part_of(type)
    if given is not None and wanted is not None and not may_be_same(given, wanted):
        return f"constituent has incorrect type: expected '{wanted}', but provided '{given}'"
    return None


DIRECTIVES: Final = {"SpecId": CustomDirective(_parse_spec_id, _print_spec_id, spaced=True)}
CODE: Final = {
    "Constant": OpCode(
        custom=CustomSyntax(_parse_constant, _print_constant, _resolve_constant), result_names=_constant_names
    ),
    "EXT.SpecConstantCompositeReplicate": OpCode(
        custom=two_way("custom<Name>($sym_name) ` ` `(` $constituent `)` `:` $type")
    ),
    "SpecConstant": OpCode(custom=two_way("custom<Name>($sym_name) custom<SpecId>() `=` $default_value")),
    "SpecConstantComposite": OpCode(custom=two_way("custom<Name>($sym_name) custom<Parts>($constituents) `:` $type")),
}
