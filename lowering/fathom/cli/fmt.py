"""`fathom fmt`: white space and line breaks as mlir-opt prints them; nothing else changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fathom.cli.commands import Command, Group, Parsed
from fathom.cli.dialect_options import DIALECTS, context_of
from fathom.cli.in_place import CHECK, DIFF, Rewriting, rewrite_files
from fathom.cli.streams import Streams
from fathom.formatting.texts import MeaningChanged, formatted

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
    formatting = Rewriting(COMMAND, "format", "reformat", "formatted", "which has no format", _formatted)
    return rewrite_files(formatting, arguments, streams)


def _formatted(name: str, text: str, parsed: Parsed, streams: Streams) -> str:
    try:
        return formatted(text, context_of(parsed, streams, text))
    except MeaningChanged as fault:
        raise streams.fail(f"fathom fmt: {name}: a fault in Fathom, please report it with the input: {fault}") from None
