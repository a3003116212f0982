"""The protocol as pygls has it, with what it lacks: each request has an answer, whatever it holds."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import Callable, Generator, Iterator
from contextlib import nullcontext
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, cast

from lsprotocol import types
from pygls.exceptions import (
    JsonRpcContentModified,
    JsonRpcException,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcMethodNotFound,
    JsonRpcParseError,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import LanguageServerProtocol, lsp_method

from fathom.cached import cached_property
from fathom_server.lsp.encoded import Encoded
from fathom_server.lsp.strictness import lenience
from fathom_server.lsp.tracing import Tracing

if TYPE_CHECKING:
    from fathom_server.lsp.server import FathomServer

_LOGGER: Final = logging.getLogger(__name__)


_SIGNS_OF_SURROGATES: Final = (b"\\ud", b"\\uD", b"\xed")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def _read(body: bytes | bytearray) -> object:
    """The value of a JSON text. Half a surrogate pair, which is no character, becomes the one that stands for such, of
    the same length in each encoding of columns. Raises ValueError and RecursionError."""
    value: object = json.loads(str(body, "utf-8", "surrogatepass"))
    return _whole(value) if any(sign in body for sign in _SIGNS_OF_SURROGATES) else value


def _whole(value: object) -> object:
    match value:
        case str():
            return _SURROGATE.sub("\ufffd", value)
        case list():
            return [_whole(element) for element in cast("list[object]", value)]
        case dict():
            return {_whole(key): _whole(element) for key, element in cast("dict[str, object]", value).items()}
        case _:
            return value


def document_of(message: dict[str, Any]) -> str | None:
    """The document that a message is about, as far as can be told."""
    match message.get("params"):
        case {"textDocument": {"uri": str(uri)}} | {"data": {"uri": str(uri)}} | {"item": {"uri": str(uri)}}:
            return uri
        case {"arguments": [str(uri), *_]} | {"arguments": [{"uri": str(uri)}, *_]}:
            return uri
        case _:
            return None


def _is_interruption(problem: BaseException) -> bool:
    from fathom_server.session.beside.process import Interrupted

    return isinstance(problem, Interrupted)


class FathomProtocol(LanguageServerProtocol):
    """The protocol without pygls's own copy of the documents, which costs the whole file for each edit; the session has
    the text. Commands get the whole of their parameters, for their progress tokens. A malformed request is answered."""

    @cached_property
    def _sending(self) -> set[asyncio.Future[None]]:
        """What is on its way on a transport that takes its time."""
        return set()

    @cached_property
    def _tracing(self) -> Tracing:
        """What is told of requests, if the client wants to know."""
        return Tracing(cast("FathomServer", self._server).log_trace)

    def prepare(self) -> Iterator[Callable[[], object]]:
        """Steps that make ahead what reads the messages that are answered, and writes the answers: code that is written
        when the first one of its kind comes, which takes as long as a key may."""
        for method in dict.fromkeys(chain(*self._answered)):
            for make, kind in (
                (self._converter.get_structure_hook, self.get_message_type(method)),
                (self._converter.get_unstructure_hook, self.get_result_type(method)),
            ):
                if kind is not None:
                    yield partial(make, kind)

    # ---- what comes

    def receive(self, body: bytes | bytearray) -> None:
        """Takes the body of a message. Nothing that it holds raises an error."""
        try:
            data = _read(body)
        except (ValueError, RecursionError) as problem:
            self._refuse(None, JsonRpcParseError(f"the message is not JSON: {type(problem).__name__}"))
            return
        if not isinstance(data, dict):
            self._refuse(None, JsonRpcInvalidRequest("a message is one object; several at once are not taken"))
            return
        self._take(cast("dict[str, Any]", data))

    def _take(self, data: dict[str, Any]) -> None:
        identifier = data.get("id")
        is_request = "id" in data and "method" in data
        if isinstance(identifier, bool) or not isinstance(identifier, (int, str)):
            identifier = None
        if data.get("jsonrpc") != self.VERSION or not isinstance(data.get("method", ""), str):
            self._refuse(identifier, JsonRpcInvalidRequest('a message has "jsonrpc": "2.0" and a method'))
            return
        if "method" not in data:
            if identifier is None:
                return
            if "error" not in data:
                # Clients whose language has no null leave it out.
                data.setdefault("result", None)
        if is_request and identifier is None:
            self._refuse(None, JsonRpcInvalidRequest("the id of a request is a number or a text"))
            return
        if is_request and (problem := self._untimely(data["method"])) is not None:
            self._refuse(identifier, problem)
            return
        if self._waits(data):
            return
        if not is_request and "method" in data and not self._is_timely(data["method"]):
            return
        try:
            message: object = self.structure_message(data)
        except JsonRpcException:
            if is_request:
                self._refuse(identifier, JsonRpcInvalidParams("the parameters are not those of this method"))
            elif "method" not in data and identifier is not None:
                self._give_up(identifier)
            return
        if is_request and not hasattr(message, "id"):
            self._refuse(identifier, JsonRpcMethodNotFound(f"{data['method']} is a notification, not a request"))
            return
        if is_request and identifier is not None:
            self._tracing.begin(self.trace, identifier, data)
        try:
            self.handle_message(cast("Any", message))
        except BrokenPipeError:
            raise
        except Exception as problem:  # What one message does wrong is no reason to end the session.
            _LOGGER.exception("a message could not be handled")
            self._server.report_server_error(problem, JsonRpcException)

    def structure_message(self, data: dict[str, Any]) -> Any:
        # A client is not turned away for what it says of itself.
        with lenience() if data.get("method") == types.INITIALIZE else nullcontext():
            return super().structure_message(data)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]

    def _give_up(self, identifier: int | str) -> None:
        """Ends what waits for an answer of the client, which has given one that makes no sense."""
        waiting = self._request_futures.pop(identifier, None)
        if waiting is not None and not waiting.done():
            reason = "the client's answer makes no sense"
            waiting.set_exception(JsonRpcException(reason, types.LSPErrorCodes.RequestFailed.value))

    def _waits(self, data: dict[str, Any]) -> bool:
        """Whether a message is about a document that somebody is at work on; it is taken when its turn has come."""
        uri = document_of(data)
        if uri is None or not self._is_initialized:
            return False
        turns, method = cast("FathomServer", self._server).session.turns, data["method"]
        if method in (types.TEXT_DOCUMENT_DID_CLOSE, types.TEXT_DOCUMENT_DID_OPEN):
            turns.give_up(uri)
        return turns.later(uri, lambda: self._take(data), interrupts=method == types.TEXT_DOCUMENT_DID_CHANGE)

    @property
    def _is_initialized(self) -> bool:
        return self._workspace is not None

    @property
    def _answered(self) -> tuple[dict[str, object], dict[str, object]]:
        """Who answers the messages of each method: pygls, and this server."""
        builtin = cast("dict[str, object]", self.fm.builtin_features)  # pyright: ignore[reportUnknownMemberType]
        return builtin, cast("dict[str, object]", self.fm.features)  # pyright: ignore[reportUnknownMemberType]

    def _has(self, method: str) -> bool:
        """Whether messages of this method are answered."""
        return any(method in answers for answers in self._answered)

    def _untimely(self, method: str) -> JsonRpcException | None:
        """Why a request of this method cannot be answered, whatever its parameters are."""
        if self._shutdown:
            return JsonRpcInvalidRequest("the server was shut down")
        if method == types.INITIALIZE and self._is_initialized:
            return JsonRpcInvalidRequest("the server is initialized")
        if method != types.INITIALIZE and not self._is_initialized:
            return JsonRpcServerNotInitialized("the first request is initialize")
        if not self._has(method):
            return JsonRpcMethodNotFound(f"there is no method {method!r}")
        return None

    def _is_timely(self, method: str) -> bool:
        """Whether a notification is looked at now."""
        if method == types.EXIT:
            return True
        known = method == types.CANCEL_REQUEST or self._has(method)
        return known and self._is_initialized and not self._shutdown

    def _refuse(self, identifier: int | str | None, problem: JsonRpcException) -> None:
        """Answers by an error; a message of which no more is known gets one without an id."""
        error = problem.to_response_error()
        if identifier is not None:
            self._send_response(identifier, error=error)
            return
        body = {"jsonrpc": self.VERSION, "id": None, "error": {"code": error.code, "message": error.message}}
        self._send_text(json.dumps(body))

    def _execute_handler(
        self,
        msg_id: int | str,
        handler: Callable[..., Any],
        callback: Callable[[Any], None],
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> None:
        """Has a message handled. What came of it is let go of then, which pygls does only of requests, and of what it
        cancels itself, at the end while it goes over all of it."""

        def handled(future: Any) -> None:
            if not future.cancelled():
                self._request_futures.pop(msg_id, None)
            callback(future)

        super()._execute_handler(msg_id, handler, handled, args, kwargs)

    # ---- what goes

    def _send_handler_result(self, future: Any, *, msg_id: int | str) -> None:
        """Sends what a handler gave; if that is an answer that is still to come, when it has come."""
        problem = None if future.cancelled() else future.exception()
        if problem is not None and _is_interruption(problem):
            self._request_futures.pop(msg_id, None)
            self._send_response(msg_id, error=JsonRpcContentModified("the document was edited").to_response_error())
            return
        if not future.cancelled() and problem is None and isinstance(future.result(), asyncio.Future):
            coming = cast("asyncio.Future[object]", future.result())
            self._request_futures[msg_id] = cast("Any", coming)
            coming.add_done_callback(partial(self._send_handler_result, msg_id=msg_id))
            return
        super()._send_handler_result(future, msg_id=msg_id)

    def _send_response(
        self, msg_id: int | str, result: object = None, error: types.ResponseError | None = None
    ) -> None:
        """Sends an answer; one that is JSON already goes out as it is."""
        self._tracing.end(msg_id, error)
        if error is not None or not isinstance(result, Encoded):
            super()._send_response(msg_id, result, error)
            return
        self._result_types.pop(msg_id, None)
        body = f'{{"jsonrpc":"{self.VERSION}","id":{json.dumps(msg_id)},"result":{result.json}}}'
        self._send_text(body)

    def encoded(self, value: object) -> Encoded:
        """A record of the protocol, or a list of such, as JSON."""
        return Encoded(json.dumps(self._converter.unstructure(value)))

    def notify_encoded(self, method: str, params: Encoded) -> None:
        """Sends a notification whose parameters are JSON already."""
        self._send_text(f'{{"jsonrpc":"{self.VERSION}","method":{json.dumps(method)},"params":{params.json}}}')

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

    # ---- what pygls does otherwise

    @lsp_method(types.EXIT)
    def lsp_exit(self, *args: object) -> Generator[Any, Any, None]:
        """Ends the session, and leaves it to the transport whether the process ends as well."""
        yield self.handler(types.EXIT), args, None
        cast("FathomServer", self._server).leave()

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
