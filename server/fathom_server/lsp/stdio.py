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

from pygls.io_ import StdoutWriter

from fathom_server.lsp.framing import MessageParser, Refused

if TYPE_CHECKING:
    from fathom_server.lsp.server import FathomServer

_AT_ONCE: Final = 1 << 20
"""How many bytes are read at once, at most."""
_LAST: Final = 2.0
"""Seconds that the process has for its end, when the client is gone."""
_AHEAD: Final = 64
"""How many messages are read before they are looked at."""


def serve(server: FathomServer) -> int:
    """Serves one client until it says `exit` or is gone; the exit status."""
    server.protocol.set_writer(StdoutWriter(sys.stdout.buffer))
    try:
        asyncio.run(_session(server))
    except BrokenPipeError:
        server.exit_status = 1
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
        end = threading.Timer(_LAST, lambda: os._exit(server.exit_status))
        end.daemon = True
        end.start()


async def _talk(server: FathomServer) -> None:
    loop = asyncio.get_running_loop()
    arrived: asyncio.Queue[bytes | bytearray | Refused | None] = asyncio.Queue()
    room = threading.Semaphore(_AHEAD)
    source = sys.stdin.fileno()

    def hand_over(what: bytes | bytearray | Refused | None) -> None:
        room.acquire()
        loop.call_soon_threadsafe(arrived.put_nowait, what)

    def read() -> None:
        parser = MessageParser()
        try:
            while data := os.read(source, _AT_ONCE):
                for body in parser.feed(data):
                    hand_over(body)
                    del body
            hand_over(None)
        except Refused as problem:
            hand_over(problem)
        except (OSError, RuntimeError):
            # The process is about to end, with its event loop.
            return

    # It waits for a client that may never say more, and must not keep the process from ending.
    threading.Thread(target=read, name="standard input", daemon=True).start()
    while not server.has_left:
        message = await arrived.get()
        room.release()
        if message is None:
            return
        if isinstance(message, Refused):
            _tell(server, str(message))
            server.exit_status = 1
            return
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
