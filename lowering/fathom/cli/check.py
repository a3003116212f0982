"""`fathom check`: calls what comments `// FATHOM: run …` say, and says which of them do not give what they claim.

Exit status: 0 if all do; 1 if one does not; 2 if nothing was put to the test.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Final

from fathom.checking.comments import claims_in
from fathom.cli.commands import Command, Group, Parsed
from fathom.cli.dialect_options import DIALECTS, context_of, own_passes
from fathom.cli.options import number, seconds, text, written
from fathom.cli.pass_options import PIPELINE
from fathom.cli.pipelines import pipeline_of
from fathom.cli.streams import Exit, Streams
from fathom.diagnostics import RUN, Diagnostic, Note
from fathom.execution.outcome import Limits
from fathom.inputs.loading import Loading
from fathom.ir.operation import Span
from fathom.messages.report import Reporter, Verbosity
from fathom.messages.source import Source
from fathom.records import record

if TYPE_CHECKING:
    from fathom.checking.running import Verdict

NOTHING: Final = 2
"""The exit status where nothing was put to the test."""
TIMEOUT: Final = seconds(
    "timeout", f"when to give a call up; {Limits().seconds:g} by default", default=Limits().seconds
)
LIBRARIES: Final = text("shared-libs", "libraries, separated by commas", "FILES")
LINE: Final = number("line", "put only what the comment in this line says to the test", "NUMBER", default=None)
JUNIT: Final = written("junit", "write what came of each to a file as well, as JUnit has it", "FILE")

COMMAND: Final = Command(
    "check",
    "Calls functions as comments say, and holds what they give against the comments:\n\n"
    "  // FATHOM: run @gcd(1071, 462) == 21\n"
    "  // FATHOM: run @scale([1.0, 2.0], 0.1) ~= [0.1, 0.2] within 1e-6\n"
    '  // FATHOM: run @at([1, 2, 3], 7) fails "out-of-bounds"\n\n'
    "Indices, shapes and divisors are looked at when the functions run. Without flags for passes the pipeline\n"
    "lower-to-llvm runs. The exit status is 0 if all is as it is said, 1 if not, and 2 if nothing is said.",
    "  fathom check examples/gcd.mlir\n  fathom check --junit report.xml kernels/\n",
    (Group("options", (PIPELINE, LINE, TIMEOUT, LIBRARIES, JUNIT)), DIALECTS),
    file_help="what to look through; all .mlir files in a folder; `-` for standard input",
    takes_passes=True,
    several_files=True,
    own_passes=own_passes,
)


@record
class Tested:
    """What came of the claims of one file."""

    source: Source
    verdicts: tuple[Verdict, ...]
    seconds: float


def main(arguments: Sequence[str], streams: Streams) -> int:
    try:
        parsed = COMMAND.parse(arguments, streams)
        if not parsed.files:
            raise streams.fail("fathom check: name the files to look through, or - for standard input")
        tested = list(_tested(parsed, streams))
    except Exit as exit_:
        return NOTHING if exit_.status else 0
    verdicts = [verdict for each in tested for verdict in each.verdicts]
    if parsed[JUNIT]:
        from fathom.cli.junit import report

        streams.write(parsed[JUNIT], report(tested))
    if not verdicts:
        streams.stderr.write("fathom check: no comment says // FATHOM: run @f(…) == …\n")
        return NOTHING
    failed = sum(not verdict.holds for verdict in verdicts)
    streams.stdout.write(f"{len(verdicts) - failed} of {len(verdicts)} hold\n")
    return int(failed > 0)


def _tested(parsed: Parsed, streams: Streams) -> Iterator[Tested]:
    """What comes of each file, reported as soon as it is known."""
    from fathom.checking.running import Checking
    from fathom.execution.process import Worker

    context = context_of(parsed, streams)
    asked = pipeline_of(parsed, COMMAND.program, streams, context)
    pipeline = asked if parsed.get(PIPELINE, parsed.passes) else None
    limits = Limits(seconds=parsed[TIMEOUT])
    libraries = [library for library in parsed[LIBRARIES].split(",") if library]
    with Worker() as worker:
        for name in _files(parsed.files):
            given = streams.read(name)
            source = Source(given.name, given.text)
            claims = list(claims_in(f"{line}\n" for line in given.text.split("\n")))
            if (line := parsed[LINE]) is not None:
                claims = [claim for claim in claims if claim.line + 1 == line]
            checking = Checking(source, Loading(context=context), worker, pipeline, limits, libraries)
            begun = perf_counter()
            verdicts: list[Verdict] = []
            reporter = Reporter(source, streams.stderr, Verbosity(current_operation=False))
            for verdict in checking.verdicts(claims):
                verdicts.append(verdict)
                reporter.report(_said(verdict))
            yield Tested(source, tuple(verdicts), perf_counter() - begun)


def _files(names: Sequence[str]) -> Iterator[str]:
    """The files that are named, and those in folders."""
    for name in names:
        path = Path(name)
        if name != "-" and path.is_dir():
            yield from sorted(str(file) for file in path.rglob("*.mlir"))
        else:
            yield name


def _said(verdict: Verdict) -> list[Diagnostic]:
    """What is told of a claim: where it does not hold, that it does not, with what is behind it."""
    span = Span(verdict.claim.start, verdict.claim.end)
    if verdict.holds:
        return [Diagnostic(note, span, "warning", RUN) for note in verdict.notes]
    notes = tuple(
        Note(reason.message, reason.span)
        for reason in verdict.reasons
        if reason.severity == "error" and reason.span is not None
    )
    more = tuple(Note(note, span) for note in verdict.notes)
    return [Diagnostic(verdict.message, span, code=RUN, notes=(*notes, *more))]
