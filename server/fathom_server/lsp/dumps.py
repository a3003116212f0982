"""The custom messages about logs with dumps of IR; `docs/protocol.md` describes them.

A process beside reads the logs (`dump_reader.py`), one question after the other, and ends when nobody has asked for a
while.
"""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any, Final

from pygls.uris import to_fs_path

from fathom_server.lsp.encoded import Encoded
from fathom_server.lsp.plain import plain
from fathom_server.lsp.requests import invalid, refused
from fathom_server.session.line_process import LineProcess

if TYPE_CHECKING:
    from fathom_server.lsp.server import FathomServer

_MODULE: Final = "fathom_server.lsp.dump_reader"
PATIENCE: Final = 60.0
"""Seconds that it may take to read a log."""
REST: Final = 120.0
"""Seconds without a question after which the process ends."""


class _Reading:
    """The process, and whose turn it is to ask it."""

    def __init__(self) -> None:
        self._process: Final = LineProcess(_MODULE, PATIENCE)
        self._turn: Final = asyncio.Lock()
        self._ending: asyncio.TimerHandle | None = None

    async def ask(self, path: str, *number: int) -> Encoded:
        """The answer to a question; an error that says the reason where there is none."""
        async with self._turn:
            if self._ending is not None:
                self._ending.cancel()
            try:
                answer = await self._process.ask(json.dumps([path, *number]).encode())
            except asyncio.CancelledError:
                self._process.end()  # What it would answer is not what the next one asks.
                raise
            self._ending = asyncio.get_running_loop().call_later(REST, self._process.end)
        if answer is None:
            raise refused(f"{path}: to read it takes too much, or it changed meanwhile")
        if answer.startswith(b'"'):
            raise refused(json.loads(answer))
        return Encoded(answer.decode("ascii").rstrip())


def register(server: FathomServer) -> None:
    reading = _Reading()

    @server.feature("fathom/dumps")
    async def on_dumps(params: Any) -> Encoded:
        return await reading.ask(_path(params))

    @server.feature("fathom/dump")
    async def on_dump(params: Any) -> Encoded:
        path, number = _path(params), plain(params).get("number")
        if not isinstance(number, int) or isinstance(number, bool):
            raise invalid("`number` is that of a dump")
        return await reading.ask(path, number)


def _path(params: Any) -> str:
    """The path of the log or the folder that is meant."""
    match plain(params):
        case {"uri": str(uri)} if uri.startswith("file:"):
            path = to_fs_path(uri)
            if path:
                return path
        case _:
            pass
    raise invalid("`uri` is that of a file or a folder")
