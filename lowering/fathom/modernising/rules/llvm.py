"""Rules for the LLVM dialect: pointers that say nothing of what is there, and what went from operands to attributes.

Source of the rules: *'llvm' Dialect* of the releases, "Built-in Type Compatibility" and the definitions of operations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from fathom.dialects.llvm.types import (
    LLVMArrayType,
    LLVMFunctionType,
    LLVMPointerType,
    LLVMStructType,
)
from fathom.ir.attributes import (
    ArrayAttr,
    Attribute,
    DenseArrayAttr,
    DenseElementsAttr,
    DictAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    TypeAttr,
    UnitAttr,
)
from fathom.ir.operation import Operation, Value
from fathom.ir.types import I1, I32, Type, VectorType
from fathom.modernising.former_types import element_of, pointee_of
from fathom.modernising.reading import attribute_of
from fathom.modernising.rewriting import CannotSay, OpRule, Rewriting

DYNAMIC_INDEX: Final = -(2**31)
"""Stands in `rawConstantIndices` for an index that is an operand."""
INBOUNDS: Final = IntegerAttr(3, I32)
"""`inbounds`, and what it implies, as flags."""


def _alloca(op: Operation, rewriting: Rewriting) -> None:
    """%0 = llvm.alloca %n x f32 : (i64) -> !llvm.ptr<f32>   ->   … : (i64) -> !llvm.ptr, with `elem_type`."""
    pointee = pointee_of(op.result.type)
    if pointee is not None:
        op.properties["elem_type"] = TypeAttr(pointee)


def _getelementptr(op: Operation, rewriting: Rewriting) -> None:
    """The element type becomes an attribute, and indices into structs constants."""
    base, *indices = op.operands
    pointee = pointee_of(base.type)
    if pointee is not None:
        op.properties["elem_type"] = TypeAttr(pointee)
    element = op.properties.get("elem_type")
    if not isinstance(element, TypeAttr):
        return
    given = op.properties.pop("structIndices", None)
    raw = op.properties.get("rawConstantIndices")
    if isinstance(raw, DenseArrayAttr):
        known = list(raw.values)
    elif isinstance(given, DenseElementsAttr):
        known = _values(given)
    else:
        known = [DYNAMIC_INDEX] * len(indices)
    op.properties["rawConstantIndices"] = _raw_indices(op, element.type, known, indices)


def _values(elements: DenseElementsAttr) -> list[int]:
    values = [value for value in elements.values if isinstance(value, int)]
    return values * elements.type.ranked_shape[0] if len(values) == 1 else values


def _raw_indices(op: Operation, element: Type, known: Sequence[int], indices: Sequence[Value]) -> DenseArrayAttr:
    left = list(indices)
    raw: list[int] = []
    kept: list[Value] = []
    at: Type | None = element
    for place, index in enumerate(known):
        number = index
        if index == DYNAMIC_INDEX and left:
            value = left.pop(0)
            if place and isinstance(at, LLVMStructType):
                number = _constant(value)
                if number is None:
                    raise CannotSay("an index into a struct is constant today, and this one is not known")
            else:
                kept.append(value)
        raw.append(number)
        if place:
            at = _inside(at, number)
    op.set_operands([op.operands[0], *kept])
    return DenseArrayAttr(I32, tuple(raw))


def _inside(type: Type | None, index: int) -> Type | None:
    match type:
        case LLVMStructType(body) if body is not None and 0 <= index < len(body):
            return body[index]
        case LLVMArrayType(_, element):
            return element
        case VectorType(_, element):
            return element
        case _:
            return None


def _constant(value: Value) -> int | None:
    """The number that a value is, if a constant defines it."""
    definer = value.defining_op
    if definer is None or definer.name not in ("llvm.mlir.constant", "arith.constant", "std.constant"):
        return None
    number = definer.properties.get("value", definer.attributes.get("value"))
    return number.value if isinstance(number, IntegerAttr) else None


def _inbounds(op: Operation, rewriting: Rewriting) -> None:
    if op.properties.pop("inbounds", op.attributes.pop("inbounds", None)) is not None:
        op.properties["noWrapFlags"] = INBOUNDS


def _bitcast(op: Operation, rewriting: Rewriting) -> None:
    """llvm.bitcast %p : !llvm.ptr<f32> to !llvm.ptr<i8>   ->   nothing."""
    value = op.operands[0]
    if (
        pointee_of(value.type) is not None
        and pointee_of(op.result.type) is not None
        and _space(value) == _space(op.result)
    ):
        rewriting.erase(op, [value])


def _space(value: Value) -> int:
    element = element_of(value.type)
    return element.address_space if isinstance(element, LLVMPointerType) else 0


def _call(op: Operation, rewriting: Rewriting) -> None:
    """A call of a function with variable arguments says its type; operands are in two groups."""
    callee = op.properties.get("callee", op.attributes.get("callee"))
    if "var_callee_type" not in op.properties and "callee_type" not in op.properties:
        type = _called_type(op, callee)
        if type is not None and type.varargs:
            op.properties["var_callee_type"] = TypeAttr(type)
    if (given := op.properties.pop("callee_type", None)) is not None:
        op.properties["var_callee_type"] = given


def _called_type(op: Operation, callee: Attribute | None) -> LLVMFunctionType | None:
    if isinstance(callee, SymbolRefAttr):
        table = op.parent_op
        while table is not None:
            for region in table.regions:
                for block in region.blocks:
                    for other in block:
                        name = other.properties.get("sym_name")
                        if other.name == "llvm.func" and getattr(name, "value", None) == callee.root:
                            type = other.properties.get("function_type", other.properties.get("type"))
                            return (
                                type.type
                                if isinstance(type, TypeAttr) and isinstance(type.type, LLVMFunctionType)
                                else None
                            )
            table = table.parent_op
        return None
    pointee = pointee_of(op.operands[0].type) if op.operands else None
    return pointee if isinstance(pointee, LLVMFunctionType) else None


def _func(op: Operation, rewriting: Rewriting) -> None:
    """Arguments that are passed by value, and such, say what they point to."""
    type = op.properties.pop("type", None)
    if type is not None:
        op.properties["function_type"] = type
    function = op.properties.get("function_type")
    given = op.properties.get("arg_attrs")
    if not isinstance(given, ArrayAttr) or not isinstance(function, TypeAttr):
        return
    if not isinstance(function.type, LLVMFunctionType):
        return
    arguments = zip(given.elements, function.type.params, strict=False)
    op.properties["arg_attrs"] = ArrayAttr(tuple(_with_pointee(attrs, type) for attrs, type in arguments))


_OF_A_TYPE: Final = frozenset(("llvm.byval", "llvm.sret", "llvm.byref", "llvm.inalloca"))


def _with_pointee(attributes: Attribute, type: Type) -> Attribute:
    pointee = pointee_of(type)
    if not isinstance(attributes, DictAttr) or pointee is None:
        return attributes
    entries = tuple(
        (name, TypeAttr(pointee) if name in _OF_A_TYPE and isinstance(value, UnitAttr) else value)
        for name, value in attributes.entries
    )
    return DictAttr(entries)


def _is_volatile(op: Operation, rewriting: Rewriting) -> None:
    """The last operand of the intrinsics that move memory became an attribute."""
    *operands, last = op.operands
    if last.type != I1:
        return
    number = _constant(last)
    if number is None:
        raise CannotSay(f"whether '{op.name}' is volatile is constant today, and this is not known")
    op.properties["isVolatile"] = IntegerAttr(number & 1, I1)
    op.set_operands(operands)


def _lifetime(op: Operation, rewriting: Rewriting) -> None:
    """llvm.intr.lifetime.start 16, %p   ->   llvm.intr.lifetime.start %p."""
    op.properties.pop("size", None)
    op.attributes.pop("size", None)


def _scope(op: Operation, rewriting: Rewriting) -> None:
    """The scope of all there is goes without saying."""
    scope = op.properties.get("syncscope")
    if isinstance(scope, StringAttr) and not scope.value:
        op.properties.pop("syncscope")


def _data(op: Operation, rewriting: Rewriting) -> None:
    """What is passed to functions that run before or after `main` is said: nothing."""
    if "data" not in op.properties:
        listed = op.properties.get("priorities")
        count = len(listed.elements) if isinstance(listed, ArrayAttr) else 0
        zero = attribute_of("#llvm.zero", rewriting.context)
        if zero is not None:
            op.properties["data"] = ArrayAttr((zero,) * count)


_COPIES: Final = ("memcpy", "memcpy.inline", "memmove", "memset")
RULES: Final[Mapping[tuple[int, str], OpRule]] = {
    (18, "llvm.alloca"): _alloca,
    (18, "llvm.getelementptr"): _getelementptr,
    (20, "llvm.getelementptr"): _inbounds,
    (18, "llvm.bitcast"): _bitcast,
    (18, "llvm.call"): _call,
    (18, "llvm.func"): _func,
    (18, "llvm.fence"): _scope,
    **{(17, f"llvm.intr.{name}"): _is_volatile for name in _COPIES},
    (21, "llvm.mlir.global_ctors"): _data,
    (21, "llvm.mlir.global_dtors"): _data,
    (22, "llvm.intr.lifetime.start"): _lifetime,
    (22, "llvm.intr.lifetime.end"): _lifetime,
}
