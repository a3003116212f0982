"""`fathom run`: lowers a file to LLVM IR and calls one of its functions in a process of its own; prints what it
returns."""

from __future__ import annotations

import json
import re
from io import StringIO
from typing import TYPE_CHECKING, Final

from fathom.cli.run_options import (
    ARGUMENTS,
    ARGUMENTS_FILE,
    BENCH,
    COMMAND,
    DEBUG,
    JSON,
    NO_CACHE,
    RESULT,
    SAVE,
    SUPPORTS_JIT,
    VALUES,
)
from fathom.cli.streams import Exit, Streams
from fathom.execution.outcome import Failure, Json, RunOutcome
from fathom.execution.started import Started, can_fork, fork
from fathom.kept.places import is_on
from fathom.records import replace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.cli.commands import Parsed
    from fathom.cli.run_calling import Ran
    from fathom.cli.streams import Input
    from fathom.diagnostics import Diagnostic

_HINTS: Final = {
    "unsupported-signature": "call it from a function that takes and returns such values, and run that one: "
    "--entry NAME --args 1, 2.5, [1, 2]",
    "no-arguments": "give them with --args, separated by commas: --args 1, 2.5, [1, 2], {shape: [4], fill: 0}",
}
"""What is to be done about a failure, on the command line."""
_INFINITIES: Final = ("inf", "-inf")


def main(arguments: Sequence[str], streams: Streams) -> int:
    parsed = COMMAND.parse(arguments, streams)
    if parsed[SUPPORTS_JIT]:
        return _say_support(streams)
    if parsed[BENCH]:
        from fathom.cli.bench import bench

        return bench(parsed, streams)
    if parsed[JSON]:
        outcome, values = _told(parsed, streams)
        streams.stdout.write(json.dumps({**outcome.to_json(), **values}, indent=2) + "\n")
        return int(not outcome.ok)
    ran = _run(parsed, streams)
    if ran is None:
        return 1
    status = _show(ran, parsed, streams)
    if parsed[VALUES]:
        _show_values(ran, parsed, streams)
    return status


def _show(ran: Ran, parsed: Parsed, streams: Streams) -> int:
    """Prints what came of a run; the status of the command."""
    outcome = _saved(ran, parsed)
    name = "<stdin>" if parsed.file == "-" else parsed.file
    streams.stdout.write(outcome.stdout)
    streams.stderr.write(outcome.stderr)
    for note in outcome.notes:
        streams.stderr.write(f"{name}: warning: {note}\n")
    if ran.failed is not None:
        _report(ran.failed, ran.given, streams)
        return 1
    if outcome.failure is not None and outcome.failure.kind == "exit" and parsed[RESULT]:
        return int(str(outcome.failure.details["status"]))
    if outcome.failure is not None:
        streams.stderr.write(f"{name}: error: {outcome.failure.message}\n")
        if (hint := _HINTS.get(_asked_for(outcome.failure, parsed))) is not None:
            streams.stderr.write(f"{name}: note: {hint}\n")
        return 1
    if parsed[RESULT]:
        streams.stdout.write("".join(map(_as_runner, outcome.results)))
        return 0
    from fathom.cli.values import shown

    streams.stdout.writelines(f"{line}\n" for line in shown(outcome, ran.result_types, parsed))
    return 0


def _show_values(ran: Ran, parsed: Parsed, streams: Streams) -> None:
    from fathom.cli.run_values import values_of

    values = values_of(ran, parsed)
    streams.stdout.writelines(f"{line}\n" for line in values.shown())
    if values.unknown:
        streams.stderr.write(f"{ran.given.name}: note: no values: {values.unknown}\n")


def _as_runner(value: Json) -> str:
    """A result as mlir-runner prints it."""
    from fathom.execution.spelled import spell

    if isinstance(value, float):
        return f"{value:e}\n"
    return f"{value.upper() if value in _INFINITIES else value}\n" if isinstance(value, str) else f"{spell(value)}\n"


def _say_support(streams: Streams) -> int:
    """Says whether programs can be run here."""
    from fathom.execution.outcome import RunProblem
    from fathom.execution.process import Worker

    try:
        with Worker() as worker:
            worker.start()
    except RunProblem as problem:
        streams.stdout.write("false\n")
        streams.stderr.write(f"{COMMAND.program}: error: {problem}\n")
        return 1
    streams.stdout.write("true\n")
    return 0


def _report(failed: Diagnostic, given: Input, streams: Streams) -> None:
    """Reports that a check failed."""
    from fathom.messages.report import Reporter, Verbosity
    from fathom.messages.source import Source

    Reporter(Source(given.name, given.text), streams.stderr, Verbosity(current_operation=False)).report([failed])


def _asked_for(failure: Failure, parsed: Parsed) -> str:
    """What a person may want to know who reads of a failure."""
    is_first = failure.kind == "bad-argument" and not parsed[ARGUMENTS] and not parsed[ARGUMENTS_FILE]
    return "no-arguments" if is_first else failure.kind


def _run(parsed: Parsed, streams: Streams) -> Ran | None:
    """Runs; None after it was reported why that cannot be."""
    # LLVM is loaded while what asks for it is imported.
    worker: Started | None = None
    if not parsed[DEBUG] and can_fork():
        worker = fork(keeps=is_on() and not parsed[NO_CACHE])
    from fathom.cli.run_calling import run

    return run(parsed, streams, worker)


def _told(parsed: Parsed, streams: Streams) -> tuple[RunOutcome, dict[str, Json]]:
    """What came of it, and the values of lines if they are asked for; also if that was not even a run: then the failure
    has the messages that say why."""
    errors = StringIO()
    try:
        ran = _run(parsed, Streams(streams.stdin, streams.stdout, errors))
    except Exit:
        ran = None
    if ran is not None:
        streams.stderr.write(errors.getvalue())
        return _saved(ran, parsed), _values(ran, parsed) if parsed[VALUES] else {}
    messages = errors.getvalue()
    match = re.search(r"error: (.*)", messages)
    failure = Failure("lowering", match[1] if match else messages.strip(), {"messages": messages})
    return RunOutcome(failure), {}


def _values(ran: Ran, parsed: Parsed) -> dict[str, Json]:
    from fathom.cli.run_values import values_of

    return values_of(ran, parsed).to_json()


def _saved(ran: Ran, parsed: Parsed) -> RunOutcome:
    """What came of a run, after results were written to a file, if that is asked for."""
    if not parsed[SAVE] or not ran.outcome.ok:
        return ran.outcome
    from fathom.cli.values import Unsaved, save

    try:
        save(ran.outcome, ran.result_types, parsed[SAVE])
    except Unsaved as problem:
        return replace(ran.outcome, failure=Failure("refused", f"'{parsed[SAVE]}' is not written: {problem.why}"))
    return ran.outcome
