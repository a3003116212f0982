"""What a handler translates with: one version of a document, the encoding agreed on, and what the client can do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from fathom.records import record
from fathom_server.lsp.convert import from_lsp, range_to_lsp, to_lsp
from fathom_server.lsp.plain import plain

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fathom.ir.operation import Span
    from fathom.text.encodings import Encoding
    from fathom_server.features.edits import Replacement
    from fathom_server.features.workspace import Workspace
    from fathom_server.lsp.convert import PositionLike
    from fathom_server.model.snapshot import Snapshot


@record
class Client:
    """What has to be known of a client in order to translate for it: the encoding of columns, whether it takes edits
    that name the version they are for, whether it asks for the edit of an action when it is chosen, whether an edit
    may create files, whether what it completes may have places to fill in, the commands of its own that a lens may
    have, whether it shows Markdown, how many folds it takes, whether it shows symbols one in the other, whether it
    strikes through what it completes, whether what it completes is one of its own words, and whether it shows
    that an action is not possible."""

    encoding: Encoding
    has_document_changes: bool = False
    resolves_edits: bool = False
    creates_files: bool = False
    takes_snippets: bool = False
    commands: frozenset[str] = frozenset()
    takes_markdown: bool = True
    most_folds: int | None = None
    nests_symbols: bool = True
    strikes_through: bool = False
    completes_words: bool = False
    shows_disabled: bool = True


@record
class Border:
    """The border between the protocol and a snapshot: positions one way, ranges and edits the other."""

    snapshot: Snapshot
    client: Client
    workspace: Workspace | None = None
    """The other files; None where nobody asks for them."""

    @property
    def uri(self) -> str:
        return self.snapshot.uri

    @property
    def encoding(self) -> Encoding:
        return self.client.encoding

    def offset(self, position: PositionLike) -> int:
        """The offset of a position of the document."""
        return from_lsp(self.snapshot.tree, position, self.encoding)

    def position(self, offset: int) -> types.Position:
        """The position of an offset of the document."""
        return to_lsp(self.snapshot.tree, offset, self.encoding)

    def range(self, start: int, end: int) -> types.Range:
        """The range between two offsets of the document."""
        return range_to_lsp(self.snapshot.tree, start, end, self.encoding)

    def locations(self, spans: Iterable[Span]) -> list[types.Location]:
        return [types.Location(self.uri, self.range(span.start, span.end)) for span in spans]

    def edit(self, replacements: Iterable[Replacement]) -> types.WorkspaceEdit:
        """An edit of the document, bound to the version that it was made for where the client has versioned edits."""
        return self.edits([(self.snapshot, replacements)])

    def edits(self, files: Iterable[tuple[Snapshot, Iterable[Replacement]]]) -> types.WorkspaceEdit:
        """An edit of several files; those that are not open have no version."""
        changed: list[types.TextDocumentEdit] = []
        changes: dict[str, list[types.TextEdit]] = {}
        for snapshot, replacements in files:
            border = Border(snapshot, self.client)
            edits = [types.TextEdit(border.range(each.start, each.end), each.text) for each in replacements]
            version = snapshot.version if snapshot.version >= 0 else None
            document = types.OptionalVersionedTextDocumentIdentifier(snapshot.uri, version)
            changed.append(types.TextDocumentEdit(document, list(edits)))
            changes[snapshot.uri] = edits
        if self.client.has_document_changes:
            return types.WorkspaceEdit(document_changes=changed)
        return types.WorkspaceEdit(changes=changes)


# ---- what a client can do


def has_document_changes(client: types.ClientCapabilities) -> bool:
    """Whether the client takes edits that name the version they are for."""
    workspace = client.workspace
    support = workspace.workspace_edit if workspace is not None else None
    return support is not None and bool(support.document_changes)


def creates_files(client: types.ClientCapabilities) -> bool:
    """Whether an edit may create files."""
    workspace = client.workspace
    support = workspace.workspace_edit if workspace is not None else None
    kinds = support.resource_operations if support is not None else None
    return has_document_changes(client) and types.ResourceOperationKind.Create in (kinds or ())


def resolves_edits(client: types.ClientCapabilities) -> bool:
    """Whether the client asks for the edit of an action when it is chosen."""
    document = client.text_document
    action = document.code_action if document is not None else None
    support = action.resolve_support if action is not None else None
    return support is not None and "edit" in support.properties


def shows_disabled(client: types.ClientCapabilities) -> bool:
    """Whether the client shows that an action is not possible; one that says nothing of actions is taken to."""
    document = client.text_document
    action = document.code_action if document is not None else None
    return action is None or bool(action.disabled_support)


def takes_snippets(client: types.ClientCapabilities) -> bool:
    """Whether what the client completes may have places to fill in."""
    document = client.text_document
    completion = document.completion if document is not None else None
    item = completion.completion_item if completion is not None else None
    return item is not None and bool(item.snippet_support)


def strikes_through(client: types.ClientCapabilities) -> bool:
    """Whether the client shows of what it completes that it is deprecated."""
    document = client.text_document
    completion = document.completion if document is not None else None
    item = completion.completion_item if completion is not None else None
    tags = item.tag_support if item is not None else None
    return tags is not None and types.CompletionItemTag.Deprecated in tags.value_set


def completes_words(client: types.ClientCapabilities) -> bool:
    """Whether the client puts what it completes in the place of what it takes for a word, whatever range it is told:
    so does Kate until 23.04, which says what it can do with documents, but nothing of completion."""
    document = client.text_document
    return document is not None and document.completion is None


def own_commands(client: types.ClientCapabilities) -> frozenset[str]:
    """The commands that the client performs itself, of those that `docs/protocol.md` names for lenses."""
    match plain(client.experimental):
        case {"fathom": {"commands": [*names]}}:
            return frozenset(name for name in names if isinstance(name, str))
        case _:
            return frozenset()


def refreshes_lenses(client: types.ClientCapabilities) -> bool:
    """Whether the client can be told to ask for lenses again."""
    workspace = client.workspace
    lens = workspace.code_lens if workspace is not None else None
    return lens is not None and bool(lens.refresh_support)


def most_folds(client: types.ClientCapabilities) -> int | None:
    """How many folds the client takes; None for any number."""
    document = client.text_document
    folding = document.folding_range if document is not None else None
    return folding.range_limit if folding is not None else None
