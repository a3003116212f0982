"""The pygls application: a server with a session, and the handlers of all methods registered on it."""

from __future__ import annotations

import asyncio
import gc
import json
import sys
from collections.abc import Generator
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, cast

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInternalError, JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method

from fathom import __version__
from fathom.records import record
from fathom.text.encodings import Encoding
from fathom_server.lsp import configuration, previews, publishing, requests, synchronisation, table
from fathom_server.lsp.convert import encoding_of
from fathom_server.lsp.encoded import Encoded

if TYPE_CHECKING:
    from pygls.server import ServerErrors

    from fathom_server.model.snapshot import Snapshot
    from fathom_server.session.session import Session


SWITCH: Final = 0.0005
"""Seconds for which one thread may keep the others from the interpreter; each message passes between threads."""
WARM_UP: Final = 0.05
"""Seconds after the handshake for which a document may come before anything else is loaded."""
COLLECT: Final = (4_000, 5, 400)
"""The thresholds of the garbage collector. IR is many small objects in circles, of which few live long; by Python's own
thresholds it would be gone over a sixth of the time. While it goes over them everything waits, so that of the younger
ones there must not be too many."""


@record
class _Malformed:
    """A request whose parameters are not of the shape that its method wants."""

    id: int | str


class FathomProtocol(LanguageServerProtocol):
    """The protocol without pygls's own copy of the documents, which costs the whole file for each edit; the session has
    the text. Commands get the whole of their parameters, for their progress tokens. A malformed request is answered."""

    @cached_property
    def _sending(self) -> set[asyncio.Future[None]]:
        """What is on its way on a transport that takes its time."""
        return set()

    def structure_message(self, data: dict[str, Any]) -> Any:
        try:
            return super().structure_message(data)
        except JsonRpcException:
            if "method" not in data or not isinstance(data.get("id"), (int, str)):
                raise
            return _Malformed(data["id"])

    def handle_message(self, message: Any) -> None:
        if isinstance(message, _Malformed):
            error = JsonRpcInvalidParams("the parameters are not those of this method").to_response_error()
            self._send_response(message.id, error=error)
            return
        super().handle_message(message)

    def _send_response(
        self, msg_id: int | str, result: object = None, error: types.ResponseError | None = None
    ) -> None:
        """Sends an answer; one that is JSON already goes out as it is."""
        if error is not None or not isinstance(result, Encoded):
            super()._send_response(msg_id, result, error)
            return
        self._result_types.pop(msg_id, None)
        body = f'{{"jsonrpc":"{self.VERSION}","id":{json.dumps(msg_id)},"result":{result.json}}}'
        self._send_text(body)

    def _send_text(self, body: str) -> None:
        """Sends a message that is ASCII."""
        if self.writer is None:
            return
        kind = f"{self.CONTENT_TYPE}; charset={self.CHARSET}"
        head = f"Content-Length: {len(body)}\r\nContent-Type: {kind}\r\n\r\n" if self._include_headers else ""
        sent = self.writer.write((head + body).encode(self.CHARSET))
        if sent is not None:
            sending = asyncio.ensure_future(sent)
            self._sending.add(sending)
            sending.add_done_callback(self._sending.discard)

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> Generator[Any, Any, None]:
        yield self.handler(types.TEXT_DOCUMENT_DID_OPEN), (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> Generator[Any, Any, None]:
        yield self.handler(types.TEXT_DOCUMENT_DID_CHANGE), (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> Generator[Any, Any, None]:
        yield self.handler(types.TEXT_DOCUMENT_DID_CLOSE), (params,), None

    @lsp_method(types.WORKSPACE_EXECUTE_COMMAND)
    async def lsp_workspace__execute_command(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, params: types.ExecuteCommandParams
    ) -> Any:
        # A coroutine, so that cancelling the request cancels the command.
        commands = cast("dict[str, Any]", self.fm.commands)  # pyright: ignore[reportUnknownMemberType]
        handler = commands.get(params.command)
        if handler is None:
            raise JsonRpcInvalidParams(f"there is no command {params.command!r}")
        return await handler(params)

    def handler(self, method: str) -> Any:
        """The server's own handler of a method."""
        return cast("dict[str, Any]", self.fm.features)[method]  # pyright: ignore[reportUnknownMemberType]


class FathomServer(LanguageServer):
    """A language server for one client."""

    def __init__(self) -> None:
        super().__init__(  # pyright: ignore[reportUnknownMemberType]
            "fathom",
            __version__,
            text_document_sync_kind=types.TextDocumentSyncKind.Incremental,
            protocol_cls=FathomProtocol,
        )
        self.was_shut_down = False
        self.exit_status = 0
        """What the process is to end with: 1 after an `exit` that no `shutdown` came before, as the protocol wants."""

    @cached_property
    def session(self) -> Session:
        """The state of the server, made when it is first needed."""
        from fathom_server.session.session import Session

        return Session(
            publish=lambda opened: publishing.publish(self, opened),
            announce=lambda opened: previews.announce(self, opened),
        )

    async def warm_up(self) -> None:
        """Loads what the first requests will need, in steps, once the first document, if one comes at once, was seen
        to: it waits for nothing that it does not need."""
        await asyncio.sleep(WARM_UP)
        for module in dict.fromkeys(request.module for request in table.REQUESTS):
            import_module(module)
            await asyncio.sleep(0)
        await self.session.warm_up()

    def report_server_error(self, error: Exception, source: ServerErrors) -> None:
        """Tells the client of a mistake of the server's own; but not of one in telling, which would never end."""
        if source is not JsonRpcInternalError:
            super().report_server_error(error, source)

    @property
    def encoding(self) -> Encoding:
        """The encoding of columns that was agreed on with the client."""
        return encoding_of(self.workspace.position_encoding)

    def open_snapshot(self, uri: object) -> Snapshot:
        """The snapshot of a document that must be open; a request about any other is invalid."""
        snapshot = self.session.snapshot(uri) if isinstance(uri, str) else None
        if snapshot is None:
            raise JsonRpcInvalidParams(f"the document is not open: {uri}")
        return snapshot


def create_server() -> FathomServer:
    """A server with all handlers, not yet started."""
    sys.setswitchinterval(SWITCH)
    gc.set_threshold(*COLLECT)
    server = FathomServer()
    for module in (synchronisation, previews, configuration):
        module.register(server)
    requests.register(server, table.REQUESTS, table.COMMANDS)
    return server
