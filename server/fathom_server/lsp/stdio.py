"""Standard input and output as a transport.

A thread reads, because that may block, and hands over messages that are complete: so each costs one change of threads,
for which a key would wait.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import threading
from typing import TYPE_CHECKING, Final

from fathom_server.lsp.framing import MessageParser, Refused
from fathom_server.lsp.gone import LONGER, MOMENT, end_within, end_without_progress, when_closed, when_process_ends

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import BinaryIO

    from fathom_server.lsp.server import FathomServer

_AT_ONCE: Final = 1 << 20
"""How many bytes are read at once, at most."""
_AHEAD: Final = 64
"""How many messages are read before they are looked at."""


class _Output:
    """Standard output, which says once when nobody reads it any more. What is written then goes nowhere."""

    def __init__(self, stream: BinaryIO, closed: Callable[[], None]) -> None:
        self._stream = stream
        self._closed = closed
        self.is_open = True

    def write(self, data: bytes) -> None:
        if not self.is_open:
            return
        try:
            self._stream.write(data)
            self._stream.flush()
        except (OSError, ValueError):
            self.give_up()

    def give_up(self) -> None:
        """Nobody reads it."""
        if self.is_open:
            self.is_open = False
            self._closed()

    def close(self) -> None:
        """The process has it to its end."""


def serve(server: FathomServer) -> int:
    """Serves one client until it says `exit` or is gone; the exit status."""
    try:
        asyncio.run(_session(server))
    except KeyboardInterrupt:
        pass
    finally:
        server.end()
    return server.exit_status


async def _session(server: FathomServer) -> None:
    try:
        await _talk(server)
    finally:
        # Python 3.11 waits for ever for a task that is cancelled while it starts a process, and nobody is there any
        # more who would end this one.
        end_within(MOMENT, lambda: server.exit_status)


async def _talk(server: FathomServer) -> None:
    loop = asyncio.get_running_loop()
    arrived: asyncio.Queue[bytes | bytearray | Refused | None] = asyncio.Queue()
    room = threading.Semaphore(_AHEAD)
    source, taken = sys.stdin.fileno(), 0

    def tell(what: bytes | bytearray | Refused | None) -> None:
        try:
            loop.call_soon_threadsafe(arrived.put_nowait, what)
        except RuntimeError:
            return  # The event loop is over, and the process about to be.

    def read() -> None:
        parser = MessageParser()
        try:
            while data := os.read(source, _AT_ONCE):
                for body in parser.feed(data):
                    room.acquire()
                    tell(body)
                    del body
            tell(None)
        except Refused as problem:
            tell(problem)
        except OSError:
            tell(None)

    def nobody_asks() -> None:
        end_without_progress(LONGER, lambda: server.exit_status, lambda: taken)

    def nobody_reads() -> None:
        # Perhaps `exit` is among what came before.
        tell(None)
        end_within(MOMENT, lambda: server.exit_status if server.has_left else 1)

    output = _Output(sys.stdout.buffer, nobody_reads)
    server.protocol.set_writer(output)
    server.watch_process = lambda pid: when_process_ends(pid, nobody_reads)
    when_closed(sys.stdout.fileno(), output.give_up)
    when_closed(source, nobody_asks, half=True)
    # It waits for a client that may never say more, and must not keep the process from ending.
    threading.Thread(target=read, name="standard input", daemon=True).start()
    while not server.has_left:
        message = await arrived.get()
        taken += 1
        if message is None:
            server.exit_status = 0 if output.is_open else 1
            return
        if isinstance(message, Refused):
            _tell(server, str(message))
            server.exit_status = 1
            return
        room.release()
        server.protocol.receive(message)
        # A long message is not to be kept until the next one comes.
        del message
        await asyncio.sleep(0)


def _tell(server: FathomServer, problem: str) -> None:
    """Tells the client why the session ends."""
    print(f"fathom lsp: {problem}", file=sys.stderr, flush=True)
    message = {"jsonrpc": "2.0", "method": "window/showMessage", "params": {"type": 1, "message": f"fathom: {problem}"}}
    body = json.dumps(message).encode()
    writer = server.protocol.writer
    if writer is not None:
        writer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
