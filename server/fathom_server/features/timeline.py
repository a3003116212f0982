"""What each pass did: the timeline, differences of stages, blame, lives, steps, and why an operation is left.

Of a document that lines divide, the first part is told of where no function is meant.
"""

from __future__ import annotations

import logging
from functools import wraps
from typing import TYPE_CHECKING, Final

from fathom.recording.differences import differences
from fathom.recording.lives import blame as steps_by_line
from fathom.recording.lives import last_steps
from fathom.recording.lives import life as events_of
from fathom.recording.reasons import runs_on
from fathom.recording.reasons import why_not as reasons_of
from fathom.recording.telling import by, ended, rows
from fathom.text.beginnings import TextTooLong
from fathom.text.encodings import from_units
from fathom_server.features import tool_timeline as tools
from fathom_server.features.below import ahead as code_ahead
from fathom_server.features.below import below, lines_below, sizes
from fathom_server.features.preview import MOST_LINES, TOO_LONG
from fathom_server.features.stages import OF_LLVM, stages
from fathom_server.features.told import Asked, Change, LifeStep, ListedStep, PassReasons, Text, Told, Who, changes_of
from fathom_server.model.lowered import takes_long
from fathom_server.model.modules import in_one_line, placed, splits
from fathom_server.model.recorded import Recorded, recorded, recorded_split
from fathom_server.model.scoping import find, unit_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fathom.recording import Recording, Step
    from fathom.recording.lives import Event
    from fathom.recording.stages import StageText
    from fathom.syntax.tree import Item
    from fathom_server.model.snapshot import Snapshot

_LOGGER = logging.getLogger(__name__)

MOST_STEPS: Final = 20_000
"""So many steps of a pass are listed."""


# ---- what may take long


def items_beside(snapshot: Snapshot, asked: Asked) -> tuple[Item, ...] | None:
    """The items that a question is about which takes longer than a key may; None of any other, and of what a tool
    makes."""
    if asked.tool is not None:
        return None
    if asked.function is None:
        return ()
    symbol = find(snapshot, asked.function)
    return (symbol.item,) if symbol is not None and takes_long(snapshot, symbol.item) else None


def ahead(snapshot: Snapshot, asked: Asked) -> Callable[[], None] | None:
    """What has a tool run, if the question is about one and it has to."""
    return tools.ahead(snapshot, asked.tool, asked.function) if asked.tool is not None else None


def impossible(asked: Asked, reason: str) -> Told:
    """What is answered instead, because of a fault of Fathom's own."""
    return Told(asked, f"a fault in Fathom: {reason}")


def ahead_below(snapshot: Snapshot, asked: Asked) -> Callable[[], None] | None:
    """The same of a question that goes on below the LLVM dialect, which waits for what LLVM makes."""
    if asked.tool is not None:
        return ahead(snapshot, asked)
    try:
        return code_ahead(snapshot, asked)
    except Exception:
        return None  # The answer meets it again, and says so.


# ---- the questions


def _of_recorded(answer: Callable[[Snapshot, Asked, Recorded], Told]) -> Callable[[Snapshot, Asked], Told]:
    """A question that is answered of what was recorded; where that is not to be had, it is said why. Never raises."""

    @wraps(answer)
    def answered(snapshot: Snapshot, asked: Asked) -> Told:
        try:
            if asked.tool is not None:
                return tools.answered(snapshot, asked, answer.__name__)
            made = _recorded(snapshot, asked)
            return made if isinstance(made, Told) else answer(snapshot, asked, made)
        except TextTooLong as problem:
            return Told(asked, str(problem))
        except Exception as fault:
            _LOGGER.exception("what passes did with %s", asked.function or "the file")
            return impossible(asked, f"{type(fault).__name__}: {fault}")

    return answered


@_of_recorded
def timeline(snapshot: Snapshot, asked: Asked, made: Recorded) -> Told:
    """The passes that ran."""
    ids = _ids(snapshot)
    listed = [(ids[row.index + 1], row) for row in rows(_of(made))]
    return Told(asked, passes=tuple(listed))


@_of_recorded
def stages_below(snapshot: Snapshot, asked: Asked, made: Recorded) -> Told:
    """How big the stages below the LLVM dialect are; what a tool makes has none."""
    del made  # Where there is none, there are no sizes.
    return Told(asked, below=tuple(sizes(snapshot, asked)))


@_of_recorded
def difference(snapshot: Snapshot, asked: Asked, made: Recorded) -> Told:
    """Two stages, and what became of each operation between them."""
    assert asked.stage is not None and asked.other is not None, "both are asked for"
    before = made.stage(asked.stage.passes, source_names=asked.source_names)
    after = made.stage(asked.other.passes, source_names=asked.source_names)
    texts = Text(asked.stage.id, before.text), Text(asked.other.id, after.text)
    return Told(asked, texts=texts, changes=_changes(_of(made), before, after))


@_of_recorded
def blame(snapshot: Snapshot, asked: Asked, made: Recorded) -> Told:
    """A stage, and who last changed each of its lines; below the LLVM dialect, the operation that it comes from."""
    assert asked.stage is not None, "it is asked for"
    if asked.stage.id in OF_LLVM:
        return _blame_below(snapshot, asked, made)
    text = made.stage(asked.stage.passes, source_names=asked.source_names)
    whose = _Whose(snapshot, made)
    lines = [
        whose.step(step) if step is not None else None for step in steps_by_line(_of(made), asked.stage.passes, text)
    ]
    return Told(asked, texts=(Text(asked.stage.id, text.text),), lines=tuple(lines))


def _blame_below(snapshot: Snapshot, asked: Asked, made: Recorded) -> Told:
    assert asked.stage is not None, "it is asked for"
    shown = below(snapshot, asked, asked.stage.id)
    if shown.problem:
        return Told(asked, shown.problem)
    whose, last = _Whose(snapshot, made), last_steps(_of(made), _of(made).last_stage)
    steps = [next((last[number] for number in numbers if number in last), None) for numbers in shown.numbers]
    lines = tuple(whose.step(step) if step is not None else None for step in steps)
    return Told(asked, texts=(Text(asked.stage.id, shown.text),), lines=lines)


@_of_recorded
def life(snapshot: Snapshot, asked: Asked, made: Recorded) -> Told:
    """The life of the operation at a place of the document, or of a stage."""
    number = _number_at(snapshot, made, asked)
    if number is None:
        return Told(asked, "there is no operation here")
    recording, whose = _of(made), _Whose(snapshot, made)
    steps = [whose.event(event) for event in events_of(recording, number)]
    known = made.stage(recording.last_stage, source_names=True)
    ends = {number for event in events_of(recording, number) for number in event.after} | {number}
    steps += lines_below(snapshot, asked, ends.intersection(known.places))
    return Told(asked, operation=recording.known[number].name, life=tuple(steps))


@_of_recorded
def steps(snapshot: Snapshot, asked: Asked, made: Recorded) -> Told:
    """The steps of a pass."""
    assert asked.stage is not None, "it is asked for"
    recording, whose = _of(made), _Whose(snapshot, made)
    listed = [
        ListedStep(whose.step(step), run, step.number, step.depth)
        for run in recording.runs_of(asked.stage.passes - 1)
        for step in recording.steps_of(run)
    ]
    return Told(asked, steps=tuple(listed[:MOST_STEPS]))


@_of_recorded
def step(snapshot: Snapshot, asked: Asked, made: Recorded) -> Told:
    """The module before and behind a step of a pass, and what became of each operation by it."""
    assert asked.stage is not None, "it is asked for"
    recording, run = _of(made), asked.run
    if run not in recording.runs_of(asked.stage.passes - 1):
        return Told(asked, "this pass did not run here")
    count = recording.runs[run].steps
    number = min(asked.step, count + 1)
    before = made.step(run, max(number - 1, 0), source_names=asked.source_names)
    after = before if not number else made.step(run, number, source_names=asked.source_names)
    texts = Text(asked.stage.id, before.text), Text(asked.stage.id, after.text)
    return Told(asked, texts=texts, changes=_changes(recording, before, after))


@_of_recorded
def why_not(snapshot: Snapshot, asked: Asked, made: Recorded) -> Told:
    """Why the operation at a place is left by the passes that it outlives, or by one."""
    number = _number_at(snapshot, made, asked)
    if number is None:
        return Told(asked, "there is no operation here")
    recording, ids = _of(made), _ids(snapshot)
    wanted = asked.stage.passes - 1 if asked.stage is not None and not asked.in_stage else None
    outlived = next((step.run for step in recording.steps if number in step.gone), len(recording.runs))
    found: list[PassReasons] = []
    for index, run in enumerate(recording.runs[: outlived + 1]):
        if (wanted is not None and run.index != wanted) or not runs_on(recording, index, number):
            continue
        told = reasons_of(recording, index, number)
        is_end = index == outlived
        if told.reasons or is_end or wanted is not None:
            note = ended(recording, number) if is_end else told.note
            found.append(PassReasons(run.name, ids[run.index + 1], note, told.reasons))
    return Told(asked, operation=recording.known[number].name, reasons=tuple(found))


# ---- what they share


def _recorded(snapshot: Snapshot, asked: Asked) -> Recorded | Told:
    """What was recorded of the function, or of the first part of the document; or why there is nothing."""
    if asked.function is None:
        if snapshot.tree.line_count > MOST_LINES:
            return Told(asked, TOO_LONG)
        made = recorded_split(snapshot, next(iter(splits(snapshot)), None))
    else:
        symbol = find(snapshot, asked.function)
        if symbol is None or symbol.is_open:
            return Told(asked, f"there is no function @{asked.function}")
        made = recorded(snapshot, unit_of(symbol))
    if made.module.problem is not None:
        return Told(asked, in_one_line(placed(made.module.problem, made.module.layout, snapshot), snapshot))
    return made


def _of(made: Recorded) -> Recording:
    assert made.recording is not None, "its module has no problem"
    return made.recording


def _ids(snapshot: Snapshot) -> list[str]:
    """The ids of the stages by how many passes they are behind."""
    ids: dict[int, str] = {}
    for stage in stages(snapshot):
        ids.setdefault(stage.passes, stage.id)
    return [ids[passes] for passes in sorted(ids)]


def _changes(recording: Recording, before: StageText, after: StageText) -> tuple[Change, ...]:
    return changes_of(differences(recording.parents, before, after), before, after)


class _Whose:
    """Says who took a step, in the terms of the document."""

    def __init__(self, snapshot: Snapshot, made: Recorded) -> None:
        self._snapshot = snapshot
        self._made = made
        self._recording = _of(made)
        self._ids = _ids(snapshot)
        self._stages: dict[int, StageText] = {}
        self._known: dict[int, Who] = {}
        """By the identity of the step: one that made 80,000 operations is not hashed for each line that it made."""

    def step(self, step: Step) -> Who:
        if id(step) not in self._known:
            recording = self._recording
            run = recording.runs[step.run]
            root = recording.known[step.root] if step.root is not None else None
            place = root.span if root is not None else None
            source = self._made.module.layout.place(self._snapshot, place) if place is not None else None
            self._known[id(step)] = Who(
                by(recording, step),
                run.name,
                step.kind,
                step.pattern,
                self._ids[run.index + 1],
                source,
                root.name if root is not None else "",
            )
        return self._known[id(step)]

    def event(self, event: Event) -> LifeStep:
        index = self._recording.runs[event.step.run].index
        before, after = self._texts(event.before, index), self._texts(event.after, index + 1)
        return LifeStep(self.step(event.step), before, after)

    def _texts(self, numbers: Sequence[int], passes: int) -> tuple[str, ...]:
        """The heads of operations at a stage; the name of one that is not there."""
        if passes not in self._stages:
            self._stages[passes] = self._made.stage(passes, source_names=True)
        text = self._stages[passes]
        return tuple(
            text.head(number) if number in text.places else self._recording.known[number].name for number in numbers
        )


def _number_at(snapshot: Snapshot, made: Recorded, asked: Asked) -> int | None:
    """The operation at a place."""
    if asked.place is None:
        return None
    if asked.in_stage and asked.stage is not None:
        if asked.stage.id in OF_LLVM:
            numbers = below(snapshot, asked, asked.stage.id).numbers
            return next(iter(numbers[asked.place[0]]), None) if asked.place[0] < len(numbers) else None
        text = made.stage(asked.stage.passes, source_names=asked.source_names)
        lines = text.text.splitlines(keepends=True)
        line, units = asked.place
        if line >= len(lines):
            return None
        return text.at(sum(map(len, lines[:line])) + from_units(lines[line], units, asked.units))
    recording = _of(made)
    numbers = [number for number in recording.source if recording.known[number].span is not None]
    spans = [span for number in numbers if (span := recording.known[number].span) is not None]
    offset = asked.place[0]
    around = [
        (place.end - place.start, number)
        for number, place in zip(numbers, made.module.layout.place_all(snapshot, spans), strict=True)
        if place.start <= offset <= place.end
    ]
    return min(around)[1] if around else None
