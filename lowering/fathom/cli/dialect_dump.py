"""`fathom dialect dump`: what a TableGen file says, in the form of `llvm-tblgen --dump-json`."""

from __future__ import annotations

from typing import Final

from fathom.cli.commands import Command, Group, Parsed
from fathom.cli.dialect_options import read_text
from fathom.cli.input_options import OUTPUT
from fathom.cli.streams import Streams
from fathom.cli.tablegen_options import INCLUDE, MACRO

EXAMPLE: Final = """\
  fathom dialect dump /usr/lib/llvm-22/include/mlir/Dialect/Arith/IR/ArithOps.td -I /usr/lib/llvm-22/include
"""

DUMP: Final = Command(
    "dialect dump",
    "Prints the records of a TableGen file and of what it includes as JSON, in the form of llvm-tblgen --dump-json.",
    EXAMPLE,
    (Group("input and output", (INCLUDE, MACRO, OUTPUT)),),
    file_help="the TableGen file; standard input by default",
)


def dump(parsed: Parsed, streams: Streams) -> int:
    """Prints records, and says what is wrong with the file; the exit status."""
    from fathom.cli.tablegen_mistakes import show
    from fathom.tablegen.json import write_json
    from fathom.tablegen.reading import Reader

    given = read_text(parsed.file, streams)
    reading = Reader().read(given.name, parsed[INCLUDE], {given.name: given.text}, parsed[MACRO])
    streams.stderr.write(show(reading))
    if reading.errors:
        return 1
    streams.write(parsed[OUTPUT], write_json(reading.records))
    return 0
