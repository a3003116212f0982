"""The run that `fathom run` is asked for: of a program that is known from a run before, or is made."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING

from fathom.cli.run_kept import kept_for, known, name_of_run, remember
from fathom.cli.run_options import (
    CHECK,
    CONTAINED,
    DEBUG,
    JSON,
    LAYOUT,
    LIBRARIES,
    MEMORY,
    MOST_PRINTED,
    NOT_PARSED,
    RESULT,
    SAVE,
    TIMEOUT,
    features_of,
    level_of,
)
from fathom.cli.streams import Exit, Streams
from fathom.cli.values import SAVED_BYTES, SHOWN_BYTES, given_values
from fathom.execution.outcome import ArgumentProblem, Given, Limits, RunOutcome, RunRequest
from fathom.execution.process import Worker
from fathom.records import record, replace

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fathom.cli.commands import Parsed
    from fathom.cli.run_kept import Known
    from fathom.cli.streams import Input
    from fathom.diagnostics import Diagnostic
    from fathom.execution.started import Started
    from fathom.ir.types import Type
    from fathom.programs.preparing import Prepared


@record
class Ran:
    """What came of a run of an input, the types of its results; and, if a check failed, that, at its place."""

    outcome: RunOutcome
    given: Input
    failed: Diagnostic | None = None
    result_types: Sequence[Type] = ()


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
            return _run_told(program, given, parsed, streams, worker) if program is not None else None
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
        ran = _run_told(program, given, parsed, streams, worker)
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
        values = given_values(parsed, program.request.argument_names)
        request = replace(program.request, arguments=values, libraries=parsed[LIBRARIES])
    except ArgumentProblem as problem:
        return Ran(RunOutcome(problem.failure), given)
    outcome = worker.run(request, _limits(parsed))
    kind = outcome.failure.kind if outcome.failure is not None else ""
    if kind == "compile-error":
        return None
    if kind != "assertion":
        return Ran(outcome, given, None, request.returned_types)
    from fathom.messages.source import Source
    from fathom.programs.preparing import failed_check

    placed = failed_check(outcome, request.checks, Source(given.name, given.text))
    return Ran(placed.outcome, given, placed.failed)


def _run_anew(program: Prepared, given: Input, parsed: Parsed, run: Callable[[RunRequest, Limits], RunOutcome]) -> Ran:
    """Runs a program that was made of an input."""
    from fathom.programs.preparing import placed

    try:
        request = _request(program, parsed, given_values(parsed, program.part.argument_names))
    except ArgumentProblem as problem:
        return Ran(RunOutcome(problem.failure), given)
    ran = placed(run(request, _limits(parsed)), program)
    return Ran(ran.outcome, given, ran.failed, request.returned_types)


def _run_told(program: Prepared, given: Input, parsed: Parsed, streams: Streams, worker: Worker) -> Ran | None:
    """Runs a program that was made of an input; None after what LLVM has against it was reported."""
    ran = _run_anew(program, given, parsed, worker.run)
    failure = ran.outcome.failure
    if failure is None or failure.kind != "compile-error":
        return ran
    from fathom.cli.run_program import objected

    return None if objected(program, given, streams) else ran


def _request(program: Prepared, parsed: Parsed, values: Sequence[Given]) -> RunRequest:
    is_checked, rows_first = bool(parsed[CHECK]), parsed[LAYOUT] == "row-major"
    level, libraries = level_of(parsed), parsed[LIBRARIES]
    request = program.request(values, level, libraries, counts_memory=is_checked, rows_first=rows_first)
    return replace(request, features=features_of(parsed))


def _limits(parsed: Parsed) -> Limits:
    return Limits(
        seconds=parsed[TIMEOUT],
        memory=parsed[MEMORY] or 0,
        output=parsed[MOST_PRINTED] or 0,
        array_bytes=SAVED_BYTES if parsed[SAVE] else 0 if parsed[JSON] else SHOWN_BYTES,
        contained=parsed[CONTAINED],
    )
