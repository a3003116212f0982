"""A diagnostic in the protocol's terms, with as much of it as the client shows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from lsprotocol import types
from pygls.uris import from_fs_path

from fathom.records import record
from fathom.text.beginnings import shortened
from fathom_server.lsp.error_pages import explained

if TYPE_CHECKING:
    from fathom.diagnostics import Diagnostic
    from fathom_server.lsp.convert import ItemRanges

SEVERITIES: Final = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "information": types.DiagnosticSeverity.Information,
    "hint": types.DiagnosticSeverity.Hint,
}
LONGEST: Final = 1000
_THERE: Final = "the code that fails"
MOST_LINES: Final = 100
"""Of a message so many characters of a line and so many lines are shown."""


@record
class Showing:
    """What a client shows of a diagnostic: places that belong to it, the page that explains its code, as faded what is
    not needed, and struck through what is deprecated."""

    related: bool = False
    links: bool = False
    tags: bool = False
    deprecated: bool = False


def showing(client: types.ClientCapabilities) -> Showing:
    """What a client shows of the diagnostics that are pushed to it, or that it pulls if it `pulls`."""
    document = client.text_document
    if document is None:
        return Showing()
    # What is pulled has capabilities of its own since 3.18; clients of before that say it of what is pushed.
    support = [way for way in (document.publish_diagnostics, pulled(client)) if way is not None]
    tags = [tag for way in support if way.tag_support is not None for tag in way.tag_support.value_set]
    return Showing(
        any(way.related_information for way in support),
        any(way.code_description_support for way in support),
        types.DiagnosticTag.Unnecessary in tags,
        types.DiagnosticTag.Deprecated in tags,
    )


def pulled(client: types.ClientCapabilities) -> types.DiagnosticClientCapabilities | None:
    """What a client can do that asks for diagnostics, and asks again when it is told to. To one that cannot be told,
    they are pushed: what is found in the background would never reach it."""
    document, workspace = client.text_document, client.workspace
    refreshing = workspace.diagnostics if workspace is not None else None
    if document is None or refreshing is None or not refreshing.refresh_support:
        return None
    return document.diagnostic


def diagnostic_to_lsp(diagnostic: Diagnostic, ranges: ItemRanges, uri: str, shows: Showing) -> types.Diagnostic:
    """A diagnostic of an item. Its notes about other places become related information, if the client shows such; the
    others are lines after the message. Its code links to the page about it, if the client shows links."""
    lines = [diagnostic.message]
    places: list[types.DiagnosticRelatedInformation] = []
    for note in diagnostic.notes:
        if note.span in (None, diagnostic.span):
            lines.append(note.message)
            continue
        where = ranges.range(note.span)
        if shows.related:
            message = shortened(note.message, LONGEST, MOST_LINES)
            places.append(types.DiagnosticRelatedInformation(types.Location(uri, where), message))
        else:
            lines.append(f"{note.message} (line {where.start.line + 1})")
    if diagnostic.place is not None:
        file, line = diagnostic.place.file, diagnostic.place.line
        if shows.related and (other := from_fs_path(file)) is not None:
            start = types.Position(max(line - 1, 0), 0)
            places.append(types.DiagnosticRelatedInformation(types.Location(other, types.Range(start, start)), _THERE))
        else:
            lines.append(f"{_THERE} ({Path(file).name}, line {line})")
    return types.Diagnostic(
        ranges.range(diagnostic.span),
        shortened("\n".join(lines), LONGEST, MOST_LINES),
        SEVERITIES[diagnostic.severity],
        diagnostic.code or None,
        explained(diagnostic.code) if shows.links else None,
        source="fathom",
        tags=_tags(diagnostic, shows) or None,
        related_information=places or None,
    )


def _tags(diagnostic: Diagnostic, shows: Showing) -> list[types.DiagnosticTag]:
    from fathom.diagnostics import DEPRECATED, UNUSED

    if diagnostic.code in UNUSED and shows.tags:
        return [types.DiagnosticTag.Unnecessary]
    return [types.DiagnosticTag.Deprecated] if diagnostic.code == DEPRECATED and shows.deprecated else []
