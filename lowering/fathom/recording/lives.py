"""Who last changed an operation, and all that became of it from the source on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.recording.ancestry import ancestors_in, children_of
from fathom.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fathom.recording.recording import Journal, Step
    from fathom.recording.stages import StageText

MOST_RELATED: Final = 2_000
"""A life follows no more operations than this."""


@record
class Event:
    """A step in the life of an operation: `before` are those that it was until then, `after` those that it is from then
    on; both of an operation that was changed in place."""

    step: Step
    before: tuple[int, ...]
    after: tuple[int, ...]


def blame(recording: Journal, stage: int, text: StageText) -> list[Step | None]:
    """For each line of a stage the step that last changed the operation in it; None for one that is as it was in the
    source, and for a line without any."""
    last = last_steps(recording, stage)
    return [last.get(number) if number is not None else None for number in text.by_lines()]


def last_steps(recording: Journal, stage: int) -> Mapping[int, Step]:
    """The step that last made or changed each operation, up to a stage."""
    last: dict[int, Step] = {}
    for step in recording.steps:
        if recording.has_run_at(step.run, stage):
            last.update(dict.fromkeys(step.made, step))
            last.update(dict.fromkeys(step.changed, step))
    return last


def life(recording: Journal, number: int) -> list[Event]:
    """All steps in the life of an operation, in their order: those that led to it from the source, and those by which
    it became what there is at the end."""
    related = _related(recording, number)
    events: list[Event] = []
    for step in recording.steps:
        made = tuple(each for each in step.made if each in related)
        changed = tuple(each for each in step.changed if each in related)
        gone = tuple(each for each in step.gone if each in related)
        if made:
            parents = {parent for each in made for parent in recording.parents.get(each, ()) if parent in related}
            events.append(Event(step, tuple(sorted(parents.union(gone))), made))
        elif gone:
            events.append(Event(step, gone, ()))
        if changed:
            events.append(Event(step, changed, changed))
    return events


def _related(recording: Journal, number: int) -> set[int]:
    """The operation, those that it was made of, and those that were made of it."""
    related = {number}
    pending = [number]
    while pending and len(related) < MOST_RELATED:
        for parent in recording.parents.get(pending.pop(), ()):
            if parent not in related:
                related.add(parent)
                pending.append(parent)
    children = children_of(recording)
    pending = [number]
    while pending and len(related) < MOST_RELATED:
        for child in children.get(pending.pop(), ()):
            if child not in related:
                related.add(child)
                pending.append(child)
    return related


def origins(recording: Journal, number: int) -> list[int]:
    """The operations of the source that one was made of."""
    return ancestors_in(recording.parents, number, set(recording.source))
