"""How a transform ends that does not succeed.

A *silenceable* failure left the program as it was, so that whoever tries several ways goes on with the next; after a
*definite* one nobody does. Both end the function that applies the operation, and are data for whoever called that.

Source of the rules: *Transform Dialect*, "Error Handling".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.diagnostics import REFUSED_BY_PASS, Diagnostic, Note
from fathom.ir.operation import BlockArgument, Operation, OpResult, Value
from fathom.records import replace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.diagnostics import Severity
    from fathom.ir.operation import Span

    Place = Operation | Value | None


class SilenceableFailure(Exception):
    """Nothing was changed; what is wrong is said if nobody silences it."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        super().__init__()
        self.diagnostics = list(diagnostics)

    @property
    def message(self) -> str:
        """What is wrong, in one text."""
        return "\n".join(diagnostic.message for diagnostic in self.diagnostics)

    def note(self, message: str, place: Place = None) -> SilenceableFailure:
        """Adds a note to what was said last."""
        last = self.diagnostics[-1]
        self.diagnostics[-1] = replace(last, notes=(*last.notes, noted(message, place, last.span)))
        return self


class DefiniteFailure(Exception):
    """The program may be in any state."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        super().__init__()
        self.diagnostics = list(diagnostics)


def span_of(place: Place) -> Span | None:
    """Where an operation or a value comes from."""
    if isinstance(place, OpResult):
        return place.op.span
    return place.span if isinstance(place, (Operation, BlockArgument)) else None


def noted(message: str, place: Place, otherwise: Span | None = None) -> Note:
    """A note at a place."""
    return Note(message, span_of(place) if place is not None else otherwise)


def said(message: str, place: Place, *notes: tuple[str, Place], severity: Severity = "error") -> Diagnostic:
    """A finding at a place, with notes at places of their own, or at the same one."""
    span = span_of(place)
    code = REFUSED_BY_PASS if severity == "error" else ""
    return Diagnostic(message, span, severity, code, tuple(noted(text, where, span) for text, where in notes))
