"""The operations of coroutines, as intrinsics of LLVM.

Source of the rules: *Coroutines in LLVM*, "Intrinsics", and the behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.dialects.cf.switches import switch_properties
from fathom.dialects.llvm.types import PTR
from fathom.ir.attributes import FALSE
from fathom.ir.types import I1, I8, I32, I64
from fathom.passes.conversions.convert_async_to_llvm.types import TOKEN
from fathom.passes.to_llvm import emit
from fathom.passes.to_llvm.runtime_functions import declare
from fathom.rewriting.pattern import Failure, Pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Operation, Value
    from fathom.ops.async_ import CoroSuspendOp
    from fathom.passes.conversions.convert_async_to_llvm.types import AsyncTypes
    from fathom.rewriting.conversion_rewriter import ConversionRewriter


def patterns(types: AsyncTypes) -> list[Pattern]:
    return [
        Pattern("async.coro.id", _identify, types, name="CoroIdOpConversion"),
        Pattern("async.coro.begin", _begin, types, name="CoroBeginOpConversion"),
        Pattern("async.coro.free", _free, types, name="CoroFreeOpConversion"),
        Pattern("async.coro.end", _end, types, name="CoroEndOpConversion"),
        Pattern("async.coro.save", _save, types, name="CoroSaveOpConversion"),
        Pattern("async.coro.suspend", _suspend, types, name="CoroSuspendOpConversion"),
    ]


def _identify(op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    alignment = emit.i32(rewriter, 0)
    null = emit.null(rewriter, PTR)
    rewriter.replace_with(op, "llvm.intr.coro.id", [alignment, null, null, null], [TOKEN])
    return None


def _begin(op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    """The frame stands in memory of `aligned_alloc`, whose size is a multiple of the alignment."""
    size = rewriter.create("llvm.intr.coro.size", (), [I64]).result
    alignment = rewriter.create("llvm.intr.coro.align", (), [I64]).result
    size = emit.sub(rewriter, emit.add(rewriter, size, alignment), emit.i64(rewriter, 1))
    mask = emit.sub(rewriter, emit.i64(rewriter, 0), alignment)
    size = rewriter.create("llvm.and", [size, mask], [I64]).result
    function = declare(rewriter, op, "aligned_alloc", [I64, I64], PTR, renamed=False)
    if isinstance(function, Failure):
        return function
    memory = emit.call(rewriter, function, [alignment, size], [PTR]).result
    rewriter.replace_with(op, "llvm.intr.coro.begin", [*operands, memory], [PTR])
    return None


def _free(op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    memory = rewriter.create("llvm.intr.coro.free", operands, [PTR]).result
    function = declare(rewriter, op, "free", [PTR], renamed=False)
    if isinstance(function, Failure):
        return function
    emit.call(rewriter, function, [memory])
    rewriter.erase(op)
    return None


def _end(op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    unwinds = emit.constant(rewriter, I1, FALSE)
    nothing = rewriter.create("llvm.mlir.none", (), [TOKEN]).result
    rewriter.create("llvm.intr.coro.end", [*operands, unwinds, nothing], [I1])
    rewriter.erase(op)
    return None


def _save(op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    rewriter.replace_with(op, "llvm.intr.coro.save", operands, [TOKEN])
    return None


def _suspend(op: CoroSuspendOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    """
        async.coro.suspend %state, ^suspend, ^resume, ^cleanup
    becomes
        %0 = llvm.intr.coro.suspend %state, %false : i8
        %1 = llvm.sext %0 : i8 to i32
        llvm.switch %1 : i32, ^suspend [0: ^resume, 1: ^cleanup]
    """
    is_last = emit.constant(rewriter, I1, FALSE)
    where = rewriter.create("llvm.intr.coro.suspend", [*operands, is_last], [I8]).result
    flag = emit.cast(rewriter, "llvm.sext", where, I32)
    blocks = [op.suspendDest, op.resumeDest, op.cleanupDest]
    rewriter.replace_with(
        op, "llvm.switch", [flag], properties=switch_properties(I32, [0, 1], [0, 0, 0]), successors=blocks
    )
    return None
