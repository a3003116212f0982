"""How a client learns of diagnostics: by `textDocument/publishDiagnostics`; or, one that asks for them, by
`textDocument/diagnostic` and `workspace/diagnostic`, and by being told to ask again (`workspace/diagnostic/refresh`).

What is wrong with an open document goes one way or the other, since a client shows both.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.uris import to_fs_path

from fathom.records import record
from fathom_server.lsp.diagnostics import pulled, showing
from fathom_server.lsp.encoded import Encoded, encoded_list, encoded_object
from fathom_server.lsp.reports import Report, Reports
from fathom_server.lsp.workspace import told_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fathom_server.lsp.server import FathomServer
    from fathom_server.session.closed_files import ClosedFiles
    from fathom_server.session.opened import OpenDocument

REST: Final = 0.05
"""Seconds between two requests to ask again."""


@record
class News:
    """A report of a file, as JSON."""

    uri: str
    id: str | None
    json: str

    @classmethod
    def full(cls, uri: str, version: int | None, id: str | None, items: Encoded) -> News:
        """All that is wrong with a file."""
        fields: dict[str, object] = {"kind": "full", "uri": uri, "version": version, "items": items}
        if id is not None:
            fields["resultId"] = id
        return cls(uri, id, encoded_object(fields).json)

    def take_over(self, known: dict[str, str]) -> None:
        """The client knows it."""
        if self.id is not None:
            known[self.uri] = self.id
        else:
            known.pop(self.uri, None)


class Publishing:
    """Tells a client what is wrong with its documents, and nothing twice."""

    def __init__(self, server: FathomServer) -> None:
        self._server = server
        self._reports = Reports()
        self._told: dict[str, Report] = {}
        """What the client was told last of each open document."""
        self._changed = asyncio.Event()
        """Set when there is something to tell; each wait has one of its own."""
        self._closings = 0
        """How often a document was closed."""
        self._is_outdated = False
        self._is_refreshing = False
        client = server.client_capabilities
        self._pulls = pulled(client) is not None
        self._shows = showing(client)

    def _report(self, opened: OpenDocument) -> Report:
        return self._reports.of(opened, self._server.encoding, self._shows)

    def wake(self) -> None:
        """There is something that those who wait may not know."""
        self._changed.set()
        self._changed = asyncio.Event()

    # ---- pushed

    def publish(self, opened: OpenDocument) -> None:
        """Sees to it that the client learns what is known now to be wrong with the present version of a document. Each
        version is told, though it be the same as of the one before."""
        uri = opened.document.uri
        if self._pulls:
            self.wake()
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
            self._closings += 1
            self.wake()
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

    async def workspace(self, params: types.WorkspaceDiagnosticParams) -> Encoded:
        """What is wrong with the files of the workspace where that is news to the client; when there are news, if there
        are none now. To one that takes results in parts they go out as they come, until all files are known."""
        token = params.partial_result_token
        known = {previous.uri: previous.value for previous in params.previous_result_ids}
        closed = self._closed()
        seen: object = None
        is_told = False
        while True:
            changed = self._changed
            news = list(self._news_of_open(known))
            present = (closed.number, self._closings) if closed is not None else self._closings
            if present != seen:
                news += self._news_of_closed(known, closed)
                seen = present
            is_settled = closed is None or closed.is_settled
            report = encoded_object({"items": encoded_list(of_file.json for of_file in news)})
            if news and token is None:
                return report
            if news:
                is_told = True
                for change in news:
                    change.take_over(known)
                self._server.protocol.notify_encoded(types.PROGRESS, encoded_object({"token": token, "value": report}))
            if is_told and is_settled:
                return encoded_object({"items": []})
            await changed.wait()

    def _closed(self) -> ClosedFiles | None:
        """What is known of files that are not open, if there is a workspace."""
        server = self._server
        if not server.has_workspace:
            return None
        if not server.has_closed:
            server.closed.use(told_of(server))
            server.closed.begin()
        return server.closed

    def _news_of_open(self, known: dict[str, str]) -> Iterator[News]:
        """The reports of open documents that are not `known`."""
        session = self._server.session
        for uri, opened in session.documents.items():
            if session.turns.is_taken(uri):
                continue  # The client is told when the work on it is done.
            report = self._report(opened)
            if report.id != known.get(uri):
                items = self._server.protocol.encoded(report.items)
                yield News.full(uri, report.version, report.id, items)

    def _news_of_closed(self, known: dict[str, str], closed: ClosedFiles | None) -> Iterator[News]:
        """The reports of files that are not open and not `known`, and empty ones of those with which nothing is wrong
        any more, or of which nothing is said."""
        documents = self._server.session.documents
        opened = {to_fs_path(uri) for uri in documents}
        told: set[str] = set()
        for path, finding in closed.findings.items() if closed is not None else ():
            if path in opened:
                continue
            told.add(finding.uri)
            if known.get(finding.uri) != finding.id:
                yield News.full(finding.uri, None, finding.id, Encoded(finding.items))
        for uri in known.keys() - documents.keys() - told:
            path = to_fs_path(uri)
            if closed is None or path is None or path in opened or not closed.is_pending(path):
                yield News.full(uri, None, None, Encoded("[]"))


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
    async def workspace_diagnostic(params: types.WorkspaceDiagnosticParams) -> Encoded:
        return await server.publishing.workspace(params)
