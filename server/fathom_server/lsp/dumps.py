"""The custom messages about logs with dumps of IR; `docs/protocol.md` describes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from fathom_server.lsp.file_reading import FileReading, path_of
from fathom_server.lsp.plain import plain
from fathom_server.lsp.requests import invalid

if TYPE_CHECKING:
    from fathom_server.lsp.encoded import Encoded
    from fathom_server.lsp.server import FathomServer

_MODULE: Final = "fathom_server.lsp.dump_reader"


def register(server: FathomServer) -> None:
    reading = FileReading(_MODULE)

    @server.feature("fathom/dumps")
    async def on_dumps(params: Any) -> Encoded:
        return await reading.ask(path_of(params))

    @server.feature("fathom/dump")
    async def on_dump(params: Any) -> Encoded:
        path, number = path_of(params), plain(params).get("number")
        if not isinstance(number, int) or isinstance(number, bool):
            raise invalid("`number` is that of a dump")
        return await reading.ask(path, number)
