"""The server on a port: a bare socket or a WebSocket. Each client has a session of its own, and must be admitted."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable, Coroutine
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from fathom.records import replace
from fathom_server.lsp.admission import HEADER, Admission
from fathom_server.lsp.framing import LARGEST, MessageParser, Refused
from fathom_server.lsp.gone import end_when_stuck

if TYPE_CHECKING:
    from typing import Protocol

    from websockets.asyncio.server import ServerConnection
    from websockets.http11 import Request, Response

    from fathom_server.lsp.server import FathomServer

    class Answer(Protocol):
        """An answer of HTTP."""

        @property
        def status(self) -> HTTPStatus: ...
        @property
        def headers(self) -> dict[str, str]: ...
        @property
        def body(self) -> bytes: ...


MOST_CLIENTS: Final = 16
"""How many clients there can be at once; more are refused."""
_MOST_STRANGERS: Final = 64
"""How many clients that have not shown the token yet are waited for; the first of them makes room for one more."""
_PATIENCE: Final = 20.0
"""Seconds within which a client must show the token."""
_LARGEST_FIRST: Final = 1 << 20
"""How many bytes are read from a client that has not shown the token yet."""
_BEHIND: Final = 64 << 20
"""How many bytes a client may leave unread before it counts as gone."""


class Listener:
    """A port, and the sessions of its clients. `make` makes the server of a new one."""

    def __init__(self, make: Callable[[], FathomServer], admission: Admission) -> None:
        self.admission = admission
        self.exit_status = 0
        self._make = make
        self._count = 0
        self._strangers: dict[asyncio.StreamWriter, None] = {}
        self._over = asyncio.Event()
        self._page: Callable[[str, str], Answer] | None = None
        self._sockets: set[int] = set()
        """The descriptors of the clients' sockets."""

    async def serve_tcp(self, port: int) -> None:
        """Listens for bare sockets until the last client says `exit`. Raises OSError."""
        end_when_stuck(asyncio.get_running_loop(), lambda: list(self._sockets))
        listening = await asyncio.start_server(self._talk_bare, self.admission.host, port, limit=1 << 16)
        bound = listening.sockets[0].getsockname()[1]
        _say(f"listening on {_shown(self.admission.host)}:{bound}")
        _say(f"the first message needs the header 'Fathom-Token: {self.admission.token}'")
        _say("(or the token in initializationOptions.token)")
        async with listening:
            await self._over.wait()

    async def serve_ws(self, port: int) -> None:
        """Listens for WebSockets until the last client says `exit`. Raises OSError."""
        from websockets.asyncio.server import serve

        end_when_stuck(asyncio.get_running_loop(), lambda: list(self._sockets))
        listening = await serve(
            self._talk_ws, self.admission.host, port, process_request=self._judge, max_size=LARGEST, compression=None
        )
        bound = next(iter(listening.sockets)).getsockname()[1]
        _say(f"listening on ws://{_shown(self.admission.host)}:{bound}/?token={self.admission.token}")
        async with listening:
            await self._over.wait()

    async def serve_page(self, port: int, page: Callable[[str, str], Answer], ready: Callable[[str], None]) -> None:
        """Listens for WebSockets of a page, whose files are what `page` answers to a path and the name by which the
        server is called; `ready` is called with its address. Ends when it is cancelled, and not when its clients are
        gone: a page that is loaded again comes back. Raises OSError."""
        from websockets.asyncio.server import serve

        self._page = page
        host = self.admission.host
        async with await serve(
            self._talk_ws, host, port, process_request=self._judge, max_size=LARGEST, compression=None
        ) as listening:
            bound = next(iter(listening.sockets)).getsockname()[1]
            origin = f"http://{_shown(host)}:{bound}"
            self.admission = replace(self.admission, origins=(origin,))
            ready(f"{origin}/#token={self.admission.token}")
            await asyncio.get_running_loop().create_future()

    async def _admitted(
        self, transport: asyncio.BaseTransport, talk: Callable[[FathomServer], Coroutine[Any, Any, None]]
    ) -> None:
        """Has a session of its own speak with a client, and ends it."""
        server = self._make()
        descriptor: int = transport.get_extra_info("socket").fileno()
        self._count += 1
        self._sockets.add(descriptor)
        try:
            await talk(server)
        finally:
            self._count -= 1
            self._sockets.discard(descriptor)
            server.end()
        if server.has_left and not self._count:
            self.exit_status = server.exit_status
            self._over.set()

    # ---- bare sockets

    async def _talk_bare(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        parser = MessageParser(strict=True, besides=(HEADER,), largest=_LARGEST_FIRST)
        try:
            self._wait_for(writer)
            try:
                waiting = await asyncio.wait_for(self._first_messages(reader, parser), _PATIENCE)
            finally:
                self._strangers.pop(writer, None)
            if self._count >= MOST_CLIENTS:
                raise Refused(f"there are {MOST_CLIENTS} clients already")
            parser.largest = LARGEST
            await self._admitted(
                writer.transport, lambda server: self._session(server, waiting, reader, writer, parser)
            )
        except Refused as problem:
            _tell(writer, str(problem))
        except (TimeoutError, OSError):
            pass
        finally:
            writer.close()

    def _wait_for(self, stranger: asyncio.StreamWriter) -> None:
        """Nobody who knows the token has to wait for those who do not: they are no clients, and make room."""
        if len(self._strangers) >= _MOST_STRANGERS:
            oldest = next(iter(self._strangers))
            del self._strangers[oldest]
            oldest.transport.abort()
        self._strangers[stranger] = None

    async def _first_messages(self, reader: asyncio.StreamReader, parser: MessageParser) -> list[bytes | bytearray]:
        """What a client says first, once it has shown the token. Raises Refused."""
        while data := await reader.read(1 << 16):
            for body in parser.feed(data):
                if not self.admission.knows(parser.head.get(HEADER)) and not self._knows_inside(body):
                    raise Refused("the token is missing or wrong: the server printed it when it started")
                return [body, *parser.feed(b"")]
        raise Refused("the client said nothing")

    def _knows_inside(self, body: bytes | bytearray) -> bool:
        """Whether a request to initialize has the token among its options."""
        try:
            token = json.loads(body)["params"]["initializationOptions"]["token"]
        except (ValueError, LookupError, TypeError, RecursionError):
            return False
        return isinstance(token, str) and self.admission.knows(token)

    async def _session(
        self,
        server: FathomServer,
        waiting: list[bytes | bytearray],
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        parser: MessageParser,
    ) -> None:
        server.protocol.set_writer(_BareWriter(writer))
        for body in waiting:
            server.protocol.receive(body)
        waiting.clear()
        while not server.has_left and (data := await reader.read(1 << 18)):
            for body in parser.feed(data):
                server.protocol.receive(body)
                del body
                await asyncio.sleep(0)
                if server.has_left:
                    return

    # ---- WebSockets

    def _judge(self, connection: ServerConnection, request: Request) -> Response | None:
        """Refuses a handshake, before a session is made for it."""
        headers = request.headers
        if self._page is not None and headers.get("Upgrade", "").lower() != "websocket":
            return self._answered(connection, request)
        many = [name for name in ("Origin", "Host") if len(headers.get_all(name)) > 1]
        refusal = (
            f"more than one {many[0]}"
            if many
            else self.admission.refusal(request.path, headers.get("Host"), headers.get("Origin"))
        )
        if refusal is not None:
            return connection.respond(HTTPStatus.FORBIDDEN, f"{refusal}\n")
        if self._count >= MOST_CLIENTS:
            return connection.respond(HTTPStatus.SERVICE_UNAVAILABLE, f"there are {MOST_CLIENTS} clients already\n")
        return None

    def _answered(self, connection: ServerConnection, request: Request) -> Response:
        """The answer to who asks for a file of the page. By another name than that of this machine, which somebody may
        have pointed here, nobody is answered."""
        from websockets.datastructures import Headers
        from websockets.http11 import Response

        host = request.headers.get_all("Host")
        if self._page is None or len(host) != 1 or not self.admission.is_own(host[0]):
            return connection.respond(HTTPStatus.FORBIDDEN, "this machine is not called so\n")
        answer = self._page(request.path, host[0])
        length = {"Content-Length": str(len(answer.body)), "Connection": "close"}
        return Response(answer.status, answer.status.phrase, Headers({**answer.headers, **length}), answer.body)

    async def _talk_ws(self, connection: ServerConnection) -> None:
        from websockets.exceptions import ConnectionClosed

        async def talk(server: FathomServer) -> None:
            server.protocol.set_writer(_WebSocketWriter(connection), include_headers=False)
            try:
                while not server.has_left:
                    server.protocol.receive(await connection.recv(decode=False))
            except ConnectionClosed:
                return

        await self._admitted(connection.transport, talk)
        await connection.close()


class _BareWriter:
    """A socket as pygls writes to it, given up if nobody reads what it is sent."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer

    def write(self, data: bytes) -> None:
        if self._writer.transport.get_write_buffer_size() > _BEHIND:
            self._writer.transport.abort()
        elif not self._writer.is_closing():
            self._writer.write(data)

    def close(self) -> None:
        self._writer.close()


class _WebSocketWriter:
    """A WebSocket as pygls writes to it; messages are text, as a browser expects them."""

    def __init__(self, connection: ServerConnection) -> None:
        self._connection = connection

    async def write(self, data: bytes) -> None:
        from websockets.exceptions import ConnectionClosed

        try:
            await self._connection.send(data.decode())
        except ConnectionClosed:
            return

    async def close(self) -> None:
        await self._connection.close()


def _tell(writer: asyncio.StreamWriter, problem: str) -> None:
    """Tells a client why the connection ends, as a message that it can show; whoever speaks HTTP sees it as text."""
    _say(problem)
    if writer.is_closing():
        return
    message = {"jsonrpc": "2.0", "method": "window/showMessage", "params": {"type": 1, "message": f"fathom: {problem}"}}
    body = json.dumps(message).encode()
    writer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)


def _say(text: str) -> None:
    print(f"fathom lsp: {text}", file=sys.stderr, flush=True)


def _shown(host: str) -> str:
    return f"[{host}]" if ":" in host else host
