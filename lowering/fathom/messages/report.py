"""Diagnostics of a command: printed as they come, or kept to be held against the text's own expectations."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TextIO

from fathom.diagnostics import FURTHER, Diagnostic
from fathom.ir.locations import FileLineColLoc, LocationAttr
from fathom.ir.operation import Span
from fathom.messages.message import Message, MessageSeverity, message_of
from fathom.messages.source import Source
from fathom.records import field, record, replace

SEVERITY_ORDER: Final[tuple[MessageSeverity, ...]] = ("error", "warning", "remark")


@record
class Verbosity:
    """Which messages are printed: `least` and what is graver, with or without their notes, and whether a note shows
    the operation that a message is about."""

    least: MessageSeverity = "remark"
    notes: bool = True
    current_operation: bool = True

    def select(self, message: Message) -> Message | None:
        """The message as it is to be printed; None for one that is not."""
        if SEVERITY_ORDER.index(message.severity) > SEVERITY_ORDER.index(self.least):
            return None
        return message if self.notes else replace(message, notes=())


EVERYTHING: Final = Verbosity()


@record(frozen=False)
class Reporter:
    """Takes diagnostics about one source. With `expecting` they are kept, without Fathom's own hints, in `kept`;
    otherwise they are written to the stream."""

    source: Source
    stream: TextIO
    verbosity: Verbosity = EVERYTHING
    expecting: bool = False
    kept: list[Message] = field(default_factory=list[Message])

    def report(self, diagnostics: Iterable[Diagnostic], offset: int = 0) -> None:
        """Reports diagnostics about a part of the source that starts at `offset`."""
        given = list(diagnostics)
        if not given:
            return
        from fathom.irdl.shown import Shown

        def locate(span: Span) -> LocationAttr:
            return self.source.location(span.start + offset)

        whole = self.source.location(offset) if offset else FileLineColLoc(self.source.name, 0, 0)
        shows = self.verbosity.current_operation and not self.expecting
        shown = Shown()
        # An operation is shown with the last that is said of it.
        leading = {id(finding.follows_from) for finding in given if finding.code == FURTHER}
        for diagnostic in given:
            if self.expecting and diagnostic.hint:
                continue
            if self.expecting:
                diagnostic = replace(diagnostic, notes=tuple(note for note in diagnostic.notes if not note.hint))
            is_shown = shows and id(diagnostic) not in leading
            self.message(message_of(diagnostic, locate, shown, whole=whole, current_operation=is_shown))

    def message(self, message: Message) -> None:
        """Prints or keeps one message."""
        if self.expecting:
            self.kept.append(message)
        elif (selected := self.verbosity.select(message)) is not None:
            self.stream.write(self.source.render(selected))
