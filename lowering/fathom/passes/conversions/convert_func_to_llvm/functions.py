"""Lowers functions. Source of the rules: *LLVM IR Target*, "Calling Conventions"; *'func' Dialect*, `func.func`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.types import LLVMPointerType
from fathom.ir.attributes import (
    TRUE,
    UNIT,
    ArrayAttr,
    Attribute,
    DictAttr,
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
from fathom.passes.to_llvm import emit
from fathom.passes.to_llvm.calling_convention import uses_bare_pointers
from fathom.rewriting.pattern import Failure, named

if TYPE_CHECKING:
    from fathom.ir.operation import Block, Operation, Value
    from fathom.ir.types import FunctionType, Type
    from fathom.ops.func import FuncOp
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.conversion_rewriter import ConversionRewriter
    from fathom.rewriting.type_converter import SignatureConversion

C_INTERFACE: Final = "llvm.emit_c_interface"
BY_POINTER: Final = frozenset({"llvm.byval", "llvm.byref"})
TYPED_ATTRIBUTES: Final = frozenset({"llvm.byval", "llvm.byref", "llvm.sret", "llvm.inalloca"})
"""Attributes of arguments that hold the type behind a pointer."""

NO_MEMORY: Final = UnknownAttr(
    "#llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, errnoMem = none, "
    "targetMem0 = none, targetMem1 = none>"
)


@named("FuncOpConversion")
def func(
    op: FuncOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
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
    pointees = pointees_of(op)
    converted = types.convert_function_type(type, varargs=varargs, bare=bare, by_pointer=pointees.keys())
    if converted is None:
        return Failure("a type in the signature has no LLVM type")
    llvm_type, signature = converted
    entry = op.body.first
    if entry is not None and len(entry.arguments) != len(type.inputs):
        return Failure("its body does not have the arguments of its type")
    wrapped = not bare and op.attributes.get(C_INTERFACE) == UNIT
    if wrapped and varargs:
        return Failure("C interface for variadic functions is not supported yet.", said_of=op)
    linkage = op.attributes.get(LINKAGE)
    if linkage is not None and linkage.full_name != LINKAGE:
        return Failure(f"Contains {LINKAGE} attribute not of type LLVM::LinkageAttr", said_of=op)
    if op.attributes.get(READNONE, UNIT) != UNIT:
        return Failure(f"Contains {READNONE} attribute not of type UnitAttr", said_of=op)
    new = new_function(rewriter, op, op.sym_name, llvm_type, linkage)
    if READNONE in op.attributes:
        new.properties["memory_effects"] = NO_MEMORY
    _carry_argument_attributes(op, new, signature, types)
    rewriter.inline_region_before(op.body, new.body, None)
    if entry is not None:
        new_entry = rewriter.convert_block_signature(entry, signature)
        _load_pointees(rewriter, types, new_entry, type, signature, pointees)
    if wrapped:
        wrap = wrap_definition if entry is not None else wrap_external
        wrap(rewriter, types, op, new)
    rewriter.erase(op)
    return None


def pointees_of(op: FuncOp) -> dict[int, Type]:
    """What arguments that are passed by value or by reference point to, by their numbers."""
    pointees: dict[int, Type] = {}
    for index, entry in enumerate(op.arg_attrs.elements if op.arg_attrs is not None else ()):
        entries = entry.entries if isinstance(entry, DictAttr) else ()
        pointee = next((value for name, value in entries if name in BY_POINTER), None)
        if isinstance(pointee, TypeAttr):
            pointees[index] = pointee.type
    return pointees


def _load_pointees(
    rewriter: ConversionRewriter,
    types: LLVMTypeConverter,
    entry: Block,
    type: FunctionType,
    signature: SignatureConversion,
    pointees: Mapping[int, Type],
) -> None:
    """The body sees what stands behind the pointers that arguments were made, unless they had been pointers.

        func.func @f(%x: i32 {llvm.byval = i32}) { use(%x) }
    ->
        llvm.func @f(%p: !llvm.ptr {llvm.byval = i32}) { %x = llvm.load %p : !llvm.ptr -> i32   use(%x) }
    """
    with rewriter.elsewhere():
        rewriter.set_insertion_to_start(entry)
        for index, pointee in pointees.items():
            first, count = signature.ranges[index]
            loaded = types.convert(pointee)
            if count != 1 or loaded is None or isinstance(types.convert(type.inputs[index]), LLVMPointerType):
                continue
            argument = entry.arguments[first]
            rewriter.span, rewriter.location = argument.span, argument.location
            rewriter.replace_argument(entry, first, [emit.load(rewriter, loaded, argument)])


def _carry_argument_attributes(
    op: FuncOp, new: Operation, signature: SignatureConversion, types: LLVMTypeConverter
) -> None:
    """The attributes of an argument that stays one argument, and of an only result. Those of a memref that becomes
    several arguments would not fit them, and are dropped."""
    if op.arg_attrs is not None:
        attributes: list[Attribute] = [DictAttr(())] * len(signature.types)
        for entry, (first, count) in zip(op.arg_attrs.elements, signature.ranges, strict=True):
            if count == 1 and isinstance(entry, DictAttr):
                attributes[first] = convert_typed(entry, types)
        new.properties["arg_attrs"] = ArrayAttr(tuple(attributes))
    if op.res_attrs is not None and len(function_type(op).results) == 1:
        new.properties["res_attrs"] = op.res_attrs


def convert_typed(attributes: DictAttr, types: LLVMTypeConverter) -> DictAttr:
    """Converts the types in the attributes that say what an argument points to."""
    return DictAttr(tuple((name, _convert_typed(name, value, types)) for name, value in attributes.entries))


def _convert_typed(name: str, value: Attribute, types: LLVMTypeConverter) -> Attribute:
    if name not in TYPED_ATTRIBUTES or not isinstance(value, TypeAttr):
        return value
    converted = types.convert(value.type)
    return TypeAttr(converted) if converted is not None else value
