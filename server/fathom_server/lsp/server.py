"""The pygls application: a server with a session, and the handlers of all methods registered on it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from lsprotocol import types
from pygls.exceptions import JsonRpcInternalError, JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from fathom import __version__
from fathom.cached import cached_property
from fathom.text.beginnings import LONGEST_MESSAGE, beginning
from fathom.text.encodings import Encoding
from fathom_server.lsp import (
    closed_findings,
    configuration,
    dialects,
    dumps,
    edition_folders,
    kinds,
    lenses,
    llvm_ir,
    previews,
    refreshing,
    requests,
    synchronisation,
    table,
    traces,
    workspace,
)
from fathom_server.lsp.clients import Client, client_of
from fathom_server.lsp.convert import encoding_of
from fathom_server.lsp.protocol import FathomProtocol
from fathom_server.lsp.publishing import Publishing
from fathom_server.lsp.strictness import strict_converter

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping

    from pygls.server import ServerErrors

    from fathom_server.model.snapshot import Snapshot
    from fathom_server.session.closed_files import ClosedFiles
    from fathom_server.session.definitions import Definitions
    from fathom_server.session.edition_folders import EditionFolders
    from fathom_server.session.files import WorkspaceFiles
    from fathom_server.session.llvm_documents import LlvmDocuments
    from fathom_server.session.opened import OpenDocument
    from fathom_server.session.session import Session

WARM_UP: Final = 0.05
"""Seconds after the handshake for which a document may come before anything else is loaded."""


class FathomServer(LanguageServer):
    """A language server for one client."""

    protocol: FathomProtocol  # pyright: ignore[reportIncompatibleVariableOverride]

    def __init__(self) -> None:
        super().__init__(  # pyright: ignore[reportUnknownMemberType]
            "fathom",
            __version__,
            text_document_sync_kind=types.TextDocumentSyncKind.Incremental,
            protocol_cls=FathomProtocol,
            converter_factory=strict_converter,
        )
        self.was_shut_down = False
        self.has_left = False
        """Whether the client has said `exit`."""
        self.names_folders = False
        """Whether the client says which folders the workspace has, be it none; else it has the root that it names."""
        self.settings_at_first: object = None
        """The settings that the client gave in `initialize`, if it did."""
        self.settings_of_its_own: Mapping[str, object] = {}
        """Settings that were given to the server when it began, and hold from `initialize` on."""
        self.root_of_its_own: str | None = None
        """The URI of the workspace's folder, where the client names none."""
        self.exit_status = 0
        """What the process is to end with: 1 after an `exit` that no `shutdown` came before, as the protocol wants."""
        self.watch_process: Callable[[int], None] | None = None
        """Has the session end when a process is over: that of the client. None where a connection tells as much."""
        self._begun: set[asyncio.Task[None]] = set()
        self.watches_editions = False
        """Whether the client watches folders that are editions, and in no folder of the workspace."""
        self.finding_sources = asyncio.Lock()
        """Held while the files are looked for that describe dialects."""

    @cached_property
    def session(self) -> Session:
        """The state of the server, made when it is first needed."""
        from fathom_server.session.session import Session

        session = Session(
            publish=self._publish,
            announce=lambda opened: previews.announce(self, opened),
            show_values=lambda: refreshing.hints(self),
        )
        configuration.begin(self, session)
        return session

    def _publish(self, opened: OpenDocument) -> None:
        self.publishing.publish(opened)
        dialects.changed(self, opened.document.uri)
        lenses.refresh(self, opened)

    @cached_property
    def publishing(self) -> Publishing:
        """What the client is told of diagnostics, from when it is known what it can do."""
        return Publishing(self)

    @cached_property
    def definitions(self) -> Definitions:
        """What is known beside the library, made when some file describes a dialect, or a `.td` file is open."""
        return dialects.definitions_of(self)

    @cached_property
    def edition_folders(self) -> EditionFolders:
        """The folders whose MLIR is the edition of documents, made when one is named."""
        return edition_folders.editions_of(self)

    @property
    def has_edition_folders(self) -> bool:
        return "edition_folders" in self.__dict__

    @cached_property
    def llvm_documents(self) -> LlvmDocuments:
        """The `.ll` files that are open, made when one is."""
        return llvm_ir.documents_of(self)

    @property
    def has_llvm_documents(self) -> bool:
        return "llvm_documents" in self.__dict__

    @property
    def has_definitions(self) -> bool:
        return "definitions" in self.__dict__

    @cached_property
    def files(self) -> WorkspaceFiles:
        """The files of the workspace, which are read when there is one."""
        return workspace.files_of(self)

    @cached_property
    def closed(self) -> ClosedFiles:
        """What is wrong with the files of the workspace that are not open, which are looked at when somebody wants to
        know."""
        return closed_findings.closed_of(self)

    @property
    def has_closed(self) -> bool:
        return "closed" in self.__dict__

    @property
    def has_workspace(self) -> bool:
        """Whether there are files beside those that are open."""
        return self.has_files or bool(workspace.folders_of(self))

    @property
    def has_files(self) -> bool:
        return "files" in self.__dict__

    async def warm_up(self) -> None:
        """Loads what the first requests will need, in steps, once the first document, if one comes at once, was seen
        to: it waits for nothing that it does not need."""
        await asyncio.sleep(WARM_UP)
        await self.session.do_ahead(self.protocol.prepare())
        for module in dict.fromkeys(request.module for request in table.REQUESTS):
            await self.session.load(module)
        await self.session.warm_up()

    def begin(self, work: Coroutine[object, object, None]) -> None:
        """Has work done beside the messages."""
        task = asyncio.get_running_loop().create_task(work)
        self._begun.add(task)
        task.add_done_callback(self._begun.discard)

    def say(self, message: str) -> None:
        """Shows the user why something that they asked for is not done."""
        shown = types.ShowMessageParams(types.MessageType.Warning, beginning(message, LONGEST_MESSAGE))
        self.session.soon(lambda: self.window_show_message(shown))

    def leave(self) -> None:
        """The client has said `exit`."""
        self.has_left = True

    def end(self) -> None:
        """Ends the session with all that runs for it; nothing is sent any more."""
        self.protocol.writer = None
        if self.has_files:
            self.files.index.close()
        if self.has_closed:
            self.closed.close()
        if self.has_edition_folders:
            self.edition_folders.close()
        if self.has_llvm_documents:
            self.llvm_documents.shutdown()
        if "session" in self.__dict__:
            self.session.shutdown()
        self.shutdown()

    def report_server_error(self, error: Exception, source: ServerErrors) -> None:
        """Tells the client of a mistake of the server's own; but not of one in telling, which would never end."""
        if source is not JsonRpcInternalError:
            super().report_server_error(error, source)

    @property
    def encoding(self) -> Encoding:
        """The encoding of columns that was agreed on with the client."""
        return encoding_of(self.workspace.position_encoding)

    @cached_property
    def client(self) -> Client:
        """What has to be known of the client in order to translate for it, from when it has said that."""
        return client_of(self.client_capabilities, self.encoding)

    def open_snapshot(self, uri: object) -> Snapshot:
        """The snapshot of a document that must be open; a request about any other is invalid."""
        snapshot = self.session.snapshot(uri) if isinstance(uri, str) else None
        if snapshot is None:
            raise JsonRpcInvalidParams(f"the document is not open: {uri}")
        return snapshot


def create_server() -> FathomServer:
    """A server with all handlers, not yet started."""
    server = FathomServer()
    for module in (synchronisation, previews, configuration, dialects, dumps, traces, workspace):
        module.register(server)
    requests.register(server, table.REQUESTS, table.COMMANDS, table.answered, kinds.kind_of)
    return server
