"""What was recorded of a text, as text for goldens: the answers to the lines `// ASK:` at its top.

// PASSES: --canonicalize --convert-to-llvm
// ASK: timeline
// ASK: difference 0 2          the stages by how many passes they are behind
// ASK: steps canonicalize
// ASK: step convert-to-llvm 3
// ASK: blame 2
// ASK: life 2 llvm.store       of the first operation of that name at the stage
// ASK: names 2                 the text with the names of the source
// ASK: why canonicalize        of what a pass left that comes from lines which end in `// why`
    // ASK: why canonicalize        of what comes from lines that end in `// why`
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from fathom.context import default_context
from fathom.elaborate import load
from fathom.pipeline.language import parse_pipeline
from fathom.pipeline.lowering import run
from fathom.recording import Recorder
from fathom.recording.differences import differences
from fathom.recording.lives import blame, life
from fathom.recording.reasons import runs_on, why_not
from fathom.recording.replaying import replayed_text
from fathom.recording.stages import stage_text
from fathom.recording.telling import by, timeline, told_differences

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from fathom.recording import Recording

FIXTURES: Final = Path(__file__).resolve().parents[1] / "fixtures" / "recording"
_LINE: Final = re.compile(r"^// (PASSES|ASK): (.*)$", re.MULTILINE)
_TIME: Final = re.compile(r"^ *\d+\.\d ", re.MULTILINE)


def recorded(text: str, flags: str | Sequence[str]) -> Recording:
    """A run of passes on a text."""
    context, pipeline = default_context(), parse_pipeline(flags)
    module = load(text, context).module
    recorder = Recorder(pipeline, module, context)
    run(pipeline, module, context, observers=[recorder])
    return recorder.recording


def answers(path: Path) -> str:
    """The questions of a fixture, each with its answer."""
    text = path.read_text(encoding="utf-8")
    asked: list[tuple[str, str]] = _LINE.findall(text)
    passes: str = next(rest for word, rest in asked if word == "PASSES")
    flags = passes.removeprefix("--pass-pipeline=") if "(" in passes else passes.split()
    recording = recorded(text, flags)
    parts = [f"== {line}\n{_answer(recording, text, *line.split())}" for word, line in asked if word == "ASK"]
    return "\n".join(parts)


def _answer(recording: Recording, text: str, kind: str, *arguments: str) -> str:
    given = (*arguments, text) if kind == "why" else arguments
    return "".join(f"{line}\n" for line in _ANSWERS[kind](recording, *given))


def _timeline(recording: Recording) -> Iterator[str]:
    yield from _TIME.sub("", timeline(recording)).splitlines()


def _difference(recording: Recording, first: str, second: str) -> Iterator[str]:
    before, after = stage_text(recording, int(first)), stage_text(recording, int(second))
    found = differences(recording.parents, before, after)
    yield from (line.rstrip("\n") for line in told_differences(found, before, after))


def _steps(recording: Recording, name: str) -> Iterator[str]:
    for index in _runs(recording, name):
        for step in recording.steps_of(index):
            on = f" on {recording.known[step.root].name}" if step.root is not None else ""
            yield f"{'  ' * step.depth}{step.number} {step.pattern or step.kind}{on}"
            for what, numbers in (("makes", step.made), ("changes", step.changed), ("takes", step.gone)):
                if numbers:
                    yield f"{'  ' * step.depth}    {what} {_names(recording, numbers)}"
        for refusal in recording.runs[index].refusals:
            undone = ", undone" if refusal.undone else ""
            known = recording.known[refusal.op].name
            yield f"no {refusal.pattern} on {known}: {refusal.reason} ({refusal.times}{undone})"


def _step(recording: Recording, name: str, number: str) -> Iterator[str]:
    yield from replayed_text(recording, _runs(recording, name)[0], int(number)).text.rstrip().splitlines()


def _blame(recording: Recording, stage: str) -> Iterator[str]:
    made = stage_text(recording, int(stage))
    lines = made.text.rstrip().splitlines()
    steps = blame(recording, int(stage), made)
    said = [by(recording, step) if step is not None else "" for step in steps[: len(lines)]]
    width = max(map(len, said))
    yield from (f"{who:{width}} | {line}" for who, line in zip(said, lines, strict=True))


def _life(recording: Recording, stage: str, name: str) -> Iterator[str]:
    places = stage_text(recording, int(stage)).places
    number = next(number for number in places if recording.known[number].name == name)
    for event in life(recording, number):
        before, after = _names(recording, event.before), _names(recording, event.after) or "nothing"
        became = f"{before} changed" if event.before == event.after else f"{before or 'nothing'} -> {after}"
        yield f"{by(recording, event.step)}: {became}"


def _why(recording: Recording, name: str, source: str) -> Iterator[str]:
    for index in _runs(recording, name):
        yield from _why_of_run(recording, index, source)


def _why_of_run(recording: Recording, index: int, source: str) -> Iterator[str]:
    made = stage_text(recording, recording.runs[index].index + 1, source_names=True)
    for number in made.places:
        span = recording.known[number].span
        if span is None or not source[span.start :].partition("\n")[0].endswith("// why"):
            continue
        if not runs_on(recording, index, number):
            continue
        if any(number in step.made for step in recording.steps_of(index)):
            continue
        told = why_not(recording, index, number)
        yield f"{made.head(number)}{' (changed)' if told.changed else ''}"
        if told.note:
            yield f"    {told.note}"
        yield from (f"    {reason.pattern}: {reason}" for reason in told.reasons)
    before = stage_text(recording, recording.runs[index].index, source_names=True)
    told_of = dict.fromkeys(refusal.op for refusal in recording.runs[index].refusals)
    for number in (number for number in told_of if number in before.places and number not in made.places):
        yield f"{before.head(number)} (gone)"
        yield from (f"    {reason.pattern}: {reason}" for reason in why_not(recording, index, number).reasons)


def _texts_with_names(recording: Recording, stage: str) -> Iterator[str]:
    yield from stage_text(recording, int(stage), source_names=True).text.rstrip().splitlines()


_ANSWERS: Final[dict[str, Callable[..., Iterator[str]]]] = {
    "timeline": _timeline,
    "difference": _difference,
    "steps": _steps,
    "step": _step,
    "blame": _blame,
    "life": _life,
    "names": _texts_with_names,
    "why": _why,
}


def _runs(recording: Recording, name: str) -> list[int]:
    return [index for index, made in enumerate(recording.runs) if made.name == name]


def _names(recording: Recording, numbers: Sequence[int]) -> str:
    return ", ".join(recording.known[number].name for number in numbers)
