"""Opening, changing and closing documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from fathom_server.lsp import dialects, kinds, workspace
from fathom_server.lsp.convert import from_lsp_point

if TYPE_CHECKING:
    from fathom_server.lsp.server import FathomServer
    from fathom_server.model.document import Document
    from fathom_server.session.edits import Edit


def register(server: FathomServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(params: types.DidOpenTextDocumentParams) -> None:
        document = params.text_document
        if (kind := kinds.kind_for(document)) is not None:
            kind.open_document(server, document)
            return
        server.session.open(document.uri, document.version, document.text)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(params: types.DidChangeTextDocumentParams) -> None:
        if (kind := kinds.kind_of(server, params.text_document.uri)) is not None:
            kind.change_document(server, params)
            return
        edits = [_edit(server, change) for change in params.content_changes]
        server.session.change(params.text_document.uri, params.text_document.version, edits)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(params: types.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        if (kind := kinds.kind_of(server, uri)) is not None:
            kind.close_document(server, uri)
            return
        server.session.close(uri)
        workspace.changed(server, [uri])
        server.publishing.close(uri)
        dialects.changed(server, uri)

    @server.feature(types.SHUTDOWN)
    def shutdown(*_params: object) -> None:
        server.was_shut_down = True
        server.session.shutdown()

    @server.feature(types.EXIT)
    def leave(*_params: object) -> None:
        server.exit_status = 0 if server.was_shut_down else 1
        server.session.shutdown()


def _edit(server: FathomServer, change: types.TextDocumentContentChangeEvent) -> Edit:
    from fathom_server.session.edits import Edit

    if not isinstance(change, types.TextDocumentContentChangePartial):
        return Edit(change.text)
    where = change.range

    def locate(document: Document) -> tuple[tuple[int, int], tuple[int, int]]:
        encoding = server.encoding
        return from_lsp_point(document.tree, where.start, encoding), from_lsp_point(document.tree, where.end, encoding)

    return Edit(change.text, locate)
