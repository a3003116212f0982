"""`fathom modernise`: files of older editions of MLIR in the form that MLIR 22 has for them.

Exit status: 0; 1 with --check if a file would change; 2 after an error, which a file is that cannot be said today.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fathom.cli.commands import Command, Group, Parsed
from fathom.cli.dialect_options import DIALECTS, MLIR, context_in, context_of
from fathom.cli.fmt import CHECK, DIFF, difference
from fathom.cli.streams import Exit, Streams
from fathom.inputs.binary import BYTECODE, what_it_is
from fathom.messages.report import Reporter
from fathom.messages.source import Source
from fathom.modernising.engine import Modernised, modernised
from fathom.modernising.found import find_edition

ERROR: Final = 2
WOULD_CHANGE: Final = 1

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
    try:
        parsed = COMMAND.parse(arguments, streams)
        if not parsed.files:
            raise streams.fail("fathom modernise: name the files to modernise, or - for standard input")
        context_of(parsed, streams, "")
    except Exit as exit_:
        return ERROR if exit_.status else 0
    return max([_modernise(file, parsed, streams) for file in parsed.files])


def _modernise(file: str, parsed: Parsed, streams: Streams) -> int:
    """Modernises one file; the exit status that follows from it."""
    try:
        given = streams.read(file)
        if given.text.startswith(BYTECODE):
            raise streams.fail(f"fathom modernise: {given.name}: this is bytecode, which every release reads")
        if (what := what_it_is(given.text)) is not None:
            raise streams.fail(f"fathom modernise: {given.name}: the input is {what}")
        made = _made(given.text, parsed, streams)
        Reporter(Source(given.name, given.text), streams.stderr).report(made.diagnostics)
        if parsed[DIFF]:
            streams.stdout.write(difference(given.name, given.text, made.text, "modernised"))
        elif not parsed[CHECK] and file == "-":
            streams.stdout.write(made.text)
        elif not parsed[CHECK] and made.changes:
            streams.replace(file, made.text)
    except Exit:
        return ERROR
    if made.is_refused:
        return ERROR
    if parsed[CHECK] and made.changes:
        streams.stderr.write(f"would modernise {given.name}\n")
        return WOULD_CHANGE
    return 0


def _made(text: str, parsed: Parsed, streams: Streams) -> Modernised:
    context = context_of(parsed, streams, text)
    if context.edition is None and not parsed[MLIR]:
        name, wrong = find_edition(text, lambda name: context_in(parsed, streams, name))
        if wrong:
            return Modernised(text, (), tuple(wrong))
        context = context_in(parsed, streams, name)
    return modernised(text, context, context.newest)
