"""`fathom bisect`: names the pass after which a function does something else, and the first of its steps that makes the
difference.

Exit status: 0 if no pass does, 1 if one does, 2 after an error.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from fathom.bisecting import Found, Question, bisect
from fathom.cli.commands import Command, Group, Parsed
from fathom.cli.dialect_options import DIALECTS, context_of, own_passes
from fathom.cli.options import flag, number, seconds, text, words
from fathom.cli.pass_options import PIPELINE
from fathom.cli.pipelines import pipeline_of
from fathom.cli.run_options import ARGUMENTS, ENTRY, LIBRARIES
from fathom.cli.streams import Exit, Streams
from fathom.cli.values import given_values, without_arrays
from fathom.diagnostics import RUN, Diagnostic, Note
from fathom.execution import ArgumentProblem, Json, Limits
from fathom.execution.spelled import spell
from fathom.messages.report import Reporter, Verbosity
from fathom.messages.source import Source
from fathom.programs.behaviour import Behaviour
from fathom.programs.preparing import Unprepared
from fathom.reducing import Bounds

if TYPE_CHECKING:
    from fathom.bisecting import Guilty
    from fathom.bisecting.steps import Step

FOUND: Final = 1
ERROR: Final = 2

EXPECTED: Final = words(
    "expect", "what the function has to return, if the source is not to say it: values as for --args", "VALUE"
)
TOLERANCE: Final = text(
    "tolerance", "how much numbers with a fraction may differ, relative to those above 1; 0 by default", "X"
)
TIMEOUT: Final = seconds(
    "timeout", f"when a run is given up; {Limits().seconds:g} by default", default=Limits().seconds
)
REDUCE: Final = flag(
    "reduce", "make the text as small as still shows it; done by default, --reduce=false leaves it out", default=True
)
TESTS: Final = number("tests", "how many smaller texts are tried at most; 400 by default", default=400)
OUTPUT: Final = text("o", "where the smaller text is written; standard output by default", "FILE", default="-")
JSON: Final = flag("json", "print what was found as JSON")

EXAMPLE: Final = """\
  fathom bisect examples/gcd.mlir -e gcd --args 1071, 462
  fathom bisect kernel.mlir -e f --args '[1, 2, 3]' --canonicalize --convert-scf-to-cf --tolerance 1e-6
"""

COMMAND: Final = Command(
    "bisect",
    "Calls a function at each stage of a pipeline, names the first pass after which it does something else, and the\n"
    "first pattern of that pass. Without flags for passes the pipeline is lower-to-llvm.\n\n"
    "The exit status is 0 if no pass changes what the function does, 1 if one does, and 2 after an error.",
    EXAMPLE,
    (
        Group(
            "options",
            (ENTRY, ARGUMENTS, EXPECTED, TOLERANCE, PIPELINE, TIMEOUT, LIBRARIES, REDUCE, TESTS, OUTPUT, JSON),
        ),
        DIALECTS,
    ),
    file_help="the input; standard input by default",
    takes_passes=True,
    own_passes=own_passes,
)


def main(arguments: Sequence[str], streams: Streams) -> int:
    try:
        parsed = COMMAND.parse(arguments, streams)
        return _run(parsed, streams)
    except Exit as exit_:
        return ERROR if exit_.status else 0


def _run(parsed: Parsed, streams: Streams) -> int:
    given = streams.read(parsed.file)
    source = Source(given.name, given.text)
    reporter = Reporter(source, streams.stderr, Verbosity(current_operation=False))
    context = context_of(parsed, streams)
    asked = pipeline_of(parsed, COMMAND.program, streams, context)
    expected = tuple(_values(parsed[EXPECTED], streams)) if EXPECTED in parsed else None
    question = Question(
        parsed[ENTRY],
        _values(parsed[ARGUMENTS], streams),
        asked if parsed.get(PIPELINE, parsed.passes) else None,
        expected,
        _tolerance(parsed, streams),
        Limits(seconds=parsed[TIMEOUT]),
        parsed[LIBRARIES],
        Bounds(tests=parsed[TESTS] or 0, seconds=120.0) if parsed[REDUCE] else None,
    )
    found = bisect(source, question, context)
    if isinstance(found, Unprepared):
        reporter.report(list(found.problems))
        if found.absent is not None:
            streams.stderr.write(f"{source.name}: error: {found.absent.message('name one with --entry')}\n")
        return ERROR
    if not found.reference.is_known:
        streams.stderr.write(f"{source.name}: error: {question.entry} cannot be called: {found.reference.unknown}\n")
        return ERROR
    if parsed[JSON]:
        streams.stdout.write(json.dumps(_as_json(found, source), indent=2) + "\n")
        return FOUND if found.guilty is not None else 0
    streams.stderr.writelines(f"{line}\n" for line in _table(found))
    if found.guilty is None:
        return 0
    reporter.report([_finding(found, found.guilty, question.entry)])
    if found.reduced is not None:
        streams.write(parsed[OUTPUT], found.reduced.text)
    return FOUND


def _values(given: Sequence[str], streams: Streams) -> list[Json]:
    try:
        return without_arrays(given_values(Parsed(values={ARGUMENTS.name: tuple(given)}), ()))
    except ArgumentProblem as problem:
        raise streams.fail(f"fathom bisect: {problem.failure.message}") from None


def _tolerance(parsed: Parsed, streams: Streams) -> float:
    try:
        tolerance = float(parsed[TOLERANCE] or 0)
    except ValueError:
        tolerance = -1.0
    if not tolerance >= 0:
        raise streams.fail(f"fathom bisect: '{parsed[TOLERANCE]}' is no tolerance: give a number such as 1e-6")
    return tolerance


def _table(found: Found) -> Iterator[str]:
    """What the function does at each stage, as far as it was called."""
    width = max((len(name) for name, _ in found.after), default=0)
    width = max(width, len("source")) + 2
    yield f"{'source':<{width}}{told(found.reference)}"
    last = found.reference
    for name, behaviour in found.after:
        is_same = behaviour.is_known and behaviour.agrees_with(last, 0.0)
        yield f"{name:<{width}}{'the same' if is_same else told(behaviour)}"
        last = behaviour if behaviour.is_known else last


def told(behaviour: Behaviour) -> str:
    """What a function did, in a line."""
    if not behaviour.is_known:
        return f"not known: {behaviour.unknown}"
    outcome = behaviour.outcome
    if outcome.failure is not None:
        return outcome.failure.message
    parts = [spell(value) for value in outcome.results]
    parts += [f"argument #{at}: {spell(value)}" for at, value in enumerate(outcome.arguments) if value is not None]
    if outcome.stdout:
        parts.append(f"printed {json.dumps(outcome.stdout)}")
    return "; ".join(parts) or "nothing"


_TROUBLES: Final = {
    "error": "fails",
    "invalid": "makes what is not valid",
    "crash": "ends in an exception",
    "endless": "does not end",
}


def _finding(found: Found, guilty: Guilty, entry: str) -> Diagnostic:
    """The guilty pass, at the operation that its step was on."""
    name, step = guilty.stage.name, found.step
    if guilty.trouble is not None:
        message = f"the pass {name} {_TROUBLES[guilty.trouble]}: {guilty.message}"
    else:
        message = f"the pass {name} changes what @{entry} does"
    notes = [Note(f"{_step(step)}", step.span)] if step is not None else []
    if guilty.trouble is None:
        notes.append(Note(f"before it: {told(guilty.before)}; after it: {told(guilty.after)}"))
    return Diagnostic(message, step.span if step is not None else None, code=RUN, notes=tuple(notes))


def _step(step: Step) -> str:
    """A step in words."""
    what = {
        "pattern": f"the pattern {step.pattern} on '{step.op}'",
        "fold": f"the fold of '{step.op}'",
        "removal": f"the removal of '{step.op}', which nothing needs",
        "simplification": f"the simplification of blocks or constants, such as '{step.op}'",
    }[step.kind]
    which = f"step {step.number}" if step.first == step.number else f"one of the steps {step.first} to {step.number}"
    return f"it is {which} of {step.count}: {what}"


def _as_json(found: Found, source: Source) -> dict[str, Json]:
    guilty, step = found.guilty, found.step
    told_of: dict[str, Json] = {
        "source": _behaviour(found.reference),
        "stages": [{"pass": name, **_behaviour(behaviour)} for name, behaviour in found.after],
        "guilty": None,
        "step": None,
        "reduced": None,
    }
    if guilty is not None:
        told_of["guilty"] = {
            "pass": guilty.stage.name,
            "number": guilty.stage.number,
            "trouble": guilty.trouble,
            "message": guilty.message,
            "before": told(guilty.before),
            "after": told(guilty.after),
        }
    if step is not None:
        place = source.location(step.span.start) if step.span is not None else None
        told_of["step"] = {
            "number": step.number,
            "first": step.first,
            "count": step.count,
            "kind": step.kind,
            "pattern": step.pattern,
            "operation": step.op,
            "line": place.line if place is not None else None,
            "column": place.column if place is not None else None,
            "said": _step(step),
        }
    if found.reduced is not None:
        told_of["reduced"] = {"text": found.reduced.text, "operations": found.reduced.operations}
    return told_of


def _behaviour(behaviour: Behaviour) -> dict[str, Json]:
    return {"does": told(behaviour), "way": behaviour.way, "known": behaviour.is_known}
