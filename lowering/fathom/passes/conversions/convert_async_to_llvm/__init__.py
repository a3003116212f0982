"""`convert-async-to-llvm`: coroutines as intrinsics of LLVM, and calls of the async runtime.

%0 = async.runtime.create : !async.token            %0 = call @mlirAsyncRuntimeCreateToken() : () -> !llvm.ptr
async.runtime.await %0 : !async.token          ->   call @mlirAsyncRuntimeAwaitToken(%0) : (!llvm.ptr) -> ()
%1 = async.coro.save %handle                        %1 = llvm.intr.coro.save %handle : (!llvm.ptr) -> !llvm.token
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from fathom.ir.operation import MODULE
from fathom.passes.definition import Pass
from fathom.passes.transforms.async_func_to_async_runtime import AsyncFuncToAsyncRuntimePass
from fathom.passes.transforms.async_to_async_runtime import AsyncToAsyncRuntimePass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class ConvertAsyncToLLVMPass(Pass):
    """What is async becomes a pointer. The functions of the runtime are declared, whether they are called or not."""

    name = "convert-async-to-llvm"
    summary = "lowers async to calls of the async runtime, and to coroutines of LLVM"
    anchor = MODULE
    removes = ("async",)
    elsewhere = MappingProxyType(
        {
            name: f"--{earlier.name}"
            for earlier in (AsyncFuncToAsyncRuntimePass, AsyncToAsyncRuntimePass)
            for name in earlier.handles
        }
    )

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.conversions.convert_async_to_llvm import coroutines, runtime
        from fathom.passes.conversions.convert_async_to_llvm.types import AsyncTypes, converted
        from fathom.passes.function_signatures import convert_functions
        from fathom.passes.remarks import advice
        from fathom.passes.to_llvm.conversion import convert_to_llvm, llvm_target, type_converter

        runtime.declare_functions(op, context)
        types, stored = AsyncTypes(), type_converter(0, op)
        stored.conversions.append(converted)
        target = llvm_target().legal("arith.constant", "func.constant").illegal("async")
        patterns = [
            *convert_functions(target, types),
            *runtime.patterns(types, stored),
            *coroutines.patterns(types),
        ]
        return convert_to_llvm(op, target, patterns, stored, context, advice)
