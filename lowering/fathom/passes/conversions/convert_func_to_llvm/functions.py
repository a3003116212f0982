"""Lowers functions. Source of the rules: *LLVM IR Target*, "Calling Conventions"; *'func' Dialect*, `func.func`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.attributes import EXTERNAL
from fathom.ir.attributes import (
    TRUE,
    UNIT,
    ArrayAttr,
    Attribute,
    DictAttr,
    EnumAttr,
    StringAttr,
    TypeAttr,
    UnknownAttr,
)
from fathom.passes.conversions.convert_func_to_llvm.signatures import (
    LINKAGE,
    READNONE,
    VARARGS,
    function_type,
    new_function,
)
from fathom.passes.conversions.convert_func_to_llvm.wrappers import wrap_definition, wrap_external
from fathom.passes.to_llvm.calling_convention import uses_bare_pointers
from fathom.rewriting.pattern import Failure

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.conversion_rewriter import ConversionRewriter
    from fathom.rewriting.type_converter import SignatureConversion

C_INTERFACE: Final = "llvm.emit_c_interface"
TYPED_ATTRIBUTES: Final = frozenset({"llvm.byval", "llvm.byref", "llvm.sret", "llvm.inalloca"})
"""Attributes of arguments that hold the type behind a pointer."""

NO_MEMORY: Final = UnknownAttr(
    "#llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, errnoMem = none, "
    "targetMem0 = none, targetMem1 = none>"
)


def func(
    op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """The signature is converted, the body moves over; the arguments of its entry block follow the signature.

        func.func private @f(%m: memref<f32>, %x: i32 {llvm.noundef}) -> f32 { … }
    ->
        llvm.func @f(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: i64, %arg3: i32 {llvm.noundef}) -> f32
            attributes {sym_visibility = "private"} { … }
    """
    type = function_type(op)
    bare = uses_bare_pointers(op, types)
    varargs = op.attributes.get(VARARGS) == TRUE
    converted = types.convert_function_type(type, varargs=varargs, bare=bare)
    if converted is None:
        return Failure("a type in the signature has no LLVM type")
    llvm_type, signature = converted
    entry = op.regions[0].first
    if entry is not None and len(entry.arguments) != len(type.inputs):
        return Failure("its body does not have the arguments of its type")
    linkage = op.attributes.get(LINKAGE, EXTERNAL)
    if not isinstance(linkage, EnumAttr):
        return Failure(f"Contains {LINKAGE} attribute not of type LLVM::LinkageAttr")
    name = op.properties["sym_name"]
    new = new_function(rewriter, op, name, llvm_type, linkage)
    visibility = op.properties.get("sym_visibility")
    if visibility is not None and visibility != StringAttr("public"):
        new.properties["sym_visibility"] = visibility
    if READNONE in op.attributes:
        if op.attributes[READNONE] != UNIT:
            return Failure("Contains readnone attribute not of type UnitAttr")
        new.properties["memory_effects"] = NO_MEMORY
    _carry_argument_attributes(op, new, signature, types)
    rewriter.inline_region_before(op.regions[0], new.regions[0], None)
    if entry is not None:
        rewriter.convert_block_signature(entry, signature)
    if not types.options.use_bare_ptr_memref_call_conv and op.attributes.get(C_INTERFACE) == UNIT:
        if varargs:
            return Failure("C interface for variadic functions is not supported yet.")
        wrap = wrap_definition if entry is not None else wrap_external
        wrap(rewriter, types, op, new)
    rewriter.erase(op)
    return None


def _carry_argument_attributes(
    op: Operation, new: Operation, signature: SignatureConversion, types: LLVMTypeConverter
) -> None:
    """The attributes of an argument that stays one argument, and of an only result. Those of a memref that becomes
    several arguments would not fit them, and are dropped."""
    given = op.properties.get("arg_attrs")
    if isinstance(given, ArrayAttr):
        attributes: list[Attribute] = [DictAttr(())] * len(signature.types)
        for each, (first, count) in zip(given.elements, signature.ranges, strict=True):
            if count == 1 and isinstance(each, DictAttr):
                attributes[first] = convert_typed(each, types)
        new.properties["arg_attrs"] = ArrayAttr(tuple(attributes))
    results = op.properties.get("res_attrs")
    if results is not None and len(function_type(op).results) == 1:
        new.properties["res_attrs"] = results


def convert_typed(attributes: DictAttr, types: LLVMTypeConverter) -> DictAttr:
    """Converts the types in the attributes that say what an argument points to."""
    return DictAttr(tuple((name, _convert_typed(name, value, types)) for name, value in attributes.entries))


def _convert_typed(name: str, value: Attribute, types: LLVMTypeConverter) -> Attribute:
    if name not in TYPED_ATTRIBUTES or not isinstance(value, TypeAttr):
        return value
    converted = types.convert(value.type)
    return TypeAttr(converted) if converted is not None else value
