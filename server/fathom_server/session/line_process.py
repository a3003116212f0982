"""A process that stands behind the server and answers lines by lines, one after the other: `python -m` of a module.

It is started when it is asked, and again when it is gone. It ends when its standard input does, and so with the server.
"""

from __future__ import annotations

import asyncio
from asyncio.subprocess import Process
from collections.abc import Callable
from typing import Final

from fathom_server.session import children

_LONGEST: Final = 1 << 27
"""Bytes that an answer may have."""


class LineProcess:
    """See the module. `greeting` gives the lines that it is told when it is started, which it does not answer;
    `patience` is how many seconds an answer may take."""

    def __init__(self, module: str, patience: float, greeting: Callable[[], bytes] = bytes) -> None:
        self._module = module
        self._patience = patience
        self._greeting = greeting
        self._process: Process | None = None

    async def ask(self, question: bytes) -> bytes | None:
        """The answer to a line; None where it does not live through it, or takes too long, and is gone then."""
        try:
            process = self._process or await self._start()
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(question + b"\n")
            answer = await asyncio.wait_for(process.stdout.readline(), self._patience)
        except (OSError, ValueError, TimeoutError):
            answer = b""
        if answer.endswith(b"\n"):
            return answer
        self.end()
        return None

    async def finish(self) -> None:
        """Lets it end, since nothing is asked for the time being."""
        process, self._process = self._process, None
        if process is not None and process.stdin is not None:
            process.stdin.close()
            await process.wait()

    def end(self) -> None:
        """Ends it at once."""
        process, self._process = self._process, None
        if process is not None:
            children.end(process)

    async def _start(self) -> Process:
        self._process = process = await children.started(self._module, _LONGEST)
        assert process.stdin is not None
        process.stdin.write(self._greeting())
        return process
