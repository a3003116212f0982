"""`fathom reduce`: makes a file smaller as long as a test accepts it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from fathom.cli.commands import Command, Group
from fathom.cli.dialect_options import DIALECTS, context_of
from fathom.cli.options import flag, number, seconds, text, written
from fathom.cli.streams import Streams
from fathom.inputs.binary import BYTECODE, what_it_is
from fathom.reducing import Bounds, Reduced, reduce
from fathom.reducing.command import CommandTest

INTERRUPTED: Final = 130
"""The exit status after Ctrl-C, as shells have it."""

TEST: Final = text(
    "test",
    "a command of the shell; it accepts a file by exit status 0. {} in it is the name of the file, or else the last "
    "word",
    "COMMAND",
)
OUTPUT: Final = written("o", "where the result is written; standard output by default", "FILE", default="-")
IN_PLACE: Final = flag("in-place", "write the result to the input")
TEST_SECONDS: Final = seconds("test-timeout", "when the test is given up, for each text; 10 by default", default=10.0)
TESTS: Final = number(
    "tests", f"how often the test is asked at most; {Bounds().tests} by default", default=Bounds().tests
)
SECONDS: Final = seconds("timeout", "when the search ends; by default, when nothing smaller is found", default=1e9 - 1)
ALLOW_INVALID: Final = flag("allow-invalid", "ask the test of texts with mistakes too, where the input has none")

EXAMPLE: Final = """\
  fathom reduce --test 'mlir-opt --canonicalize {} 2>&1 | grep -q "Assertion"' crash.mlir -o small.mlir
  fathom reduce --test ./still-wrong.sh --in-place wrong.mlir
"""

COMMAND: Final = Command(
    "reduce",
    "Makes a file smaller: operations, blocks, functions and arguments go, values become others of their type or\n"
    "constants, regions are taken apart, shapes and numbers become smaller, as long as a test accepts the file.\n"
    "Names and comments of what stays stay. Ctrl-C ends the search with the smallest file so far.\n\n"
    "The exit status is 0; 1 after an error, and if the test does not accept the input.",
    EXAMPLE,
    (
        Group("options", (TEST, OUTPUT, IN_PLACE, TEST_SECONDS, TESTS, SECONDS, ALLOW_INVALID)),
        DIALECTS,
    ),
    file_help="the input; standard input by default",
)


def main(arguments: Sequence[str], streams: Streams) -> int:
    parsed = COMMAND.parse(arguments, streams)
    if not parsed[TEST].strip():
        raise streams.fail("fathom reduce: give a command with --test; it accepts a file by exit status 0")
    if parsed[IN_PLACE] and parsed.file == "-":
        raise streams.fail("fathom reduce: standard input cannot be written to; leave out --in-place")
    context = context_of(parsed, streams)
    given = streams.read(parsed.file)
    what = "bytecode" if given.text.startswith(BYTECODE) else what_it_is(given.text)
    if what is not None:
        raise streams.fail(f"fathom reduce: {given.name}: the input is {what}")
    name = "input.mlir" if parsed.file == "-" else Path(parsed.file).name
    bounds = Bounds(parsed[TESTS] or 0, parsed[SECONDS])
    with CommandTest(parsed[TEST], name, parsed[TEST_SECONDS]) as test:
        try:
            reduced = reduce(given.text, test, context, bounds, only_valid=not parsed[ALLOW_INVALID])
        except OSError as problem:
            raise streams.fail(f"fathom reduce: the test cannot be run: {problem}") from None
        if reduced is None:
            raise streams.fail(f"fathom reduce: {given.name}: {_refused(test)}")
    if parsed[IN_PLACE]:
        streams.replace(parsed.file, reduced.text)
    else:
        streams.write(parsed[OUTPUT], reduced.text)
    streams.stderr.write(f"{given.name}: note: {_told(reduced)}\n")
    return INTERRUPTED if reduced.stop == "interrupted" else 0


def _refused(test: CommandTest) -> str:
    if test.status is None:
        return "the test takes longer for it than the limit; give it more with --test-timeout"
    return f"the test does not accept it: it ended with status {test.status}, and 0 says that a file is interesting"


_STOPS: Final = {
    "smallest": "nothing smaller was found",
    "tests": "more were not allowed",
    "seconds": "there was no more time",
    "interrupted": "it was interrupted",
}


def _told(reduced: Reduced) -> str:
    before, after = reduced.operations_before, reduced.operations
    what = "it is smaller" if before is None or after is None else f"{_count(before, 'operation')} became {after}"
    return f"{what} in {_count(reduced.tests, 'test')}; {_STOPS[reduced.stop]}"


def _count(number: int, of: str) -> str:
    return f"{number} {of}" if number == 1 else f"{number} {of}s"
