"""`fathom run`: lowers a file to LLVM IR and calls one of its functions in a process of its own; prints what it
returns."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from io import StringIO
from typing import Final

from fathom.cli.entry import callable_functions, concerning, find_function, keep_only, needed_by
from fathom.cli.loading import Loading
from fathom.cli.options import Command, Group, Parsed, choice, flag, names_a_file, seconds, text, words
from fathom.cli.report import Reporter, Verbosity
from fathom.cli.source import Source
from fathom.cli.splitting import Chunk
from fathom.cli.streams import Exit, Streams
from fathom.context import default_context
from fathom.diagnostics import LLVM, RUN, Diagnostic, Note
from fathom.dialects.llvm.signatures import signature_of
from fathom.elaborate.symbol_paths import read_path, write_path
from fathom.execution import ArgumentProblem, Failure, Json, Limits, RunOutcome, RunRequest, parse_arguments, run
from fathom.ir.operation import Operation
from fathom.irdl.interfaces import symbol_name
from fathom.passes.leftovers import left_behind
from fathom.pipeline import parse_pipeline
from fathom.pipeline import run as run_pipeline
from fathom.pipeline.lowering import LOWER_TO_LLVM
from fathom.translation import translate, verify_ir
from fathom.verify import verify

EXAMPLE: Final = """\
  fathom run examples/saxpy.mlir
  fathom run examples/gcd.mlir --entry gcd --args 1071, 462
  fathom run examples/saxpy.mlir --entry saxpy --args 2.0, [1, 2, 3], {shape: [3], fill: 10}
"""


_SHOWN: Final = 20
"""How many functions are listed where the one that was named is not there."""
ENTRY: Final = text(
    "entry", "the function to call, such as inner::f; main by default", "NAME", default="main", alias="e"
)
ARGUMENTS: Final = words(
    "args",
    "its arguments, separated by commas: 1, 2.5, [[1, 2], [3, 4]], {shape: [4], fill: 0}",
    "VALUE",
    until=names_a_file,
)
PIPELINE: Final = text("pass-pipeline", "a pipeline as text, instead of flags for passes", "TEXT")
TIMEOUT: Final = seconds("timeout", f"when to give up; {Limits().seconds:g} by default", default=Limits().seconds)
LEVEL: Final = choice("O", "the level of optimisation; 2 by default", ("0", "1", "2", "3"), default="2")
LIBRARIES: Final = text("shared-libs", "libraries, separated by commas", "FILES")
CONTAINED: Final = flag(
    "contained",
    "keep the program from writing files, starting processes and opening sockets; the default",
    default=True,
)
JSON: Final = flag("json", "print results, times and what was printed as JSON")

COMMAND: Final = Command(
    "run",
    "Lowers a file, compiles it and calls a function. Without flags for passes the whole lowering to the LLVM\n"
    "dialect runs.",
    EXAMPLE,
    (Group("options", (ENTRY, ARGUMENTS, PIPELINE, TIMEOUT, LEVEL, LIBRARIES, CONTAINED, JSON)),),
    file_help="the input; standard input by default",
    takes_passes=True,
)


def main(arguments: Sequence[str], streams: Streams) -> int:
    parsed = COMMAND.parse(arguments, streams)
    if parsed[JSON]:
        outcome = _told(parsed, streams)
        streams.stdout.write(json.dumps(outcome.to_json(), indent=2) + "\n")
        return int(not outcome.ok)
    outcome = _outcome(parsed, streams)
    if outcome is None:
        return 1
    name = "<stdin>" if parsed.file == "-" else parsed.file
    streams.stdout.write(outcome.stdout)
    streams.stderr.write(outcome.stderr)
    for note in outcome.notes:
        streams.stderr.write(f"{name}: warning: {note}\n")
    if outcome.failure is not None:
        streams.stderr.write(f"{name}: error: {outcome.failure.message}\n")
        return 1
    for value in outcome.results:
        streams.stdout.write(spell(value) + "\n")
    for number, value in enumerate(outcome.arguments):
        if value is not None:
            streams.stdout.write(f"argument #{number}: {spell(value)}\n")
    return 0


def _told(parsed: Parsed, streams: Streams) -> RunOutcome:
    """What came of it, also if that was not even a run: then the failure has the messages that say why."""
    errors = StringIO()
    try:
        outcome = _outcome(parsed, Streams(streams.stdin, streams.stdout, errors))
    except Exit:
        outcome = None
    if outcome is not None:
        streams.stderr.write(errors.getvalue())
        return outcome
    messages = errors.getvalue()
    found = re.search(r"error: (.*)", messages)
    return RunOutcome(Failure("lowering", found[1] if found else messages.strip(), {"messages": messages}))


def _outcome(parsed: Parsed, streams: Streams) -> RunOutcome | None:
    """What came of the run; None after it was reported why there was none."""
    given = streams.read(parsed.file)
    source = Source(given.name, given.text)
    reporter = Reporter(source, streams.stderr, Verbosity(current_operation=False))
    loading = Loading()
    loaded, problems = loading.read(Chunk(source.text, 0))
    function = find_function(loaded.module, parsed[ENTRY])
    if function is None:
        reporter.report(problems)
        if not problems:
            streams.stderr.write(f"{source.name}:0:0: error: {_no_function(parsed[ENTRY], loaded.module)}\n")
        return None
    needed = needed_by(function)
    problems = concerning(problems, needed, loaded.tree)
    module = keep_only(needed)
    problems = problems or verify(module, None, loading.context, loaded.elaborated.template)
    if problems:
        reporter.report(problems)
        return None
    signature = signature_of(function)
    if signature is None:
        reporter.report([_unknown_signature(function)])
        return None
    llvm_ir = _lower(module, parsed, reporter)
    if llvm_ir is None:
        return None
    try:
        values = parse_arguments(_with_commas(parsed[ARGUMENTS]))
    except ArgumentProblem as problem:
        return RunOutcome(problem.failure)
    libraries = [library for library in parsed[LIBRARIES].split(",") if library]
    request = RunRequest(
        llvm_ir, symbol_name(function), signature.inputs, signature.results, values, int(parsed[LEVEL]), libraries
    )
    return run(request, Limits(seconds=parsed[TIMEOUT], contained=parsed[CONTAINED]))


def _no_function(wanted: str, module: Operation) -> str:
    """That there is no such function, and which there are."""
    name = write_path(read_path(wanted) or (wanted,))
    there = callable_functions(module)
    if not there:
        return f"no function '{name}' with a body; the input has none"
    shown = ", ".join(write_path(each) for each in there[:_SHOWN])
    more = f" and {len(there) - _SHOWN} more" if len(there) > _SHOWN else ""
    return f"no function '{name}' with a body; name one with --entry: {shown}{more}"


def _with_commas(words: Sequence[str]) -> str:
    """`1 2`, `1, 2`, `[1 2]` and `{shape: [2] fill: 0}`, as a shell splits them, have commas between values."""
    text = ""
    for word in words:
        joined = not text or text[-1] in ",:[({" or word[:1] in ("", ",", ":", "]", ")", "}")
        text += (" " if joined else ", ") + word
    return text.strip().removesuffix(",")


def _unknown_signature(function: Operation) -> Diagnostic:
    return Diagnostic(f"'{function.name}' op has no type that can be called", function.span, code=RUN)


def _lower(module: Operation, parsed: Parsed, reporter: Reporter) -> str | None:
    """LLVM IR, or None after what stood in the way was reported."""
    chosen = parsed.get(PIPELINE, parsed.passes)
    pipeline = parse_pipeline(chosen) if chosen else LOWER_TO_LLVM
    result = run_pipeline(pipeline, module, default_context())
    reporter.report(result.diagnostics)
    if result.failed:
        return None
    if left := left_behind(module, result.ran):
        reporter.report(left)
        return None
    translation = translate(module)
    if translation.diagnostics:
        reporter.report(translation.diagnostics)
        return None
    if problems := verify_ir(translation.text):
        notes = (
            Note("LLVM refused what the lowering made; that is a mistake in Fathom or in a pass pipeline", hint=True),
        )
        reporter.report([Diagnostic(problem, None, code=LLVM, notes=notes) for problem in problems])
        return None
    return translation.text


def spell(value: Json) -> str:
    """A result as a person reads it: a memref shows its elements."""
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, float):
        return f"{value:.6e}"
    if isinstance(value, dict) and "data" in value:
        return json.dumps(value["data"])
    return value if isinstance(value, str) else json.dumps(value)
