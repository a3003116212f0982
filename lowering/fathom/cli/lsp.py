"""`fathom lsp`: starts the language server on standard input and output, or on a port."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Final

from fathom.cli.commands import Command, Group
from fathom.cli.options import flag, number, text, words
from fathom.cli.streams import Streams

EXAMPLE: Final = """\
  fathom lsp --stdio
  fathom lsp --tcp 6789
"""


_HIGHEST: Final = 65535
"""The highest number of a port."""
STDIO: Final = flag("stdio", "speak on standard input and output: what is done by default")
TCP: Final = number("tcp", "listen on a port; 0 for any that is free", "PORT")
WS: Final = number("ws", "listen on a port for WebSockets", "PORT")
HOST: Final = text("host", "the address to listen on; this machine alone by default", "ADDRESS", default="127.0.0.1")

ORIGIN: Final = words(
    "origin", "pages that may use a WebSocket, by their origins: http://localhost:3000; none by default", "ORIGIN"
)

COMMAND: Final = Command(
    "lsp",
    "Starts the language server. On a port it takes clients that show the token which it prints, each in a session of\n"
    "its own.",
    EXAMPLE,
    (Group("the way to it", (STDIO, TCP, WS, HOST, ORIGIN)),),
)


def main(arguments: Sequence[str], streams: Streams) -> int:
    parsed = COMMAND.parse(arguments, streams)
    ways = [option.spelling for option in (STDIO, TCP, WS) if option.name in parsed.values]
    if len(ways) > 1:
        raise streams.fail(f"{COMMAND.program}: {ways[1]} cannot be used with {ways[0]}")
    server = import_module("fathom_server.lsp")
    for way in (TCP, WS):
        port = parsed[way]
        if port is None:
            continue
        if port > _HIGHEST:
            raise streams.fail(f"{COMMAND.program}: for the {way.spelling} option: there is no port {port}")
        try:
            return server.serve_port(way.name, parsed[HOST], port, parsed[ORIGIN])
        except OSError as problem:
            reason = problem.strerror or str(problem)
            raise streams.fail(f"{COMMAND.program}: cannot listen on {parsed[HOST]}:{port}: {reason}") from None
    return server.serve_stdio()
