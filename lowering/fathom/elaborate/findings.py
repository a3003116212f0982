"""Noting what is wrong at a place of the text, with the statement that it stands in."""

from __future__ import annotations

from collections.abc import Callable

from fathom.diagnostics import ELABORATE, FURTHER, OVERRUN, Diagnostic, Note
from fathom.elaborate.failure import ElaborationFailure
from fathom.elaborate.sites import Place
from fathom.ir.operation import Span
from fathom.ir.types import Type
from fathom.syntax.nodes import Ref


def note(message: str, place: Place | None, *, hint: bool = False) -> tuple[Note, ...]:
    """A note at a token; none where there is no such token."""
    return (Note(message, place.span, hint),) if place is not None else ()


def report(
    message: str,
    place: Place,
    *notes: Note,
    code: str = ELABORATE,
    part: tuple[int, int] | None = None,
    follows_from: Diagnostic | None = None,
    types: tuple[Type, ...] = (),
) -> Diagnostic:
    """Notes an error at a token, or at a part of its characters, in its statement."""
    if code == ELABORATE and place.token >= len(place.site.piece.shape.tokens):
        code = OVERRUN
    span = place.span
    if part is not None:
        span = Span(span.first + part[0], span.first + part[1], place.site)
    finding = Diagnostic(message, span, "error", code, notes, follows_from=follows_from, types=types)
    place.site.find(finding)
    return finding


def report_failure(failure: ElaborationFailure, place_of: Callable[[Ref], Place]) -> None:
    """Notes what made elaboration fail; `place_of` finds the tokens that it blames. What is told where an alias is
    defined follows from a finding without a place."""
    notes = [Note(text) for text in failure.notes] + ([Note(failure.hint, hint=True)] if failure.hint else [])
    told = Diagnostic(failure.message, code=ELABORATE) if failure.told else None
    cause = report(failure.message, place_of(failure.place), *notes, part=failure.part, follows_from=told)
    for message, ref in failure.further:
        report(message, place_of(ref), code=FURTHER, follows_from=cause)
