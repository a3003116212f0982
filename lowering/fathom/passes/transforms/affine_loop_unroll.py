"""`affine-loop-unroll`: several iterations of affine loops in one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.passes.definition import FUNCTION, Pass
from fathom.passes.options import BOOL, LONG, UINT, NotGiven, option
from fathom.records import record

if TYPE_CHECKING:
    from collections.abc import Callable

    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation
    from fathom.ops.affine import ForOp
    from fathom.rewriting.rewriter import Rewriter

FULLY: Final = -1
"""The factor that stands for as often as a loop runs."""


@record
class LoopUnroll(Pass):
    """The innermost loops get the body of `unroll-factor` iterations; those that are left have a loop of their own. A
    factor of -1 unrolls loops that are known to run so many times, and with `unroll-full-threshold` all loops that run
    no more often than that."""

    name = "affine-loop-unroll"
    summary = "unrolls affine loops"
    anchor = FUNCTION

    unroll_factor: int = option(4, "how many iterations become one; -1: all", LONG)
    unroll_up_to_factor: bool = option(False, "loops that run less often are unrolled fully", BOOL)
    unroll_num_reps: int = option(1, "how often this is done to the innermost loops", UINT)
    unroll_full_threshold: int = option(NotGiven(1), "how often loops run at most that are unrolled fully", UINT)
    cleanup_unroll: bool = option(False, "loops are unrolled fully where iterations would be left", BOOL)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.diagnostics import PIPELINE, Diagnostic
        from fathom.passes.affine.unrolling import unroll_innermost, unroll_short
        from fathom.rewriting.rewriter import Rewriter

        factor = self.unroll_factor
        if factor <= 0 and factor != FULLY:
            message = "Invalid option: 'unroll-factor' should be greater than 0 or equal to -1"
            return [Diagnostic(message, op.span, code=PIPELINE)]
        rewriter = Rewriter(context)
        if factor == FULLY and not isinstance(self.unroll_full_threshold, NotGiven):
            unroll_short(op, self.unroll_full_threshold, rewriter)
        else:
            unroll_innermost(op, self._unroll(rewriter), self.unroll_num_reps)
        return []

    def _unroll(self, rewriter: Rewriter) -> Callable[[ForOp], str | None]:
        """What is done to a loop, which says why if that cannot be."""
        from fathom.passes.affine import unrolling

        factor = self.unroll_factor
        if factor == FULLY:
            return lambda loop: unrolling.unroll_fully(loop, rewriter)
        if self.unroll_up_to_factor:
            return lambda loop: unrolling.unroll_up_to(loop, factor, rewriter)
        return lambda loop: unrolling.unroll(loop, factor, rewriter, whole=self.cleanup_unroll)
