"""The functions of the async runtime, and the operations that become calls of them.

`fathom run` has these functions (`fathom.execution.runtime_async`). Source of the rules: the interface of MLIR 22's
async runtime, and the behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.types import PTR, VOID, LLVMFunctionType
from fathom.ir.attributes import StringAttr, SymbolRefAttr, TypeAttr, i64_attr
from fathom.ir.operation import Block, Operation, Region, Value
from fathom.ir.types import I1, I64, INDEX, FunctionType, Type
from fathom.passes.asynchronous.types import GROUP, TOKEN, VALUE, payload_of, type_of
from fathom.passes.to_llvm import emit
from fathom.passes.to_llvm.runtime_functions import nearest_symbol_table
from fathom.rewriting.pattern import Failure, Pattern
from fathom.rewriting.rewriter import Rewriter
from fathom.rewriting.symbol_names import SymbolNames

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.ops import async_ as ops
    from fathom.passes.conversions.convert_async_to_llvm.types import AsyncTypes
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

RESUME: Final = "__resume"
"""The function that resumes a coroutine, which the runtime is given the address of."""


def _function(name: str) -> str:
    return f"mlirAsyncRuntime{name}"


def _functions() -> dict[str, FunctionType]:
    """The types of the runtime's functions, in the order in which they are declared."""
    token, group = type_of("TokenType"), type_of("GroupType")
    types: dict[str, tuple[tuple[Type, ...], tuple[Type, ...]]] = {
        "AddRef": ((PTR, I64), ()),
        "DropRef": ((PTR, I64), ()),
        "CreateToken": ((), (token,)),
        "CreateValue": ((I64,), (PTR,)),
        "CreateGroup": ((I64,), (group,)),
        "EmplaceToken": ((token,), ()),
        "EmplaceValue": ((PTR,), ()),
        "SetTokenError": ((token,), ()),
        "SetValueError": ((PTR,), ()),
        "IsTokenError": ((token,), (I1,)),
        "IsValueError": ((PTR,), (I1,)),
        "IsGroupError": ((group,), (I1,)),
        "AwaitToken": ((token,), ()),
        "AwaitValue": ((PTR,), ()),
        "AwaitAllInGroup": ((group,), ()),
        "Execute": ((PTR, PTR), ()),
        "GetValueStorage": ((PTR,), (PTR,)),
        "AddTokenToGroup": ((token, group), (I64,)),
        "AwaitTokenAndExecute": ((token, PTR, PTR), ()),
        "AwaitValueAndExecute": ((PTR, PTR, PTR), ()),
        "AwaitAllInGroupAndExecute": ((group, PTR, PTR), ()),
    }
    declared = {_function(name): FunctionType(*type) for name, type in types.items()}
    return declared | {NUM_WORKER_THREADS: FunctionType((), (INDEX,))}


NUM_WORKER_THREADS: Final = "mlirAsyncRuntimGetNumWorkerThreads"
"""So it is spelt."""


def declare_functions(module: Operation, context: Context) -> None:
    """Declares, at the end of a module, the functions of the runtime that it has no symbol of that name for."""
    rewriter, symbols = Rewriter(context), SymbolNames(module, ())
    rewriter.set_insertion_to_end(module.regions[0].entry)
    rewriter.stand_in(module)
    for name, type in _functions().items():
        if symbols.get(name) is None:
            properties = {
                "function_type": TypeAttr(type),
                "sym_name": StringAttr(name),
                "sym_visibility": StringAttr("private"),
            }
            rewriter.create("func.func", properties=properties, regions=[Region()])


def _call(
    rewriter: ConversionRewriter, function: str, operands: Sequence[Value], results: Sequence[Type] = ()
) -> Operation:
    return rewriter.create("func.call", operands, results, {"callee": SymbolRefAttr(function)})


# ---- patterns


def patterns(types: AsyncTypes, stored: LLVMTypeConverter) -> list[Pattern]:
    """What is stored in values has the types that `stored` gives it."""
    table: dict[str, tuple[Callable[..., Failure | None], str]] = {
        "set_available": (_by_type(_EMPLACE), "RuntimeSetAvailableOpLowering"),
        "set_error": (_by_type(_SET_ERROR), "RuntimeSetErrorOpLowering"),
        "is_error": (_by_type(_IS_ERROR, (I1,)), "RuntimeIsErrorOpLowering"),
        "await": (_by_type(_AWAIT), "RuntimeAwaitOpLowering"),
        "await_and_resume": (_await_and_resume, "RuntimeAwaitAndResumeOpLowering"),
        "resume": (_resume, "RuntimeResumeOpLowering"),
        "add_to_group": (_add_to_group, "RuntimeAddToGroupOpLowering"),
        "num_worker_threads": (_num_worker_threads, "RuntimeNumWorkerThreadsOpLowering"),
        "add_ref": (_counting("AddRef"), "RuntimeAddRefOpLowering"),
        "drop_ref": (_counting("DropRef"), "RuntimeDropRefOpLowering"),
    }
    with_storage: dict[str, tuple[Callable[..., Failure | None], str]] = {
        "create": (_create, "RuntimeCreateOpLowering"),
        "create_group": (_create_group, "RuntimeCreateGroupOpLowering"),
        "store": (_store, "RuntimeStoreOpLowering"),
        "load": (_load, "RuntimeLoadOpLowering"),
    }
    return [
        Pattern(f"async.runtime.{op}", rewrite, converter, name=name)
        for converter, rows in ((types, table), (stored, with_storage))
        for op, (rewrite, name) in rows.items()
    ]


_EMPLACE: Final = {TOKEN: "EmplaceToken", VALUE: "EmplaceValue"}
_SET_ERROR: Final = {TOKEN: "SetTokenError", VALUE: "SetValueError"}
_IS_ERROR: Final = {TOKEN: "IsTokenError", VALUE: "IsValueError", GROUP: "IsGroupError"}
_AWAIT: Final = {TOKEN: "AwaitToken", VALUE: "AwaitValue", GROUP: "AwaitAllInGroup"}
_AWAIT_AND_EXECUTE: Final = {
    TOKEN: "AwaitTokenAndExecute",
    VALUE: "AwaitValueAndExecute",
    GROUP: "AwaitAllInGroupAndExecute",
}


def _by_type(functions: Mapping[str, str], results: Sequence[Type] = ()) -> Callable[..., Failure | None]:
    """The call of the function that is for the operand's type."""

    def rewrite(op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
        function = _function(functions[op.operands[0].type.full_name])
        rewriter.replace(op, _call(rewriter, function, operands, results).results)
        return None

    return rewrite


def _counting(function: str) -> Callable[..., Failure | None]:
    def rewrite(
        op: ops.RuntimeAddRefOp | ops.RuntimeDropRefOp, operands: Sequence[Value], rewriter: ConversionRewriter
    ) -> Failure | None:
        count = rewriter.constant(i64_attr(op.count.value), I64)
        _call(rewriter, _function(function), [*operands, count])
        rewriter.erase(op)
        return None

    return rewrite


def _await_and_resume(
    op: ops.RuntimeAwaitAndResumeOp, operands: Sequence[Value], rewriter: ConversionRewriter
) -> Failure | None:
    function = _function(_AWAIT_AND_EXECUTE[op.operand.type.full_name])
    _call(rewriter, function, [*operands, _address_of_resume(op, rewriter)])
    rewriter.erase(op)
    return None


def _resume(op: ops.RuntimeResumeOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    _call(rewriter, _function("Execute"), [*operands, _address_of_resume(op, rewriter)])
    rewriter.erase(op)
    return None


def _address_of_resume(op: Operation, rewriter: ConversionRewriter) -> Value:
    """The address of the function that resumes a coroutine, which is made where there is none of the name:

    llvm.func private @__resume(%handle: !llvm.ptr) {
      llvm.intr.coro.resume %handle : !llvm.ptr
      llvm.return
    }
    """
    table = nearest_symbol_table(op)
    if rewriter.symbols_in(table).get(RESUME) is None:
        _define_resume(table, rewriter)
    return rewriter.create("llvm.mlir.addressof", (), [PTR], {"global_name": SymbolRefAttr(RESUME)}).result


def _define_resume(table: Operation, rewriter: ConversionRewriter) -> None:
    entry = Block([PTR])
    (handle,) = entry.arguments
    handle.span, handle.location = table.span, table.location
    with rewriter.elsewhere():
        rewriter.set_insertion_to_end(table.regions[0].entry)
        rewriter.stand_in(table)
        properties = {
            "function_type": TypeAttr(LLVMFunctionType(VOID, (PTR,))),
            "sym_name": StringAttr(RESUME),
            "sym_visibility": StringAttr("private"),
        }
        rewriter.create("llvm.func", properties=properties, regions=[Region([entry])])
        rewriter.set_insertion_to_end(entry)
        rewriter.create("llvm.intr.coro.resume", [handle])
        rewriter.create("llvm.return")


def _add_to_group(
    op: ops.RuntimeAddToGroupOp, operands: Sequence[Value], rewriter: ConversionRewriter
) -> Failure | None:
    if op.operand.type.full_name != TOKEN:
        return Failure("only token type is supported")
    rewriter.replace(op, _call(rewriter, _function("AddTokenToGroup"), operands, [I64]).results)
    return None


def _num_worker_threads(op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    rewriter.replace(op, _call(rewriter, NUM_WORKER_THREADS, (), [INDEX]).results)
    return None


# ---- with storage


def _held(rewriter: ConversionRewriter, type: Type) -> Type | None:
    """The type in memory of what is stored in a value."""
    return rewriter.types.convert(type) if rewriter.types is not None else None


def _create(op: ops.RuntimeCreateOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    """A token; or a value with room for what it is of."""
    type = op.result.type
    payload = payload_of(type)
    if payload is None:
        made = _call(rewriter, _function("CreateToken"), (), [PTR])
    else:
        held = _held(rewriter, payload)
        if held is None:
            return Failure("failed to convert stored value type to LLVM type")
        made = _call(rewriter, _function("CreateValue"), [emit.size_of(rewriter, I64, held)], [type])
    rewriter.replace(op, made.results)
    return None


def _create_group(
    op: ops.RuntimeCreateGroupOp, operands: Sequence[Value], rewriter: ConversionRewriter
) -> Failure | None:
    rewriter.replace(op, _call(rewriter, _function("CreateGroup"), operands, [PTR]).results)
    return None


def _store(op: ops.RuntimeStoreOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    value, storage = operands
    pointer = _call(rewriter, _function("GetValueStorage"), [storage], [PTR]).result
    emit.store(rewriter, value, pointer)
    rewriter.erase(op)
    return None


def _load(op: ops.RuntimeLoadOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    held = _held(rewriter, op.result.type)
    if held is None:
        return Failure("failed to convert loaded value type to LLVM type")
    pointer = _call(rewriter, _function("GetValueStorage"), operands, [PTR]).result
    rewriter.replace(op, [emit.load(rewriter, held, pointer)])
    return None
