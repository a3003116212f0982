"""`fathom lsp`: starts the language server on standard input and output, or on a port."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from fathom.cli.options import Parser
from fathom.cli.streams import Streams

EXAMPLE = """\
  fathom lsp --stdio
  fathom lsp --tcp 6789
"""


def parser(streams: Streams) -> Parser:
    result = Parser("lsp", "Starts the language server.", EXAMPLE, streams)
    way = result.add_mutually_exclusive_group()
    way.add_argument("--stdio", action="store_true", help="speak on standard input and output: what is done by default")
    way.add_argument("--tcp", type=int, metavar="PORT", help="listen on a port")
    way.add_argument("--ws", type=int, metavar="PORT", help="listen on a port for WebSockets")
    result.add_argument("--host", default="127.0.0.1", help="the address to listen on; this machine alone by default")
    return result


def main(arguments: Sequence[str], streams: Streams) -> int:
    options = parser(streams).parse(arguments).options
    server = import_module("fathom_server.lsp")
    if options.tcp is not None:
        server.serve_tcp(options.host, options.tcp)
    elif options.ws is not None:
        server.serve_ws(options.host, options.ws)
    else:
        return server.serve_stdio()
    return 0
