"""The server on a transport: standard input and output, a TCP socket, or a WebSocket."""

from __future__ import annotations

import gc


def serve_stdio() -> int:
    """Serves one client on standard input and output until it says `exit`; the exit status."""
    server = _server()
    server.start_io()
    return server.exit_status


def serve_tcp(host: str, port: int) -> None:
    """Serves clients on a TCP port."""
    _server().start_tcp(host, port)


def serve_ws(host: str, port: int) -> None:
    """Serves clients on a WebSocket port."""
    _server().start_ws(host, port)


def _server():
    # What is imported lives as long as the process, so that the collector need never go over it.
    gc.disable()
    try:
        from fathom_server.lsp.server import create_server

        server = create_server()
    finally:
        gc.freeze()
        gc.enable()
    return server
