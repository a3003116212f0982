"""A trace as one HTML file, which needs no server and loads nothing: `fathom opt --record=trace.html`.

What is in a trace may be of anybody. It comes into the page as data, of which the script makes text and nothing else,
and the page says itself that nothing but that script may run (its content security policy).
"""

from __future__ import annotations

import json
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from fathom.recording.differences import differences
from fathom.recording.lives import blame
from fathom.recording.telling import rows
from fathom.recording.trace_reading import Unreadable, read_trace
from fathom.text.beginnings import beginning

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fathom.recording.numbers import Known
    from fathom.recording.stages import StageText
    from fathom.recording.trace_reading import Trace, TracePart

_FOLDER: Final = Path(__file__).parent / "page"
LONGEST: Final = 400
"""Of where an operation comes from in the source, so many characters are shown."""


def page(trace: Trace) -> str:
    """The text of the page."""
    template, colours, rest, script = (
        (_FOLDER / name).read_text(encoding="utf-8") for name in ("page.html", "colours.css", "page.css", "page.js")
    )
    style = colours + rest
    data = {"name": trace.name, "parts": [_part(part) for part in trace.parts]}
    # No `<` ends the element that the data stand in.
    text = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    filled = (
        ("@STYLE_HASH@", _hash(style)),
        ("@SCRIPT_HASH@", _hash(script)),
        ("@STYLE@", style),
        ("@SCRIPT@", script),
        ("@TRACE@", text),
    )
    for mark, value in filled:
        before, _, behind = template.partition(mark)
        template = f"{before}{value}{behind}"
    return template


def page_of(written: bytes) -> str:
    """The page of a trace that was written here."""
    trace = read_trace(written)
    assert not isinstance(trace, Unreadable), f"it was written here: {trace}"
    return page(trace)


def _hash(text: str) -> str:
    return b64encode(sha256(text.encode()).digest()).decode()


def _part(part: TracePart) -> dict[str, Any]:
    """A part, in the form that the script reads: lines count from 0, and -1 is none."""
    indices = {id(step): index for index, step in enumerate(part.steps)}
    stages = {passes: index for index, passes in enumerate(part.stages)}
    return {
        "pipeline": part.pipeline,
        "names": [known.name for known in part.known.values()],
        "from": [_from(part, known) for known in part.known.values()],
        "madeOf": [list(part.parents.get(number, ())) for number in part.known],
        "passes": [{"name": run.name} for run in part.runs],
        "rows": [
            {
                "name": row.name,
                "options": row.options,
                "stage": stages.get(row.index + 1, -1),
                "before": row.before,
                "after": row.after,
                "milliseconds": round(row.seconds * 1000, 3),
                "steps": row.steps,
                "failed": row.failed,
            }
            for row in rows(part)
        ],
        "steps": [
            [step.run, step.kind, step.pattern, step.number, step.made, step.changed, step.gone] for step in part.steps
        ],
        "refusals": [
            [run, refusal.op, refusal.pattern, refusal.reason, refusal.undone]
            for run, made in enumerate(part.runs)
            for refusal in made.refusals
        ],
        "stages": list(_stages(part, indices)),
    }


def _from(part: TracePart, known: Known) -> str:
    span = known.span
    return beginning(part.text[span.start : min(span.end, span.start + LONGEST)], LONGEST) if span is not None else ""


def _stages(part: TracePart, indices: dict[int, int]) -> Iterable[dict[str, Any]]:
    before: StageText | None = None
    for passes, text in part.stages.items():
        steps = blame(part, passes, text)
        name = next((run.name for run in part.runs if run.index == passes - 1), "")
        yield {
            "title": f"behind {name}" if passes else "source",
            "text": text.text,
            "operations": [number if number is not None else -1 for number in text.by_lines()],
            "blame": [indices[id(step)] if step is not None else -1 for step in steps],
            "changes": _changes(part, before, text) if before is not None else [],
        }
        before = text


def _changes(part: TracePart, before: StageText, after: StageText) -> list[list[Any]]:
    first, second = _lines(before), _lines(after)
    return [
        [each.how, [first[number] for number in each.before], [second[number] for number in each.after]]
        for each in differences(part.parents, before, after)
    ]


def _lines(text: StageText) -> dict[int, int]:
    """The line in which each operation begins."""
    lines: dict[int, int] = {}
    line, at = 0, 0
    for number, place in text.places.items():
        line += text.text.count("\n", at, place.whole.start)
        at = place.whole.start
        lines[number] = line
    return lines
