"""What MLIR's verifiers say of emitc's operations.

Source of the rules: *'emitc' Dialect*; the texts are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.emitc.syntax import initial_type
from fathom.dialects.emitc.types import (
    extents,
    inner,
    is_float,
    is_integer_index_or_opaque,
    is_named,
    is_pointer_wide,
    is_supported,
)
from fathom.dialects.func import symbol_name
from fathom.dialects.func.callees import callee_check, function_type
from fathom.ir.attributes import (
    ArrayAttr,
    DenseElementsAttr,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    TypeAttr,
)
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.operation import is_module
from fathom.ir.property_values import type_property
from fathom.ir.traversal import ancestors
from fathom.ir.types import IndexType, IntegerType
from fathom.irdl.checking import bare, cast_incompatible
from fathom.irdl.verifying import Complaint, SymbolChecks, verifies
from fathom.ops import emitc as ops

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.types import Type
    from fathom.irdl.symbols import Lookup


def _is_opaque(value: Attribute | None) -> bool:
    return isinstance(value, DialectAttr) and value.full_name == "emitc.opaque"


# ---- pointers and arithmetic


@verifies("emitc.address_of", "emitc.dereference")
def refers_to_the_same(op: ops.AddressOfOp | ops.DereferenceOp) -> Complaint:
    """A pointer and an lvalue are to the same type."""
    is_same = inner(op.operands[0].type) == inner(op.result.type)
    return None if is_same else "failed to verify that input and result reference the same type"


def _is_pointer(type: Type) -> bool:
    return is_named(type, "ptr")


def _is_offset(type: Type) -> bool:
    return isinstance(type, IntegerType) or is_named(type, "opaque")


@verifies("emitc.add")
def add(op: ops.AddOp) -> Complaint:
    left, right = (operand.type for operand in op.operands)
    if _is_pointer(left) and _is_pointer(right):
        return "requires that at most one operand is a pointer"
    if (_is_pointer(left) and not _is_offset(right)) or (_is_pointer(right) and not _is_offset(left)):
        return "requires that one operand is an integer or of opaque type if the other is a pointer"
    return None


@verifies("emitc.sub")
def sub(op: ops.SubOp) -> Complaint:
    (left, right), result = (operand.type for operand in op.operands), op.result.type
    if _is_pointer(right) and not _is_pointer(left):
        return "rhs can only be a pointer if lhs is a pointer"
    if _is_pointer(left) and not (_is_offset(right) or _is_pointer(right)):
        return "requires that rhs is an integer, pointer or of opaque type if lhs is a pointer"
    if _is_pointer(left) and _is_pointer(right) and not (_is_offset(result) or is_named(result, "ptrdiff_t")):
        return "requires that the result is an integer, ptrdiff_t or of opaque type if lhs and rhs are pointers"
    return None


@verifies("emitc.apply")
def apply(op: ops.ApplyOp) -> Complaint:
    operator, operand = op.applicableOperator.value, op.operand.type
    if not operator:
        return "applicable operator must not be empty"
    if operator not in ("&", "*"):
        return "applicable operator is illegal"
    if operator == "*":
        return None if _is_pointer(operand) else "operand type must be a pointer when applying `*`"
    if not is_named(operand, "lvalue"):
        return "operand type must be an lvalue when applying `&`"
    return None if _is_pointer(op.result.type) else "result type must be a pointer when applying `&`"


@verifies("emitc.assign")
def assign(op: ops.AssignOp) -> Complaint:
    if op.var.defining_op is None:
        return "cannot assign to block argument"
    type, given = inner(op.var.type), op.value.type
    return None if type == given else f"requires value's type ('{given}') to match variable's type ('{type}')"


@verifies("emitc.cast")
def cast(op: ops.CastOp) -> Complaint:
    source, target = op.source.type, op.result.type
    if is_named(source, "array"):
        shape = extents(source)
        fits = _is_pointer(target) and inner(source) == inner(target) and len(shape) == 1 and shape[0] >= 1
    else:
        fits = all(is_integer_index_or_opaque(t) or is_float(t) or _is_pointer(t) for t in (source, target))
    return None if fits else cast_incompatible(op)


@verifies("emitc.subscript")
def subscript(op: ops.SubscriptOp) -> Complaint:
    value, result = op.value.type, inner(op.result.type)
    indices = [operand.type for operand in op.operands[1:]]
    if is_named(value, "array"):
        rank = len(extents(value))
        if len(indices) != rank:
            match = f"to match the rank of the array type ({rank})"
            return f"on array operand requires number of indices ({len(indices)}) {match}"
        for number, type in enumerate(indices):
            if not is_integer_index_or_opaque(type):
                return f"on array operand requires index operand {number} to be integer-like, but got '{type}'"
        what, part = "array", "element"
    elif _is_pointer(value):
        if len(indices) != 1:
            return f"on pointer operand requires one index operand, but got {len(indices)}"
        if not is_integer_index_or_opaque(indices[0]):
            return f"on pointer operand requires index operand to be integer-like, but got '{indices[0]}'"
        what, part = "pointer", "pointee"
    else:
        return None
    if inner(value) == result:
        return None
    return f"on {what} operand requires {part} type ('{inner(value)}') and result type ('{result}') to match"


# ---- constants and texts


@verifies("emitc.variable")
def initial_value(op: ops.VariableOp | ops.ConstantOp) -> Complaint:
    """The value of a constant or a variable is of the type that is said."""
    value, result = op.value, op.result.type
    if _is_opaque(value):
        return None
    if isinstance(value, StringAttr):
        return "string attributes are not supported, use #emitc.opaque instead"
    result = inner(result) if is_named(result, "lvalue") else result
    type: Type | None = getattr(value, "type", None)
    if type is None or type == result or (is_pointer_wide(result) and isinstance(type, IndexType)):
        return None
    types = f"it's type ('{type}') to match the op's result type ('{result}')"
    return f"requires attribute to either be an #emitc.opaque attribute or {types}"


@verifies("emitc.constant")
def constant(op: ops.ConstantOp) -> Complaint:
    value = op.value
    if isinstance(value, DialectAttr) and _is_opaque(value) and value.parameter("value") == "":
        return "value must not be empty"
    return initial_value(op)


@verifies("emitc.literal")
def literal(op: ops.LiteralOp) -> Complaint:
    return None if op.value.value else "value must not be empty"


@verifies("emitc.verbatim")
def verbatim(op: ops.VerbatimOp) -> Complaint:
    """Each `{}` has an operand, and the other way round; without operands the text is any."""
    text, places = op.value.value, 0
    while op.operands and (brace := text.find("{")) >= 0:
        text = text[brace:]
        if len(text) < 2:
            return "expected '}' after unescaped '{' at end of string"
        if text[1] not in "{}":
            return "expected '}' after unescaped '{'"
        places += text[1] == "}"
        text = text[2:]
    return None if places == len(op.operands) else "requires operands for each placeholder in the format string"


@verifies("emitc.call_opaque")
def call_opaque(op: ops.CallOpaqueOp) -> Complaint:
    if not op.callee.value:
        return "callee must not be empty"
    count = len(op.operands)
    for element in op.args.elements if op.args is not None else ():
        if isinstance(element, IntegerAttr) and isinstance(element.type, IndexType) and not 0 <= element.value < count:
            return "index argument is out of range"
        if isinstance(element, ArrayAttr):
            return "array argument has no type"
    for element in op.template_args.elements if op.template_args is not None else ():
        if not (isinstance(element, (TypeAttr, IntegerAttr, FloatAttr)) or _is_opaque(element)):
            return "template argument has invalid type"
    return "cannot return array type" if any(is_named(r.type, "array") for r in op.results) else None


@verifies("emitc.global")
def global_(op: ops.GlobalOp) -> Complaint:
    type, value = type_property(op), op.initial_value
    if type is None or not is_supported(type):
        return "expected valid emitc type"
    if isinstance(value, DenseElementsAttr):
        if not is_named(type, "array"):
            return f"expected array type, but got '{type}'"
        if value.type != initial_type(type):
            return f"initial value expected to be of type '{type}', but was of type '{value.type}'"
    elif isinstance(value, (IntegerAttr, FloatAttr)) and value.type != type:
        return f"initial value expected to be of type '{type}', but was of type '{value.type}'"
    if op.static_specifier is not None and op.extern_specifier is not None:
        return "cannot have both static and extern specifiers"
    return None


@verifies("emitc.get_global", symbols=True)
def get_global(op: ops.GetGlobalOp, lookup: Lookup) -> Complaint:
    symbol = op.properties.get("name")
    name = symbol.root if isinstance(symbol, SymbolRefAttr) else ""
    symbol_op, result = lookup(name), op.result.type
    if not isinstance(symbol_op, ops.GlobalOp):
        return f"'{name}' does not reference a valid emitc.global"
    type = type_property(symbol_op)
    if type is None or type == (result if is_named(type, "array") else inner(result)):
        is_lvalue = is_named(type, "array") or is_named(result, "lvalue")
        message = "on non-array type expects result type to be an lvalue type for the global"
        return None if is_lvalue else f"{message} @{name}"
    if is_named(type, "array"):
        return f"on array type expects result type '{result}' to match type '{type}' of the global @{name}"
    if not is_named(result, "lvalue"):
        return f"on non-array type expects result type to be an lvalue type for the global @{name}"
    types = f"'{inner(result)}' to match type '{type}' of the global @{name}"
    return f"on non-array type expects result inner type {types}"


# ---- functions


@verifies("emitc.func")
def func(op: ops.FuncOp) -> Complaint:
    type = function_type(op)
    if any(is_named(input_, "lvalue") for input_ in type.inputs):
        return "cannot have lvalue type as argument"
    if len(type.results) > 1:
        return f"requires zero or exactly one result, but has {len(type.results)}"
    return "cannot return array type" if type.results and is_named(type.results[0], "array") else None


@verifies("emitc.return")
def return_(op: ops.ReturnOp) -> Complaint:
    function = op.parent_op
    if not isinstance(function, ops.FuncOp):
        return None
    results, name = function_type(function).results, symbol_name(function)
    if len(op.operands) != len(results):
        return f"has {len(op.operands)} operands, but enclosing function (@{name}) returns {len(results)}"
    if results and op.operands[0].type != results[0]:
        types = f"('{op.operands[0].type}') doesn't match function result type ('{results[0]}') in function @{name}"
        return bare(f"type of the return operand {types}")
    return None


@verifies("emitc.declare_func", symbols=True)
def declare_func(op: ops.DeclareFuncOp, lookup: Lookup) -> Complaint:
    is_function = isinstance(lookup(op.sym_name), ops.FuncOp)
    return None if is_function else f"'{op.sym_name.root}' does not reference a valid function"


# ---- classes


@verifies("emitc.field")
def field(op: ops.FieldOp) -> Complaint:
    type, around = type_property(op), op.parent_op
    if type is None or not is_supported(type):
        return "expected valid emitc type"
    # Where nothing stands around it, it is looked at apart from its class.
    if around is not None and not isinstance(around, ops.ClassOp):
        return "field must be nested within an emitc.class operation"
    return None if symbol_name(op) else "field must have a non-empty symbol name"


@verifies("emitc.get_field")
def get_field(op: ops.GetFieldOp) -> Complaint:
    around = next(
        (ancestor for ancestor in ancestors(op) if isinstance(ancestor, ops.ClassOp) or ancestor.parent_op is None), op
    )
    return " must be nested within an emitc.class operation" if is_module(around) else None


@verifies("emitc.get_field", symbols=True)
def get_field_symbol(op: ops.GetFieldOp, lookup: Lookup) -> Complaint:
    symbol = op.field_name
    symbol_op = lookup(symbol)
    if not isinstance(symbol_op, ops.FieldOp):
        return f"field '{symbol}' not found in the class"
    type = type_property(symbol_op)
    if type == op.result.type:
        return None
    return f"result type '{op.result.type}' does not match field '{symbol}' type '{type}'"


VERIFY_SYMBOLS: Final[SymbolChecks] = {
    "emitc.call": callee_check("emitc.func"),
}
