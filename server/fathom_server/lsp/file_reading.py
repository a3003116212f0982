"""Files that are not documents and may be anything, logs and traces: a process beside reads each kind of them, one
question after the other, and ends when nobody has asked for a while.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any, Final

from pygls.uris import to_fs_path

from fathom_server.lsp.encoded import Encoded
from fathom_server.lsp.plain import plain
from fathom_server.lsp.requests import invalid, refused
from fathom_server.session.line_process import LineProcess

PATIENCE: Final = 60.0
"""Seconds that it may take to read a file."""
REST: Final = 120.0
"""Seconds without a question after which the process ends."""


class FileReading:
    """The process that runs a module, and whose turn it is to ask it. Its questions are lists that begin with the path
    of a file, and its answers JSON: an object, or a text, the reason why there is no answer."""

    def __init__(self, module: str) -> None:
        self._process: Final = LineProcess(module, PATIENCE)
        self._turn: Final = asyncio.Lock()
        self._ending: asyncio.TimerHandle | None = None

    async def ask(self, path: str, *more: object) -> Encoded:
        """The answer to a question; an error that says the reason where there is none."""
        async with self._turn:
            if self._ending is not None:
                self._ending.cancel()
            try:
                answer = await self._process.ask(json.dumps([path, *more]).encode())
            except asyncio.CancelledError:
                self._process.end()  # What it would answer is not what the next one asks.
                raise
            self._ending = asyncio.get_running_loop().call_later(REST, self._process.end)
        if answer is None:
            raise refused(f"{path}: to read it takes too much, or it changed meanwhile")
        if answer.startswith(b'"'):
            raise refused(json.loads(answer))
        return Encoded(answer.decode("ascii").rstrip())


def path_of(params: Any) -> str:
    """The path of the file or the folder that is meant."""
    match plain(params):
        case {"uri": str(uri)} if uri.startswith("file:"):
            path = to_fs_path(uri)
            if path:
                return path
        case _:
            pass
    raise invalid("`uri` is that of a file or a folder")
