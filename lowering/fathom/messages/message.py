"""Messages as the tools print them: a diagnostic whose place is a location of a file, and whose notes are messages.

A diagnostic about an operation whose location the source wrote (`loc("a.py":3:4)`) is at that location; any other is
where its span is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from fathom.diagnostics import Diagnostic, Note
from fathom.ir.attributes import Attribute
from fathom.ir.locations import (
    CallSiteLoc,
    FileLineColLoc,
    FusedLoc,
    LocationAttr,
    NameLoc,
    UnknownLoc,
    nested_locations,
)
from fathom.ir.operation import Operation, Span
from fathom.records import record
from fathom.verify.printing import flags_for

if TYPE_CHECKING:
    from fathom.irdl.shown import Shown

MessageSeverity: TypeAlias = Literal["error", "warning", "remark", "note"]
Locate: TypeAlias = Callable[[Span], LocationAttr]

UNKNOWN: Final = UnknownLoc()
SEVERITIES: Final[dict[str, MessageSeverity]] = {
    "error": "error",
    "warning": "warning",
    "information": "remark",
    "hint": "remark",
}


@record
class Message:
    """One message. `marked` is how many characters from its place on are marked under the source line, at least
    one."""

    severity: MessageSeverity
    text: str
    location: LocationAttr = UNKNOWN
    notes: tuple[Message, ...] = ()
    marked: int = 1


def message_of(
    diagnostic: Diagnostic, locate: Locate, shown: Shown, *, whole: LocationAttr, current_operation: bool
) -> Message:
    """The message of a diagnostic. `whole` is the location of what has no span.

    With `current_operation` the first note shows the operation that the diagnostic is about.
    """
    location = UNKNOWN if diagnostic.unplaced else _location(diagnostic.op, diagnostic.span, locate, whole)
    location = diagnostic.place or location
    notes = [
        Message("note", _text_of(note, shown), _location(note.op, note.span, locate, location))
        for note in diagnostic.notes
    ]
    if current_operation and diagnostic.op is not None:
        text = _current_operation(diagnostic.op, shown, diagnostic.severity == "error")
        notes.insert(0, Message("note", text, location))
    return Message(SEVERITIES[diagnostic.severity], diagnostic.message, location, tuple(notes))


def _location(op: Operation | None, span: Span | None, locate: Locate, otherwise: LocationAttr) -> LocationAttr:
    if op is not None and isinstance(op.location, LocationAttr):
        return op.location
    return locate(span) if span is not None else otherwise


def _text_of(note: Note, shown: Shown) -> str:
    if note.op is None or not note.shows:
        return note.message
    return f"{note.message}: {shown.text(note.op, generic=flags_for(note.op).generic)}"


def _current_operation(op: Operation, shown: Shown, generic: bool) -> str:
    text = shown.text(op, generic=generic or flags_for(op).generic)
    return "see current operation: " + ("\n" if "\n" in text else "") + text


def file_location(location: Attribute) -> FileLineColLoc | None:
    """The first location of a file in a location, from the outside in; None where there is none."""
    return next((nested for nested in nested_locations(location) if isinstance(nested, FileLineColLoc)), None)


def call_stack(location: Attribute) -> Iterator[LocationAttr]:
    """The callers of a call site, innermost first."""
    site = _call_site(location)
    while site is not None:
        yield site.caller
        site = _call_site(site.caller)


def _call_site(location: Attribute) -> CallSiteLoc | None:
    match location:
        case CallSiteLoc():
            return location
        case NameLoc(_, child) if child is not None:
            return _call_site(child)
        case FusedLoc(locations):
            return next((site for location in locations if (site := _call_site(location)) is not None), None)
        case _:
            return None
