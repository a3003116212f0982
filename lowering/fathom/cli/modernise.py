"""`fathom modernise`: files of older editions of MLIR in the form that MLIR 22 has for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fathom.cli.commands import Command, Group, Parsed
from fathom.cli.dialect_options import DIALECTS, MLIR, context_in, context_of
from fathom.cli.in_place import CHECK, DIFF, Rewriting, rewrite_files
from fathom.cli.streams import Streams
from fathom.messages.report import Reporter
from fathom.messages.source import Source
from fathom.modernising.engine import Modernised, modernised
from fathom.modernising.found import find_edition

COMMAND: Final = Command(
    "modernise",
    "Writes files of older releases of MLIR as MLIR 22 has it: operations, types, attributes, aliases, and the passes\n"
    "in RUN lines. Comments, names and line breaks stay. A file of which not all can be said today stays as it is.\n\n"
    "Which release a file is of, --mlir says, or a comment `// MLIR: 15` in it; otherwise it is the newest in which\n"
    "nothing is wrong with it.\n\n"
    "The exit status is 0, with --check 1 if a file would change, and 2 after an error.",
    "  fathom modernise --mlir=13 old.mlir\n  fathom modernise --diff examples/*.mlir\n",
    (Group("options", (CHECK, DIFF)), DIALECTS),
    file_help="what to modernise, in place; `-` for standard input, which is written to standard output",
    several_files=True,
)


def main(arguments: Sequence[str], streams: Streams) -> int:
    which = "which every release reads"
    modernising = Rewriting(COMMAND, "modernise", "modernise", "modernised", which, _modernised)
    return rewrite_files(modernising, arguments, streams)


def _modernised(name: str, text: str, parsed: Parsed, streams: Streams) -> str | None:
    made = _made(text, parsed, streams)
    Reporter(Source(name, text), streams.stderr).report(made.diagnostics)
    return None if made.is_refused else made.text


def _made(text: str, parsed: Parsed, streams: Streams) -> Modernised:
    context = context_of(parsed, streams, text)
    if context.edition is None and not parsed[MLIR]:
        name, wrong = find_edition(text, lambda name: context_in(parsed, streams, name))
        if wrong:
            return Modernised(text, (), tuple(wrong))
        context = context_in(parsed, streams, name)
    return modernised(text, context, context.newest)
