"""Tokens as streams and events of the runtime library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.gpu.types import ASYNC_TOKEN
from fathom.ops.llvm import CallOp
from fathom.passes.conversions.gpu_to_llvm.runtime import STREAM_CREATE, called, handle
from fathom.passes.to_llvm.patterns import Lower
from fathom.rewriting.pattern import Failure, defined_by, named

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.ops.async_ import YieldOp
    from fathom.ops.gpu import WaitOp
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.conversion_rewriter import ConversionRewriter


def _is_stream(value: Value) -> bool:
    """Whether a call made a stream here; what comes from elsewhere is an event."""
    call = defined_by(value, CallOp)
    return call is not None and call.callee is not None and call.callee.root == STREAM_CREATE


def _event(rewriter: ConversionRewriter, stream: Value) -> Value:
    """A new event, recorded in a stream."""
    event = handle(rewriter, "mgpuEventCreate", [])
    called(rewriter, "mgpuEventRecord", [event, stream])
    return event


def wait(
    op: WaitOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """`gpu.wait [%t]` waits for the stream or the event, and is done with it; `gpu.wait async [%t]` is a new stream
    that waits for it."""
    return _wait_async(op, operands, rewriter) if op.asyncToken is not None else _wait(op, operands, rewriter)


def _wait(op: WaitOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> None:
    for operand in operands:
        kind = "Stream" if _is_stream(operand) else "Event"
        called(rewriter, f"mgpu{kind}Synchronize", [operand])
        called(rewriter, f"mgpu{kind}Destroy", [operand])
    rewriter.erase(op)


def _wait_async(op: WaitOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> None:
    events: list[Value] = []
    for token, operand in zip(op.asyncDependencies, operands, strict=True):
        maker = token.defining_op
        if not _is_stream(operand) or maker is None:
            events.append(operand)
            continue
        with rewriter.elsewhere():
            rewriter.set_insertion_behind(maker)
            events.append(_event(rewriter, operand))
    stream = handle(rewriter, STREAM_CREATE, [])
    for event in events:
        called(rewriter, "mgpuStreamWaitEvent", [stream, event])
    for event in events:
        called(rewriter, "mgpuEventDestroy", [event])
    rewriter.replace(op, [stream])


@named("ConvertAsyncYieldToGpuRuntimeCallPattern")
def yield_(
    op: YieldOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """Tokens are streams inside of `async.execute`, and leave it as events that are recorded in them."""
    places = [place for place, operand in enumerate(op.operands) if operand.type == ASYNC_TOKEN]
    if not places:
        return Failure("no gpu async token operand")
    given = list(operands)
    for place in places:
        given[place] = _event(rewriter, operands[place])
    for stream in dict.fromkeys(operands[place] for place in places):
        called(rewriter, "mgpuStreamDestroy", [stream])
    rewriter.modify(op, lambda: op.set_operands(given))
    return None


STREAMS: Final[Mapping[str, Lower]] = {
    "gpu.wait": named("ConvertWaitOpToGpuRuntimeCallPattern")(wait),
    "async.yield": yield_,
}
