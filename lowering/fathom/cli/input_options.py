"""The options that say how inputs are read, split and checked, and a run of a command over the parts of its input."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, cast

from fathom.cli.commands import Group, Parsed
from fathom.cli.module_options import NO_IMPLICIT_MODULE
from fathom.cli.options import choice, flag, text, written
from fathom.cli.streams import Streams
from fathom.inputs.binary import BYTECODE
from fathom.inputs.splitting import MARKER, Chunk, split
from fathom.messages.message import MessageSeverity
from fathom.messages.report import Reporter, Verbosity
from fathom.messages.source import Source
from fathom.records import record

OUTPUT: Final = written("o", "where to write; standard output by default", "FILE", default="-")
SPLIT: Final = text(
    "split-input-file", f"take the parts between marker lines (`{MARKER}`) each on its own", "MARKER", bare=MARKER
)
OUTPUT_SPLIT_MARKER: Final = text(
    "output-split-marker", "what stands between the results of the parts, on a line of its own", "MARKER"
)
VERIFY_DIAGNOSTICS: Final = choice(
    "verify-diagnostics",
    "hold messages against `expected-error {{…}}` comments; with only-expected, others may come too",
    ("all", "only-expected"),
    bare="all",
)
ALLOW_UNREGISTERED: Final = flag("allow-unregistered-dialect", "keep operations that are not known")

INPUT: Final = Group(
    "input and output",
    (OUTPUT, SPLIT, OUTPUT_SPLIT_MARKER, VERIFY_DIAGNOSTICS, ALLOW_UNREGISTERED, NO_IMPLICIT_MODULE),
)

VERBOSITY: Final = choice(
    "mlir-diagnostic-verbosity-level",
    "the least grave messages to print",
    ("errors", "warnings", "remarks"),
    default="remarks",
)
DISABLE_NOTES: Final = flag("mlir-disable-diagnostic-notes", "print messages without their notes")
OP_ON_DIAGNOSTIC: Final = flag(
    "mlir-print-op-on-diagnostic", "show the operation that a message is about in a note", default=True
)
STACK_TRACE: Final = flag("mlir-print-stacktrace-on-diagnostic", "accepted: there is no stack of C++ to show")

MESSAGES: Final = Group("messages", (VERBOSITY, DISABLE_NOTES, OP_ON_DIAGNOSTIC, STACK_TRACE))

Process = Callable[[Chunk, Reporter], "str | None"]
"""What a command makes of a part of its input; None if it failed, after that was reported."""


@record
class Run:
    """A run of a command over its input. `between` stands between the results of the parts, unless the command line
    says otherwise; `least` is the least grave message to print, unless it asks for less.

    `parts_are_sources` names and numbers each part's lines on its own in messages, as mlir-translate does.
    """

    parsed: Parsed
    streams: Streams
    between: str = MARKER
    parts_are_sources: bool = False
    least: MessageSeverity | None = None

    @property
    def expects(self) -> bool:
        """Whether messages are held against what the input expects."""
        return VERIFY_DIAGNOSTICS in self.parsed

    def process(self, process: Process) -> int:
        """Processes each part, writes the results, and gives the exit status.

        Of a text that is not split nothing is written if it failed.
        """
        parsed, streams = self.parsed, self.streams
        given = streams.read(parsed.file)
        source = Source(given.name, given.text)
        # Bytecode has no marker lines, whatever bytes it holds.
        marker = "" if given.text.startswith(BYTECODE) else parsed[SPLIT]
        chunks, warnings = split(source, marker)
        for warning in warnings:
            streams.stderr.write(source.render(warning))
        if self.parts_are_sources:
            texts, failed = self._each_alone(source, chunks, process)
        else:
            reporter = self._reporter(source)
            texts = [process(chunk, reporter) for chunk in chunks]
            failed = self._amiss(reporter) if self.expects else None in texts
        if (not failed or parsed[SPLIT] or self.expects) and (not failed or parsed[OUTPUT] == "-"):
            between = parsed.get(OUTPUT_SPLIT_MARKER, self.between)
            streams.write(parsed[OUTPUT], f"{between}\n".join(text or "" for text in texts))
        return int(failed)

    def _each_alone(self, whole: Source, chunks: list[Chunk], process: Process) -> tuple[list[str | None], bool]:
        texts: list[str | None] = []
        failed = False
        for chunk in chunks:
            name = whole.name
            if self.parsed[SPLIT]:
                name = f"within split at {name}:{whole.location(chunk.offset).line} offset "
            reporter = self._reporter(Source(name, chunk.text))
            texts.append(process(Chunk(chunk.text, 0), reporter))
            failed |= self._amiss(reporter) if self.expects else texts[-1] is None
        return texts, failed

    def _reporter(self, source: Source) -> Reporter:
        least = self.least or cast("MessageSeverity", self.parsed[VERBOSITY].removesuffix("s"))
        verbosity = Verbosity(
            least, notes=not self.parsed[DISABLE_NOTES], current_operation=self.parsed[OP_ON_DIAGNOSTIC]
        )
        return Reporter(source, self.streams.stderr, verbosity, expecting=self.expects)

    def _amiss(self, reporter: Reporter) -> bool:
        """Prints where messages and expectations differ, and tells whether they do."""
        from fathom.messages.expected_diagnostics import mismatches

        only_expected = self.parsed[VERIFY_DIAGNOSTICS] == "only-expected"
        messages = mismatches(reporter.source, reporter.kept, only_expected=only_expected)
        for message in messages:
            self.streams.stderr.write(reporter.source.render(message))
        return bool(messages)
