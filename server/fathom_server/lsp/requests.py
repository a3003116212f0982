"""The one handler behind all requests: it finds the document, translates, lets a feature think, and translates back.

A row of the table (`lsp/table.py`) says what differs from request to request. A feature is imported when it is first
used, so that the server answers `initialize` at once.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pygls.exceptions import JsonRpcContentModified, JsonRpcInvalidParams

from fathom.records import record
from fathom_server.lsp.border import Border

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from fathom_server.lsp.server import FathomServer
    from fathom_server.model.snapshot import Snapshot

P = TypeVar("P")
F = TypeVar("F")

FEATURES = "fathom_server.features"


def invalid(message: str) -> JsonRpcInvalidParams:
    """The answer to a request that makes no sense."""
    return JsonRpcInvalidParams(message)


@record
class Request(Generic[P, F]):
    """A request about one document.

    `feature` names a module of `features` and its function, which gets a snapshot and what `arguments` makes of the
    parameters, and whose answer, unless it is None, `answer` puts in the protocol's terms. `uri` says which document is
    meant. A request about a document that is not open is answered by null, or is invalid if it `must_be_open`.
    `options` are what the server tells of the request in `initialize`. Where `is_long`, which is asked with what the
    feature gets, says so, the feature thinks, and `answer` translates, beside the event loop, about the version that is
    the present one when nobody types; `finish` has the last word on it, in turn with other messages. `prepare` names a
    function of the feature's module that is called then with the same arguments, in turn with other messages as well;
    what it takes from the present version the feature gets besides. Such a request that is asked again before it has
    begun, with the same `subject`, is answered by the error that the content was modified.
    """

    method: str
    feature: str
    arguments: Callable[[Border, P], tuple[Any, ...]]
    answer: Callable[[Border, P, F], object]
    uri: Callable[[P], str]
    must_be_open: bool = False
    options: object = None
    is_long: Callable[..., bool] | None = None
    prepare: str = ""
    subject: Callable[..., object] | None = None
    finish: Callable[[Border, P, Any], object] | None = None

    @property
    def module(self) -> str:
        return f"{FEATURES}.{self.feature.partition('.')[0]}"

    def function(self) -> Callable[..., F]:
        """The function that thinks; imports its module."""
        return getattr(import_module(self.module), self.feature.partition(".")[2])

    def prepared(self, border: Border, params: P) -> tuple[object, ...]:
        """What the feature gets besides its arguments."""
        if not self.prepare:
            return ()
        return (getattr(import_module(self.module), self.prepare)(border.snapshot, *self.arguments(border, params)),)


@record
class Command(Generic[P]):
    """A command about one document.

    `read` makes of the arguments that the client sent the document's URI and what `perform` is to know, or None if they
    make no sense; `usage` says then what was expected.
    """

    name: str
    usage: str
    read: Callable[[list[Any]], tuple[str, P] | None]
    perform: Callable[[Border, P, Any], Awaitable[object]]


def handler_of(server: FathomServer, request: Request[Any, Any]) -> Callable[[Any], Any]:
    """The function that answers a request."""

    def border_of(params: Any) -> Border | None:
        uri = request.uri(params)
        snapshot = server.open_snapshot(uri) if request.must_be_open else server.session.snapshot(uri)
        return Border(server, snapshot) if snapshot is not None else None

    def answered(border: Border, params: Any, prepared: tuple[object, ...] = ()) -> Any:
        found = request.function()(border.snapshot, *request.arguments(border, params), *prepared)
        return request.answer(border, params, found) if found is not None else None

    def finished(border: Border, params: Any, answer: Any) -> object:
        return request.finish(border, params, answer) if request.finish is not None else answer

    def handle(params: Any) -> object:
        border = border_of(params)
        return finished(border, params, answered(border, params)) if border is not None else None

    newest: dict[object, object] = {}

    async def handle_beside(params: Any) -> object:
        border = border_of(params)
        if border is None or request.is_long is None:
            return None
        arguments = request.arguments(border, params)
        if not request.is_long(border.snapshot, *arguments):
            return finished(border, params, answered(border, params))
        subject = request.subject(*arguments) if request.subject is not None else arguments
        question = (border.uri, subject)
        mine = newest[question] = object()

        def prepare(present: Snapshot) -> Callable[[Snapshot], tuple[Border, Any] | None]:
            if newest.get(question) is not mine:
                return lambda _: None
            prepared = request.prepared(Border(server, present), params)

            def work(apart: Snapshot) -> tuple[Border, Any]:
                current = Border(server, apart)
                return current, answered(current, params, prepared)

            return work

        try:
            made = await server.session.beside(border.uri, prepare)
        finally:
            if newest.get(question) is mine:
                del newest[question]
        if made is None:
            raise JsonRpcContentModified("the question was asked again, or the document is closed")
        current, answer = made
        return finished(current, params, answer)

    return handle if request.is_long is None else handle_beside


def command_of(server: FathomServer, command: Command[Any]) -> Callable[[Any], Awaitable[object]]:
    """The coroutine that performs a command."""
    from fathom_server.lsp.configuration import plain

    async def handle(params: Any) -> object:
        found = command.read(plain(params.arguments) or [])
        if found is None:
            raise invalid(f"{command.name} takes {command.usage}")
        uri, rest = found
        return await command.perform(Border(server, server.open_snapshot(uri)), rest, params.work_done_token)

    return handle


def register(server: FathomServer, requests: tuple[Request[Any, Any], ...], commands: tuple[Command[Any], ...]) -> None:
    """Puts the handlers of a table on a server."""
    for request in requests:
        server.feature(request.method, request.options)(handler_of(server, request))
    for command in commands:
        server.command(command.name)(command_of(server, command))
