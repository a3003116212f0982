"""The one handler behind all requests: it finds the document, translates, lets a feature think, and translates back.

A row of the table (`lsp/table.py`) says what differs from request to request. A feature is imported when it is first
used, so that the server answers `initialize` at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from importlib import import_module
from inspect import isawaitable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from lsprotocol.types import LSPErrorCodes
from pygls.exceptions import JsonRpcContentModified, JsonRpcException, JsonRpcInvalidParams

from fathom.records import record
from fathom.text.beginnings import TextTooLong
from fathom_server.lsp.border import Border
from fathom_server.session.threads import in_thread

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from fathom.syntax.tree import Item
    from fathom_server.lsp.beside import AnsweredThere
    from fathom_server.lsp.kinds import KindOf
    from fathom_server.lsp.server import FathomServer

P = TypeVar("P")
F = TypeVar("F")

FEATURES = "fathom_server.features"


def invalid(message: str) -> JsonRpcInvalidParams:
    """The answer to a request that makes no sense."""
    return JsonRpcInvalidParams(message)


def refused(reason: str) -> JsonRpcException:
    """The answer to a request that makes sense, and cannot be done; the client shows the reason."""
    return JsonRpcException(reason, LSPErrorCodes.RequestFailed.value)


@record
class Request(Generic[P, F]):
    """A request about one document.

    `feature` names a module of `features` and its function, which gets a snapshot and what `arguments` makes of the
    parameters, and whose answer, unless it is None, `answer` puts in the protocol's terms. `uri` says which document is
    meant. A request about a document that is not open is answered by null, or by what `closed` says, or is invalid if
    it `must_be_open`. `options` are what the server tells of the request in `initialize`. `finish` has the last word on
    an answer.

    `beside` names a function of the feature's module that gets what the feature does. Where it gives items, and not
    None, the feature thinks about these, and `answer` translates, in the process beside the server, about the version
    that is the present one when nobody types (`lsp/beside.py`). If that fails, `impossible`, of the same module, says
    what the feature found, of the same arguments and the reason. Such a request that is asked again before it has
    begun, with the same `subject`, is answered by the error that the content was modified.

    `ahead`, with it, names another that gets what the feature does: what it gives, if anything, is done in a thread
    before, while the event loop sees to other things.

    A request that goes `across` the files of the workspace may be about one that is not open; its feature gets the
    workspace behind the snapshot. `waits` names a function of the feature's module that tells, of what the feature gets
    but for the workspace, whether all files must be known before.
    """

    method: str
    feature: str
    arguments: Callable[[Border, P], tuple[Any, ...]]
    answer: Callable[[Border, P, F], object]
    uri: Callable[[P], str]
    must_be_open: bool = False
    closed: Callable[[P], object] | None = None
    options: object = None
    beside: str = ""
    ahead: str = ""
    subject: Callable[..., object] | None = None
    finish: Callable[[FathomServer, Border, P, Any], object] | None = None
    across: bool = False
    waits: str = ""

    @property
    def module(self) -> str:
        return f"{FEATURES}.{self.feature.partition('.')[0]}"

    def function(self, name: str = "") -> Callable[..., Any]:
        """The function that thinks, or another of its module, which is imported."""
        return getattr(import_module(self.module), name or self.feature.partition(".")[2])

    def answered(self, border: Border, params: P) -> object:
        """The answer in the protocol's terms."""
        asked: tuple[Any, ...] = (border.snapshot,)
        if self.across:
            from fathom_server.features.workspace import ALONE

            asked = (border.snapshot, border.workspace or ALONE)
        answer: F | None = self.function()(*asked, *self.arguments(border, params))
        return self.answer(border, params, answer) if answer is not None else None

    def must_wait(self, border: Border, params: P) -> bool:
        """Whether all files of the workspace must be known before."""
        return bool(self.waits) and self.function(self.waits)(border.snapshot, *self.arguments(border, params))

    def items_beside(self, border: Border, params: P) -> tuple[Item, ...] | None:
        """The items that are thought about in the process beside the server; None if that is done here."""
        if not self.beside:
            return None
        return self.function(self.beside)(border.snapshot, *self.arguments(border, params))

    def to_do_ahead(self, border: Border, params: P) -> Callable[[], None] | None:
        """What is done in a thread before the feature is asked, if it is asked here."""
        if not self.ahead:
            return None
        return self.function(self.ahead)(border.snapshot, *self.arguments(border, params))

    def impossible(self, border: Border, params: P, reason: str) -> object:
        """The answer where the process beside the server gives none."""
        answer = self.function("impossible")(*self.arguments(border, params), reason)
        return self.answer(border, params, answer)


@record
class _Begun:
    """How far a request is: something is `to_do` in a thread before it is answered, or that is done elsewhere, or this
    is the answer."""

    to_do: Callable[[], None] | None = None
    is_beside: bool = False
    answer: object = None


@record
class Command(Generic[P]):
    """A command about one document.

    `read` makes of the arguments that the client sent the document's URI and what `perform` is to know, or None if they
    make no sense; `usage` says then what was expected.
    """

    name: str
    usage: str
    read: Callable[[list[object]], tuple[str, P] | None]
    perform: Callable[[FathomServer, Border, P, Any], Awaitable[object]]


def handler_of(
    server: FathomServer, request: Request[Any, Any], there: AnsweredThere, kind_of: KindOf
) -> Callable[[Any], Any]:
    """The function that answers a request; `there`, in the process beside the server, what takes long. About a document
    of another kind, as `kind_of` says, the kind has the answer, if there is one."""

    def border_of(params: Any) -> Border | None:
        uri = request.uri(params)
        snapshot = server.open_snapshot(uri) if request.must_be_open else server.session.snapshot(uri)
        if not request.across or not server.has_workspace:
            return Border(snapshot, server.client) if snapshot is not None else None
        snapshot = snapshot or server.files.snapshot(uri)
        return Border(snapshot, server.client, server.files) if snapshot is not None else None

    def handle(params: Any) -> object:
        uri = request.uri(params)
        kind = kind_of(server, uri)
        if kind is not None and request.method in kind.ANSWERS:
            return kind.answered(server, request.method, uri, params)
        border = border_of(params)
        if border is None:
            return request.closed(params) if request.closed is not None else None
        if border.workspace is not None and not server.files.index.is_complete and request.must_wait(border, params):
            return asyncio.ensure_future(answered_later(border, params))
        answer = server.session.turns.ask(border.uri, lambda: answered(border, params))
        return answer.result() if answer.done() else answer

    async def answered_later(former: Border, params: Any) -> object:
        """The answer when all files of the workspace are known."""
        if not await server.files.index.until_complete():
            raise refused("not all files of the workspace are known: to look at them was given up")
        await server.session.turns.until_free(former.uri)
        border = border_of(params)
        if border is None or border.snapshot.tree is not former.snapshot.tree:
            raise JsonRpcContentModified("the document has changed")
        return await server.session.turns.ask(border.uri, lambda: answered(border, params))

    def answered(border: Border, params: Any) -> object:
        try:
            answer = request.answered(border, params)
            return request.finish(server, border, params, answer) if request.finish is not None else answer
        except TextTooLong as problem:
            raise invalid(str(problem)) from None

    newest: dict[object, object] = {}

    async def present(asked: Border, params: Any) -> Border | None:
        """The document as it is when nobody works on it: somebody may have begun to since the message came."""
        await server.session.turns.until_free(asked.uri)
        border = border_of(params)
        if border is not None and border.snapshot.tree is not asked.snapshot.tree and request.subject is None:
            raise JsonRpcContentModified("the document has changed")
        return border

    def begun(border: Border, params: Any, done: Sequence[Callable[[], None]]) -> _Begun:
        """What can be answered here, if what is to be done ahead of that is `done`; and which way else."""
        if request.items_beside(border, params) is not None:
            return _Begun(is_beside=True)
        to_do = request.to_do_ahead(border, params)
        if to_do is not None and to_do not in done:
            return _Begun(to_do)
        return _Begun(answer=answered(border, params))

    async def handle_beside(params: Any) -> object:
        uri = request.uri(params)
        kind = kind_of(server, uri)
        if kind is not None and request.method in kind.ANSWERS:
            answer = kind.answered(server, request.method, uri, params)
            return await answer if isawaitable(answer) else answer
        asked = border_of(params)
        if asked is None:
            return None
        border = await present(asked, params)
        # Only what is answered here waits for that: of others the one that was asked last must stay the last.
        done: list[Callable[[], None]] = []
        while border is not None:
            here = border
            way = await server.session.turns.ask(here.uri, lambda here=here: begun(here, params, done))
            if way.is_beside and not server.session.turns.is_taken(here.uri):
                break
            if not way.is_beside and way.to_do is None:
                return way.answer
            if way.to_do is not None:
                done.append(way.to_do)
                await in_thread(way.to_do)
            # Others may have begun to work on the document while this was found out, or done.
            border = await present(asked, params)
        if border is None:
            return None
        from fathom_server.lsp.beside import answered_beside

        arguments = request.arguments(border, params)
        question = (border.uri, request.subject(*arguments) if request.subject is not None else arguments)
        mine = newest[question] = object()
        try:
            current, answer = await answered_beside(
                server, request, border.uri, params, there, lambda: newest.get(question) is mine
            )
        finally:
            if newest.get(question) is mine:
                del newest[question]
        return request.finish(server, current, params, answer) if request.finish is not None else answer

    return handle_beside if request.beside else handle


def command_of(server: FathomServer, command: Command[Any], kind_of: KindOf) -> Callable[[Any], Awaitable[object]]:
    """The coroutine that performs a command; about a document of another kind, what the kind has for it."""
    from fathom_server.lsp.plain import plain

    async def handle(params: Any) -> object:
        arguments = command.read(plain(params.arguments) or [])
        if arguments is None:
            raise invalid(f"{command.name} takes {command.usage}")
        uri, rest = arguments
        kind = kind_of(server, uri)
        perform = kind.COMMANDS.get(command.name) if kind is not None else None
        if perform is not None:
            return await perform(server, uri, rest, params.work_done_token)
        border = Border(server.open_snapshot(uri), server.client)
        try:
            answer = await command.perform(server, border, rest, params.work_done_token)
        except TextTooLong as problem:
            raise invalid(str(problem)) from None
        match answer:
            case {"applied": False, "failureReason": str(reason)}:
                # A client that performs the command of an action or a lens does not look at what comes of it.
                server.say(f"Nothing was changed: {reason}")
            case {"applied": False}:
                server.say("Nothing was changed: the editor refused")
            case _:
                pass
        return answer

    return handle


def register(
    server: FathomServer,
    requests: tuple[Request[Any, Any], ...],
    commands: tuple[Command[Any], ...],
    there: AnsweredThere,
    kind_of: KindOf,
) -> None:
    """Puts the handlers of a table on a server; `there` answers in the process beside it, and `kind_of` says of which
    other kind a document is."""
    for request in requests:
        server.feature(request.method, request.options)(handler_of(server, request, there, kind_of))
    for command in commands:
        server.command(command.name)(command_of(server, command, kind_of))
