"""LLVM's remarks about a function, on request: they are shown in the document until the function is edited."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

from pygls.exceptions import JsonRpcContentModified

from fathom_server.lsp.border import Border
from fathom_server.lsp.commands import thought
from fathom_server.lsp.progress import progress

if TYPE_CHECKING:
    from lsprotocol import types

    from fathom_server.features.remarks import Remarks
    from fathom_server.lsp.server import FathomServer

_LOGGER = logging.getLogger(__name__)


async def tell(server: FathomServer, border: Border, name: str, token: types.ProgressToken | None) -> dict[str, Any]:
    """`fathom.remarks`: how many there are of a function, which are shown from then on."""
    from fathom_server.session.beside.process import Failed

    server.session.ask_for(border.uri, name)
    try:
        with progress(server, token, f"What LLVM makes of @{name}"):
            made = await _shown(server, border, name)
    except Failed as failed:
        return {"failureReason": f"a fault in Fathom: {failed}"}
    return {"failureReason": made.problem} if made.problem else {"remarks": len(made.told)}


def follow(server: FathomServer, border: Border, name: str) -> None:
    """Shows the remarks about a function whose code was shown, in the background."""

    async def show() -> None:
        from fathom_server.session.beside.process import Failed

        try:
            await _shown(server, border, name)
        except (Failed, JsonRpcContentModified):
            return  # There is a later version, whose code is shown too.
        except Exception:
            _LOGGER.exception("the remarks about %s", name)

    server.begin(show())


async def _shown(server: FathomServer, border: Border, name: str) -> Remarks:
    from fathom_server.features.lower import items_beside
    from fathom_server.features.remarks import ahead, remarks

    if items_beside(border.snapshot, name) is None:
        to_do = await server.session.turns.ask(border.uri, lambda: ahead(border.snapshot, name))
        if to_do is not None:
            await asyncio.to_thread(to_do)
    current, made = await thought(server, border, name, remarks, name)
    opened = server.session.documents.get(border.uri)
    if opened is not None and opened.document.tree is current.snapshot.tree and not made.problem:
        opened.remarked(name, made.told)
        server.publishing.publish(opened)
    return made
