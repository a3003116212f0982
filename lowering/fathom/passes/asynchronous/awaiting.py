"""What stands in functions that are coroutines: it suspends them, fails, or gives what they make.

What awaits in a function that is none blocks the thread until the runtime has what is awaited.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import StringAttr
from fathom.ir.types import I1
from fathom.passes.arithmetic import binary, constant
from fathom.passes.asynchronous.coroutines import around
from fathom.passes.asynchronous.types import payload_of
from fathom.passes.branches import conditional_branch
from fathom.rewriting.pattern import Failure, Pattern
from fathom.rewriting.splitting import cannot_split

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Block, Operation, Value
    from fathom.ops.async_ import AwaitAllOp, AwaitOp, ReturnOp, YieldOp
    from fathom.ops.cf import AssertOp
    from fathom.passes.asynchronous.coroutines import Coroutine, Coroutines
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

NO_COROUTINE: Final = Failure("operation is not inside the async coroutine function")


def awaiting_patterns(coroutines: Coroutines, *, blocks: bool) -> list[Pattern]:
    """Patterns for what awaits, and for what else has another meaning in coroutines. What awaits elsewhere `blocks`, or
    stays."""

    def wait(op: AwaitOp | AwaitAllOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
        coroutine = around(op, coroutines)
        if coroutine is None and not blocks:
            return Failure("what awaits in a function that is no coroutine stays")
        if coroutine is None:
            _block(rewriter, operands[0])
        elif (failure := _suspend(rewriter, op, operands[0], coroutine)) is not None:
            return failure
        payload = payload_of(op.operand.type)
        if payload is None:
            rewriter.erase(op)
        else:
            rewriter.replace_with(op, "async.runtime.load", operands, [payload])
        return None

    def give(op: YieldOp | ReturnOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
        coroutine = around(op, coroutines)
        if coroutine is None:
            return NO_COROUTINE
        coroutine.finish(rewriter, operands)
        rewriter.erase(op)
        return None

    def require(op: AssertOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
        coroutine = around(op, coroutines)
        if coroutine is None or op.parent is None:
            return NO_COROUTINE
        if (failure := cannot_split(op)) is not None:
            return failure
        block, following = op.parent, rewriter.split_block(op.parent, op)
        rewriter.set_insertion_to_end(block)
        conditional_branch(rewriter, operands[0], following, [], coroutine.set_error(rewriter))
        rewriter.erase(op)
        return None

    return [
        Pattern("async.await", wait, name="AwaitOpLoweringBase"),
        Pattern("async.await_all", wait, name="AwaitAllOpLowering"),
        Pattern("async.yield", give, name="YieldOpLowering"),
        Pattern("async.return", give, name="AsyncReturnOpLowering"),
        Pattern("cf.assert", require, name="AssertOpLowering"),
    ]


def _block(rewriter: ConversionRewriter, awaited: Value) -> None:
    """Waits in the thread, and ends the program where what was awaited is in error."""
    rewriter.create("async.runtime.await", [awaited])
    is_error = _is_error(rewriter, awaited)
    is_there = binary(rewriter, "xori", is_error, constant(rewriter, 1, I1))
    message = {"msg": StringAttr("Awaited async operand is in error state")}
    rewriter.create("cf.assert", [is_there], properties=message)


def _suspend(rewriter: ConversionRewriter, op: Operation, awaited: Value, coroutine: Coroutine) -> Failure | None:
    """Suspends the coroutine before `op`, to go on when what it awaits is there; where that is in error, so is all that
    the coroutine gives. New operations come at the beginning of what follows then."""
    if (failure := cannot_split(op)) is not None:
        return failure
    before: Block | None = op.parent
    assert before is not None, "what can be split is a block"
    state = coroutine.save(rewriter)
    rewriter.create("async.runtime.await_and_resume", [awaited, coroutine.handle])
    resume = rewriter.split_block(before, op)
    rewriter.set_insertion_to_end(before)
    coroutine.suspend_into(rewriter, state, resume)
    following = rewriter.split_block(resume, op)
    rewriter.set_insertion_to_start(resume)
    is_error = _is_error(rewriter, awaited)
    conditional_branch(rewriter, is_error, coroutine.set_error(rewriter), [], following)
    rewriter.set_insertion_to_start(following)
    return None


def _is_error(rewriter: ConversionRewriter, awaited: Value) -> Value:
    return rewriter.create("async.runtime.is_error", [awaited], [I1]).result
