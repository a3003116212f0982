"""`fathom demo`: plays an editing session with the real language server, and prints what a person in an editor would
see."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from fathom.cli.options import Parser
from fathom.cli.streams import Streams

EXAMPLE = """\
  fathom demo
"""


def parser(streams: Streams) -> Parser:
    return Parser("demo", "Plays an editing session with the language server on an example.", EXAMPLE, streams)


def main(arguments: Sequence[str], streams: Streams) -> int:
    parser(streams).parse(arguments)
    return import_module("fathom_server.demo").main(streams.stdout)
