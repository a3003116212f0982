"""The server of the page: HTTP and WebSockets on one port of this machine."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from fathom_server.explore.explored import Explored
from fathom_server.explore.page import answer
from fathom_server.lsp import first_server
from fathom_server.lsp.admission import Admission, new_token

if TYPE_CHECKING:
    from fathom_server.lsp.server import FathomServer

HOST: Final = "127.0.0.1"


def explore(path: Path, port: int, ready: Callable[[str], None], settings: Mapping[str, object] = {}) -> None:
    """Serves the page about a file until it is interrupted; `ready` is called with its address. These settings hold
    whatever the page says. Raises OSError if the port cannot be had."""
    explored = Explored(path.resolve())
    project = explored.project(Path.cwd().resolve())
    root = project.as_uri() if project is not None else None
    first = [first_server()]
    from fathom_server.lsp.server import create_server
    from fathom_server.lsp.sockets import Listener

    def make() -> FathomServer:
        server = first.pop() if first else create_server()
        server.settings_of_its_own = settings
        server.root_of_its_own = root

        @server.feature("fathom/explored")
        def on_explored(_params: Any) -> dict[str, str | bool]:
            return explored.told()

        @server.feature("fathom/saveExplored")
        def on_save(params: Any) -> dict[str, str]:
            return explored.save(params)

        return server

    async def serve() -> None:
        admission = Admission(new_token(), HOST)
        await Listener(make, admission).serve_page(port, answer, ready)

    try:
        asyncio.run(serve())
    except KeyboardInterrupt:
        return
