"""A client of the real server that sends bytes, and so can say what no well-behaved client says."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from tests.patience import PATIENCE
from tests.server.client import environment, warm_command

URI = "file:///a.mlir"


class Raw:
    """A server on standard input and output."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.process, self.writer, self.reader = process, process.stdin, process.stdout
        self._count = 0
        self.told: list[Any] = []
        """Messages that no question was asked for."""

    def send_bytes(self, body: bytes, head: str = "Content-Length: {}") -> None:
        self.writer.write(f"{head.format(len(body))}\r\n\r\n".encode() + body)

    def send(self, message: object) -> None:
        self.send_bytes(json.dumps(message).encode())

    def notify(self, method: str, params: object) -> None:
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    async def next(self) -> Any:
        """The next message from the server."""
        length = 0
        while line := (await asyncio.wait_for(self.reader.readline(), PATIENCE)).strip():
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        return json.loads(await self.reader.readexactly(length))

    async def answer(self, identifier: object) -> Any:
        """The answer with this id."""
        while True:
            message = await self.next()
            if "method" not in message and message.get("id") == identifier:
                return message
            self.told.append(message)

    async def ask(self, method: str, params: object) -> Any:
        """The whole answer to a request."""
        self._count += 1
        identifier = f"r{self._count}"
        self.send({"jsonrpc": "2.0", "id": identifier, "method": method, "params": params})
        return await self.answer(identifier)

    def open(self, text: str, uri: str = URI) -> None:
        document = {"uri": uri, "languageId": "mlir", "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})

    async def initialize(self, capabilities: dict[str, Any] | None = None) -> None:
        params = {"processId": None, "rootUri": None, "capabilities": capabilities or {}}
        answer = await self.ask("initialize", params)
        assert answer["result"]["capabilities"]["hoverProvider"]
        self.notify("initialized", {})


@asynccontextmanager
async def raw_server(*, initialized: bool = True, capabilities: dict[str, Any] | None = None) -> AsyncGenerator[Raw]:
    """A server that is spoken to in bytes, forked; `capabilities` are those of its client."""
    process = await asyncio.create_subprocess_exec(
        *warm_command(),
        "--stdio",
        env=environment(),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        limit=1 << 26,
    )
    raw = Raw(process)
    try:
        if initialized:
            await raw.initialize(capabilities)
        yield raw
    finally:
        # The server, whose parent is another, ends when nobody writes to it any more.
        raw.writer.close()
        if process.returncode is None:
            process.kill()
        await process.wait()
