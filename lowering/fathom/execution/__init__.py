"""Compiling and running a function, in a process of its own.

`Worker().run(request, limits)` is the whole interface: text of LLVM IR, a signature and JSON-like arguments in;
results, what was printed, times, or a failure with its reason out. See `outcome` for the data.
"""

from fathom.execution.arguments import parse_arguments
from fathom.execution.outcome import (
    ArgumentProblem,
    Failure,
    FailureKind,
    Json,
    Limits,
    RunOutcome,
    RunProblem,
    RunRequest,
)
from fathom.execution.process import Worker

__all__ = [
    "ArgumentProblem",
    "Failure",
    "FailureKind",
    "Json",
    "Limits",
    "RunOutcome",
    "RunProblem",
    "RunRequest",
    "Worker",
    "parse_arguments",
    "run",
]


def run(request: RunRequest, limits: Limits | None = None) -> RunOutcome:
    """Run one function in a worker made for it. To run several, keep a `Worker`."""
    with Worker() as worker:
        return worker.run(request, limits)
