"""`fathom demo`: plays an editing session with the real language server, and prints what a person in an editor would
see."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Final

from fathom.cli.commands import Command
from fathom.cli.streams import Streams

EXAMPLE: Final = """\
  fathom demo
"""


COMMAND: Final = Command("demo", "Plays an editing session with the language server on an example.", EXAMPLE)


def main(arguments: Sequence[str], streams: Streams) -> int:
    COMMAND.parse(arguments, streams)
    return import_module("fathom_server.demo").main(streams.stdout)
