"""`fathom lsp`: starts the language server on standard input and output, or on a port."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Final

from fathom.cli.options import Command, Group, flag, number, text
from fathom.cli.streams import Streams

EXAMPLE: Final = """\
  fathom lsp --stdio
  fathom lsp --tcp 6789
"""


STDIO: Final = flag("stdio", "speak on standard input and output: what is done by default")
TCP: Final = number("tcp", "listen on a port", "PORT")
WS: Final = number("ws", "listen on a port for WebSockets", "PORT")
HOST: Final = text("host", "the address to listen on; this machine alone by default", "ADDRESS", default="127.0.0.1")

COMMAND: Final = Command(
    "lsp", "Starts the language server.", EXAMPLE, (Group("the way to it", (STDIO, TCP, WS, HOST)),)
)


def main(arguments: Sequence[str], streams: Streams) -> int:
    parsed = COMMAND.parse(arguments, streams)
    ways = [option.spelling for option in (STDIO, TCP, WS) if option.name in parsed.values]
    if len(ways) > 1:
        raise streams.fail(f"{COMMAND.program}: {ways[1]} cannot be used with {ways[0]}")
    server = import_module("fathom_server.lsp")
    tcp, ws = parsed[TCP], parsed[WS]
    if tcp is not None:
        server.serve_tcp(parsed[HOST], tcp)
    elif ws is not None:
        server.serve_ws(parsed[HOST], ws)
    else:
        return server.serve_stdio()
    return 0
