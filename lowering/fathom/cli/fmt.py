"""`fathom fmt`: white space and line breaks as mlir-opt prints them; nothing else changes.

Exit status: 0; 1 with --check if a file would change; 2 after an error.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import Final

from fathom.cli.commands import Command, Group, Parsed
from fathom.cli.dialect_options import DIALECTS, context_of
from fathom.cli.options import flag
from fathom.cli.streams import Exit, Streams
from fathom.formatting.texts import MeaningChanged, formatted
from fathom.inputs.binary import BYTECODE, what_it_is

ERROR: Final = 2
WOULD_CHANGE: Final = 1

CHECK: Final = flag("check", "write nothing; name the files that would change, and end with status 1 if there are any")
DIFF: Final = flag("diff", "write nothing; print what would change")

COMMAND: Final = Command(
    "fmt",
    "Formats MLIR: indentation, blanks and line breaks as mlir-opt prints them. Names, comments and the order of all\n"
    "that is written stay, what does not parse stays as it is, and no text changes its meaning.\n\n"
    "The exit status is 0, with --check 1 if a file would change, and 2 after an error.",
    "  fathom fmt examples/gcd.mlir\n  fathom fmt --check examples/*.mlir\n",
    (Group("options", (CHECK, DIFF)), DIALECTS),
    file_help="what to format, in place; `-` for standard input, which is written to standard output",
    several_files=True,
)


def main(arguments: Sequence[str], streams: Streams) -> int:
    try:
        parsed = COMMAND.parse(arguments, streams)
        if not parsed.files:
            raise streams.fail("fathom fmt: name the files to format, or - for standard input")
        context_of(parsed, streams, "")
    except Exit as exit_:
        return ERROR if exit_.status else 0
    return max([_format(file, parsed, streams) for file in parsed.files])


def _format(file: str, parsed: Parsed, streams: Streams) -> int:
    """Formats one file; the exit status that follows from it."""
    try:
        given = streams.read(file)
        if given.text.startswith(BYTECODE):
            raise streams.fail(f"fathom fmt: {given.name}: this is bytecode, which has no format")
        if (what := what_it_is(given.text)) is not None:
            raise streams.fail(f"fathom fmt: {given.name}: the input is {what}")
        after = formatted(given.text, context_of(parsed, streams, given.text))
        is_changed = after != given.text
        if parsed[DIFF]:
            streams.stdout.write(difference(given.name, given.text, after))
        elif not parsed[CHECK] and file == "-":
            streams.stdout.write(after)
        elif not parsed[CHECK] and is_changed:
            streams.replace(file, after)
    except MeaningChanged as fault:
        streams.stderr.write(f"fathom fmt: {file}: a fault in Fathom, please report it with the input: {fault}\n")
        return ERROR
    except Exit:
        return ERROR
    if parsed[CHECK] and is_changed:
        streams.stderr.write(f"would reformat {given.name}\n")
        return WOULD_CHANGE
    return 0


def difference(name: str, before: str, after: str, done: str = "formatted") -> str:
    """What would change, as `diff -u` shows it."""
    lines = difflib.unified_diff(
        before.splitlines(keepends=True), after.splitlines(keepends=True), name, f"{name} ({done})"
    )
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)
