"""`fathom opt`: reads MLIR, runs passes, prints MLIR; the options are mlir-opt's."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from fathom.cli.commands import Command, Group, Parsed
from fathom.cli.dialect_options import DIALECTS, context_of, own_passes
from fathom.cli.input_options import ALLOW_UNREGISTERED, INPUT, MESSAGES, NO_IMPLICIT_MODULE, Run
from fathom.cli.options import Takes, flag, number, unsupported
from fathom.cli.pass_options import (
    CRASH_REPRODUCER,
    DISABLE_THREADING,
    DISABLE_VERIFIER_ON_PARSING,
    DUMP_PIPELINE,
    GENERATE_REPRODUCER,
    LOCAL_REPRODUCER,
    LOOKING_ON,
    PASSES_AND_CHECKS,
    PIPELINE,
    RECORD,
    REPRODUCERS,
    RUN_REPRODUCER,
    SOURCE_NAMES,
    STATISTICS,
    STATISTICS_DISPLAY,
    TIMELINE,
    VERIFY_EACH,
    VERIFY_ROUNDTRIP,
    ir_printing,
)
from fathom.cli.printing_options import PRINTING, printing_flags
from fathom.cli.streams import Streams
from fathom.cli.times import report, timing_of
from fathom.elaborate.locator import locator
from fathom.inputs.loading import Loading
from fathom.ir.locations import FileLineColLoc
from fathom.ir.printer import print_module
from fathom.ir.printing_flags import PrintingFlags
from fathom.records import field, record
from fathom.records import replace as replaced
from fathom.text.encodings import utf8

if TYPE_CHECKING:
    from fathom.elaborate import Loaded
    from fathom.inputs.splitting import Chunk
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import BlockArgument, Operation
    from fathom.ir.operation_printer import Locator
    from fathom.messages.report import Reporter
    from fathom.messages.source import Source
    from fathom.pipeline.language import Pipeline
    from fathom.pipeline.reproducers import CrashReproducer
    from fathom.pipeline.timing import Timing
    from fathom.recording import Recording

EXAMPLE: Final = """\
  fathom opt --convert-scf-to-cf --convert-arith-to-llvm examples/gcd.mlir
  fathom opt --pass-pipeline='builtin.module(func.func(convert-scf-to-cf),convert-arith-to-llvm{index-bitwidth=32})' -
"""

SHOW_DIALECTS: Final = flag("show-dialects", "print the names of the dialects that are known, and end")
LIST_PASSES: Final = flag("list-passes", "print the passes with their options, and end")

EMIT_BYTECODE: Final = flag("emit-bytecode", "write bytecode in the place of text")
BYTECODE_VERSION: Final = number(
    "emit-bytecode-version", "the version of the format of bytecode that is written; the newest by default", signed=True
)
ELIDE_RESOURCES: Final = flag(
    "elide-resource-data-from-bytecode", "name resources in bytecode that is written, and leave out their data"
)
BYTECODE: Final = Group("bytecode", (EMIT_BYTECODE, BYTECODE_VERSION, ELIDE_RESOURCES))

_ACTIONS: Final = "passes here are not made of actions"
_PLUGINS: Final = "libraries of C++ cannot be loaded here"
UNSUPPORTED: Final = Group(
    "not supported",
    (
        unsupported("load-dialect-plugin", _PLUGINS, takes=Takes.ONE),
        unsupported("load-pass-plugin", _PLUGINS, takes=Takes.ONE),
        unsupported("log-actions-to", _ACTIONS, takes=Takes.ONE),
        unsupported("log-mlir-actions-filter", _ACTIONS, takes=Takes.ONE),
        unsupported("profile-actions-to", _ACTIONS, takes=Takes.ONE),
        unsupported("mlir-debug-counter", _ACTIONS, takes=Takes.ONE),
        unsupported("mlir-print-debug-counter", _ACTIONS),
        unsupported("mlir-enable-debugger-hook", _ACTIONS),
        unsupported("remarks-filter", "passes here make no remarks", takes=Takes.ONE),
    ),
    hidden=True,
)
"""What mlir-opt has and this command has not."""

_IN_ONE_PIECE: Final = (DISABLE_THREADING, DUMP_PIPELINE, STATISTICS, TIMELINE, EMIT_BYTECODE)
"""What one process does alone."""

COMMAND: Final = Command(
    "opt",
    "Runs passes on MLIR and prints the result, as mlir-opt does.",
    EXAMPLE,
    (
        INPUT,
        DIALECTS,
        PASSES_AND_CHECKS,
        PRINTING,
        BYTECODE,
        LOOKING_ON,
        REPRODUCERS,
        MESSAGES,
        Group("asking", (SHOW_DIALECTS, LIST_PASSES)),
        UNSUPPORTED,
    ),
    file_help="the input; standard input by default",
    takes_passes=True,
    own_passes=own_passes,
)


def main(arguments: Sequence[str], streams: Streams) -> int:
    parsed = COMMAND.parse(arguments, streams)
    if parsed[SHOW_DIALECTS]:
        from fathom.dialects import dialect_names

        streams.stdout.write(f"Available Dialects: {','.join(dialect_names())}\n")
        return 0
    if parsed[LIST_PASSES]:
        from fathom.cli.commands import passes_help

        streams.stdout.write(passes_help(own_passes(parsed, streams)) + "\n")
        return 0
    context = context_of(parsed, streams)
    pipeline = None
    if parsed.passes or PIPELINE in parsed or parsed[DUMP_PIPELINE]:
        from fathom.cli.pipelines import pipeline_of

        pipeline = pipeline_of(parsed, COMMAND.program, streams, context)
    work = Run(parsed, streams)
    loading = Loading(
        allow_unregistered=parsed[ALLOW_UNREGISTERED],
        implicit_module=not parsed[NO_IMPLICIT_MODULE],
        verify=not parsed[DISABLE_VERIFIER_ON_PARSING],
        only_first=work.expects,
        context=context,
    )
    return work.process(_Opt(parsed, streams, pipeline, loading, parsed[VERIFY_EACH]).process)


@record
class _Opt:
    """What `fathom opt` makes of the parts of its input."""

    parsed: Parsed
    streams: Streams
    pipeline: Pipeline | None
    """None where no pass is asked for."""
    loading: Loading
    verifies: bool
    """Whether to verify after each pass."""
    recorded: list[dict[str, Any]] = field(default_factory=list["dict[str, Any]"])
    """What was recorded of the parts so far."""

    def process(self, chunk: Chunk, reporter: Reporter) -> str | None:
        """The text of one part after the passes; None if it failed, after that was reported."""
        timing = timing_of(self.parsed)
        text = self._process(chunk, reporter, timing)
        if timing is not None:
            self.streams.stderr.write(report(timing, self.parsed))
        return text

    def _process(self, chunk: Chunk, reporter: Reporter, timing: Timing | None) -> str | None:
        locate = _locator(chunk, reporter.source)
        text, has_shares = self._in_shares(chunk, reporter, locate) if timing is None else (None, False)
        if text is not None:
            return text
        started = perf_counter()
        loaded = self.loading.load(chunk, reporter)
        if timing is not None:
            timing.measured("Parser", started)
        if loaded is None:
            return None
        if self.parsed[VERIFY_ROUNDTRIP]:
            from fathom.cli.roundtrip import roundtrip_problems

            if problems := roundtrip_problems(loaded, self.loading, locate):
                reporter.report(problems, chunk.offset)
                return None
        opt = self._with_stored_pipeline(loaded) if self.parsed[RUN_REPRODUCER] else self
        if timing is None and not has_shares and (text := opt._divided(loaded, chunk, reporter, locate)) is not None:
            return text
        if not opt._run(loaded.module, chunk, reporter, locate, timing):
            return None
        started = perf_counter()
        text = opt._written(loaded, reporter, chunk.offset, locate)
        if timing is not None:
            timing.measured("Output", started)
        return text

    def _is_divisible(self, locate: Locator) -> bool:
        """Whether several processes may work, since nobody looks on, and the text is printed as it is by default."""
        parsed = self.parsed
        return (
            not any(parsed[option] for option in _IN_ONE_PIECE)
            and not any(option in parsed for option in (RECORD, CRASH_REPRODUCER, GENERATE_REPRODUCER))
            and self.verifies
            and printing_flags(parsed) == PrintingFlags()
            and not ir_printing(parsed, str, locate)
        )

    def _in_shares(self, chunk: Chunk, reporter: Reporter, locate: Locator) -> tuple[str | None, bool]:
        """The text of a chunk after the passes, if several processes can read it and work it out; and whether that was
        tried."""
        parsed, pipeline = self.parsed, self.pipeline
        if pipeline is None or not pipeline.root.items or not chunk.is_long:
            return None, False
        if parsed[VERIFY_ROUNDTRIP] or parsed[RUN_REPRODUCER] or not self._is_divisible(locate):
            return None, False
        from fathom.cli import divided

        return divided.read_and_lowered(pipeline, self.loading, chunk, reporter, locate)

    def _divided(self, loaded: Loaded, chunk: Chunk, reporter: Reporter, locate: Locator) -> str | None:
        """The text of the module after the passes, if several processes can work it out; None if that was not
        possible."""
        pipeline = self.pipeline
        if pipeline is None or not pipeline.root.items or loaded.metadata.external or not self._is_divisible(locate):
            return None
        from fathom.cli.divided import lowered

        return lowered(loaded.module, pipeline, self.loading, chunk, reporter, locate)

    def _with_stored_pipeline(self, loaded: Loaded) -> _Opt:
        """With the pipeline that the input says. Raises Exit after what is wrong with that was reported."""
        from fathom.pipeline.reproducers import stored_pipeline

        stored = stored_pipeline(loaded.metadata, self.loading.context.find_pass)
        if stored is None:
            return self
        pipeline, verifies = stored
        if pipeline.errors:
            raise self.streams.fail("\n".join(pipeline.errors))
        return replaced(self, pipeline=pipeline, verifies=verifies)

    def _written(self, loaded: Loaded, reporter: Reporter, offset: int, locate: Locator) -> str | None:
        """The text of the module, or its bytecode; None if there can be none, after that was reported."""
        parsed = self.parsed
        if not parsed[EMIT_BYTECODE]:
            runs = self.pipeline is not None and self.pipeline.root.items
            context = self.loading.context.newest if runs else self.loading.context
            flags = printing_flags(parsed, context.language)
            if not self._is_verified:
                from fathom.verify.printing import flags_for

                flags = flags_for(loaded.module, flags, context)
            return print_module(loaded.module, flags, locate=locate, external=loaded.metadata.external)
        from fathom.inputs.bytecode import bytecode_of

        written = bytecode_of(loaded, locate, version=parsed[BYTECODE_VERSION], elide=parsed[ELIDE_RESOURCES])
        if isinstance(written, str):
            return written
        reporter.report([written], offset)
        return None

    @property
    def _is_verified(self) -> bool:
        """Whether what comes out has been verified."""
        runs = self.pipeline is not None and self.pipeline.root.items
        return self.verifies if runs else not self.parsed[DISABLE_VERIFIER_ON_PARSING]

    def _run(self, module: Operation, chunk: Chunk, reporter: Reporter, locate: Locator, timing: Timing | None) -> bool:
        """Runs the pipeline on the module of a part; whether it succeeded."""
        pipeline = self.pipeline
        if pipeline is None:
            return True
        if self.parsed[DUMP_PIPELINE]:
            self.streams.stderr.write(pipeline.dump())
        if not pipeline.root.items:
            return True
        from fathom.budget import MOST_ON_COMMAND_LINE
        from fathom.pipeline.lowering import run
        from fathom.pipeline.showing import Showing

        write = self.streams.stderr.write
        observers = [Showing(write), *ir_printing(self.parsed, write, locate)]
        if timing is not None:
            observers.append(timing)
        statistics = None
        if self.parsed[STATISTICS]:
            from fathom.pipeline.statistics import Statistics

            statistics = Statistics(pipeline)
            observers.append(statistics)
        recorder = None
        if self.parsed[TIMELINE] or self.parsed[RECORD]:
            from fathom.modernising.in_memory import modernise_in_memory
            from fathom.recording import Recorder

            if refused := modernise_in_memory(module, self.loading.context):
                reporter.report(refused, chunk.offset)
                return False
            recorder = Recorder(pipeline, module, self.loading.context)
            observers.append(recorder)
        crash = self._crash_reproducer(pipeline, module) if CRASH_REPRODUCER in self.parsed else None
        if crash is not None:
            observers.append(crash)
        lowering = run(
            pipeline,
            module,
            self.loading.context,
            observers=observers,
            verifying="each" if self.verifies else "never",
            remembers=pipeline.is_to_reach_llvm,
            locate=locate,
            most_operations=MOST_ON_COMMAND_LINE,
        )
        if statistics is not None:
            write(statistics.report(as_list=self.parsed[STATISTICS_DISPLAY] == "list"))
        if recorder is not None:
            self._tell(recorder.recording, chunk, reporter.source.name)
        said = lowering.diagnostics
        if pipeline.is_to_reach_llvm:
            from fathom.cli.leftovers import said_of

            said = said_of(lowering, lambda: self.loading.again(chunk))
        reporter.report(said, chunk.offset)
        if crash is not None and (report := crash.written()) is not None:
            reporter.report([report], chunk.offset)
        if GENERATE_REPRODUCER in self.parsed and not lowering.failed:
            self._write_reproducer(pipeline, module)
        return not lowering.failed

    def _tell(self, recording: Recording, chunk: Chunk, name: str) -> None:
        """Says, and writes, what was recorded of a part, with the parts before it."""
        from fathom.recording.telling import timeline

        if self.parsed[TIMELINE]:
            self.streams.stderr.write(timeline(recording))
        file = self.parsed[RECORD]
        if not file:
            return
        import json
        from pathlib import Path

        from fathom.recording.pages import page_of
        from fathom.recording.trace import part, trace
        from fathom.text.beginnings import TextTooLong

        try:
            self.recorded.append(part(recording, chunk.text, source_names=self.parsed[SOURCE_NAMES]))
            written = utf8(json.dumps(trace(self.recorded, name), ensure_ascii=False))
            Path(file).write_bytes(utf8(page_of(written)) if file.endswith(".html") else written)
        except OSError as error:
            raise self.streams.fail(f"cannot write '{file}': {error.strerror}") from None
        except TextTooLong as problem:
            raise self.streams.fail(f"cannot write '{file}': {problem}") from None

    def _text(self, module: Operation, external: dict[str, dict[str, str]]) -> str:
        return print_module(module, printing_flags(self.parsed), external=external).removesuffix("\n")

    def _crash_reproducer(self, pipeline: Pipeline, module: Operation) -> CrashReproducer:
        from fathom.pipeline.reproducers import CrashReproducer

        threads, local = not self.parsed[DISABLE_THREADING], self.parsed[LOCAL_REPRODUCER]
        file, text = self.parsed[CRASH_REPRODUCER], self._text
        return CrashReproducer(file, pipeline, module, text, local=local, threads=threads, verifies=self.verifies)

    def _write_reproducer(self, pipeline: Pipeline, module: Operation) -> None:
        from fathom.pipeline.reproducers import resources, whole, write_to

        text = self._text(module, resources(whole(pipeline), threads=True, verifies=False))
        problem = write_to(self.parsed[GENERATE_REPRODUCER], text)
        if problem is not None:
            raise self.streams.fail(problem)


def _locator(chunk: Chunk, source: Source) -> Locator:
    """The locations of a chunk's operations in the whole input."""
    locate = locator(chunk.text, source.name)
    if not chunk.offset:
        return locate
    start = source.location(chunk.offset)

    def locate_in_source(owner: Operation | BlockArgument) -> Attribute:
        location = locate(owner)
        if owner.location is not None or not isinstance(location, FileLineColLoc):
            return location
        if not location.line:
            return start
        column = location.column + (start.column - 1 if location.line == 1 else 0)
        return replaced(location, line=location.line + start.line - 1, column=column)

    return locate_in_source
