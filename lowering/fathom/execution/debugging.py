"""Programs for a debugger: each runs in this very process, which the debugger started, for as long as it takes, and
uncontained: what would hold for the program would hold for this process.

The linker that LLVM has for this, MCJIT, tells debuggers of what it loads, by the interface that GDB defines and LLDB
takes too. Source of the rules: *Debugging with GDB*, "JIT Compilation Interface".
"""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

from fathom.execution.outcome import Failure, Limits, RunOutcome, RunProblem
from fathom.execution.process import asked
from fathom.execution.results import outcome_of
from fathom.execution.runtime import STATUS_WORDS
from fathom.execution.started import refusal
from fathom.records import replace

if TYPE_CHECKING:
    from fathom.execution.outcome import RunRequest


def run_here(request: RunRequest, limits: Limits) -> RunOutcome:
    """Compiles and calls a function. A program that crashes ends this process, or stops in the debugger."""
    if (why := refusal()) is not None:
        return RunOutcome(Failure("worker-unavailable", why))
    from fathom.execution.compiler import DebuggedCompiler
    from fathom.execution.program import Program

    status = (ctypes.c_uint64 * STATUS_WORDS)()
    try:
        header, blob, image = asked(request, replace(limits, contained=False))
        return outcome_of(request, image, *Program(DebuggedCompiler(), header, blob, status).run(), limits)
    except RunProblem as problem:
        return RunOutcome(problem.failure)
