"""A recording as data for a file, which `docs/recording.md` describes and `docs/trace.schema.json` defines.

Operations are numbers, places are offsets of characters, in the source and in the texts of stages. A stage is there for
each pass that changed something.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from fathom.recording.stages import stage_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fathom.recording.numbers import Known
    from fathom.recording.recording import PassRecord, Recording, Refusal, Step

FORMAT: Final = "fathom-trace"
VERSION: Final = 1
"""The version of the format: another one where what is there already means something else."""


def trace(parts: Iterable[dict[str, Any]], name: str) -> dict[str, Any]:
    """The file of a run, with the parts of its input (`part`)."""
    return {"format": FORMAT, "version": VERSION, "name": name, "parts": list(parts)}


def part(recording: Recording, source: str, *, source_names: bool = False) -> dict[str, Any]:
    """What was recorded of one part of an input, which has this text."""
    return {
        "pipeline": str(recording.pipeline),
        "source": source,
        "operations": [_operation(recording, number, known) for number, known in sorted(recording.known.items())],
        "passes": [_pass(recording, number, made) for number, made in enumerate(recording.runs)],
        "stages": [_stage(recording, stage, source_names=source_names) for stage in stages_of(recording)],
    }


def stages_of(recording: Recording) -> list[int]:
    """The stages that are another than the one before them, from the source on."""
    return [0, *sorted({made.index + 1 for made in recording.runs if made.has_changed})]


def _operation(recording: Recording, number: int, known: Known) -> dict[str, Any]:
    said: dict[str, Any] = {"name": known.name}
    if known.span is not None:
        said["source"] = [known.span.start, known.span.end]
    if made_of := recording.parents.get(number):
        said["madeOf"] = list(made_of)
    return said


def _pass(recording: Recording, number: int, made: PassRecord) -> dict[str, Any]:
    said: dict[str, Any] = {
        "name": made.name,
        "options": made.options,
        "index": made.index,
        "on": made.op,
        "milliseconds": round(made.seconds * 1000, 3),
        "before": made.before,
        "after": made.after,
        "changed": made.has_changed,
        "tried": made.tried,
        "steps": [_step(step) for step in recording.steps_of(number)],
        "refusals": [_refusal(refusal) for refusal in made.refusals],
    }
    if made.symbol:
        said["symbol"] = made.symbol
    if made.failed:
        said["failed"] = True
    if made.lost:
        said["lost"] = made.lost
    return said


def _step(step: Step) -> dict[str, Any]:
    said: dict[str, Any] = {"kind": step.kind, "number": step.number}
    if step.depth:
        said["depth"] = step.depth
    if step.pattern:
        said["pattern"] = step.pattern
    if step.root is not None:
        said["root"] = step.root
    for what, numbers in (("made", step.made), ("changed", step.changed), ("gone", step.gone)):
        if numbers:
            said[what] = list(numbers)
    return said


def _refusal(refusal: Refusal) -> dict[str, Any]:
    said: dict[str, Any] = {"on": refusal.op, "pattern": refusal.pattern, "reason": refusal.reason}
    if refusal.times > 1:
        said["times"] = refusal.times
    if refusal.undone:
        said["undone"] = True
    return said


def _stage(recording: Recording, stage: int, *, source_names: bool) -> dict[str, Any]:
    made = stage_text(recording, stage, source_names=source_names)
    places = [[number, place.whole.start, place.whole.end] for number, place in made.places.items()]
    return {"passes": stage, "text": made.text, "operations": places}
