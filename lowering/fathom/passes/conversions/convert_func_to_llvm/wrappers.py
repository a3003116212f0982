"""The functions that C code can call, or that call C code: memrefs go by pointer to a struct.

`llvm.emit_c_interface` on `@f` adds `@_mlir_ciface_f`, whose memref arguments are pointers to descriptors, and which
writes a result that is a struct through a pointer in front.
Source of the rules: *LLVM IR Target*, "C-compatible Wrapper Emission".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.attributes import linkage
from fathom.dialects.llvm.types import PTR, VOID, LLVMFunctionType, LLVMStructType
from fathom.ir.attributes import ArrayAttr, DictAttr, StringAttr
from fathom.ir.types import FunctionType, MemRefType, Type
from fathom.passes.conversions.convert_func_to_llvm.signatures import function_type, new_function
from fathom.passes.to_llvm import emit
from fathom.passes.to_llvm.descriptors import pack_descriptor, unpack_descriptor

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.ops import func, llvm
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.passes.to_llvm.llvm_types import LLVMTypes
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

PREFIX: Final = "_mlir_ciface_"


def wrapper_type(type: FunctionType, types: LLVMTypes) -> tuple[LLVMFunctionType, LLVMStructType | None]:
    """The wrapper's type, and the struct that it returns through its first argument, if it does."""
    result = types.pack_results(type.results) or VOID
    params: list[Type] = []
    struct = result if isinstance(result, LLVMStructType) else None
    if struct is not None:
        params.append(PTR)
        result = VOID
    params += [PTR if isinstance(input, MemRefType) else types.convert(input) or PTR for input in type.inputs]
    return LLVMFunctionType(result, tuple(params)), struct


def _new_wrapper(
    rewriter: ConversionRewriter, op: func.FuncOp, type: LLVMFunctionType, struct: LLVMStructType | None
) -> llvm.FuncOp:
    wrapper = new_function(rewriter, op, StringAttr(PREFIX + op.sym_name.value), type)
    if struct is None and op.res_attrs is not None:
        wrapper.properties["res_attrs"] = op.res_attrs
    if op.arg_attrs is not None:
        front = (DictAttr(()),) if struct is not None else ()
        wrapper.properties["arg_attrs"] = ArrayAttr(front + op.arg_attrs.elements)
    return wrapper


def wrap_definition(
    rewriter: ConversionRewriter, types: LLVMTypeConverter, op: func.FuncOp, function: llvm.FuncOp
) -> None:
    """For C to call a lowered function `@f`, a function that takes pointers:

        llvm.func @_mlir_ciface_f(%result: !llvm.ptr, %m: !llvm.ptr) {
          %d = llvm.load %m : !llvm.ptr -> !llvm.struct<(…)>
          %r = llvm.call @f(%d[0], %d[1], …)
          llvm.store %r, %result
          llvm.return
        }

    The last store is only there where the result is a struct.
    """
    type = function_type(op)
    wrapped, struct = wrapper_type(type, types)
    wrapper = _new_wrapper(rewriter, op, wrapped, struct)
    with rewriter.elsewhere():
        entry = rewriter.create_block(wrapper.body, None, wrapped.params)
        given = entry.arguments[1:] if struct is not None else entry.arguments
        arguments: list[Value] = []
        for argument, input in zip(given, type.inputs, strict=True):
            if not isinstance(input, MemRefType):
                arguments.append(argument)
                continue
            descriptor = types.convert(input)
            assert descriptor is not None
            loaded = emit.load(rewriter, descriptor, argument)
            arguments += unpack_descriptor(rewriter, loaded, input)
        results = _call(rewriter, function, arguments)
        if struct is not None:
            emit.store(rewriter, results[0], entry.arguments[0])
            results = []
        rewriter.create("llvm.return", results)


def wrap_external(
    rewriter: ConversionRewriter, types: LLVMTypeConverter, op: func.FuncOp, function: llvm.FuncOp
) -> None:
    """For lowered code to call a C function: the declared function gets a body that calls it.

        llvm.func private @f(%p: !llvm.ptr, …) -> f32 {
          %d = { %p, … },  %m = llvm.alloca 1 x !llvm.struct<(…)>,  llvm.store %d, %m
          %r = llvm.call @_mlir_ciface_f(%m) : (!llvm.ptr) -> f32
          llvm.return %r : f32
        }
        llvm.func @_mlir_ciface_f(!llvm.ptr) -> f32

    A result that is a struct comes back through a pointer in front.
    """
    type = function_type(op)
    wrapped, struct = wrapper_type(type, types)
    wrapper = _new_wrapper(rewriter, op, wrapped, struct)
    function.properties["linkage"] = linkage("private")
    with rewriter.elsewhere():
        entry = rewriter.create_block(function.body, None, _type_of(function).params)
        arguments: list[Value] = []
        if struct is not None:
            arguments.append(emit.alloca(rewriter, struct, emit.index_constant(rewriter, types.index, 1)))
        rest: list[Value] = list(entry.arguments)
        for input in type.inputs:
            if not isinstance(input, MemRefType):
                arguments.append(rest.pop(0))
                continue
            count = len(types.convert_argument(input, bare=False) or ())
            fields, rest = rest[:count], rest[count:]
            packed = pack_descriptor(rewriter, types, input, fields)
            one = emit.index_constant(rewriter, types.index, 1)
            pointer = emit.alloca(rewriter, packed.type, one)
            emit.store(rewriter, packed, pointer)
            arguments.append(pointer)
        results = _call(rewriter, wrapper, arguments)
        if struct is not None:
            results = [emit.load(rewriter, struct, arguments[0])]
        rewriter.create("llvm.return", results)


def _type_of(function: llvm.FuncOp) -> LLVMFunctionType:
    type = function.function_type.type
    assert isinstance(type, LLVMFunctionType), "a function has the type of one"
    return type


def _call(rewriter: ConversionRewriter, function: llvm.FuncOp, arguments: list[Value]) -> list[Value]:
    result = _type_of(function).result
    results = [] if result == VOID else [result]
    return list(emit.call(rewriter, function.sym_name.value, arguments, results).results)
