"""What a handler translates with: one version of a document, and what is known of the client."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from lsprotocol import types

from fathom.records import record
from fathom_server.lsp.convert import from_lsp, range_to_lsp, to_lsp

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Protocol

    from fathom.ir.operation import Span
    from fathom_server.features.edits import Replacement
    from fathom_server.features.workspace import Workspace
    from fathom_server.lsp.clients import Client
    from fathom_server.lsp.convert import Lines, PositionLike
    from fathom_server.model.snapshot import Snapshot  # noqa: F401 - a base class names it

    class Version(Protocol):
        """A version of a document of any kind."""

        @property
        def uri(self) -> str: ...
        @property
        def version(self) -> int: ...
        @property
        def tree(self) -> Lines: ...


S = TypeVar("S", bound="Version")


@record
class TextBorder(Generic[S]):
    """The border between the protocol and a version of a document: positions one way, ranges and edits the other."""

    snapshot: S
    client: Client

    @property
    def uri(self) -> str:
        return self.snapshot.uri

    def offset(self, position: PositionLike) -> int:
        """The offset of a position of the document."""
        return from_lsp(self.snapshot.tree, position, self.client.encoding)

    def position(self, offset: int) -> types.Position:
        """The position of an offset of the document."""
        return to_lsp(self.snapshot.tree, offset, self.client.encoding)

    def range(self, start: int, end: int) -> types.Range:
        """The range between two offsets of the document."""
        return range_to_lsp(self.snapshot.tree, start, end, self.client.encoding)

    def locations(self, spans: Iterable[Span]) -> list[types.Location]:
        return [types.Location(self.uri, self.range(span.start, span.end)) for span in spans]

    def edit(self, replacements: Iterable[Replacement]) -> types.WorkspaceEdit:
        """An edit of the document, bound to the version that it was made for where the client has versioned edits."""
        return self.edits([(self.snapshot, replacements)])

    def edits(self, files: Iterable[tuple[Version, Iterable[Replacement]]]) -> types.WorkspaceEdit:
        """An edit of several files; those that are not open have no version."""
        changed: list[types.TextDocumentEdit] = []
        changes: dict[str, list[types.TextEdit]] = {}
        for snapshot, replacements in files:
            border = TextBorder(snapshot, self.client)
            edits = [
                types.TextEdit(border.range(replacement.start, replacement.end), replacement.text)
                for replacement in replacements
            ]
            version = snapshot.version if snapshot.version >= 0 else None
            document = types.OptionalVersionedTextDocumentIdentifier(snapshot.uri, version)
            changed.append(types.TextDocumentEdit(document, list(edits)))
            changes[snapshot.uri] = edits
        if self.client.has_document_changes:
            return types.WorkspaceEdit(document_changes=changed)
        return types.WorkspaceEdit(changes=changes)


AnyBorder = TextBorder[Any]
"""That of a document of any kind."""


@record
class Border(TextBorder["Snapshot"]):
    """The border of a document in MLIR."""

    workspace: Workspace | None = None
    """The other files; None where nobody asks for them."""
