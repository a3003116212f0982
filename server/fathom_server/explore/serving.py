"""The server of the page: HTTP and WebSockets on one port of this machine."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from fathom.records import record
from fathom_server.explore.page import answer
from fathom_server.lsp import first_server
from fathom_server.lsp.admission import Admission, new_token

if TYPE_CHECKING:
    from fathom_server.lsp.server import FathomServer

LANGUAGES: Final = {".mlir": "mlir", ".ll": "llvm"}
HOST: Final = "127.0.0.1"


@record
class Explored:
    """The file that the page shows: its text as it is on disk when the page asks."""

    path: Path

    def told(self) -> dict[str, str]:
        """What the page is told of it. Raises OSError."""
        text = self.path.read_bytes().decode("utf-8", "replace")
        return {
            "uri": self.path.as_uri(),
            "name": self.path.name,
            "languageId": LANGUAGES.get(self.path.suffix, "mlir"),
            "text": text,
        }


def explore(path: Path, port: int, ready: Callable[[str], None]) -> None:
    """Serves the page about a file until it is interrupted; `ready` is called with its address. Raises OSError if the
    port cannot be had."""
    explored = Explored(path.resolve())
    first = [first_server()]
    from fathom_server.lsp.server import create_server
    from fathom_server.lsp.sockets import Listener

    def make() -> FathomServer:
        server = first.pop() if first else create_server()

        @server.feature("fathom/explored")
        def on_explored(_params: Any) -> dict[str, str]:
            return explored.told()

        return server

    async def serve() -> None:
        admission = Admission(new_token(), HOST)
        await Listener(make, admission).serve_page(port, answer, ready)

    try:
        asyncio.run(serve())
    except KeyboardInterrupt:
        return
