"""Why a pass failed that ran too early, and what would have it succeed: by the codes of what it says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from fathom.diagnostics import LINALG_BODY, Diagnostic, Note
from fathom.passes.leftovers.causes import Cause
from fathom.passes.leftovers.removers import Step, last_of, place_for, rewriters
from fathom.records import replace

if TYPE_CHECKING:
    from fathom.passes.leftovers.history import History


def explained(found: Diagnostic, index: int, history: History) -> Diagnostic:
    """An error of the pass at an index of the pipeline, with its cause, if that is known."""
    cause = cause_of_failure(found, index, history)
    if cause is None:
        return found
    return replace(found, notes=(*found.notes, Note(cause.reason, hint=True), Note(cause.remedy, hint=True)))


def cause_of_failure(found: Diagnostic, index: int, history: History) -> Cause | None:
    """The cause of an error; None where a change of passes would not help."""
    explain = _FAILURES.get(found.code)
    return explain(index, history) if explain is not None and index < len(history.passes) else None


def _converted_body(index: int, history: History) -> Cause:
    """A pass converted the body of a structured operation, which has to compute what that says it does."""
    loops, who = rewriters("linalg.generic")[0], history.passes[index].name
    reason = f"--{who} converted the operations in its body, by which it is known"
    step = Step(loops, place_for(loops, history, None), last_of((loops,), history))
    return Cause(LINALG_BODY, reason, f"run --{loops} before --{who}", (step,))


_FAILURES: Final[Mapping[str, Callable[[int, History], Cause]]] = MappingProxyType({LINALG_BODY: _converted_body})
