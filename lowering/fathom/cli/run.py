"""`fathom run`: lowers a file to LLVM IR and calls one of its functions in a process of its own; prints what it
returns."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from typing import Final

from fathom.cli.commands import Command, Group, Parsed
from fathom.cli.dialect_options import DIALECTS, context_of, own_passes
from fathom.cli.input_options import NO_IMPLICIT_MODULE
from fathom.cli.options import choice, flag, names_a_file, number, seconds, text, words
from fathom.cli.pass_options import PIPELINE
from fathom.cli.pipelines import pipeline_of
from fathom.cli.runner import DUMP, NOT_FOUND, OBJECT_FILE, RESULT, dump_object, objection, without_module
from fathom.cli.streams import Exit, Streams
from fathom.diagnostics import Diagnostic
from fathom.execution import ArgumentProblem, Failure, Json, Limits, RunOutcome, RunRequest, parse_arguments, run
from fathom.execution.npy import SUFFIX, NotAnArray, read_array
from fathom.inputs.loading import Loading
from fathom.messages.report import Reporter, Verbosity
from fathom.messages.source import Source
from fathom.programs.lowering import lower, lower_checked, lower_debugged
from fathom.programs.preparing import Part, Prepared, Unprepared, cut, placed, prepare
from fathom.records import record

EXAMPLE: Final = """\
  fathom run examples/saxpy.mlir
  fathom run examples/gcd.mlir --entry gcd --args 1071, 462
  fathom run examples/saxpy.mlir --entry saxpy --args '2.0, [1, 2, 3], {shape: [3], fill: 10}'
"""


_HINTS: Final = {
    "unsupported-signature": "call it from a function that takes and returns such values, and run that one: "
    "--entry NAME --args 1, 2.5, [1, 2]",
    "no-arguments": "give them with --args, separated by commas: --args 1, 2.5, [1, 2], {shape: [4], fill: 0}",
}
"""What is to be done about a failure, on the command line."""
ENTRY: Final = text(
    "entry", "the function to call, such as inner::f; main by default", "NAME", default="main", alias="e"
)
ARGUMENTS: Final = words(
    "args",
    "its arguments, separated by commas: 1, 2.5, [[1, 2], [3, 4]], {shape: [4], fill: 0}, x.npy",
    "VALUE",
    until=names_a_file,
)
TIMEOUT: Final = seconds("timeout", f"when to give up; {Limits().seconds:g} by default", default=Limits().seconds)
MOST_PRINTED: Final = number(
    "output-limit",
    f"how much it may print; {Limits().output} by default",
    "BYTES",
    default=Limits().output,
)
LEVEL: Final = choice("O", "the level of optimisation; 2 by default", ("0", "1", "2", "3"), default="2")
LAYOUT: Final = choice(
    "matrix-default-layout",
    "how matrices stand in the vectors of LLVM's intrinsics; column-major by default",
    ("column-major", "row-major"),
    default="column-major",
)
LIBRARIES: Final = text("shared-libs", "libraries, separated by commas", "FILES")
CONTAINED: Final = flag(
    "contained",
    "keep the program from writing files, starting processes and opening sockets: what is done by default; "
    "--contained=false lets it do so",
    default=True,
)
CHECK: Final = flag(
    "check",
    "look at indices, shapes and divisors when the program runs, and say where one is wrong; tell how much of its "
    "memory nobody freed; off by default",
)
DEBUG: Final = flag(
    "g",
    "run in this process, for a debugger that started it: its lines are those of the file, values with names are "
    "variables, and nothing is optimised unless -O says so",
)
JSON: Final = flag("json", "print results, times and what was printed as JSON")

COMMAND: Final = Command(
    "run",
    "Lowers a file, compiles it and calls a function. Without flags for passes the pipeline lower-to-llvm runs,\n"
    "with the passes that the function needs.",
    EXAMPLE,
    (
        Group(
            "options",
            (
                ENTRY,
                RESULT,
                ARGUMENTS,
                PIPELINE,
                TIMEOUT,
                MOST_PRINTED,
                LEVEL,
                LAYOUT,
                LIBRARIES,
                CHECK,
                CONTAINED,
                DEBUG,
                NO_IMPLICIT_MODULE,
                DUMP,
                OBJECT_FILE,
                JSON,
            ),
        ),
        DIALECTS,
    ),
    file_help="the input; standard input by default",
    takes_passes=True,
    own_passes=own_passes,
)


def main(arguments: Sequence[str], streams: Streams) -> int:
    parsed = COMMAND.parse(arguments, streams)
    if parsed[JSON]:
        outcome = _told(parsed, streams)
        streams.stdout.write(json.dumps(outcome.to_json(), indent=2) + "\n")
        return int(not outcome.ok)
    ran = _run(parsed, streams)
    if ran is None:
        return 1
    outcome = ran.outcome
    name = "<stdin>" if parsed.file == "-" else parsed.file
    streams.stdout.write(outcome.stdout)
    streams.stderr.write(outcome.stderr)
    for note in outcome.notes:
        streams.stderr.write(f"{name}: warning: {note}\n")
    if ran.failed is not None:
        ran.reporter.report([ran.failed])
        return 1
    if outcome.failure is not None:
        streams.stderr.write(f"{name}: error: {outcome.failure.message}\n")
        if (hint := _HINTS.get(_asked_for(outcome.failure, parsed))) is not None:
            streams.stderr.write(f"{name}: note: {hint}\n")
        return 1
    if parsed[RESULT]:
        streams.stdout.write("".join(map(_as_runner, outcome.results)))
        return 0
    for value in outcome.results:
        streams.stdout.write(spell(value) + "\n")
    for index, value in enumerate(outcome.arguments):
        if value is not None:
            streams.stdout.write(f"argument #{index}: {spell(value)}\n")
    return 0


def _as_runner(value: Json) -> str:
    """A result as mlir-runner prints it."""
    return f"{value:e}\n" if isinstance(value, float) else f"{spell(value)}\n"


def _asked_for(failure: Failure, parsed: Parsed) -> str:
    """What a person may want to know who reads of a failure."""
    is_first = failure.kind == "bad-argument" and not parsed[ARGUMENTS]
    return "no-arguments" if is_first else failure.kind


def _told(parsed: Parsed, streams: Streams) -> RunOutcome:
    """What came of it, also if that was not even a run: then the failure has the messages that say why."""
    errors = StringIO()
    try:
        ran = _run(parsed, Streams(streams.stdin, streams.stdout, errors))
    except Exit:
        ran = None
    if ran is not None:
        streams.stderr.write(errors.getvalue())
        return ran.outcome
    messages = errors.getvalue()
    match = re.search(r"error: (.*)", messages)
    return RunOutcome(Failure("lowering", match[1] if match else messages.strip(), {"messages": messages}))


@record
class _Ran:
    """What came of a run; and, if a check failed, that, at its place."""

    outcome: RunOutcome
    reporter: Reporter
    failed: Diagnostic | None = None


def _run(parsed: Parsed, streams: Streams) -> _Ran | None:
    """Runs; None after it was reported why that cannot be."""
    given = streams.read(parsed.file)
    source = Source(given.name, given.text)
    reporter = Reporter(source, streams.stderr, Verbosity(current_operation=False))
    program = _prepared(source, reporter, parsed, streams)
    if program is None:
        return None
    if (problem := dump_object(program.llvm_ir, parsed, parsed[LEVEL])) is not None:
        streams.stderr.write(f"{source.name}: error: {problem}\n")
        return None
    try:
        values = parse_arguments(_with_commas(parsed[ARGUMENTS]))
        values = [_read(argument, f"arguments[{i}]") for i, argument in enumerate(values)]
    except ArgumentProblem as problem:
        return _Ran(RunOutcome(problem.failure), reporter)
    libraries = [library for library in parsed[LIBRARIES].split(",") if library]
    level, is_checked = int(parsed.get(LEVEL, "0" if parsed[DEBUG] else "2")), bool(parsed[CHECK])
    rows_first = parsed[LAYOUT] == "row-major"
    request = program.request(values, level, libraries, counts_memory=is_checked, rows_first=rows_first)
    limits = Limits(seconds=parsed[TIMEOUT], output=parsed[MOST_PRINTED] or 0, contained=parsed[CONTAINED])
    ran = placed((_run_here if parsed[DEBUG] else run)(request, limits), program)
    return _Ran(ran.outcome, reporter, ran.failed)


def _prepared(source: Source, reporter: Reporter, parsed: Parsed, streams: Streams) -> Prepared | None:
    """The program; None after it was reported why there is none."""
    context = context_of(parsed, streams)
    asked = pipeline_of(parsed, COMMAND.program, streams, context)
    pipeline = asked if parsed.get(PIPELINE, parsed.passes) else None
    part = cut(source, parsed[ENTRY], Loading(context=context))
    if (refused := _refused_by_runner(part, parsed)) is not None:
        streams.stderr.write(refused)
        return None
    lowered = lower_checked if parsed[CHECK] else lower_debugged if parsed[DEBUG] else lower
    program = prepare(part, pipeline, lowered) if isinstance(part, Part) else part
    reporter.report(list(program.problems))
    if isinstance(program, Prepared):
        return program
    if program.absent is not None:
        streams.stderr.write(f"{source.name}: error: {program.absent.message('name one with --entry')}\n")
    return None


def _refused_by_runner(part: Part | Unprepared, parsed: Parsed) -> str | None:
    """What mlir-runner says in place of lowering a program, where it is asked to be as that."""
    if isinstance(part, Unprepared) and part.problems:
        return None
    if parsed[NO_IMPLICIT_MODULE]:
        refused = without_module(part.loaded.elaborated.operations)
        if refused is not None:
            return refused
    if not parsed[RESULT]:
        return None
    if isinstance(part, Unprepared):
        return NOT_FOUND
    return objection(part.signature, parsed[RESULT], has_arguments=bool(parsed[ARGUMENTS]))


def _with_commas(words: Sequence[str]) -> str:
    """`1 2`, `1, 2`, `[1 2]` and `{shape: [2] fill: 0}`, as a shell splits them, have commas between values."""
    text = ""
    for word in words:
        joined = not text or text[-1] in ",:[({" or word[:1] in ("", ",", ":", "]", ")", "}")
        text += (" " if joined else ", ") + word
    return text.strip().removesuffix(",")


def _read(value: Json, path: str) -> Json:
    """An argument, or what the file of NumPy holds that it names."""
    if not isinstance(value, str) or not value.endswith(SUFFIX):
        return value
    try:
        return read_array(Path(value).read_bytes())
    except OSError as problem:
        raise ArgumentProblem(path, "a file that can be read", f"'{value}': {problem.strerror}") from None
    except NotAnArray as problem:
        raise ArgumentProblem(path, "an array of numbers", f"'{value}': {problem}") from None


def _run_here(request: RunRequest, limits: Limits) -> RunOutcome:
    from fathom.execution.debugging import run_here

    return run_here(request, limits)


def spell(value: Json) -> str:
    """A result as a person reads it, and as `--args` takes it: a float by the shortest digits that read back as the
    same number, a memref by its elements, and how many more there are than those that are shown."""
    match value:
        case dict():
            more = f" and {value['truncated']} more" if "truncated" in value else ""
            return spell(value["data"]) + more
        case list() | tuple():
            return f"[{', '.join(map(spell, value))}]"
        case str():
            return value
        case _:
            return json.dumps(value)
