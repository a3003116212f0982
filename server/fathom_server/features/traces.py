"""Traces, the files that `fathom opt --record` writes: what `timeline.py` tells of a run, told of a file. No pass runs.

A stage is called by how many passes it is behind, and the last of them: `source`, `2-canonicalize`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.recording.differences import differences
from fathom.recording.lives import blame as steps_by_line
from fathom.recording.lives import life as events_of
from fathom.recording.reasons import told_reasons
from fathom.recording.telling import by, ended, rows
from fathom.records import record, replace
from fathom.text.encodings import from_units
from fathom_server.features.timeline import MOST_STEPS
from fathom_server.features.told import Asked, LifeStep, ListedStep, PassReasons, Text, Told, Who, changes_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fathom.recording.recording import Step
    from fathom.recording.stages import StageText
    from fathom.recording.trace_reading import TracePart
    from fathom.text.encodings import Encoding

SOURCE: Final = "source"
_ASKED: Final = Asked()


@record
class Question:
    """What is asked of a part of a trace: by which name, about which stages, and at which line and column of the text
    of `stage`, or of the source if it is `in_source`, counted in `units`; or about a step of a run."""

    name: str
    stage: str = ""
    before: str = ""
    after: str = ""
    target: tuple[int, int] | None = None
    in_source: bool = False
    units: Encoding = "utf-16"
    run: int = 0
    number: int = 0


def stage_ids(part: TracePart) -> list[str]:
    """The stages that there are to be shown."""
    return [_id(part, passes) for passes in part.stages]


def answered(part: TracePart, question: Question) -> Told:
    """The answer to a question about a part of a trace."""
    answer = _QUESTIONS.get(question.name)
    if answer is None:
        return _not(f"there is no question {question.name[:40]!r}")
    return answer(part, question)


def _id(part: TracePart, passes: int) -> str:
    if not passes:
        return SOURCE
    name = next((run.name for run in part.runs if run.index == passes - 1), "")
    return f"{passes}-{name}"


def _passes(part: TracePart, stage: str) -> int | None:
    """How many passes a stage is behind; None for what is none."""
    number = stage.partition("-")[0]
    if stage == SOURCE:
        return 0
    return int(number) if number.isascii() and number.isdecimal() and len(number) < 10 else None


def _not(problem: str) -> Told:
    return Told(_ASKED, problem)


def _timeline(part: TracePart, _question: Question) -> Told:
    listed = tuple((_id(part, row.index + 1), row) for row in rows(part))
    return Told(_ASKED, passes=listed)


def _difference(part: TracePart, question: Question) -> Told:
    first, last = _passes(part, question.before), _passes(part, question.after)
    if first is None or last is None:
        return _not("`before` and `after` are stages")
    return _between(part, first, last)


def _between(part: TracePart, first: int, last: int) -> Told:
    before, after = part.stage(first), part.stage(last)
    changes = changes_of(differences(part.parents, before, after), before, after)
    texts = Text(_id(part, first), before.text), Text(_id(part, last), after.text)
    return Told(_ASKED, texts=texts, changes=changes)


def _blame(part: TracePart, question: Question) -> Told:
    passes = _passes(part, question.stage)
    if passes is None:
        return _not("`stage` is a stage")
    text = part.stage(passes)
    lines = [_who(part, step) if step is not None else None for step in steps_by_line(part, passes, text)]
    return Told(_ASKED, texts=(Text(_id(part, passes), text.text),), lines=tuple(lines))


def _life(part: TracePart, question: Question) -> Told:
    number = _number_at(part, question)
    if number is None:
        return _not("there is no operation here")
    steps: list[LifeStep] = []
    for event in events_of(part, number):
        index = part.runs[event.step.run].index
        before, after = _heads(part, event.before, index), _heads(part, event.after, index + 1)
        steps.append(LifeStep(_who(part, event.step), before, after))
    return Told(_ASKED, operation=part.known[number].name, life=tuple(steps))


def _steps(part: TracePart, question: Question) -> Told:
    passes = _passes(part, question.stage)
    listed = [
        ListedStep(_who(part, step), run, step.number, step.depth)
        for run in part.runs_of((passes or 0) - 1)
        for step in part.steps_of(run)
    ]
    return Told(_ASKED, steps=tuple(listed[:MOST_STEPS]))


def _step(part: TracePart, question: Question) -> Told:
    """What a step changed, in the texts before and behind its pass: a file does not say what stood between."""
    if question.run not in range(len(part.runs)):
        return _not("this pass did not run here")
    index = part.runs[question.run].index
    told = _between(part, index, index + 1)
    steps = [step for step in part.steps_of(question.run) if step.number == question.number]
    concerned = {number for step in steps for number in (*step.made, *step.changed, *step.gone)}
    changes = (
        change
        for change in told.changes
        if concerned.intersection((*change.difference.before, *change.difference.after))
    )
    return replace(told, changes=tuple(changes))


def _why_not(part: TracePart, question: Question) -> Told:
    number = _number_at(part, question)
    if number is None:
        return _not("there is no operation here")
    end = next((step.run for step in part.steps if number in step.gone), len(part.runs))
    wanted = _passes(part, question.stage) if question.in_source else None
    found: list[PassReasons] = []
    for index, run in enumerate(part.runs[: end + 1]):
        if wanted is not None and run.index != wanted - 1:
            continue
        reasons = told_reasons(part, index, number)
        if reasons or index == end or wanted is not None:
            note = ended(part, number) if index == end else "" if reasons else "it tells no reason"
            found.append(PassReasons(run.name, _id(part, run.index + 1), note, reasons))
    return Told(_ASKED, operation=part.known[number].name, reasons=tuple(found))


def _who(part: TracePart, step: Step) -> Who:
    run = part.runs[step.run]
    root = part.known[step.root] if step.root is not None else None
    source = root.span if root is not None else None
    name = root.name if root is not None else ""
    return Who(by(part, step), run.name, step.kind, step.pattern, _id(part, run.index + 1), source, name)


def _heads(part: TracePart, numbers: tuple[int, ...], passes: int) -> tuple[str, ...]:
    text = part.stage(passes)
    return tuple(text.head(number) if number in text.places else part.known[number].name for number in numbers)


def _number_at(part: TracePart, question: Question) -> int | None:
    if question.in_source:
        offset = _offset(part.text, question)
        spans = [(part.known[number].span, number) for number in part.source]
        around = [
            (span.end - span.start, number)
            for span, number in spans
            if span is not None and offset is not None and span.start <= offset <= span.end
        ]
        return min(around)[1] if around else None
    passes = _passes(part, question.stage)
    if passes is None:
        return None
    text: StageText = part.stage(passes)
    offset = _offset(text.text, question)
    return text.at(offset) if offset is not None else None


def _offset(text: str, question: Question) -> int | None:
    """Where in a text what is asked about is; None where that has no such line."""
    if question.target is None:
        return None
    lines = text.splitlines(keepends=True)
    line, units = question.target
    return sum(map(len, lines[:line])) + from_units(lines[line], units, question.units) if line < len(lines) else None


_QUESTIONS: Final[Mapping[str, Callable[[TracePart, Question], Told]]] = {
    "timeline": _timeline,
    "difference": _difference,
    "blame": _blame,
    "life": _life,
    "steps": _steps,
    "step": _step,
    "whyNot": _why_not,
}
