"""How a client learns of diagnostics: by `textDocument/publishDiagnostics`; or, one that asks for them, by
`textDocument/diagnostic` and `workspace/diagnostic`, and by being told to ask again (`workspace/diagnostic/refresh`).

What is wrong with an open document goes one way or the other, since a client shows both.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from fathom_server.lsp.diagnostics import pulled, showing
from fathom_server.lsp.reports import Report, Reports

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fathom_server.lsp.server import FathomServer
    from fathom_server.session.opened import OpenDocument

REST: Final = 0.05
"""Seconds between two requests to ask again."""


class Publishing:
    """Tells a client what is wrong with its documents, and nothing twice."""

    def __init__(self, server: FathomServer) -> None:
        self._server = server
        self._reports = Reports()
        self._told: dict[str, Report] = {}
        """What the client was told last of each open document."""
        self._changed = asyncio.Event()
        """Set when there is something to tell; each wait has one of its own."""
        self._is_outdated = False
        self._is_refreshing = False
        client = server.client_capabilities
        self._pulls = pulled(client) is not None
        self._shows = showing(client)

    def _report(self, opened: OpenDocument) -> Report:
        return self._reports.of(opened, self._server.encoding, self._shows)

    # ---- pushed

    def publish(self, opened: OpenDocument) -> None:
        """Sees to it that the client learns what is known now to be wrong with the present version of a document. Each
        version is told, though it be the same as of the one before."""
        uri = opened.document.uri
        if self._pulls:
            self._changed.set()
            self._changed = asyncio.Event()
            told = self._told.get(uri)
            # After an edit a client asks of its own accord.
            if told is not None and told.version == opened.document.version and self._report(opened) is not told:
                self._refresh()
            return
        report = self._report(opened)
        if self._told.get(uri) is not report:
            self._told[uri] = report
            self._server.text_document_publish_diagnostics(
                types.PublishDiagnosticsParams(uri, report.items, version=report.version)
            )

    def close(self, uri: str) -> None:
        """The document is closed: nothing is said of it any more."""
        self._reports.forget(uri)
        self._told.pop(uri, None)
        if self._pulls:
            self._changed.set()
            self._changed = asyncio.Event()
        else:
            self._server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def _refresh(self) -> None:
        self._is_outdated = True
        if not self._is_refreshing:
            self._is_refreshing = True
            self._server.begin(self._have_asked_again())

    async def _have_asked_again(self) -> None:
        """Tells the client to ask again, until it has been told of all that changed."""
        try:
            while self._is_outdated:
                self._is_outdated = False
                await self._server.workspace_diagnostic_refresh_async(None)
                await asyncio.sleep(REST)
        except JsonRpcException:
            return  # The client does not want to be told.
        finally:
            self._is_refreshing = False

    # ---- pulled

    def document(
        self, params: types.DocumentDiagnosticParams
    ) -> types.RelatedFullDocumentDiagnosticReport | types.RelatedUnchangedDocumentDiagnosticReport:
        """What is wrong with a document; of one that is not open, nothing."""
        uri = params.text_document.uri
        opened = self._server.session.documents.get(uri)
        if opened is None:
            return types.RelatedFullDocumentDiagnosticReport([])
        report = self._told[uri] = self._report(opened)
        if report.id == params.previous_result_id:
            return types.RelatedUnchangedDocumentDiagnosticReport(report.id)
        return types.RelatedFullDocumentDiagnosticReport(report.items, result_id=report.id)

    async def workspace(self, params: types.WorkspaceDiagnosticParams) -> types.WorkspaceDiagnosticReport:
        """What is wrong with documents where that is news to the client; when there are news, if there are none now."""
        known = {each.uri: each.value for each in params.previous_result_ids}
        while not (news := list(self._news(known))):
            await self._changed.wait()
        return types.WorkspaceDiagnosticReport(news)

    def _news(self, known: dict[str, str]) -> Iterator[types.WorkspaceFullDocumentDiagnosticReport]:
        """The reports of documents that are not `known`, and empty ones of those that are known and no more open."""
        session = self._server.session
        for uri, opened in session.documents.items():
            if session.turns.is_taken(uri):
                continue  # The client is told when the work on it is done.
            report = self._report(opened)
            if report.id != known.get(uri):
                yield types.WorkspaceFullDocumentDiagnosticReport(
                    uri, report.items, report.version, result_id=report.id
                )
        for uri in known.keys() - session.documents.keys():
            yield types.WorkspaceFullDocumentDiagnosticReport(uri, [])


def register(server: FathomServer) -> None:
    """Puts the handlers of the requests on a server whose client asks for diagnostics; it is told so while it is
    initialized."""
    if pulled(server.client_capabilities) is None:
        return
    options = types.DiagnosticOptions(inter_file_dependencies=False, workspace_diagnostics=True, identifier="fathom")

    @server.feature(types.TEXT_DOCUMENT_DIAGNOSTIC, options)
    def document_diagnostic(params: types.DocumentDiagnosticParams) -> object:
        return server.publishing.document(params)

    @server.feature(types.WORKSPACE_DIAGNOSTIC)
    async def workspace_diagnostic(params: types.WorkspaceDiagnosticParams) -> types.WorkspaceDiagnosticReport:
        return await server.publishing.workspace(params)
