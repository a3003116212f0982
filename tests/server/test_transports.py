"""The ports on which a server listens: who is let in, and what becomes of everybody else."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest
import pytest_asyncio
from lsprotocol import types
from pygls.lsp.client import LanguageClient
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from tests.patience import PATIENCE
from tests.server.client import COMMAND, capabilities, environment, plain_converter

pytestmark = [pytest.mark.asyncio, pytest.mark.usefixtures("interruptible")]

TEXT = "func.func @f(%a: i32) -> i32 {\n  return %a : i32\n}\n"


class Listening:
    """A server on a port of its own, and what it said when it started."""

    def __init__(self, process: asyncio.subprocess.Process, port: int, token: str) -> None:
        self.process, self.port, self.token = process, port, token

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.port}/?token={self.token}"


@asynccontextmanager
async def listening(flag: str, *more: str, command: Sequence[str] = COMMAND) -> AsyncIterator[Listening]:
    process = await asyncio.create_subprocess_exec(
        *command,
        flag,
        "0",
        *more,
        env=environment(),
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stderr is not None
    try:
        said = ""
        while (token := re.search(r"(?:token=|Token: )([\w-]+)", said)) is None:
            line = await asyncio.wait_for(process.stderr.readline(), PATIENCE)
            assert line, said
            said += line.decode()
        port = re.search(r"listening on (?:ws://)?127\.0\.0\.1:(\d+)", said)
        assert port is not None, said
        yield Listening(process, int(port[1]), token[1])
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def server() -> AsyncIterator[Listening]:
    """One server for all strangers."""
    async with listening("--tcp") as server:
        yield server


@asynccontextmanager
async def client_of(server: Listening, flag: str) -> AsyncIterator[LanguageClient]:
    """An admitted client, initialized."""
    client = LanguageClient("fathom-tests", "0", converter_factory=plain_converter)
    if flag == "--tcp":
        await client.start_tcp("127.0.0.1", server.port)
    else:
        await client.start_ws("127.0.0.1", f"{server.port}/?token={server.token}")  # pyright: ignore[reportArgumentType]
    params = types.InitializeParams(capabilities(), initialization_options={"token": server.token})
    result = await asyncio.wait_for(client.initialize_async(params), PATIENCE)
    assert result.capabilities.position_encoding == "utf-16"
    assert result.capabilities.hover_provider
    client.initialized(types.InitializedParams())
    try:
        yield client
    finally:
        # pygls would wait for the server to end the connection.
        closed = client.protocol.writer.close() if client.protocol.writer is not None else None
        if closed is not None:
            await closed
        await client.stop()


def open_document(client: LanguageClient, text: str, uri: str = "file:///a.mlir") -> None:
    client.text_document_did_open(types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "mlir", 1, text)))


async def hover(client: LanguageClient, uri: str = "file:///a.mlir") -> types.Hover | None:
    params = types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(1, 10))
    return await asyncio.wait_for(client.text_document_hover_async(params), PATIENCE)


async def leave(client: LanguageClient) -> None:
    await asyncio.wait_for(client.shutdown_async(None), PATIENCE)
    client.exit(None)


@pytest.mark.parametrize("flag", ["--tcp", "--ws"])
async def test_a_session_on_a_port(flag: str) -> None:
    async with listening(flag) as server, client_of(server, flag) as client:
        open_document(client, TEXT)
        assert await hover(client) is not None
        await leave(client)
        assert await asyncio.wait_for(server.process.wait(), PATIENCE) == 0


@pytest.mark.parametrize("flag", ["--tcp", "--ws"])
async def test_clients_have_sessions_of_their_own(flag: str) -> None:
    async with listening(flag) as server, client_of(server, flag) as one, client_of(server, flag) as other:
        open_document(one, TEXT)
        assert await hover(one) is not None
        assert await hover(other) is None
        open_document(other, TEXT.replace("i32", "i64"))
        assert "i64" in str(await hover(other))
        assert "i32" in str(await hover(one))
        await leave(one)
        assert "i64" in str(await hover(other))
        await leave(other)
        assert await asyncio.wait_for(server.process.wait(), PATIENCE) == 0


async def test_a_client_that_is_gone_leaves_the_server_to_others() -> None:
    async with listening("--tcp") as server:
        async with client_of(server, "--tcp") as client:
            open_document(client, TEXT)
            assert await hover(client) is not None
        async with client_of(server, "--tcp") as client:
            assert await hover(client) is None


# ---- bare sockets


def framed(message: object, *lines: str, length: str | None = None) -> bytes:
    """A message with a head."""
    body = json.dumps(message).encode()
    head = [*lines, length if length is not None else f"Content-Length: {len(body)}"]
    return "\r\n".join([*head, "", ""]).encode() + body


async def said(server: Listening, data: bytes) -> str:
    """What the server says until it ends the connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(data)
    try:
        return (await asyncio.wait_for(reader.read(), PATIENCE)).decode()
    finally:
        writer.close()


INITIALIZE: dict[str, object] = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}
RUN: dict[str, object] = {
    "jsonrpc": "2.0",
    "id": 2,
    "method": "workspace/executeCommand",
    "params": {"command": "fathom.runFunction", "arguments": [{"uri": "file:///a.mlir", "function": "f"}]},
}


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (framed(INITIALIZE), "the token is missing or wrong"),
        (framed(INITIALIZE, "Fathom-Token: wrong"), "the token is missing or wrong"),
        (framed(INITIALIZE, "Fathom-Token: \u00e9"), "the token is missing or wrong"),
        (b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n\r\n" + framed(RUN), "not HTTP"),
        (b"GET / HTTP/1.1\r\n", "not HTTP"),
        (framed(INITIALIZE, "Host: localhost", "Origin: http://evil.example"), "not HTTP"),
        (framed(INITIALIZE, length="Content-Length: 99999999999999999999999999"), "is not read"),
        (framed(INITIALIZE, length="Content-Length: 2000000"), "is not read"),
        (framed(INITIALIZE, length="Content-Length: -1"), "is no number"),
        (framed(INITIALIZE, length="Content-Type: x"), "does not say its Content-Length"),
        (b"a" * 20_000, "longer than"),
    ],
)
@pytest.mark.asyncio(loop_scope="module")
async def test_strangers_on_a_bare_socket(data: bytes, words: str, server: Listening) -> None:
    answer = await said(server, data)
    assert words in answer
    assert "capabilities" not in answer
    async with client_of(server, "--tcp") as client:
        assert await hover(client) is None


async def test_idle_strangers_keep_no_client_out() -> None:
    async with listening("--tcp") as server, client_of(server, "--tcp") as before:
        idle = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(80)]
        async with client_of(server, "--tcp") as client:
            open_document(client, TEXT)
            assert await hover(client) is not None
            assert await hover(before) is None
        first, _ = idle[0]
        assert await asyncio.wait_for(first.read(), PATIENCE) == b""
        for _, writer in idle:
            writer.close()


async def test_more_clients_than_there_can_be() -> None:
    async with listening("--tcp") as server, AsyncExitStack() as clients:
        for _ in range(16):
            await clients.enter_async_context(client_of(server, "--tcp"))
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(framed({"jsonrpc": "2.0", "method": "exit"}, f"Fathom-Token: {server.token}"))
        assert b"there are 16 clients already" in await asyncio.wait_for(reader.read(), PATIENCE)
        writer.close()


async def test_the_token_in_the_first_head() -> None:
    async with listening("--tcp") as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(framed(INITIALIZE, f"Fathom-Token: {server.token}", length=None))
        answer = await asyncio.wait_for(reader.readuntil(b"hoverProvider"), PATIENCE)
        assert b"Content-Length" in answer
        writer.close()


# ---- WebSockets


async def check_refused(url: str, words: str, **headers: Any) -> None:
    with pytest.raises(InvalidStatus) as refused:
        async with connect(url, **headers):
            pass
    assert refused.value.response.status_code == 403
    assert words in refused.value.response.body.decode()


async def test_pages_and_strangers_on_a_web_socket() -> None:
    async with listening("--ws", "--origin", "http://localhost:3000") as server:
        address = f"ws://127.0.0.1:{server.port}/"
        await check_refused(address, "the token is missing or wrong")
        await check_refused(f"{address}?token=wrong", "the token is missing or wrong")
        await check_refused(server.url, "http://evil.example are not welcome", origin="http://evil.example")
        await check_refused(server.url, "null are not welcome", origin="null")
        rebound = server.url.replace("127.0.0.1", "evil.example")
        await check_refused(rebound, "not called evil.example", host="127.0.0.1", port=server.port)
        async with connect(server.url, origin="http://localhost:3000") as page:  # pyright: ignore[reportArgumentType]
            await page.send(json.dumps(INITIALIZE))
            answer = await asyncio.wait_for(page.recv(), PATIENCE)
            # Text, as pages expect it.
            assert isinstance(answer, str)
            assert json.loads(answer)["result"]["capabilities"]["hoverProvider"]


async def test_long_messages_pass_through_a_web_socket() -> None:
    async with listening("--ws") as server, client_of(server, "--ws") as client:
        open_document(client, "// " + "a" * (3 << 20) + "\n" + TEXT)
        params = types.HoverParams(types.TextDocumentIdentifier("file:///a.mlir"), types.Position(2, 10))
        assert await asyncio.wait_for(client.text_document_hover_async(params), PATIENCE) is not None


async def test_a_port_that_is_taken() -> None:
    async with listening("--tcp") as server:
        other = await asyncio.create_subprocess_exec(
            *COMMAND, "--ws", str(server.port), env=environment(), stderr=asyncio.subprocess.PIPE
        )
        _, errors = await asyncio.wait_for(other.communicate(), PATIENCE)
        assert other.returncode == 1
        assert f"cannot listen on 127.0.0.1:{server.port}" in errors.decode()
        assert "Traceback" not in errors.decode()


async def test_an_interrupt_ends_a_server_in_silence() -> None:
    async with listening("--tcp") as server:
        server.process.send_signal(signal.SIGINT)
        assert await asyncio.wait_for(server.process.wait(), PATIENCE) == 0
        assert server.process.stderr is not None
        assert b"Traceback" not in await server.process.stderr.read()


async def test_the_token_may_be_agreed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(os.environ, "FATHOM_TOKEN", "agreed-on")
    async with listening("--ws") as server:
        assert server.token == "agreed-on"


STUBBORN = """\
import asyncio, sys
from fathom.cli import main
from fathom_server.lsp import stdio

async def stubborn():
    while True:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            pass

async def talk(server, former=stdio._talk):
    asyncio.get_running_loop().create_task(stubborn())
    await asyncio.sleep(0)
    await former(server)

stdio._talk = talk
main(["lsp", "--stdio"], sys.stdin, sys.stdout, sys.stderr)
"""


async def test_the_server_ends_with_its_client_whatever_it_is_at() -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", STUBBORN, stdin=asyncio.subprocess.DEVNULL, env=environment()
    )
    assert await asyncio.wait_for(process.wait(), PATIENCE) == 0
