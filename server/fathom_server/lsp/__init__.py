"""The server on a transport: standard input and output, a TCP socket, or a WebSocket."""

from __future__ import annotations

import gc
import sys
from collections.abc import Collection
from typing import Final

SWITCH: Final = 0.0005
"""Seconds for which one thread may keep the others from the interpreter; each message passes between threads."""


def serve_stdio() -> int:
    """Serves one client on standard input and output until it says `exit`; the exit status."""
    server = first_server()
    from fathom_server.lsp.stdio import serve

    return serve(server)


def serve_port(way: str, host: str, port: int, origins: Collection[str]) -> int:
    """Serves clients on a port, each in a session of its own, until the last says `exit`; the exit status.

    `way` is `tcp` or `ws`; `origins` are those of the pages that may use a WebSocket. Raises OSError if the port cannot
    be had.
    """
    import asyncio

    first = [first_server()]
    from fathom_server.lsp.admission import Admission, new_token
    from fathom_server.lsp.server import create_server
    from fathom_server.lsp.sockets import Listener

    async def listen() -> int:
        listener = Listener(lambda: first.pop() if first else create_server(), Admission(new_token(), host, origins))
        await (listener.serve_tcp(port) if way == "tcp" else listener.serve_ws(port))
        return listener.exit_status

    try:
        return asyncio.run(listen())
    except KeyboardInterrupt:
        return 0


def first_server():
    """The first server of this process, which is one for servers from now on."""
    # What is imported lives as long as the process, so that the collector need never go over it.
    gc.disable()
    try:
        from fathom_server.lsp.types_at_start import import_types

        import_types()
        from fathom_server.lsp.log import bound
        from fathom_server.lsp.server import create_server
        from fathom_server.session.collector import configure_collector, leave_alone

        sys.setswitchinterval(SWITCH)
        configure_collector()
        bound()
        server = create_server()
        leave_alone()
    finally:
        gc.enable()
    return server
