"""The program that `fathom run` calls, from the text of its file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.cli.dialect_options import context_of
from fathom.cli.module_options import NO_IMPLICIT_MODULE
from fathom.cli.pass_options import PIPELINE
from fathom.cli.pipelines import pipeline_of
from fathom.cli.run_options import (
    ARGUMENTS,
    ARGUMENTS_FILE,
    CHECK,
    COMMAND,
    DEBUG,
    DUMP,
    ENTRY,
    LINKS_NESTED,
    NOT_CONVERTED,
    NOT_PARSED,
    RESULT,
)
from fathom.cli.runner import (
    NOT_FOUND,
    RESULTS,
    UNSUPPORTED,
    dump_object,
    objection,
    without_module,
    wrong_machine,
)
from fathom.diagnostics import TRANSLATION
from fathom.inputs.loading import Loading
from fathom.messages.report import Reporter, Verbosity
from fathom.messages.source import Source
from fathom.programs.lowering import lower, lower_checked, lower_debugged, lower_to_compile
from fathom.programs.preparing import Part, Prepared, Unprepared, cut, prepare

if TYPE_CHECKING:
    from fathom.cli.commands import Parsed
    from fathom.cli.streams import Input, Streams


def prepared(given: Input, parsed: Parsed, streams: Streams) -> Prepared | None:
    """The program; None after it was reported why there is none."""
    source = Source(given.name, given.text)
    program = _prepared(source, parsed, streams)
    if program is None or (problem := dump_object(program.llvm_ir, parsed)) is None:
        return program
    if parsed[RESULT]:
        # The program is run all the same, as by mlir-runner.
        streams.stderr.write(f"{problem}\n")
        return program
    streams.stderr.write(f"{source.name}: error: {problem}\n")
    return None


def _prepared(source: Source, parsed: Parsed, streams: Streams) -> Prepared | None:
    reporter = Reporter(source, streams.stderr, Verbosity(current_operation=False))
    context = context_of(parsed, streams)
    asked = pipeline_of(parsed, COMMAND.program, streams, context)
    pipeline = asked if parsed.get(PIPELINE, parsed.passes) else None
    part = cut(source, parsed[ENTRY], Loading(context=context, links_nested=parsed[LINKS_NESTED]))
    if (refused := _refused_by_runner(part, parsed)) is not None:
        streams.stderr.write(refused)
        return None
    # The worker has LLVM, which need not be loaded once more to ask it first.
    unasked = lower if parsed[DUMP] else lower_to_compile
    lowered = lower_checked if parsed[CHECK] else lower_debugged if parsed[DEBUG] else unasked
    program = prepare(part, pipeline, lowered) if isinstance(part, Part) else part
    reporter.report(list(program.problems))
    if isinstance(program, Prepared):
        return program
    if isinstance(part, Unprepared) and part.problems and (parsed[RESULT] or parsed[NO_IMPLICIT_MODULE]):
        is_read = any(problem.code == TRANSLATION for problem in part.problems)
        streams.stderr.write(NOT_CONVERTED if is_read else NOT_PARSED)
        return None
    if program.absent is not None:
        streams.stderr.write(f"{source.name}: error: {program.absent.message('name one with --entry')}\n")
    return None


def objected(program: Prepared, given: Input, streams: Streams) -> bool:
    """Reports what LLVM has to say against a program that it did not compile; whether there is any such thing, of which
    it was not asked before."""
    problems = program.objections() if program.objections is not None else []
    Reporter(Source(given.name, given.text), streams.stderr, Verbosity(current_operation=False)).report(problems)
    return any(problem.severity == "error" for problem in problems)


def _refused_by_runner(part: Part | Unprepared, parsed: Parsed) -> str | None:
    """What mlir-runner says in place of lowering a program, where it is asked to be as that."""
    if isinstance(part, Unprepared) and part.problems:
        return None
    if parsed[NO_IMPLICIT_MODULE]:
        refused = without_module(part.loaded.elaborated.operations)
        if refused is not None:
            return refused
    if (refused := wrong_machine(parsed)) is not None or not parsed[RESULT]:
        return refused
    if parsed[RESULT] not in RESULTS:
        return UNSUPPORTED
    if isinstance(part, Unprepared) or not _is_on_top(part):
        return NOT_FOUND
    return objection(part.signature, parsed[RESULT], has_arguments=bool(parsed[ARGUMENTS] or parsed[ARGUMENTS_FILE]))


def _is_on_top(part: Part) -> bool:
    """Whether the function stands in no module but the only one that the text has, or that is put around it."""
    operations = part.loaded.elaborated.operations
    if part.function in part.loading.linked:
        return False
    return part.function in operations or list(operations) == [part.module]
