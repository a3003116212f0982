"""The run that `fathom run` is asked for: of a program that is known from a run before, or is made."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING

from fathom.cli.run_kept import kept_for, known, name_of_run, remember
from fathom.cli.run_options import (
    ARGUMENTS,
    CHECK,
    CONTAINED,
    DEBUG,
    LAYOUT,
    LIBRARIES,
    MOST_PRINTED,
    NOT_PARSED,
    RESULT,
    TIMEOUT,
    features_of,
    level_of,
)
from fathom.cli.streams import Exit, Streams
from fathom.execution.arguments import parse_arguments
from fathom.execution.npy import SUFFIX, NotAnArray, read_array
from fathom.execution.outcome import ArgumentProblem, Json, Limits, RunOutcome, RunRequest
from fathom.execution.process import Worker
from fathom.records import record, replace
from fathom.text.files import read_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fathom.cli.commands import Parsed
    from fathom.cli.run_kept import Known
    from fathom.cli.streams import Input
    from fathom.diagnostics import Diagnostic
    from fathom.execution.started import Started
    from fathom.programs.preparing import Prepared


@record
class Ran:
    """What came of a run of an input; and, if a check failed, that, at its place."""

    outcome: RunOutcome
    given: Input
    failed: Diagnostic | None = None


def run(parsed: Parsed, streams: Streams, started: Started | None = None) -> Ran | None:
    """Runs, in a worker that was started; None after it was reported why that cannot be. What is known of the program
    from a run before is not found out again."""
    if parsed[DEBUG]:
        from fathom.execution.debugging import run_here

        given = _input(parsed, streams)
        program = _prepared(given, parsed, streams)
        return _run_anew(program, given, parsed, run_here) if program is not None else None
    kept = kept_for(parsed)
    with Worker(kept, started) as worker:
        # It comes up while the program is read, and found or made.
        worker.begin()
        given = _input(parsed, streams)
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
        # What has changed meanwhile is not what was run.
        if name == name_of_run(parsed, given):
            remember(kept, name, _request(program, parsed, ()), told.getvalue())
        return ran


def _input(parsed: Parsed, streams: Streams) -> Input:
    """What is to be run. Raises Exit after it was reported that it cannot be read."""
    try:
        return streams.read(parsed.file)
    except Exit:
        streams.stderr.write(NOT_PARSED if parsed[RESULT] else "")
        raise


def _prepared(given: Input, parsed: Parsed, streams: Streams) -> Prepared | None:
    from fathom.cli.run_program import prepared

    return prepared(given, parsed, streams)


def _run_known(program: Known, given: Input, parsed: Parsed, worker: Worker) -> Ran | None:
    """Runs a program that was run before; None if its code is not taken any more."""
    try:
        request = replace(program.request, arguments=_values(parsed), libraries=parsed[LIBRARIES])
    except ArgumentProblem as problem:
        return Ran(RunOutcome(problem.failure), given)
    outcome = worker.run(request, _limits(parsed))
    kind = outcome.failure.kind if outcome.failure is not None else ""
    if kind == "compile-error":
        return None
    if kind != "assertion":
        return Ran(outcome, given)
    from fathom.messages.source import Source
    from fathom.programs.preparing import failed_check

    placed = failed_check(outcome, request.checks, Source(given.name, given.text))
    return Ran(placed.outcome, given, placed.failed)


def _run_anew(program: Prepared, given: Input, parsed: Parsed, run: Callable[[RunRequest, Limits], RunOutcome]) -> Ran:
    """Runs a program that was made of an input."""
    from fathom.programs.preparing import placed

    try:
        request = _request(program, parsed, _values(parsed))
    except ArgumentProblem as problem:
        return Ran(RunOutcome(problem.failure), given)
    ran = placed(run(request, _limits(parsed)), program)
    return Ran(ran.outcome, given, ran.failed)


def _request(program: Prepared, parsed: Parsed, values: Sequence[Json]) -> RunRequest:
    is_checked, rows_first = bool(parsed[CHECK]), parsed[LAYOUT] == "row-major"
    level, libraries = level_of(parsed), parsed[LIBRARIES]
    request = program.request(values, level, libraries, counts_memory=is_checked, rows_first=rows_first)
    return replace(request, features=features_of(parsed))


def _limits(parsed: Parsed) -> Limits:
    return Limits(seconds=parsed[TIMEOUT], output=parsed[MOST_PRINTED] or 0, contained=parsed[CONTAINED])


def _values(parsed: Parsed) -> list[Json]:
    """The arguments. Raises ArgumentProblem."""
    return arguments_of(parsed)


def arguments_of(parsed: Parsed, change: Callable[[str], str] = str) -> list[Json]:
    """The arguments, whose text is changed before it is read. Raises ArgumentProblem."""
    given = parse_arguments(change(_with_commas(parsed[ARGUMENTS])))
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
