"""`fathom run`: lowers a file to LLVM IR and calls one of its functions in a process of its own; prints what it
returns."""

from __future__ import annotations

import json
import re
from io import StringIO
from typing import TYPE_CHECKING, Final

from fathom.cli.run_kept import kept_for, known, name_of_run, remember
from fathom.cli.run_options import (
    ARGUMENTS,
    CHECK,
    COMMAND,
    CONTAINED,
    DEBUG,
    JSON,
    LAYOUT,
    LEVEL,
    LIBRARIES,
    MOST_PRINTED,
    RESULT,
    TIMEOUT,
)
from fathom.cli.streams import Exit, Streams
from fathom.execution.arguments import parse_arguments
from fathom.execution.npy import SUFFIX, NotAnArray, read_array
from fathom.execution.outcome import ArgumentProblem, Failure, Json, Limits, RunOutcome, RunRequest
from fathom.execution.process import Worker
from fathom.records import record, replace
from fathom.text.files import read_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fathom.cli.commands import Parsed
    from fathom.cli.run_kept import Known
    from fathom.cli.streams import Input
    from fathom.diagnostics import Diagnostic
    from fathom.programs.preparing import Prepared

_HINTS: Final = {
    "unsupported-signature": "call it from a function that takes and returns such values, and run that one: "
    "--entry NAME --args 1, 2.5, [1, 2]",
    "no-arguments": "give them with --args, separated by commas: --args 1, 2.5, [1, 2], {shape: [4], fill: 0}",
}
"""What is to be done about a failure, on the command line."""


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
        _report(ran.failed, ran.given, streams)
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
    """What came of a run of an input; and, if a check failed, that, at its place."""

    outcome: RunOutcome
    given: Input
    failed: Diagnostic | None = None


def _report(failed: Diagnostic, given: Input, streams: Streams) -> None:
    from fathom.messages.report import Reporter, Verbosity
    from fathom.messages.source import Source

    Reporter(Source(given.name, given.text), streams.stderr, Verbosity(current_operation=False)).report([failed])


def _run(parsed: Parsed, streams: Streams) -> _Ran | None:
    """Runs; None after it was reported why that cannot be. What is known of the program from a run before is not found
    out again."""
    if parsed[DEBUG]:
        from fathom.execution.debugging import run_here

        given = streams.read(parsed.file)
        program = _prepared(given, parsed, streams)
        return _run_anew(program, given, parsed, run_here) if program is not None else None
    kept = kept_for(parsed)
    with Worker(kept, forks=True) as worker:
        # It comes up while the program is read, and found or made.
        worker.begin()
        given = streams.read(parsed.file)
        name = name_of_run(parsed, given) if kept is not None else None
        if kept is None or name is None:
            program = _prepared(given, parsed, streams)
            return _run_anew(program, given, parsed, worker.run) if program is not None else None
        program = known(kept, name)
        if program is not None and (ran := _run_known(program, given, parsed, worker)) is not None:
            streams.stderr.write(program.told)
            return ran
        told = StringIO()
        try:
            program = _prepared(given, parsed, Streams(streams.stdin, streams.stdout, told))
        finally:
            streams.stderr.write(told.getvalue())
        if program is None:
            return None
        ran = _run_anew(program, given, parsed, worker.run)
        remember(kept, name, _request(program, parsed, ()), told.getvalue())
        return ran


def _prepared(given: Input, parsed: Parsed, streams: Streams) -> Prepared | None:
    from fathom.cli.run_program import prepared

    return prepared(given, parsed, streams)


def _run_known(program: Known, given: Input, parsed: Parsed, worker: Worker) -> _Ran | None:
    """Runs a program that was run before; None if its code is not taken any more."""
    try:
        request = replace(program.request, arguments=_values(parsed), libraries=_libraries(parsed))
    except ArgumentProblem as problem:
        return _Ran(RunOutcome(problem.failure), given)
    outcome = worker.run(request, _limits(parsed))
    kind = outcome.failure.kind if outcome.failure is not None else ""
    if kind == "compile-error":
        return None
    if kind != "assertion":
        return _Ran(outcome, given)
    from fathom.messages.source import Source
    from fathom.programs.preparing import failed_check

    placed = failed_check(outcome, request.checks, Source(given.name, given.text))
    return _Ran(placed.outcome, given, placed.failed)


def _run_anew(program: Prepared, given: Input, parsed: Parsed, run: Callable[[RunRequest, Limits], RunOutcome]) -> _Ran:
    """Runs a program that was made of an input."""
    from fathom.programs.preparing import placed

    try:
        request = _request(program, parsed, _values(parsed))
    except ArgumentProblem as problem:
        return _Ran(RunOutcome(problem.failure), given)
    ran = placed(run(request, _limits(parsed)), program)
    return _Ran(ran.outcome, given, ran.failed)


def _request(program: Prepared, parsed: Parsed, values: Sequence[Json]) -> RunRequest:
    level, is_checked = int(parsed.get(LEVEL, "0" if parsed[DEBUG] else "2")), bool(parsed[CHECK])
    rows_first = parsed[LAYOUT] == "row-major"
    return program.request(values, level, _libraries(parsed), counts_memory=is_checked, rows_first=rows_first)


def _limits(parsed: Parsed) -> Limits:
    return Limits(seconds=parsed[TIMEOUT], output=parsed[MOST_PRINTED] or 0, contained=parsed[CONTAINED])


def _libraries(parsed: Parsed) -> list[str]:
    return [library for library in parsed[LIBRARIES].split(",") if library]


def _values(parsed: Parsed) -> list[Json]:
    """The arguments. Raises ArgumentProblem."""
    given = parse_arguments(_with_commas(parsed[ARGUMENTS]))
    return [_read(argument, f"arguments[{i}]") for i, argument in enumerate(given)]


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
        return read_array(read_bytes(value))
    except OSError as problem:
        raise ArgumentProblem(path, "a file that can be read", f"'{value}': {problem.strerror}") from None
    except NotAnArray as problem:
        raise ArgumentProblem(path, "an array of numbers", f"'{value}': {problem}") from None


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
