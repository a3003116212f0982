"""Requests whose answers take longer than a key may: they are worked out in the process beside the server.

The server sends what the client sent, and the process, which has the same documents, does with it what the server
would.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified

from fathom_server.lsp.border import Border
from fathom_server.lsp.clients import Client
from fathom_server.lsp.plain import plain
from fathom_server.session.beside.messages import Work
from fathom_server.session.beside.process import Failed, NothingToDo

if TYPE_CHECKING:
    from fathom_server.lsp.requests import Request
    from fathom_server.lsp.server import FathomServer
    from fathom_server.model.snapshot import Snapshot

AnsweredThere: TypeAlias = "Callable[[Snapshot, str, Any, Client], object]"
"""What answers a request in that process, by its method: a function of a module that knows all requests."""


async def answered_beside(
    server: FathomServer,
    request: Request[Any, Any],
    uri: str,
    params: Any,
    answered: AnsweredThere,
    is_wanted: Callable[[], bool],
) -> tuple[Border, object]:
    """What the process beside has `answered` to a request, and the version that it is about. JsonRpcContentModified if
    it is not wanted any more when its turn has come, or if the document is closed."""
    sent = _portable(params)

    def work(present: Snapshot) -> Work[object] | None:
        if not is_wanted():
            return None
        items = request.items_beside(Border(present, server.client), params) or ()
        indices = tuple(present.tree.index_of(item) for item in items)
        return Work(answered, (request.method, sent, server.client), indices)

    try:
        current, answer = await server.session.beside.find(uri, work, request.method)
    except Failed as failed:
        border = Border(server.open_snapshot(uri), server.client)
        return border, request.impossible(border, params, str(failed))
    except NothingToDo:
        raise JsonRpcContentModified("the question was asked again, or the document is closed") from None
    return Border(current, server.client), answer


def _portable(params: Any) -> Any:
    """The parameters without the classes that pygls makes up for what it has none for: these cannot be pickled."""
    if isinstance(params, types.CodeAction):
        params.data = plain(params.data)
    return plain(params)
