"""What commands have in common that rewrite files in place: `fathom fmt` and `fathom modernise`.

Exit status: 0; 1 with --check if a file would change; 2 after an error. A file changes as a whole or not at all.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from typing import Final

from fathom.cli.commands import Command, Parsed
from fathom.cli.dialect_options import context_of
from fathom.cli.options import flag
from fathom.cli.streams import Exit, Streams
from fathom.inputs.binary import BYTECODE, what_it_is
from fathom.records import record

ERROR: Final = 2
WOULD_CHANGE: Final = 1

CHECK: Final = flag("check", "write nothing; name the files that would change, and end with status 1 if there are any")
DIFF: Final = flag("diff", "write nothing; print what would change")


@record
class Rewriting:
    """A command that rewrites files."""

    command: Command
    verb: str
    """`format`, of `name the files to format`."""
    would: str
    """`reformat`, of `would reformat a.mlir`."""
    done: str
    """`formatted`, of what is compared with the file as it is."""
    of_bytecode: str
    """Why bytecode is refused: `which has no format`."""
    rewrite: Callable[[str, str, Parsed, Streams], str | None]
    """The text of a file after it, by its name and its text. None if it is refused, which was told then."""


def rewrite_files(rewriting: Rewriting, arguments: Sequence[str], streams: Streams) -> int:
    """Rewrites the files that the arguments name; the exit status."""
    try:
        parsed = rewriting.command.parse(arguments, streams)
        if not parsed.files:
            raise streams.fail(
                f"fathom {rewriting.command.name}: name the files to {rewriting.verb}, or - for standard input"
            )
        context_of(parsed, streams, "")
    except Exit as exit_:
        return ERROR if exit_.status else 0
    return max([_rewrite(rewriting, file, parsed, streams) for file in parsed.files])


def _rewrite(rewriting: Rewriting, file: str, parsed: Parsed, streams: Streams) -> int:
    """Rewrites one file; the exit status that follows from it."""
    name = rewriting.command.name
    try:
        given = streams.read(file)
        if given.text.startswith(BYTECODE):
            raise streams.fail(f"fathom {name}: {given.name}: this is bytecode, {rewriting.of_bytecode}")
        if (what := what_it_is(given.text)) is not None:
            raise streams.fail(f"fathom {name}: {given.name}: the input is {what}")
        rewritten = rewriting.rewrite(given.name, given.text, parsed, streams)
        after = given.text if rewritten is None else rewritten
        if parsed[DIFF]:
            streams.stdout.write(difference(given.name, given.text, after, rewriting.done))
        elif not parsed[CHECK] and file == "-":
            streams.stdout.write(after)
        elif not parsed[CHECK] and after != given.text:
            streams.replace(file, after)
    except Exit:
        return ERROR
    if rewritten is None:
        return ERROR
    if parsed[CHECK] and after != given.text:
        streams.stderr.write(f"would {rewriting.would} {given.name}\n")
        return WOULD_CHANGE
    return 0


def difference(name: str, before: str, after: str, done: str) -> str:
    """What would change, as `diff -u` shows it."""
    lines = difflib.unified_diff(
        before.splitlines(keepends=True), after.splitlines(keepends=True), name, f"{name} ({done})"
    )
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)
