"""What was recorded, as text for people on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.records import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fathom.recording.differences import Difference
    from fathom.recording.recording import Journal, PassRecord, Step
    from fathom.recording.stages import StageText

_UNCHANGED: Final = "nothing changed"


@record
class Row:
    """A pass of the pipeline in the timeline, by its index: with how many operations it began and ended, over all that
    it ran on, so many `times`, and what its patterns did."""

    index: int
    name: str
    options: str
    times: int
    seconds: float
    before: int
    after: int
    has_changed: bool
    failed: bool
    steps: int
    tried: int


def rows(recording: Journal) -> list[Row]:
    """The passes that ran, in their order."""
    by_index: dict[int, list[PassRecord]] = {}
    for run in recording.runs:
        by_index.setdefault(run.index, []).append(run)
    return [
        Row(
            index,
            runs[0].name,
            runs[0].options,
            len(runs),
            sum(run.seconds for run in runs),
            sum(run.before for run in runs),
            sum(run.after for run in runs),
            any(run.has_changed for run in runs),
            any(run.failed for run in runs),
            sum(run.steps for run in runs),
            sum(run.tried for run in runs),
        )
        for index, runs in sorted(by_index.items())
    ]


def timeline(recording: Journal) -> str:
    """A table of the passes that ran; those that changed nothing, one after the other, are one line."""
    lines = [f"{'ms':>8} {'operations':>15} {'steps':>6}  pass"]
    idle: list[Row] = []
    for row in rows(recording):
        if not row.has_changed and not row.failed:
            idle.append(row)
            continue
        lines += _idle(idle)
        idle.clear()
        count = f"{row.before} -> {row.after}" if row.before != row.after else str(row.before)
        on = f" on {row.times} operations" if row.times > 1 else ""
        failed = ": it failed" if row.failed else ""
        lines.append(f"{row.seconds * 1000:8.1f} {count:>15} {row.steps or '':>6}  {row.name}{row.options}{on}{failed}")
    return "\n".join([*lines, *_idle(idle)]) + "\n"


def _idle(idle: list[Row]) -> list[str]:
    if not idle:
        return []
    seconds = sum(row.seconds for row in idle)
    return [f"{seconds * 1000:8.1f} {'':>15} {'':>6}  {', '.join(row.name for row in idle)}: {_UNCHANGED}"]


_WORDS: Final = {
    "fold": "a fold",
    "removal": "dead code",
    "simplification": "simplification",
    "settling": "casts at its end",
}


def ended(recording: Journal, number: int) -> str:
    """How an operation came to its end: what took it away, and what it became; empty where it is there to the end."""
    step = next((step for step in recording.steps if number in step.gone), None)
    if step is None:
        return ""
    if step.kind == "removal":
        return "it is taken away, since nothing needs it"
    how = f" by {step.pattern or _WORDS[step.kind]}" if step.pattern or step.kind in _WORDS else ""
    became = dict.fromkeys(recording.known[made].name for made in step.made)
    names = ", ".join(f"'{name}'" for name in became)
    return f"it became {names}{how}" if names else f"it is taken away{how}"


def by(recording: Journal, step: Step) -> str:
    """Who took a step: the pass, and the pattern or what else it was."""
    what = step.pattern or _WORDS.get(step.kind, "")
    name = recording.runs[step.run].name
    return f"{name}: {what}" if what else name


def told_differences(found: Iterable[Difference], before: StageText, after: StageText) -> Iterator[str]:
    """Lines that say how two texts differ, operation by operation."""
    for each in found:
        moved = " and moved" if each.moved and each.how != "moved" else ""
        yield f"{each.how}{moved}\n"
        if each.how != "moved":
            yield from (f"  - {before.head(number)}\n" for number in each.before)
        yield from (f"  + {after.head(number)}\n" for number in each.after)
        yield from (f"    made of {after.head(number)}\n" for number in each.made_of)
