"""Compiling and running a function, in a process of its own.

`Worker().run(request, limits)` is the whole interface: text of LLVM IR, a signature and JSON-like arguments in;
results, what was printed, times, or a failure with its reason out. See `outcome` for the data.

Who only speaks of limits or outcomes need not wait for the translation: what compiles is imported when it is asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from fathom.execution.outcome import (
    ArgumentProblem,
    Array,
    Check,
    Convention,
    Failure,
    FailureKind,
    Given,
    Json,
    Limits,
    RunOutcome,
    RunProblem,
    RunRequest,
)

if TYPE_CHECKING:
    from fathom.execution.argument_text import parse_arguments
    from fathom.execution.process import Worker
    from fathom.kept.folder import Kept

__all__ = [
    "ArgumentProblem",
    "Array",
    "Check",
    "Convention",
    "Failure",
    "FailureKind",
    "Given",
    "Json",
    "Limits",
    "RunOutcome",
    "RunProblem",
    "RunRequest",
    "Worker",
    "parse_arguments",
    "run",
]


_LATER: Final = {"Worker": "fathom.execution.process", "parse_arguments": "fathom.execution.argument_text"}


def __getattr__(name: str) -> Any:
    module = _LATER.get(name)
    if module is None:
        raise AttributeError(name)
    return getattr(import_module(module), name)


def run(request: RunRequest, limits: Limits | None = None, kept: Kept | None = None) -> RunOutcome:
    """Run one function in a worker made for it, with code that is kept, if it is. To run several, keep a `Worker`."""
    from fathom.execution.process import Worker

    with Worker(kept) as worker:
        return worker.run(request, limits)
